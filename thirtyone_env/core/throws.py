"""What a hand keeps after each throw, without counting the hand anew for every card.

Throwing a card lowers one suit's total only; so with the two best totals at hand each throw is judged by one
comparison. Worths are half points (RULES section 1).
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest
from thirtyone_env.core.lanes import POINTS, SUIT_BITS, two_highest
from thirtyone_env.core.layout import NONE_CARD, TRIPLE
from thirtyone_env.core.worth import rule, suit_of, suit_totals, worth


@jit
def points_of(card):
    """Points of a card id: 2 to 11."""
    return (POINTS >> (U(4) * (card - U(13) * suit_of(card)))) & U(15)


@jit
def card_total(card):
    """`suit_totals` of one card."""
    return points_of(card) << (U(16) * suit_of(card))


@jit
def worth_by_totals(cards, totals, rules1):
    """Worth of a hand whose `suit_totals` are at hand."""
    return worth(cards, rules1) if counts_triple(cards, rules1) else U2 * two_best(totals)[0]


@jit
def two_best(totals):
    """Best total, best total of the other suits, and the best one's suit (the lowest of several)."""
    return two_highest(totals)


@jit
def holds_triple(cards):
    """Whether some rank occurs three times or more."""
    clubs = cards & SUIT_BITS
    diamonds = (cards >> U(13)) & SUIT_BITS
    hearts = (cards >> U(26)) & SUIT_BITS
    spades = (cards >> U(39)) & SUIT_BITS
    return ((clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))) != U0


@jit
def counts_triple(cards, rules1):
    """Whether the rules count three of a kind and the set has one: then totals alone do not tell the worth."""
    return rule(rules1, TRIPLE) != U0 and holds_triple(cards)


@jit
def kept_after(card, best, second, suit):
    """Best total in points when ``card`` is thrown from cards with these `two_best`."""
    return max(best - points_of(card), second) if suit_of(card) == suit else best


@jit
def best_throw(cards, allowed, rules1):
    """Worth kept by the best throw, and that card: of several the one with the lowest id.

    Args:
        cards: set of the hand with the card drawn.
        allowed: set of the cards that may be thrown; empty gives (0, `NONE_CARD`).
        rules1: second word of packed rules.
    """
    return best_throw_of(cards, suit_totals(cards), allowed, rules1)


@jit
def best_throw_of(cards, totals, allowed, rules1):
    """`best_throw` where the `suit_totals` of the cards are at hand."""
    if counts_triple(cards, rules1):
        return _best_by_worth(cards, allowed, rules1)
    if allowed == U0:
        return U0, NONE_CARD
    best, second, suit = two_best(totals)
    others = allowed & ~(SUIT_BITS << (U(13) * suit))
    spared = others if second < best else allowed  # these leave the best total as it is
    card = lowest(spared if spared != U0 else allowed)
    return U2 * (best if spared != U0 else max(best - points_of(card), second)), card


@jit
def _best_by_worth(cards, allowed, rules1):
    most, choice = U0, NONE_CARD
    while allowed != U0:
        card = lowest(allowed)
        allowed = allowed & (allowed - U1)
        kept = worth(cards & ~(U1 << card), rules1)
        if kept > most or choice == NONE_CARD:
            most, choice = kept, card
    return most, choice
