"""Reading a state's words from Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.cards import set_to_cards
from thirtyone_env.core import entry, layout
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult

State = npt.NDArray[np.uint64]


def field(state: State, place: tuple[Any, Any, Any], column: int = 0) -> int:
    """Value of a field of ``core.layout``."""
    return int(state[int(place[0]), column]) >> int(place[1]) & int(place[2])


def seat_field(state: State, place: tuple[Any, Any, Any], seat: int, column: int = 0) -> int:
    """Value of a field that is repeated for each seat."""
    return int(state[int(place[0]), column]) >> int(place[1]) * seat & int(place[2])


def members(seats: int) -> tuple[int, ...]:
    """Seats of a set."""
    return tuple(seat for seat in range(layout.MAX_SEATS) if seats >> seat & 1)


def decode_round(rules: Rules, players: int, raw: bytes, dealer: int, deal: int) -> RoundResult:
    """The result of a round from the state right after it was settled.

    Args:
        raw: bytes of the state, when the hands of the round still lie in it.
        dealer: seat that dealt the round.
        deal: number of the deal.
    """
    from thirtyone_env.explain import explain

    state = np.frombuffer(raw, dtype=np.uint64).reshape(-1, 1)
    seats = field(state, layout.ROUND_SEATS)
    ever = range(players)
    replayed = bool(field(state, layout.REPLAYED))
    would_lose = tuple(seat_field(state, layout.LOST_OF, s) for s in ever)
    receiver, gained = field(state, layout.RECEIVER), field(state, layout.GAINED)
    winner = field(state, layout.WINNER)
    knocker = field(state, layout.LAST_KNOCKER)
    paid = np.empty((2, layout.MAX_SEATS), dtype=np.float64)
    entry.rewards(state.copy(), paid)
    values = (seat_field(state, layout.VALUE_OF, s) for s in ever)
    result = RoundResult(
        values=tuple(None if v == int(layout.NONE_VALUE) else v / 2 for v in values),
        lost=(0,) * players if replayed else would_lose,
        gained=tuple(gained if s == receiver else 0 for s in ever),
        lives_after=tuple(seat_field(state, layout.LIVES_OF, s) for s in ever),
        on_county=members(field(state, layout.ON_COUNTY)),
        eliminated=members(field(state, layout.ELIMINATED)),
        replayed=replayed,
        would_lose=would_lose,
        sudden_death=members(seats) if field(state, layout.SUDDEN_DEATH) else (),
        winner=None if winner == int(layout.NONE_SEAT) else winner,
        pot_winners=members(field(state, layout.POT)),
        reason=str(layout.REASON_NAMES[field(state, layout.REASON)]),
        knocker=None if knocker == int(layout.NONE_SEAT) else knocker,
        declared=members(field(state, layout.DECLARED)),
        dealer=dealer,
        deal=deal,
        hands=tuple(
            tuple(set_to_cards(int(state[int(layout.HAND) + 2 * s, 0]))) if seats >> s & 1 else None for s in ever
        ),
        rewards_lives=tuple(float(x) for x in paid[0, :players]),
        rewards_match=tuple(float(x) for x in paid[1, :players]),
    )
    why = explain(rules, result, result.reason, result.knocker, result.declared)
    object.__setattr__(result, "why", why)
    return result
