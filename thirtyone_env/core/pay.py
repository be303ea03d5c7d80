"""Rewards of the round that has just ended; over the seats they sum to zero."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, get, jit, popcount
from thirtyone_env.core.layout import (
    ELIMINATED,
    GAINED,
    LAST1,
    LOST_OF,
    MATCH_SEATS,
    PAID_SHIFT,
    POT,
    RECEIVER,
    REPLAYED,
    ROUND_EPISODE,
    ROUND_SEATS,
    RULES1,
    SETTLEMENT,
    TRUNCATED,
    WINNER,
)
from thirtyone_env.core.rounds import seats_in
from thirtyone_env.core.worth import rule

_ALL_PAID = U((1 << 18) - 1)  # two bits a seat
_ONES = U(0b010101010101010101)

@jit
def round_reward(S, g, seat, scheme):
    """Reward of a seat for the round just ended: scheme 0 is ``lives``, 1 ``match``. Float64.

    ``lives``: what the seat gained less what it could pay, less the mean of that over the other seats of the round.
    ``match``: -1/(n-1) for going out, +1 for winning; a truncated match's survivors share what was paid.
    An episode of one round pays ``lives`` under both.
    Pot games: each of k winners (n/k - 1)/(n - 1), the others -1/(n-1); nothing where nobody takes the pot.
    """
    if rule(S[RULES1, g], SETTLEMENT) == U2:
        return _of_pot(S, g, U1 << seat)
    if scheme == U0 or get(S, g, ROUND_EPISODE) != U0:
        return _of_lives(S, g, seat)
    return _of_match(S, g, seat)


@jit
def _of_pot(S, g, bit):
    winners = get(S, g, POT)
    seats = get(S, g, MATCH_SEATS)
    if winners == U0 or seats & bit == U0:
        return 0.0
    n = float(popcount(seats))
    if winners & bit != U0:
        return (n / float(popcount(winners)) - 1.0) / (n - 1.0)
    return -1.0 / (n - 1.0)


@jit
def _of_match(S, g, seat):
    bit = U1 << seat
    n = float(popcount(get(S, g, MATCH_SEATS)))
    if get(S, g, ELIMINATED) & bit != U0:
        return -1.0 / (n - 1.0)
    if get(S, g, WINNER) == seat:
        return 1.0
    left = seats_in(S, g)
    if get(S, g, TRUNCATED) == U0 or left & bit == U0:
        return 0.0
    many = float(popcount(left))
    return (n - many) / (n - 1.0) / many


@jit
def _of_lives(S, g, seat):
    seats = get(S, g, ROUND_SEATS)
    if get(S, g, REPLAYED) != U0 or seats & (U1 << seat) == U0:
        return 0.0
    paid = (S[LAST1, g] >> PAID_SHIFT) & _ALL_PAID
    gained = float(get(S, g, GAINED))
    mine = -float((paid >> (LOST_OF[1] * seat)) & U(3))
    if get(S, g, RECEIVER) == seat:
        mine += gained
    total = gained - float(popcount(paid & _ONES) + U2 * popcount(paid & ~_ONES))
    return mine - (total - mine) / (float(popcount(seats)) - 1.0)
