"""Games and how they ended, as arrays: a row a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from thirtyone_env.game import Game
from thirtyone_env.settlement import RoundResult

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Games:
    """Games to play.

    Attributes:
        deals: int64 ``[games]``: number of the deal, which fixes the cards and the keys of the policies.
        seats: int64 ``[games, players]``: number of the policy in each seat.
    """

    deals: Ints
    seats: Ints

    @classmethod
    def of(cls, deals: Sequence[int], seats: Sequence[Sequence[int]]) -> Games:
        """From lists."""
        return cls(np.array(deals, dtype=np.int64), np.array(seats, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.deals)


@dataclass(frozen=True)
class Forfeit:
    """A game that a policy forfeited.

    Attributes:
        game: row of the game in its block.
        seat: who forfeited.
        reason: ``crash``, ``died`` (its process did), ``illegal``, ``nonsense``, ``timeout``, or
            ``barred`` (not asked any more after time-outs).
        text: what happened, in words.
    """

    game: int
    seat: int
    reason: str
    text: str


@dataclass(frozen=True)
class Outcomes:
    """How games ended.

    Attributes:
        lost: int64 ``[games, players]``: lives lost, less those received, as the rules took them (before capping at
            what a seat had).
        played: int64 ``[games, players]``: rounds in which the seat took part.
        places: int64 ``[games, players]``: place, 1 the best; seats that fared the same share one.
        dealers: int64 ``[games]``: seat that dealt the first round.
        rounds: int64 ``[games]``: rounds settled.
        actions: text of each game's actions (see `records`), empty where policies and keys alone give them again.
        forfeits: games that a policy forfeited.
        luck: float32 ``[games, kinds, players]``: what the cards cost each seat (see `luck`); None where it was not
            measured.
    """

    lost: Ints
    played: Ints
    places: Ints
    dealers: Ints
    rounds: Ints
    actions: Sequence[str]
    forfeits: Sequence[Forfeit] = field(default=())
    luck: npt.NDArray[np.float32] | None = None

    @property
    def wins(self) -> Floats:
        """Shares of the win: float64 ``[games, players]``; those in place 1 share it, and it sums to 1."""
        first = self.places == 1
        shares: Floats = first / first.sum(axis=1, keepdims=True)
        return shares


@dataclass(frozen=True)
class End:
    """How one game ended: a row of `Outcomes`."""

    lost: tuple[int, ...]
    played: tuple[int, ...]
    places: tuple[int, ...]
    first_dealer: int
    rounds: int


def end_of(game: Game) -> End:
    """What a finished game is to a tournament."""
    rounds = game.rounds
    lost, played = lives_lost(game)
    return End(lost, played, places_of(game, rounds[-1], lost), rounds[0].dealer, len(rounds))


def lives_lost(game: Game) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Lives lost by each seat so far, less those received, and the rounds in which it took part."""
    seats = range(game.players)
    lost = tuple(sum(one.lost[seat] - one.gained[seat] for one in game.rounds) for seat in seats)
    played = tuple(sum(one.hands[seat] is not None for one in game.rounds) for seat in seats)
    return lost, played


def places_of(game: Game, last: RoundResult, lost: Sequence[int]) -> tuple[int, ...]:
    """Place of each seat: a match's own; in a pot game winners before the others; in a round by lives lost."""
    if game.rules.settlement == "highest_takes_pot":
        worse = [int(seat not in last.pot_winners) for seat in range(game.players)]
    elif game.episode == "match":
        return tuple(place or 1 for place in game.placings)
    else:
        worse = list(lost)
    return tuple(ranked(worse))


def ranked(worse: Sequence[int]) -> list[int]:
    """Places by a number that is better when it is smaller; equal ones share a place."""
    return [1 + sum(other < mine for other in worse) for mine in worse]
