"""What a hand is worth, in half points (RULES section 1: 30.5 is 61, 31 is 62)."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, popcount
from thirtyone_env.core.lanes import SUIT_BITS, highest, lanes_of, points
from thirtyone_env.core.layout import ACES, RETURN_TAKEN, TARGET, TRIPLE

FEUER = U(66)
_ACES_32_5 = U(65)
_ACE = U(12)


@jit
def rule(rules1, field):
    """Option of the second word of packed rules."""
    return (rules1 >> field[1]) & field[2]


@jit
def suit_of(card):
    """Suit 0..3 of a card id."""
    return (card * U(79)) >> U(10)


@jit
def suit_totals(cards):
    """Points of a set in each suit, 16 bits a suit."""
    return points(lanes_of(cards))


@jit
def suit_worth(hand):
    """Best total over one suit, in points."""
    return highest(suit_totals(hand))


@jit
def is_triple(hand):
    """Whether a hand of three cards has one rank only."""
    first = lowest(hand)
    rank = first - U(13) * suit_of(first)
    same = (U1 | (U1 << U(13)) | (U1 << U(26)) | (U1 << U(39))) << rank
    return (hand & ~same) == U0 and popcount(hand) == U(3)


@jit
def worth(hand, rules1):
    """Worth of a hand of one to three cards in half points."""
    triple = rule(rules1, TRIPLE)
    if triple != U0 and hand != U0 and is_triple(hand):
        aces = rule(rules1, ACES)
        if aces != U0 and _has_ace(hand):
            return FEUER if aces == U2 else _ACES_32_5
        return U(60) if triple == U1 else U(61)
    return U2 * suit_worth(hand)


@jit
def _has_ace(hand):
    aces = (U1 | (U1 << U(13)) | (U1 << U(26)) | (U1 << U(39))) << _ACE
    return (hand & aces) != U0


@jit
def is_three_aces(hand):
    """Whether a hand is three aces."""
    return is_triple(hand) and _has_ace(hand)


@jit
def is_target(hand, rules1):
    """Whether a whole hand is exactly the worth that may be shown, in one suit."""
    return suit_worth(hand) == rule(rules1, TARGET) and not _triple_counts(hand, rules1)


@jit
def _triple_counts(hand, rules1):
    return rule(rules1, TRIPLE) != U0 and is_triple(hand)


@jit
def left_over(cards, needed, kept_back, rules1):
    """The card that is left over when all but one of ``cards`` are shown as the target.

    Args:
        cards: the hand with the card drawn.
        needed: set of cards of which the shown ones must contain all.
        kept_back: set of cards that may not be left over.
        rules1: second word of packed rules.

    Returns:
        Set with the card (the lowest id of several), or an empty set where nothing can be shown.
    """
    rest = cards & ~needed & ~kept_back
    while rest != U0:
        bit = rest & (~rest + U1)
        if is_target(cards & ~bit, rules1):
            return bit
        rest = rest & ~bit
    return U0


@jit
def showable(cards, drawn, taken, hold, rules1):
    """`left_over` for a seat that has just drawn the set ``drawn``; RULES section 5.

    The shown cards contain the card drawn, except under ``hold``, where only a card taken from the discard pile that
    may not be thrown back must be among them.
    """
    if rule(rules1, TARGET) == U(31) and not may_hold_31(cards):
        return U0
    forced = drawn if taken and rule(rules1, RETURN_TAKEN) == U0 else U0
    needed = U0 if hold else drawn
    return left_over(cards, needed, forced, rules1)


@jit
def may_hold_31(cards):
    """Quick test: an ace and two ten-point cards of one suit among the cards."""
    ten, jack, queen, king, ace = cards >> U(8), cards >> U(9), cards >> U(10), cards >> U(11), cards >> U(12)
    two = (ten & jack) | (queen & king) | ((ten | jack) & (queen | king))
    return (ace & two & U(0x8004002001)) != U0


@jit
def tiebreak_key(hand, value):
    """Ranks of the scoring suit as bits: of hands of equal worth the larger has the higher card (RULES section 10)."""
    best = U0
    for i in range(4):
        suit = (hand >> (U(13) * U(i))) & SUIT_BITS
        if U2 * suit_worth(suit) == value and suit > best:
            best = suit
    return best
