"""`thirtyone study first-knock`: a knock on the dealt hand, by seat, players and worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.errors import UserError
from thirtyone_env.game_start import checked_seed
from thirtyone_env.rules import Rules
from thirtyone_eval.intervals import Estimate
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import Moved, checked_deals, chunks, unheard, worth_text
from thirtyone_eval.study.findings import Findings, Part, Row
from thirtyone_eval.study.shares import share

NAME = "first-knock"
QUESTION = (
    "How often does a player survive who knocks on the dealt hand, at the first turn? The knocker keeps "
    "that hand. All others take one turn after the knock, and the seats before the knocker one more before "
    "it. In a turn a player picks the card whose removal leaves the best average over the 49 cards that "
    "could come for it; changes it for the top discard if that makes the hand better, else for a card from "
    "the stock if that does, else throws the stock card. Three of a kind is 30.5, and 31 does not stop the "
    "round. To survive is not to be alone in last place. Seat 0 sits left of the dealer. Source of the set-up: "
    "chris-carbonell/thirty-one-simulations."
)
CHUNK = 50_000
MOST_PLAYERS = 9
Counts = npt.NDArray[np.int64]


def play(players: int, deals: int, seed: int, moved: Moved = unheard) -> Counts:
    """How often each knocker had each worth in half points, and survived: int64 ``[players, 67, 2]``.

    Args:
        players: 2 to 9.
        deals: each is played with every seat as the knocker.
        seed: of the cards.
        moved: is told how many deals were played since it was last told.
    """
    from thirtyone_eval.study import first_knock_play as core

    rules1 = Rules(three_of_a_kind="30.5").packed[1]
    pairs = np.zeros((52, 52), dtype=np.uint64)
    core.sum_pairs(rules1, pairs)
    cards, hands = np.zeros(5 * players - 1, dtype=np.uint64), np.zeros((2 * players, 3), dtype=np.uint64)
    tally: Counts = np.zeros((players, core.WORTHS, 2), dtype=np.int64)
    for lo, hi in chunks(0, deals, CHUNK):
        core.play_deals(seed, lo, hi, players, rules1, pairs, cards, hands, tally)
        moved(hi - lo)
    return tally


def first_knock(
    players: Sequence[int] = (2, 3, 4, 5, 6), deals: int = 400_000, seed: int = 1, progress: bool = False
) -> Findings:
    """The study; ``deals`` of each number of players, each with every seat as the knocker.

    Raises:
        UserError: an argument is wrong.
    """
    sizes, deals, seed = _sizes(players), checked_deals(deals), checked_seed(seed)
    totals: list[Row] = []
    by_worth: list[Row] = []
    levels: list[Row] = []
    with progress_bar(NAME, deals * len(sizes), "deals", quiet=not progress) as bar:
        for size in sizes:
            tally = play(size, deals, seed, bar)
            for seat in range(size):
                held, survived = tally[seat].T
                totals.append({"players": size, "seat": seat, "survives": share(survived.sum(), held.sum())})
                rows = [
                    {"players": size, "seat": seat, "worth": worth_text(worth), "hands": int(held[worth]),
                     "survives": share(survived[worth], held[worth])}
                    for worth in np.flatnonzero(held).tolist()
                ]  # fmt: skip
                by_worth += rows
                levels.append({"players": size, "seat": seat, **{
                    f"{percent}_%": _level(rows, percent / 100) for percent in (50, 60, 75, 90)
                }})
    return Findings(
        NAME, QUESTION, {"players": sizes, "deals": deals, "seed": seed},
        [
            Part("totals", "chance to survive, any hand, by the knocker's seat", totals, 4,
                 across=("seat", "survives")),
            Part("levels", "smallest worth at which the knocker survives in so many cases", levels, 1),
            Part("by-worth", "chance to survive by worth", by_worth, 4, shown=False),
        ],
        pictures=_pictures(sizes, by_worth),
    )


def _sizes(players: Sequence[int]) -> list[int]:
    wrong = [one for one in players if not 2 <= one <= MOST_PLAYERS]
    if wrong or not players:
        told = wrong[0] if wrong else "none"
        raise UserError(f"players={told} is not allowed: whole numbers from 2 to {MOST_PLAYERS}")
    return sorted(set(players))


def _level(rows: Sequence[Row], wanted: float) -> Estimate | None:
    """The smallest worth that survives at least so often; it lies above all that surely do not, up to one that does."""
    seldom = max((row["worth"] for row in rows if row["survives"].high < wanted), default=0.0)
    mean = next((row["worth"] for row in rows if row["survives"].mean >= wanted and row["worth"] > seldom), None)
    sure = next((row["worth"] for row in rows if row["survives"].low >= wanted and row["worth"] > seldom), math.inf)
    if mean is None:
        return None
    return Estimate(mean, min(row["worth"] for row in rows if row["worth"] > seldom), sure)


def _pictures(sizes: Sequence[int], by_worth: Sequence[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import curve, finish, panels, shades

    figure, plots = panels(len(sizes), width=3.6, height=3.4)
    for axes, size in zip(plots, sizes, strict=True):
        for seat, colour in enumerate(shades(size)):
            rows = [row for row in by_worth if (row["players"], row["seat"]) == (size, seat)]
            curve(axes, [row["worth"] for row in rows], [row["survives"] for row in rows], f"{seat}", colour)
        axes.set_ylim(-0.02, 1.02)
        finish(axes, f"{size} players", "worth of the dealt hand", "chance to survive the knock", legend="seat")
    return {NAME: figure}
