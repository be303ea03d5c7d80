"""Plots as SVG text that takes its colours from the page, so that one picture serves light and dark."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import StrMethodFormatter

from thirtyone_eval.show import plus_minus

# Colours that matplotlib writes, and what the page puts in their place.
INK, GRID, ACCENT, GOOD, BAD, CARD = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
_PAGE_COLOURS = {
    INK: "currentColor", GRID: "var(--grid)", ACCENT: "var(--accent)", GOOD: "var(--good)", BAD: "var(--bad)",
    CARD: "var(--card)",
}  # fmt: skip
_STYLE: dict[str, Any] = {
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10.0,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": GRID,
    "axes.titlesize": 10.0,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": GRID,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
WIDTH = 6.4
MOST_WITH_FIGURES = 14
UNITS = {"lives": "lives lost in 100 rounds", "wins": "share of wins, %"}


def ranking_plot(rows: Sequence[dict[str, Any]], measure: str) -> str:
    """Each policy's measure with its 95 % interval, the best on top."""
    fig, axes = _figure(0.9 + 0.3 * len(rows), "rank")
    key = "lives_per_round" if measure == "lives" else "win_share"
    far = far_off([row[key]["mean"] for row in rows])
    for line, row in enumerate(rows):
        value = row[key]
        if line in far:
            axes.annotate(f"{plus_minus(value, 1, factor=100)}  {'→' if measure == 'lives' else '←'}",
                          (1 if measure == "lives" else 0, line), xycoords=("axes fraction", "data"), fontsize=9,
                          ha="right" if measure == "lives" else "left", va="center")
            continue
        axes.plot([100 * value["low"], 100 * value["high"]], [line, line], color=ACCENT, linewidth=2.5)
        axes.plot(100 * value["mean"], line, "o", color=ACCENT, markersize=6)
    axes.margins(x=0.08)
    axes.set_yticks(range(len(rows)), [row["policy"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(UNITS[measure])
    axes.grid(axis="x", linewidth=0.6)
    return _svg(fig, "rank")


def far_off(means: Sequence[float]) -> set[int]:
    """Lines so far behind that drawing them would squeeze the others: four times as far as the middle one."""
    gaps = [abs(mean - means[0]) for mean in means]
    middle = gaps[len(gaps) // 2]
    return {line for line, gap in enumerate(gaps) if len(gaps) > 3 and middle > 0 and gap > 4 * middle}


def places_plot(rows: Sequence[dict[str, Any]]) -> str:
    """How often each policy came in each place; the best place is the strongest colour."""
    places = len(rows[0]["place_shares"])
    fig, axes = _figure(1.1 + 0.3 * len(rows), "places")
    lefts = [0.0] * len(rows)
    for place in range(places):
        shares = [100 * row["place_shares"][place] for row in rows]
        opacity = 1 - 0.85 * place / max(1, places - 1)
        axes.barh(range(len(rows)), shares, left=lefts, height=0.68, color=ACCENT, alpha=opacity, edgecolor=CARD,
                  linewidth=0.8, label=f"place {place + 1}")
        lefts = [left + share for left, share in zip(lefts, shares, strict=True)]
    axes.set_yticks(range(len(rows)), [row["policy"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of games")
    axes.tick_params(axis="y", length=0)
    axes.legend(ncols=min(places, 5), frameon=False, loc="lower left", bbox_to_anchor=(0, 1), handlelength=1,
                columnspacing=1.2)
    return _svg(fig, "places")


def seats_plot(seats: Sequence[dict[str, Any]], measure: str) -> str:
    """The measure by seat, counted from the dealer's left neighbour, who begins."""
    fig, axes = _figure(2.6, "seats")
    for place, value in enumerate(seats):
        axes.plot([place, place], [100 * value["low"], 100 * value["high"]], color=ACCENT, linewidth=2.5)
        axes.plot(place, 100 * value["mean"], "o", color=ACCENT, markersize=6)
    names = ["first to play", *(f"{place + 1}" for place in range(1, len(seats) - 1)), "dealer"]
    axes.set_xticks(range(len(seats)), names)
    axes.set_xlim(-0.5, len(seats) - 0.5)
    axes.set_ylabel(UNITS[measure])
    axes.locator_params(axis="y", nbins=5)
    axes.grid(axis="y", linewidth=0.6)
    return _svg(fig, "seats")


def payoff_plot(data: dict[str, Any], labels: Sequence[str], rows: Sequence[dict[str, Any]]) -> str:
    """How much better the row does than the column at the tables where both sit, in hundredths of the measure.

    Beyond `MOST_WITH_FIGURES` policies the squares have no room for figures.
    """
    order = [labels.index(row["policy"]) for row in rows]
    cells = [[data["payoff"][i][j] for j in order] for i in order]
    most = max((abs(cell["mean"]) for line in cells for cell in line if cell), default=0) or 1.0
    size = len(order)
    fig, axes = _figure(1.6 + (0.36 if size <= MOST_WITH_FIGURES else 0.2) * size, "payoff")
    shown = [(i, j, cell) for i, line in enumerate(cells) for j, cell in enumerate(line) if cell is not None]
    squares = [Rectangle((j - 0.47, i - 0.47), 0.94, 0.94) for i, j, _ in shown]
    colours = [
        to_rgba(GOOD if cell["mean"] > 0 else BAD, 0.08 + 0.55 * abs(cell["mean"]) / most) for *_, cell in shown
    ]
    axes.add_collection(PatchCollection(squares, facecolors=colours, linewidths=0), autolim=False)
    if size <= MOST_WITH_FIGURES:
        for i, j, cell in shown:
            _payoff_text(axes, i, j, cell, size)
    names = [row["policy"] for row in rows]
    axes.set_xticks(range(size), names, rotation=40, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.set_yticks(range(size), names)
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return _svg(fig, "payoff")


def _payoff_text(axes: Axes, i: int, j: int, cell: dict[str, float], size: int) -> None:
    sure = cell["low"] > 0 or cell["high"] < 0
    text = f"{100 * cell['mean']:+.1f}"
    axes.text(j, i, text, ha="center", va="center", fontsize=9 if size <= 9 else 7, alpha=1.0 if sure else 0.55)


def curve_plot(curve: dict[str, Any]) -> str:
    """A curve of training: lists ``x`` and ``y``, their labels, and where there are intervals ``half`` of each."""
    fig, axes = _figure(2.9, "curve")
    axes.plot(curve["x"], curve["y"], color=ACCENT, linewidth=2)
    if "half" in curve:
        axes.errorbar(curve["x"], curve["y"], yerr=curve["half"], fmt="o", color=ACCENT, markersize=5, linewidth=1.5)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel(curve["x_label"])
    axes.set_ylabel(curve["y_label"])
    axes.grid(linewidth=0.6)
    return _svg(fig, curve["y_label"])


def _figure(height: float, salt: str) -> tuple[Figure, Axes]:
    with _style(salt):
        fig = Figure(figsize=(WIDTH, height), layout="constrained")
        return fig, fig.subplots()


def _style(salt: str) -> AbstractContextManager[None]:
    style: Any = {**_STYLE, "svg.hashsalt": salt}
    return matplotlib.rc_context(style)


def _svg(fig: Figure, salt: str) -> str:
    """The figure as an ``<svg>`` element for a page, its colours left to the page."""
    buffer = io.StringIO()
    with _style(salt):
        fig.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    for side in ("width", "height"):  # the page decides how wide it is
        text = re.sub(rf'(<svg[^>]*?) {side}="[^"]*"', r"\1", text, count=1)
    for colour, page in _PAGE_COLOURS.items():
        text = text.replace(colour, page)
    return text
