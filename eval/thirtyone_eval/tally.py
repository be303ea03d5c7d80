"""Sums over the games of one setting (a variant and a table size), kept by deal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thirtyone_eval.outcomes import Games, Outcomes

Floats = npt.NDArray[np.float64]
MEASURES = ("lives", "wins")


@dataclass
class Tally:
    """Sums by policy and deal, by position and deal, and by pair of policies.

    Attributes:
        games, rounds, lost, wins, place: float64 ``[policies, deals]``: games and rounds played, lives lost, shares of
            wins, and the sum of places.
        places: float64 ``[policies, players]``: how often in each place, over all deals.
        seat_games, seat_rounds, seat_lost, seat_wins: float64 ``[players, deals]`` by position after the first dealer:
            0 is the dealer's left neighbour, who begins; the last is the dealer.
        pairs: float64 ``[policies, policies, 5]`` for row against column at shared tables: sums over deals of x, w, xx,
            xw and ww, where x is how much better the row did (lives or wins) and w the weight (rounds or games).
        luck: float64 ``[kinds * policies, deals]``: sums of each kind of luck (see `luck`) by policy and deal; None
            where it was not measured.
    """

    games: Floats
    rounds: Floats
    lost: Floats
    wins: Floats
    place: Floats
    places: Floats
    seat_games: Floats
    seat_rounds: Floats
    seat_lost: Floats
    seat_wins: Floats
    pairs: Floats
    luck: Floats | None = None

    def luck_of(self, policy: int) -> Floats | None:
        """Sums of each kind of luck of a policy: float64 ``[kinds, deals]``."""
        return None if self.luck is None else self.luck[policy :: len(self.games)]

    @property
    def total_games(self) -> int:
        """Games played."""
        return int(self.seat_games[0].sum())


def tally_of(games: Games, outcomes: Outcomes, deals: range, policies: int, measure: str) -> Tally:
    """Sums over a block of games.

    Args:
        games: who sat where.
        outcomes: how they ended.
        deals: the deals that they belong to, whole ones.
        policies: number of policies.
        measure: ``lives`` or ``wins``: what pairs are compared by.
    """
    deal, seats = games.deals - deals.start, games.seats
    lost, played, places, wins = (
        np.asarray(values, dtype=np.float64)
        for values in (outcomes.lost, outcomes.played, outcomes.places, outcomes.wins)
    )
    players = seats.shape[1]
    position = (np.arange(players) - outcomes.dealers[:, None] - 1) % players
    days = np.repeat(deal, players)

    def by(rows: npt.NDArray[np.int64], count: int, values: Floats) -> Floats:
        sums = np.bincount(rows.ravel() * len(deals) + days, values.ravel(), count * len(deals))
        return sums.reshape(count, len(deals)).astype(np.float64)

    one = np.ones_like(lost)
    in_place = np.bincount(
        (seats * players + places.astype(np.int64) - 1).ravel(), minlength=policies * players
    ).astype(np.float64)
    return Tally(
        games=by(seats, policies, one),
        rounds=by(seats, policies, played),
        lost=by(seats, policies, lost),
        wins=by(seats, policies, wins),
        place=by(seats, policies, places),
        places=in_place.reshape(policies, players),
        seat_games=by(position, players, one),
        seat_rounds=by(position, players, played),
        seat_lost=by(position, players, lost),
        seat_wins=by(position, players, wins),
        pairs=_pairs(deal, seats, -lost if measure == "lives" else wins, played if measure == "lives" else one,
                     policies, len(deals)),
        luck=None if outcomes.luck is None else np.concatenate(
            [by(seats, policies, outcomes.luck[:, kind].astype(np.float64)) for kind in range(outcomes.luck.shape[1])]
        ),
    )


def _pairs(
    deal: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    score: Floats,
    weight: Floats,
    policies: int,
    deals: int,
) -> Floats:
    cells = policies * policies * deals
    better, weights = np.zeros(cells), np.zeros(cells)
    for mine in range(seats.shape[1]):
        for other in range(seats.shape[1]):
            if mine == other:
                continue
            cell = (seats[:, mine] * policies + seats[:, other]) * deals + deal
            better += np.bincount(cell, score[:, mine] - score[:, other], cells)
            weights += np.bincount(cell, (weight[:, mine] + weight[:, other]) / 2, cells)
    x, w = better.reshape(policies, policies, deals), weights.reshape(policies, policies, deals)
    return np.stack([x.sum(2), w.sum(2), (x * x).sum(2), (x * w).sum(2), (w * w).sum(2)], axis=2)


def joined(parts: Sequence[Tally]) -> Tally:
    """One tally of parts whose deals follow each other."""
    whole = {}
    for name in Tally.__dataclass_fields__:
        arrays = [getattr(part, name) for part in parts]
        if any(array is None for array in arrays):
            continue
        whole[name] = sum(arrays[1:], arrays[0]) if name in ("places", "pairs") else np.concatenate(arrays, axis=1)
    return Tally(**whole)
