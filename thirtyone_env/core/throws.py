"""What a hand keeps after each throw, without counting the hand anew for every card.

Throwing a card lowers one suit's total only; so with the two best totals at hand each throw is judged by one
comparison. Worths are half points (RULES section 1).
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest
from thirtyone_env.core.layout import NONE_CARD, TRIPLE
from thirtyone_env.core.worth import POINTS, SUIT_BITS, rule, suit_of, worth

_LANE = U(0xFFFF)


@jit
def points_of(card):
    """Points of a card id: 2 to 11."""
    return (POINTS >> (U(4) * (card - U(13) * suit_of(card)))) & U(15)


@jit
def suit_totals(cards):
    """Points of a set in each suit, 16 bits a suit."""
    totals = U0
    while cards != U0:
        card = lowest(cards)
        cards = cards & (cards - U1)
        suit = suit_of(card)
        points = (POINTS >> (U(4) * (card - U(13) * suit))) & U(15)
        totals = totals + (points << (U(16) * suit))
    return totals


@jit
def two_best(totals):
    """Best total, best total of the other suits, and the best one's suit (the lowest of several)."""
    best, second, suit = totals & _LANE, U0, U0
    for i in range(1, 4):
        total = (totals >> (U(16) * U(i))) & _LANE
        if total > best:
            second, best, suit = best, total, U(i)
        elif total > second:
            second = total
    return best, second, suit


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
    if suit_of(card) != suit:
        return best
    rest = best - points_of(card)
    return rest if rest > second else second


@jit
def best_throw(cards, allowed, rules1):
    """Worth kept by the best throw, and that card: of several the one with the lowest id.

    Args:
        cards: set of the hand with the card drawn.
        allowed: set of the cards that may be thrown; empty gives (0, `NONE_CARD`).
        rules1: second word of packed rules.
    """
    if counts_triple(cards, rules1):
        return _best_by_worth(cards, allowed, rules1)
    best, second, suit = two_best(suit_totals(cards))
    most, choice = U0, NONE_CARD
    while allowed != U0:
        card = lowest(allowed)
        allowed = allowed & (allowed - U1)
        kept = kept_after(card, best, second, suit)
        if kept > most or choice == NONE_CARD:
            most, choice = kept, card
    return U2 * most, choice


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
