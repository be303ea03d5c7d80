"""Counting a hand, and saying which suit counted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from thirtyone_env.cards import CARDS, RANKS, card_id, parse_cards, pretty
from thirtyone_env.rules import Rules

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_POINTS = {rank: min(number + 2, 10) for number, rank in enumerate(RANKS)} | {"A": 11}
_CARD = re.compile(r"(10|[2-9TJQKA])([CDHS♣♦♥♠])", re.IGNORECASE)


@dataclass(frozen=True)
class HandCount:
    """A counted hand.

    Attributes:
        cards: the cards as they were given.
        worth: worth in points.
        counting: for each suit that gives the worth, its cards; empty where three of a kind gives it.
    """

    cards: tuple[str, ...]
    worth: float
    counting: dict[str, tuple[str, ...]]

    @property
    def suits(self) -> tuple[str, ...]:
        """Names of the suits that give the worth; more than one only where single cards tie."""
        return tuple(SUIT_NAMES[suit] for suit in self.counting)

    @property
    def text(self) -> str:
        """The count in words, such as ``23 in spades: K♠ 8♠ 5♠``."""
        cards = " ".join(pretty(card) for card in self.cards)
        if not self.counting:
            return f"{self.worth:g}, three of a kind: {cards}"
        parts = [" ".join(pretty(card) for card in counted) for counted in self.counting.values()]
        return f"{self.worth:g} in {' or '.join(self.suits)}: {' or '.join(parts)}"


def split_cards(text: str) -> list[str]:
    """Cards of a line, with or without spaces between them: ``KS 8S 5S``, ``KS8S5S``, ``K♠,8♠,5♠``.

    Raises:
        UserError: something in it is no card.
    """
    joined = re.sub(r"[\s,]+", "", text)
    found = [match.group(0) for match in _CARD.finditer(joined)]
    if found and "".join(found) == joined:
        return [CARDS[card_id(card)] for card in found]
    return parse_cards(text)


def count_hand(rules: Rules, cards: list[str]) -> HandCount:
    """Count a hand (RULES section 1).

    Raises:
        UserError: the hand has not as many cards as the rules say, a card is twice in it, or is not in the pack.
    """
    worth = rules.worth(cards)
    own = [CARDS[card_id(card)] for card in cards]
    suits: dict[str, tuple[str, ...]] = {}
    for suit in SUIT_NAMES:
        of_suit = tuple(card for card in own if card[1] == suit)
        if of_suit and sum(_POINTS[card[0]] for card in of_suit) == worth:
            suits[suit] = of_suit
    return HandCount(tuple(own), worth, suits)
