"""What a player works out from a view by looking: worths, which cards would help, what may be thrown."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, popcount
from thirtyone_env.core.layout import (
    CARD_BITS,
    DRAWN,
    HAND_SIZE,
    KNOCKER,
    LAPS_LEFT,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    OUT,
    RETURN_TAKEN,
    SETUP,
    TAKEN,
    TARGET,
    TRIPLE,
    TURN,
    V_EXTRA,
    V_HAND,
    V_KNOWN,
    V_PILE,
    V_RULES0,
    V_RULES1,
    V_SEATS,
    V_STATUS,
)
from thirtyone_env.core.throws import best_throw
from thirtyone_env.core.worth import POINTS, SUIT_BITS, is_target, rule, suit_of, worth


@jit
def of(word, field):
    """Value of a field of a word."""
    return (word >> field[1]) & field[2]


@jit
def bit_or_none(card):
    """Set with the card, or an empty set for no card."""
    return U0 if card == NONE_CARD else U1 << card


@jit
def whole_hand(V, row):
    """Cards of a whole hand."""
    return rule(V[row, V_RULES1], HAND_SIZE)


@jit
def forbidden(V, row):
    """Set with the card that may not be thrown back in this turn, or an empty set (RULES section 3)."""
    status = V[row, V_STATUS]
    free = rule(V[row, V_RULES1], RETURN_TAKEN) != U0 and of(status, SETUP) == U0
    if free or of(status, TAKEN) == U0:
        return U0
    return bit_or_none(of(status, DRAWN))


@jit
def best_kept(hand, may_go, rules1):
    """The best hand left when one card of ``may_go`` is thrown (of equal ones the lowest id goes), and its worth."""
    value, card = best_throw(hand, may_go, rules1)
    return (hand & ~(U1 << card), value) if card != NONE_CARD else (hand, worth(hand, rules1))


@jit
def reaches_target(hand, value, rules1):
    """Whether a hand of this worth is the worth that may be shown."""
    return value == U2 * rule(rules1, TARGET) and is_target(hand, rules1)


@jit
def suit_total(totals, suit):
    """Points of one suit of `suit_totals`."""
    return (totals >> (U(16) * U(suit))) & U(0xFFFF)


@jit
def unseen_cards(V, row):
    """Cards of the deck that the viewer does not know the place of."""
    seen = V[row, V_HAND] | V[row, V_PILE] | V[row, V_EXTRA]
    for i in range(9):
        seen = seen | V[row, V_KNOWN + i]
    return V[row, V_RULES0] & CARD_BITS & ~seen


@jit
def lifting_cards(hand, value, totals, rules1):
    """Cards that would make a whole hand better if they came, and those that would make it the target.

    ``value`` is the hand's worth in half points, ``totals`` its `suit_totals`.
    """
    better, target = U0, U0
    size = rule(rules1, HAND_SIZE)
    if popcount(hand) != size:
        return better, target
    wanted = rule(rules1, TARGET)
    for i in range(4):
        shift = U(13) * U(i)
        suit = (hand >> shift) & SUIT_BITS
        stays = suit_total(totals, i)
        if popcount(suit) == size:
            stays = stays - _lowest_points(suit)
        missing = (value >> U1) - stays if (value >> U1) > stays else U0
        better = better | (_ranks_from(missing + U1) << shift)
        if wanted > stays:
            exact = wanted - stays
            target = target | ((_ranks_from(exact) & ~_ranks_from(exact + U1)) << shift)
    return (better | _completing(hand, value, rules1)) & ~hand, target & ~hand


@jit
def _ranks_from(points):
    """Ranks (13 bits) worth at least so many points."""
    if points > U(11):
        return U0
    if points == U(11):
        return U(0x1000)
    if points == U(10):
        return U(0x1F00)
    return U(0x1FFF) & ~((U1 << (points - U2)) - U1) if points > U2 else U(0x1FFF)


@jit
def _lowest_points(suit):
    return (POINTS >> (U(4) * lowest(suit))) & U(15)


@jit
def _completing(hand, value, rules1):
    """Cards that would complete three of a kind, where that is better."""
    triple = rule(rules1, TRIPLE)
    if triple == U0:
        return U0
    rest = hand
    while rest != U0:
        card = lowest(rest)
        rest = rest & (rest - U1)
        rank = card - U(13) * suit_of(card)
        same = (U1 | (U1 << U(13)) | (U1 << U(26)) | (U1 << U(39))) << rank
        if popcount(hand & same) == U2:
            then = worth((hand & same) | (same & ~hand & (~(same & ~hand) + U1)), rules1)
            return same & ~hand if then > value else U0
    return U0


@jit
def has_last_turn(V, row, seat):
    """1 where somebody has knocked and the seat still has its turn of the final lap (or is in it)."""
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    knocker = of(status, KNOCKER)
    inside = ((of(seats, OUT) >> seat) & U1) == U0
    if knocker == NONE_SEAT or not inside or of(status, LAPS_LEFT) == U0:
        return U0
    players = of(seats, NUM_SEATS)
    turn = of(status, TURN)
    return U1 if _steps(turn, seat, players) < _steps(turn, knocker, players) else U0


@jit
def _steps(start, end, players):
    return end - start if end >= start else end + players - start
