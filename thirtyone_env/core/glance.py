"""What a player works out from a view by looking: worths, which cards would help, what may be thrown."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, popcount
from thirtyone_env.core.lanes import SUIT_BITS, bytes_of, cards_of, counts, lanes_of, ranks_reaching
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
from thirtyone_env.core.throws import best_throw_of, card_total, worth_by_totals
from thirtyone_env.core.worth import is_target, rule, suit_of, worth


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
def best_kept(hand, totals, may_go, rules1):
    """The best hand left when one card of ``may_go`` is thrown (of equal ones the lowest id goes).

    Returns the hand that is kept, its worth, and its `suit_totals`; ``totals`` are those of ``hand``.
    """
    if may_go == U0:
        return hand, worth_by_totals(hand, totals, rules1), totals
    value, card = best_throw_of(hand, totals, may_go, rules1)
    return hand & ~(U1 << card), value, totals - card_total(card)


@jit
def reaches_target(hand, value, rules1):
    """Whether a hand of this worth is the worth that may be shown."""
    return value == U2 * rule(rules1, TARGET) and is_target(hand, rules1)


@jit
def suit_total(totals, suit):
    """Points of one suit of `suit_totals`."""
    return (totals >> (U(16) * U(suit))) & U(0xFFFF)


@jit
def counts_by_suit(cards):
    """Number of cards in each suit, eight bits a suit."""
    return bytes_of(counts(lanes_of(cards)))


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
    if popcount(hand) != rule(rules1, HAND_SIZE):
        return U0, U0
    first = lowest(hand)
    if hand & ~(SUIT_BITS << (U(13) * suit_of(first))) == U0:  # one suit: its lowest card would have to go
        totals = totals - card_total(first)
    wanted = rule(rules1, TARGET)
    better = cards_of(ranks_reaching(totals, value >> U1, U1)) | _completing(hand, value, rules1)
    exactly = ranks_reaching(totals, wanted, U0) & ~ranks_reaching(totals, wanted, U1)
    return better & ~hand, cards_of(exactly) & ~hand


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
def last_turns(V, row):
    """Set of the seats that still have their turn of the final lap, or are in it; empty before a knock."""
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    knocker = of(status, KNOCKER)
    if knocker == NONE_SEAT or of(status, LAPS_LEFT) == U0:
        return U0
    turn = of(status, TURN)
    upto = (U1 << knocker) - U1
    before = (U1 << turn) - U1
    # From the seat to move round to the seat before the knocker.
    coming = upto & ~before if knocker >= turn else upto | ~before
    return coming & ((U1 << of(seats, NUM_SEATS)) - U1) & ~of(seats, OUT)
