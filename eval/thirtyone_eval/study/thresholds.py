"""`thirtyone study thresholds`: one knock level against another, for tables of several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import checked_seed
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import play_compiled
from thirtyone_eval.intervals import Sample, ratio
from thirtyone_eval.outcomes import Games
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import (
    Moved,
    checked_deals,
    checked_players,
    chunks,
    in_words,
    unheard,
    with_lives,
)
from thirtyone_eval.study.findings import Findings, Part, Row

NAME = "thresholds"
QUESTION = (
    "One player knocks from a worth of K (threshold:K), all the others from a worth of J. How many lives "
    "fewer than the mean of the others does the one lose in 100 rounds? Each deal is played with the one in "
    "every seat, and all pairs play the same deals. The best reply to J is the K that saves most; those "
    "whose difference from it, deal by deal, is not clear are named beside it. K against K is 0 by "
    "symmetry."
)
CHUNK = 2_000
MOST_LEVELS = 20


@dataclass(frozen=True)
class Matrix:
    """Samples over the deals: ``cells[j][k]`` is what the K of number k saves against the J of number j, per round."""

    levels: list[CompiledPolicy]
    cells: list[list[Sample]]


def matrix(
    rules: Rules, players: int, levels: Sequence[CompiledPolicy], deals: int, seed: int, moved: Moved = unheard
) -> Matrix:
    """Play every pair; arguments as `thresholds` has them."""
    cells = []
    for others in range(len(levels)):
        line = []
        for one in range(len(levels)):
            saved = np.zeros(deals)
            if one != others:
                for lo, hi in chunks(0, deals, CHUNK):
                    saved[lo:hi] = _saved(rules, players, [levels[one], levels[others]], lo, hi, seed)
                    moved(players * (hi - lo))
            line.append(ratio(saved, np.ones(deals)))
        cells.append(line)
    return Matrix(list(levels), cells)


def _saved(
    rules: Rules, players: int, pair: Sequence[CompiledPolicy], lo: int, hi: int, seed: int
) -> npt.NDArray[np.float64]:
    """Lives a round that the first of the pair saves, the mean over its seats: float64 ``[deals]``."""
    seats = np.tile(1 - np.eye(players, dtype=np.int64), (hi - lo, 1))  # 0 is the one, in each seat once
    games = Games(np.repeat(np.arange(lo, hi), players), seats)
    lost = play_compiled(rules, players, "round", seed, games, pair).lost
    mine = (lost * (1 - seats)).sum(axis=1)
    rest = (lost.sum(axis=1) - mine) / (players - 1)
    mean: npt.NDArray[np.float64] = (rest - mine).reshape(hi - lo, players).mean(axis=1)
    return mean


def thresholds(
    rules: str = "pagat",
    players: Sequence[int] = (2, 3, 4, 5),
    levels: Sequence[float] = (17, 19, 21, 23, 24, 25, 26, 27, 28, 29),
    deals: int = 2_000,
    seed: int = 1,
    progress: bool = False,
) -> Findings:
    """The study.

    Raises:
        UserError: an argument is wrong.
    """
    chosen = with_lives(rules, NAME)
    sizes, deals, seed = checked_players(chosen, players), checked_deals(deals), checked_seed(seed)
    policies = _policies(levels)
    names = [policy.parameter / 2 for policy in policies]
    pairs = len(names) * (len(names) - 1)
    cells: list[Row] = []
    replies: list[Row] = []
    remarks = []
    with progress_bar(NAME, pairs * deals * sum(sizes), "rounds", quiet=not progress) as bar:
        for size in sizes:
            found = matrix(chosen, size, policies, deals, seed, bar)
            for j, line in enumerate(found.cells):
                cells += [
                    {"players": size, "others": names[j], "one": names[k], "lives": sample.estimate().times(100)}
                    for k, sample in enumerate(line)
                ]
                replies.append({"players": size, "others": names[j], **best_reply(names, line)})
            remarks.append(_settled(size, replies))
    return Findings(
        NAME, QUESTION,
        {"rules": rules, "players": sizes, "levels": names, "deals": deals, "seed": seed},
        [
            Part("matrix", "lives saved in 100 rounds; columns: the one's level K, rows: the others' level J", cells, 1,
                 across=("one", "lives"), shown=len(names) <= 6),
            Part("best-replies", "the best reply to the others' level, and what it saves in 100 rounds", replies, 1),
        ],
        remarks, _pictures(sizes, names, cells, replies),
    )  # fmt: skip


def _policies(levels: Sequence[float]) -> list[CompiledPolicy]:
    given = len(set(levels))
    if not 2 <= given <= MOST_LEVELS:
        raise UserError(f"levels: {given} given, 2 to {MOST_LEVELS} different ones are needed, such as 21 25 27")
    found = [load(f"threshold:{level:g}") for level in sorted(set(levels))]
    return [policy for policy in found if isinstance(policy, CompiledPolicy)]


def best_reply(names: Sequence[float], line: Sequence[Sample]) -> Row:
    """The level that saves most, what it saves, and the levels that it does not clearly beat."""
    best = max(range(len(line)), key=lambda k: line[k].mean)
    near = [
        names[k] for k, sample in enumerate(line)
        if k != best and not line[best].minus(sample).estimate().above_zero
    ]  # fmt: skip
    return {
        "best_reply": names[best],
        "saves": line[best].estimate().times(100),
        "not_clearly_worse": ", ".join(f"{one:g}" for one in near),
    }


def _settled(size: int, replies: Sequence[Row]) -> str:
    """Which levels are best replies to themselves, as far as the deals tell."""
    rows = [row for row in replies if row["players"] == size]
    stable = [
        f"{row['others']:g}" for row in rows
        if row["best_reply"] == row["others"] or f"{row['others']:g}" in row["not_clearly_worse"].split(", ")
    ]  # fmt: skip
    if not stable:
        return f"{size} players: no level of these is a best reply to itself."
    best = max(rows, key=lambda row: row["saves"].mean)
    return (
        f"{size} players: nothing clearly beats {' or '.join(stable)} where all others play it too; most is to be had "
        f"from others at {best['others']:g}: {in_words(best['saves'], 1)} lives in 100 rounds."
    )


def _pictures(
    sizes: Sequence[int], names: Sequence[float], cells: Sequence[Row], replies: Sequence[Row]
) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import finish, panels, squares

    labels = [f"{name:g}" for name in names]
    width, height = max(3.8, 1.4 + 0.36 * len(names)), max(2.4, 1.2 + 0.3 * len(names))  # the title has to fit
    figure, plots = panels(len(sizes), width=width, height=height)
    for axes, size in zip(plots, sizes, strict=True):
        rows = [row for row in cells if row["players"] == size]
        values = [[row["lives"].mean for row in rows if row["others"] == name] for name in names]
        squares(axes, values, labels, labels, 1)
        for j, name in enumerate(names):
            best = next(r["best_reply"] for r in replies if (r["players"], r["others"]) == (size, name))
            axes.plot(list(names).index(best), j, "s", markersize=17, fillstyle="none", color="black")
        finish(axes, f"{size} players: lives saved in 100 rounds", "the one knocks from", "the others knock from")
    return {NAME: figure}
