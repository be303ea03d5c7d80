"""Pictures of studies: lines with their intervals, and squares with a number in each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from thirtyone_eval.intervals import Estimate

_STYLE: Any = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
}
BESIDE = 4
FIRST, LAST = 0.05, 0.85  # of the colour map; its yellow end is hard to see on white


def panels(count: int, width: float = 5.2, height: float = 3.8) -> tuple[Figure, list[Axes]]:
    """A figure with so many plots, at most `BESIDE` side by side."""
    lines = -(-count // BESIDE)
    columns = -(-count // lines)
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width * columns, height * lines), layout="constrained")
        plots = [figure.add_subplot(lines, columns, number + 1) for number in range(count)]
    return figure, plots


def shades(count: int) -> list[Any]:
    """So many colours in an order that also shows without colour."""
    return [colormaps["viridis"](FIRST + (LAST - FIRST) * i / max(1, count - 1)) for i in range(count)]


def curve(axes: Axes, x: Sequence[float], y: Sequence[Estimate], label: str, colour: Any) -> None:
    """A line through estimates, their intervals as a band."""
    axes.plot(x, [one.mean for one in y], color=colour, label=label, linewidth=1.6, marker="o", markersize=2.5)
    axes.fill_between(x, [one.low for one in y], [one.high for one in y], color=colour, alpha=0.2, linewidth=0)


def points(axes: Axes, x: Sequence[float], y: Sequence[Estimate], label: str, colour: Any) -> None:
    """Estimates as points with bars."""
    bars = [[max(0.0, one.mean - one.low) for one in y], [max(0.0, one.high - one.mean) for one in y]]
    axes.errorbar(x, [one.mean for one in y], yerr=bars, color=colour, label=label, fmt="o-", markersize=4,
                  linewidth=1.2, capsize=2)


def squares(axes: Axes, values: Sequence[Sequence[float]], rows: Sequence[Any], columns: Sequence[Any],
            digits: int, both_ways: bool = True) -> None:
    """A matrix as coloured squares with its numbers; ``both_ways`` puts white at zero."""
    array = np.array(values, dtype=float)
    most = float(np.nanmax(np.abs(array))) or 1.0
    scale: dict[str, Any] = {"vmin": -most, "vmax": most, "cmap": "PuOr"} if both_ways else {"cmap": "viridis"}
    image = axes.imshow(array, aspect="auto", **scale)
    axes.set_xticks(range(len(columns)), [f"{one}" for one in columns])
    axes.set_yticks(range(len(rows)), [f"{one}" for one in rows])
    axes.tick_params(length=0)
    for i, line in enumerate(array):
        for j, value in enumerate(line):
            red, green, blue, _ = image.cmap(image.norm(value))
            dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
            axes.text(j, i, f"{value:.{digits}f}", ha="center", va="center", fontsize=7,
                      color="white" if dark else "black")


def finish(axes: Axes, title: str, x: str, y: str, legend: str | None = None) -> None:
    """Title, names of the axes, grid, and where asked for a legend of that title."""
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if axes.images:
        return
    axes.grid(linewidth=0.6)
    if legend is not None:
        axes.legend(title=legend or None, frameon=False, fontsize=8)
