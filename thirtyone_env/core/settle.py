"""Who loses what when a round ends (RULES section 7), on sets of seats.

Seats are bits, so the same functions settle a table of nine in the engine and a table of seventeen for the keeper.
Nothing here touches a game's state.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, popcount
from thirtyone_env.core.layout import (
    EFFECT,
    KNOCK_PENALTY,
    KNOCKER_ON_31,
    KNOCKER_TIE,
    ONLY_AMOUNT,
    R_DECLARED,
    R_DRAWN,
    R_FEUER,
    R_NATURAL,
    SETTLEMENT,
    SIMULTANEOUS,
    TIE_LOWEST,
)
from thirtyone_env.core.worth import rule

_ONLY_KNOCKER = U2
_KNOCKER_TWO = U1
_ALL_LOSE = U(3)


@jit
def losers(rules1, reason, seats, knocker, declared, low, high, below):
    """Sets of seats that lose one and two lives, and the seat that lives go to where they change hands.

    Args:
        rules1: second word of packed rules.
        reason: why the round ended (``R_*``).
        seats: seats that played the round.
        knocker: the knocker's bit, or an empty set.
        declared: seats that showed 31 (or three aces).
        low, high: seats with the lowest and the highest hand.
        below: seats whose hand is below the knocker's.

    Returns:
        (one, two, receiver), sets of seats. ``receiver`` holds at most one seat.
    """
    if reason == R_DRAWN or rule(rules1, SETTLEMENT) == U2:
        return U0, U0, U0
    shown = reason == R_DECLARED or reason == R_NATURAL or reason == R_FEUER
    if reason == R_FEUER:
        one, two, receiver = seats & ~declared, U0, U0
    elif shown and rule(rules1, EFFECT) == U0:
        one, two, receiver = _others_lose(rules1, seats, knocker, declared)
    elif shown:
        one, two, receiver = _lowest_ends(rules1, knocker, low)
    elif rule(rules1, SETTLEMENT) == U1:
        one, two, receiver = _below_knocker_loses(knocker, high, below)
    else:
        one, two, receiver = _lowest_loses(rules1, knocker, low, high)
    if shown:
        receiver = _single(declared)
    return one, two, receiver & ~(one | two)


@jit
def _single(seats):
    return seats if popcount(seats) == U1 else U0


@jit
def _others_lose(rules1, seats, knocker, declared):
    others = seats & ~declared
    two = U0
    if popcount(declared) > U1 and rule(rules1, SIMULTANEOUS) != U0:
        two = others
    elif rule(rules1, KNOCKER_ON_31) != U0:
        two = others & knocker
    return others & ~two, two, U0


@jit
def _lowest_ends(rules1, knocker, low):
    """A shown 31 only ends the hand (Schwimmen): each of the lowest loses one, the knocker has no penalty."""
    spared = rule(rules1, TIE_LOWEST) != U0 and popcount(low) > U1
    return low & knocker if spared else low, U0, U0


@jit
def _lowest_loses(rules1, knocker, low, high):
    receiver = _single(high)
    others = low & ~knocker
    if rule(rules1, TIE_LOWEST) != U0 and popcount(low) > U1:
        others = U0
    if low & knocker == U0:
        return others, U0, receiver
    penalty = rule(rules1, KNOCK_PENALTY)
    if low == knocker:
        return _one_or_two(knocker, penalty, U0, receiver)
    tie = rule(rules1, KNOCKER_TIE)
    if tie == _KNOCKER_TWO:
        return _one_or_two(knocker, penalty, others, receiver)
    if tie == _ONLY_KNOCKER:
        return _one_or_two(knocker, rule(rules1, ONLY_AMOUNT), U0, receiver)
    if tie == _ALL_LOSE:
        return others | knocker, U0, receiver
    return others, U0, receiver


@jit
def _one_or_two(knocker, two, others, receiver):
    if two != U0:
        return others, knocker, receiver
    return others | knocker, U0, receiver


@jit
def _below_knocker_loses(knocker, high, below):
    if knocker == U0:
        return U0, U0, U0
    if popcount(high) > U1:
        return high & knocker, U0, U0
    if below == U0:
        return U0, knocker, high
    return below, U0, high
