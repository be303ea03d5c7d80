"""The common advice to players of Thirty-One, with its numbers.

Build on two cards of a suit worth 20 and throw the odd card. Do not feed the next seat's suit: what it was seen to
take tells what it collects, what it threw what it does not. Knock at 20 to 24 usually, lower in the first lap, never
below 18, and do not wait past 26. On the last chance either play safe, and knock at 27 only, or be bold.

The parameter says what to do on the last chance: `AS_EVER`, `SAFE` or `BOLD`.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, next_seat, popcount
from thirtyone_env.core.lanes import SUIT_BITS
from thirtyone_env.core.layout import (
    COUNTY,
    KNOCKER,
    LAPS_LEFT,
    LIVES_OF,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    OUT,
    SETTLEMENT,
    TOP,
    TURN_NO,
    V_COUNTS,
    V_HAND,
    V_KNOWN,
    V_LIVES,
    V_RULES1,
    V_SEATS,
    V_STATUS,
    V_THROWN,
    VF_ME,
)
from thirtyone_env.core.lives import chances
from thirtyone_env.core.throws import counts_triple, kept_after, points_of, two_best
from thirtyone_env.core.worth import rule, suit_of, suit_totals, worth

AS_EVER, SAFE, BOLD = U(0), U(1), U(2)
PAIR = U(20)  # points of two cards of a suit that are worth building on
MARGIN = U(4)  # two points
# Knock levels in half points. Of those within the advice, these did best against thresholds of 21 to 28.
FIRST_LAP = U(44)  # 22
SECOND_LAP = U(48)  # 24
LATER = U(52)  # 26
SAFE_LEVEL = U(54)  # 27
BOLD_LEVEL = U(42)  # 21


@jit
def _field(V, row, field):
    return (V[row, V_STATUS] >> field[1]) & field[2]


@jit
def _seats_in(V, row):
    seats = V[row, V_SEATS]
    return ((U1 << ((seats >> NUM_SEATS[1]) & NUM_SEATS[2])) - U1) & ~((seats >> OUT[1]) & OUT[2])


@jit
def _me(V, row):
    return (V[row, V_COUNTS] >> VF_ME[1]) & VF_ME[2]


@jit
def _on_last_chance(V, row):
    rules1 = V[row, V_RULES1]
    if rule(rules1, SETTLEMENT) == U2:
        return False
    tokens = (V[row, V_LIVES] >> (LIVES_OF[1] * _me(V, row))) & LIVES_OF[2]
    return chances(tokens, rule(rules1, COUNTY)) <= U1


@jit
def tips_level(parameter, V, row):
    """Worth from which the seat knocks, in half points."""
    if parameter != AS_EVER and _on_last_chance(V, row):
        return SAFE_LEVEL if parameter == SAFE else BOLD_LEVEL
    turns = _field(V, row, TURN_NO)
    lap = popcount(_seats_in(V, row))
    if turns < lap:
        return FIRST_LAP
    return SECOND_LAP if turns < U2 * lap else LATER


@jit
def _on_last_action(V, row):
    """Whether somebody has knocked, so that this turn is the seat's last."""
    return _field(V, row, KNOCKER) != NONE_SEAT


@jit
def tips_takes(V, row, present, after):
    """Whether the top card is taken: ``after`` is the worth with it and ``present`` the worth without, in half points.

    A card that gains more than two points is, or one that joins two cards of its suit worth 20. On the last action, one
    that gains more than a card from the stock does on the average.
    """
    if after <= present:
        return False
    if _on_last_action(V, row):
        return after > present + _stock_gain(present)
    if after > present + MARGIN:
        return True
    best, _, suit = two_best(suit_totals(V[row, V_HAND]))
    return suit_of(_field(V, row, TOP)) == suit and best >= PAIR


@jit
def _stock_gain(present):
    """What a card from the stock gains on the average, roughly and in half points."""
    if present >= U(44):
        return U0
    if present >= U(36):
        return U2
    return U(4) if present >= U(24) else U(6)


@jit
def _feeds(V, row):
    """Suits that the next seat collects, and suits that it threw, as bits 0 to 3 each."""
    me = _me(V, row)
    seats = _seats_in(V, row)
    follower = next_seat(me, seats)
    if follower == me or follower == _field(V, row, KNOCKER) or _field(V, row, LAPS_LEFT) == U1:
        return U0, U0
    return _suits(V[row, U(V_KNOWN) + follower]), _suits(V[row, U(V_THROWN) + follower])


@jit
def _suits(cards):
    suits = U0
    for i in range(4):
        if (cards >> (U(13) * U(i))) & SUIT_BITS != U0:
            suits = suits | (U1 << U(i))
    return suits


@jit
def tips_discard(V, row, allowed):
    """The card to throw: what keeps most; of equals one that does not feed the next seat, then the smallest."""
    cards = V[row, V_HAND]
    rules1 = V[row, V_RULES1]
    triple = counts_triple(cards, rules1)
    best, second, suit = two_best(suit_totals(cards))
    wanted, unwanted = _feeds(V, row)
    top_score, choice = U0, NONE_CARD
    while allowed != U0:
        card = lowest(allowed)
        allowed = allowed & (allowed - U1)
        kept = worth(cards & ~(U1 << card), rules1) if triple else U2 * kept_after(card, best, second, suit)
        points = points_of(card)
        cost = points
        suit_bit = U1 << suit_of(card)
        if wanted & suit_bit != U0:
            cost = cost + U2 * points
        elif unwanted & suit_bit == U0:
            cost = cost + points
        score = kept * U(64) + U(63) - cost
        if score > top_score or choice == NONE_CARD:
            top_score, choice = score, card
    return choice
