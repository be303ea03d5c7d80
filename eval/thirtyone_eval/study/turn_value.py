"""`thirtyone study turn-value`: what a turn does for a hand, and when waiting stops to pay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_env.core import layout
from thirtyone_env.game_start import checked_seed, checked_whole
from thirtyone_env.keys import decision_keys
from thirtyone_env.rules import Rules
from thirtyone_eval.intervals import Estimate, Sample, ratio
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import (
    GROUPS,
    Moved,
    checked_deals,
    chunks,
    compiled_policy,
    group_edges,
    state_table,
    unheard,
    with_lives,
    worth_text,
)
from thirtyone_eval.study.findings import Findings, Part, Row
from thirtyone_eval.study.shares import grouped_mean, grouped_share, share

NAME = "turn-value"
QUESTION = (
    "All players draw and throw by the policy, and nobody knocks, until 31, want of stock or the last turn "
    "counted ends the round. At the start of each turn, before drawing: what is the hand worth, and how "
    "many lives does it cost to knock there and then, the others having their last turn by the policy? A "
    "turn is worth the lives that are saved by knocking at the next turn in its place (or by what ends the "
    "round before that), with the same cards."
)
CHUNK = 500
LEAST_HANDS = 200  # of a turn and worth, to be told
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]


def play(
    rules: Rules, players: int, policy: CompiledPolicy, turns: int, deals: int, seed: int, moved: Moved = unheard
) -> tuple[Counts, Counts]:
    """Tallies of each group of deals: int64 ``[GROUPS, turns, 67, 4]``, and rounds still on ``[GROUPS, turns]``."""
    from thirtyone_eval.study import entries, turn_play

    table = state_table(rules, players, "round")
    state, copy = np.zeros((2, layout.state_words(players), 1), dtype=np.uint64)
    views = np.zeros((1, layout.VIEW_WORDS), dtype=np.uint64)
    before = np.zeros((players, 2), dtype=np.int64)
    tally: Counts = np.zeros((GROUPS, turns, turn_play.WORTHS, turn_play.COUNTS), dtype=np.int64)
    still_on: Counts = np.zeros((GROUPS, turns), dtype=np.int64)
    edges = group_edges(deals)
    for group, (first, last) in enumerate(pairwise(edges)):
        for lo, hi in chunks(first, last, CHUNK):
            seeds = decision_keys(seed, np.arange(lo, hi, dtype=np.uint64), 0, 0, 0)
            entries.play_rounds(
                table, state, copy, seeds, views, policy.kind, policy.parameter, before, tally[group], still_on[group]
            )
            moved(hi - lo)
    return tally, still_on


def turn_value(
    rules: str = "pagat",
    players: int = 4,
    policy: str = "tips",
    turns: int = 6,
    deals: int = 50_000,
    seed: int = 1,
    progress: bool = False,
) -> Findings:
    """The study.

    Raises:
        UserError: an argument is wrong.
    """
    chosen, drawing = with_lives(rules, NAME), compiled_policy(policy)
    chosen.check_players(players)
    turns = checked_whole("turns", turns, 2, 20)
    deals, seed = checked_deals(deals), checked_seed(seed)
    with progress_bar(NAME, deals, "rounds", quiet=not progress) as bar:
        tally, still_on = play(chosen, players, drawing, turns, deals, seed, bar)
    by_turn = _by_turn(tally, still_on, deals)
    by_worth = _by_worth(tally)
    levels = [
        {"turn": turn, **_level([row for row in by_worth if row["turn"] == turn])} for turn in range(1, turns + 1)
    ]
    return Findings(
        NAME, QUESTION,
        {"rules": rules, "players": players, "policy": drawing.name, "turns": turns, "deals": deals, "seed": seed},
        [
            Part("by-turn", "hands at the start of each turn, and the knock there by whatever hand it is", by_turn, 3),
            Part("levels", "from which worth on a knock costs no more than a knock a turn later", levels),
            Part("by-worth", "lives lost by a knock now, a turn later, and what the turn is worth", by_worth, 3,
                 shown=False),
        ],
        pictures=_pictures(by_turn, by_worth),
    )  # fmt: skip


def _mean_worth(tally: Counts, turn: int) -> Sample:
    """Mean worth in points at the start of a turn, over the groups."""
    hands = tally[:, turn, :, 0].astype(np.float64)
    return ratio(hands @ (np.arange(hands.shape[1]) / 2), hands.sum(axis=1))


def _by_turn(tally: Counts, still_on: Counts, deals: int) -> list[Row]:
    rows: list[Row] = []
    for turn in range(tally.shape[1]):
        worth = _mean_worth(tally, turn)
        gain = None if turn == 0 else worth.minus(_mean_worth(tally, turn - 1)).estimate()
        hands, lost, loses, _ = tally[:, turn].sum(axis=1).T.astype(np.float64)
        rows.append({
            "turn": turn + 1,
            "rounds_still_on": share(float(still_on[:, turn].sum()), deals),
            "hands": int(hands.sum()),
            "mean_worth": worth.estimate(),
            "gained_by_the_turn_before": gain,
            "knock_loses": grouped_share(loses, hands),
            "lives_lost_by_it": grouped_mean(lost, hands),
        })  # fmt: skip
    return rows


def _by_worth(tally: Counts) -> list[Row]:
    rows: list[Row] = []
    for turn in range(tally.shape[1]):
        for worth in range(tally.shape[2]):
            hands, now, loses, later = tally[:, turn, worth].T.astype(np.float64)
            if hands.sum() < LEAST_HANDS:
                continue
            at_once, waited = ratio(now, hands), ratio(later, hands)
            rows.append({
                "turn": turn + 1, "worth": worth_text(worth), "hands": int(hands.sum()),
                "knock_loses": grouped_share(loses, hands), "lost_now": at_once.estimate(),
                "lost_a_turn_later": waited.estimate(), "turn_is_worth": at_once.minus(waited).estimate(),
            })  # fmt: skip
    return rows


def _level(rows: Sequence[Row]) -> Row:
    """The least worth at which waiting saves nothing on the average, and where the intervals put it."""
    pays = [number for number, row in enumerate(rows) if row["turn_is_worth"].low > 0]
    rest = rows[pays[-1] + 1 :] if pays else rows
    return {
        "level": next((row["worth"] for row in rest if row["turn_is_worth"].mean <= 0), None),
        "waiting_pays_below": rest[0]["worth"] if rest else None,
        "knocking_pays_from": next((row["worth"] for row in rest if row["turn_is_worth"].high < 0), None),
    }


def _pictures(by_turn: Sequence[Row], by_worth: Sequence[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import curve, finish, panels, points, shades

    figure, (left, middle, right) = panels(3, width=4.2)
    turns = [row["turn"] for row in by_turn]
    colours = shades(len(turns))
    points(left, turns, [row["mean_worth"] for row in by_turn], "", colours[0])
    finish(left, "the hand at the start of a turn", "turn", "mean worth")
    for turn, colour in zip(turns, colours, strict=True):
        rows = [row for row in by_worth if row["turn"] == turn]
        worths = [row["worth"] for row in rows]
        losing: list[Estimate] = [row["lost_now"] for row in rows]
        curve(middle, worths, losing, f"{turn}", colour)
        curve(right, worths, [row["turn_is_worth"] for row in rows], f"{turn}", colour)
    right.axhline(0, color="#999999", linewidth=0.8)
    finish(middle, "a knock now", "worth", "lives lost by the knocker", legend="turn")
    finish(right, "one more turn before the knock", "worth", "lives saved by it", legend="turn")
    return {NAME: figure}
