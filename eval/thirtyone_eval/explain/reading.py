"""Tables read from decisions: when it knocks, what it draws, what it throws, whom it plays like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_eval.explain.features import NO_TOP, Whole
from thirtyone_eval.explain.watch import Decisions
from thirtyone_eval.intervals import Estimate
from thirtyone_eval.study.findings import Row
from thirtyone_eval.study.shares import grouped_mean, grouped_share

Numbers = npt.NDArray[np.float64]
WORTHS = 67  # worths in half points, 0 to 66
MOST_VALUES = 256  # of a key
LAST_TURN = 6  # this and all later turns are one row
KNOCK, DRAW_STOCK, DRAW_DISCARD, FIRST_POOL = 2, 0, 1, 60
KEYS = ("turn", "place", "players", "tokens")
PAIRS = (("turn", "place"), ("turn", "players"), ("turn", "tokens"))
GAINS = ((-99, 0, "nothing"), (1, 4, "0.5 to 2"), (5, 8, "2.5 to 4"), (9, 14, "4.5 to 7"), (15, 99, "7.5 or more"))


def share_of(decisions: Decisions, hits: npt.NDArray[np.bool_]) -> Estimate:
    """Share of decisions with ``hits``; decisions of one match count as dependent."""
    games = decisions["game"]
    tries = np.bincount(games, minlength=decisions.games).astype(np.float64)
    return grouped_share(np.bincount(games[hits], minlength=decisions.games).astype(np.float64), tries)


def mean_of(decisions: Decisions, values: Whole) -> Estimate:
    """Mean of a number a decision."""
    games = decisions["game"]
    tries = np.bincount(games, minlength=decisions.games).astype(np.float64)
    sums = np.bincount(games, weights=values.astype(np.float64), minlength=decisions.games)
    return grouped_mean(sums.astype(np.float64), tries)


def value_of(decisions: Decisions, key: str) -> Whole:
    """A key's values; late turns are joined."""
    return np.minimum(decisions[key], LAST_TURN) if key == "turn" else decisions[key]


def name_of(key: str, value: int) -> str:
    """A value of a key in words."""
    if key == "turn" and value == LAST_TURN:
        return f"{value} or later"
    return "0 (county)" if key == "tokens" and value == 0 else f"{value}"


def knockable(decisions: Decisions) -> Decisions:
    """The decisions in which a knock was one of several actions."""
    return decisions.where((decisions["may_knock"] == 1) & (decisions["choices"] > 1))


def _cells(decisions: Decisions, keys: Sequence[str]) -> Iterator[tuple[tuple[int, ...], Decisions]]:
    """The decisions of each combination of values that came, in order."""
    values = [value_of(decisions, key) for key in keys]
    codes = sum(column * MOST_VALUES**power for power, column in enumerate(reversed(values)))
    for code, first in zip(*np.unique(codes, return_index=True), strict=True):
        yield tuple(int(column[first]) for column in values), decisions.where(codes == code)


def knock_levels(decisions: Decisions) -> tuple[list[Row], list[Row]]:
    """Where it knocks, over all and by each of `KEYS`; and by `PAIRS` of them."""
    asked = knockable(decisions)
    alone: list[Row] = [{"by": "all", "value": "", **level(asked)}]
    lives = bool(asked["tokens"].any())  # a game for a pot has none
    for key in KEYS if lives else KEYS[:-1]:
        for (value,), some in _cells(asked, [key]):
            alone.append({"by": key, "value": name_of(key, value), **level(some)})
    pairs: list[Row] = []
    for keys in PAIRS if lives else PAIRS[:-1]:
        for values, some in _cells(asked, keys):
            named = [name_of(key, value) for key, value in zip(keys, values, strict=True)]
            pairs.append({"turn": named[0], "by": keys[1], "value": named[1], **level(some)})
    return alone, pairs


def level(decisions: Decisions) -> Row:
    """The smallest worth at which, and from which on, it knocks more often than not; and how much that tells.

    ``from`` and ``to`` bound the level, by the intervals of the shares: the worth after the last one at which it surely
    knocks less often than not, and the smallest one at which it surely knocks more often. ``told`` is the share of
    decisions that a plain knock from the level on would also have taken.
    """
    knocks, tries = knocks_by_worth(decisions)
    worths = np.flatnonzero(tries.any(axis=0)).tolist()
    shares = {worth: grouped_share(knocks[:, worth], tries[:, worth]) for worth in worths}
    from_on = {worth: grouped_share(knocks[:, worth:].sum(axis=1), tries[:, worth:].sum(axis=1)) for worth in worths}
    at = next((worth for worth in worths if min(shares[worth].mean, from_on[worth].mean) > 0.5), None)
    seldom = max((worth for worth in worths if shares[worth].high <= 0.5), default=-1)
    low = min((worth for worth in worths if worth > seldom or worth == at), default=None)
    high = next((worth for worth in worths if min(shares[worth].low, from_on[worth].low) > 0.5), None)
    told = (decisions["action"] == KNOCK) == (decisions["worth"] >= (WORTHS if at is None else at))
    return {
        "decisions": len(decisions.rows), "level": _points(at), "from": _points(low), "to": _points(high),
        "told": share_of(decisions, told), "knocks": grouped_share(knocks.sum(axis=1), tries.sum(axis=1)),
    }  # fmt: skip


