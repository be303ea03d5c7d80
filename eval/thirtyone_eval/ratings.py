"""Ratings by openskill (Plackett-Luce), with intervals from deals that were rated apart from each other.

A rating depends on the order of the games, and the sigma that openskill gives takes games on the same cards for
independent. So the deals are cut into groups, each group is rated afresh in an order of its own, and the rating is the
mean over the groups with Student's t for the number of groups. Large runs rate a sample of their games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thirtyone_env.keys import decision_keys
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.intervals import Sample
from thirtyone_eval.outcomes import Games, Outcomes

MOST_GAMES = 6000  # that are rated, over all settings
GROUPS = 10
LEAST_GAMES = 10  # of each policy in each group; with fewer there are fewer groups
TEXT = (
    "Ratings are openskill's (Plackett-Luce; a newcomer has 25): the mean over {groups} groups of deals that were each "
    "rated afresh, on {games:,} games drawn from all, with 95 % intervals over the groups."
)


class Drawn:
    """Games drawn from all for rating, the same whatever the blocks and however the policies are called.

    Attributes:
        keys: uint64 ``[games]``: those with the smallest keys are kept; a key comes from the deal and who sat where.
        deals: int64 ``[games]``.
        seats, places: int64 ``[games, players]``.
    """

    def __init__(self, entrants: Sequence[Entrant], players: int, most: int) -> None:
        marks = [hashlib.blake2b(one.identity.encode(), digest_size=8).digest() for one in entrants]
        self._marks = np.array([int.from_bytes(mark, "little") for mark in marks], dtype=np.uint64)
        self._most = most
        self.keys = np.zeros(0, dtype=np.uint64)
        self.deals = np.zeros(0, dtype=np.int64)
        self.seats = np.zeros((0, players), dtype=np.int64)
        self.places = np.zeros((0, players), dtype=np.int64)

    def add(self, games: Games, outcomes: Outcomes) -> None:
        """Let a block take part in the draw."""
        keys = np.zeros(len(games), dtype=np.uint64)
        for seat in range(games.seats.shape[1]):
            keys = decision_keys(keys ^ self._marks[games.seats[:, seat]], games.deals, 0, 0, seat)
        self.keys = np.concatenate([self.keys, keys])
        kept = np.argsort(self.keys, kind="stable")[: self._most]
        self.keys = self.keys[kept]
        for name, new in (("deals", games.deals), ("seats", games.seats), ("places", outcomes.places)):
            setattr(self, name, np.concatenate([getattr(self, name), new])[kept])



@dataclass(frozen=True)
class _Rows:
    """Games of all settings, in the order in which they are rated.

    Attributes:
        deals: int64 ``[games]``: numbers of the deals, from 0 without gaps.
        tables: who sat where, and the place of each.
    """

    deals: npt.NDArray[np.int64]
    tables: list[tuple[list[int], list[float]]]

    def groups(self, policies: int) -> list[npt.NDArray[np.int64]]:
        """Numbers of the games of each group, whole deals each; none where there are too few for two groups."""
        for count in range(GROUPS, 1, -1):
            groups = [np.flatnonzero(self.deals % count == group) for group in range(count)]
            if min(self._least(some, policies) for some in groups) >= LEAST_GAMES:
                return groups
        return []

    def _least(self, games: npt.NDArray[np.int64], policies: int) -> int:
        seated = [number for game in games for number in self.tables[game][0]]
        return int(np.bincount(np.array(seated, dtype=np.int64), minlength=policies).min())


def _rows(drawn: Sequence[Drawn]) -> _Rows:
    keys, deals = (np.concatenate([getattr(one, name) for one in drawn]) for name in ("keys", "deals"))
    tables = [pair for one in drawn for pair in zip(one.seats.tolist(), one.places.astype(float).tolist(), strict=True)]
    order = np.argsort(keys, kind="stable")
    numbers = np.unique(deals, return_inverse=True)[1]
    return _Rows(numbers[order], [tables[place] for place in order])


def ratings(drawn: Sequence[Drawn], policies: int) -> tuple[list[Sample], int]:
    """The rating of each policy, and the number of groups; no ratings where there are too few games.

    Args:
        drawn: games of one setting, or of several to be rated together; a deal of all of them is in one group.
        policies: number of policies.
    """
    rows = _rows(drawn)
    groups = rows.groups(policies)
    if not groups:
        return [], 0
    found = np.array([_rated([rows.tables[game] for game in some], policies) for some in groups])
    means = found.mean(axis=0)
    return [Sample(float(mean), column - mean) for mean, column in zip(means, found.T, strict=True)], len(groups)


def _rated(tables: Sequence[tuple[list[int], list[float]]], policies: int) -> npt.NDArray[np.float64]:
    """Ratings after games in the order given: float64 ``[policies]``."""
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)  # policies do not learn between games, so uncertainty only falls
    now = [model.rating() for _ in range(policies)]
    for table, ranks in tables:
        for number, (after,) in zip(table, model.rate([[now[number]] for number in table], ranks=ranks), strict=True):
            now[number] = after
    return np.array([rating.mu for rating in now])