def knocks_by_worth(decisions: Decisions) -> tuple[Numbers, Numbers]:
    """Knocks, and decisions, of each match by worth: float64 ``[games, WORTHS]``."""
    places = decisions["game"] * WORTHS + decisions["worth"]
    size = decisions.games * WORTHS
    counts = [np.bincount(some, minlength=size).reshape(-1, WORTHS).astype(np.float64)
              for some in (places[decisions["action"] == KNOCK], places)]  # fmt: skip
    return counts[0], counts[1]


def _points(half_points: int | None) -> float | None:
    return None if half_points is None else half_points / 2


def knock_shares(decisions: Decisions) -> list[Row]:
    """How often it knocks, by turn and worth."""
    rows: list[Row] = []
    for (turn,), some in _cells(knockable(decisions), ["turn"]):
        knocks, tries = knocks_by_worth(some)
        rows += [
            {"turn": name_of("turn", turn), "worth": worth / 2, "decisions": int(tries[:, worth].sum()),
             "knocks": grouped_share(knocks[:, worth], tries[:, worth])}
            for worth in np.flatnonzero(tries.any(axis=0)).tolist()
        ]  # fmt: skip
    return rows


def turns(decisions: Decisions) -> list[Row]:
    """How often it does what at the start of a turn, where there is more than one thing to do."""
    asked = decisions.where((decisions["throws"] == 0) & (decisions["choices"] > 1))
    rows: list[Row] = []
    for lap, name in ((0, "before a knock"), (1, "last turn")):
        some = asked.where(asked["knocked"] == lap)
        for action in np.unique(np.minimum(some["action"], FIRST_POOL)).tolist():
            done = np.minimum(some["action"], FIRST_POOL) == action
            what = "take_pool" if action == FIRST_POOL else ACTION_NAMES[action]
            rows.append({"when": name, "does": what, "turns": len(some.rows), "share": share_of(some, done)})
    return rows


def draws(decisions: Decisions) -> list[Row]:
    """How often it takes the top card in place of a stock card, by what that would gain.

    Only turns with both to choose from count, and of those without a knock.
    """
    chosen = np.isin(decisions["action"], (DRAW_STOCK, DRAW_DISCARD))
    asked = decisions.where((decisions["top_gain"] != NO_TOP) & (decisions["may_draw"] == 1) & chosen)
    rows: list[Row] = []
    for lap, name in ((0, "before a knock"), (1, "last turn")):
        for low, high, gain in GAINS:
            for joins in (1, 0):
                some = asked.where(
                    (asked["knocked"] == lap) & (asked["top_gain"] >= low) & (asked["top_gain"] <= high)
                    & (asked["top_joins"] == joins)
                )  # fmt: skip
                if len(some.rows):
                    rows.append({
                        "when": name, "top_card_gains": gain, "of_best_suit": "yes" if joins else "no",
                        "turns": len(some.rows), "takes_it": share_of(some, some["action"] == DRAW_DISCARD),
                    })  # fmt: skip
    return rows


def throws(decisions: Decisions) -> list[Row]:
    """What it throws, before a knock and on the last turn."""
    thrown = decisions.where((decisions["throws"] == 1) & (decisions["choices"] > 1))
    rows: list[Row] = []
    for lap, name in ((0, "before a knock"), (1, "last turn")):
        some = thrown.where(thrown["knocked"] == lap)
        if not len(some.rows):
            continue
        open_to = some.where((some["wanted"] > 0) & (some["wanted"] < some["alike"]))
        rows += [{"when": name, "what": what, "throws": len(among.rows), "found": found} for what, among, found in (
            ("keeps the most that it can, share", some, share_of(some, some["given_up"] == 0)),
            ("points given up, mean", some, mean_of(some, some["given_up"]).times(0.5)),
            ("points of the card thrown, mean", some, mean_of(some, some["points"])),
            ("no smaller card would keep as much, share", some, share_of(some, some["is_least"] == 1)),
            ("card of its best suit, share", some, share_of(some, some["breaks"] == 1)),
            ("feeds the next seat where it need not, share", open_to, share_of(open_to, open_to["feeds"] == 1)),
            ("the same if it threw blindly among what keeps most", open_to, _blind(open_to)),
            ("a suit that the next seat has thrown, share", some, share_of(some, some["unwanted"] == 1)),
        ) if len(among.rows)]  # fmt: skip
    return rows


def _blind(decisions: Decisions) -> Estimate:
    if not len(decisions.rows):
        return share_of(decisions, np.zeros(0, dtype=bool))
    thousandths = 1000 * decisions["wanted"] // np.maximum(1, decisions["alike"])
    return mean_of(decisions, thousandths).times(0.001)


def agreement(decisions: Decisions, names: Sequence[str]) -> list[Row]:
    """Share of decisions in which each other policy would have done the same; the closest first."""
    open_ones = decisions.where(decisions["choices"] > 1)
    kinds = {
        "all": np.ones(len(open_ones.rows), dtype=bool),
        "turns": open_ones["throws"] == 0,
        "throws": open_ones["throws"] == 1,
    }
    rows: list[Row] = []
    for number, name in enumerate(names):
        shares = {kind: share_of(open_ones.where(chosen), open_ones.agrees[chosen, number])
                  for kind, chosen in kinds.items()}  # fmt: skip
        rows.append({"policy": name, **shares})
    return sorted(rows, key=lambda row: -row["all"].mean)
