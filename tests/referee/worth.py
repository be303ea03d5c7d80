"""What a hand is worth (RULES 1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import CARD_ID, POINTS, RANKS
from .house import House, read_house


def worth(cards: Sequence[str], options: Mapping[str, Any] | House) -> float:
    """The worth of a hand under the options: the best suit, or three of a kind where that counts."""
    house = read_house(options)
    unknown = [card for card in cards if card not in CARD_ID]
    if unknown:
        raise ValueError(f"no such card: {unknown}")
    if house.three_of_a_kind != "off" and three_of_a_kind(cards):
        if has_three_aces(cards) and house.three_aces != "same":
            return 33.0 if house.three_aces == "feuer" else 32.5
        return float(house.three_of_a_kind)
    return float(best_suit_total(cards))


def suit_total(cards: Sequence[str], suit: str) -> int:
    """The points of one suit. An ace that may count one or eleven counts eleven, which is never the worse."""
    return sum(POINTS[card[0]] for card in cards if card[1] == suit)


def best_suit_total(cards: Sequence[str]) -> int:
    """The best total over one suit; three different suits give the highest card."""
    return max((suit_total(cards, suit) for suit in {card[1] for card in cards}), default=0)


def may_be_shown(cards: Sequence[str], house: House) -> bool:
    """Whether the hand is exactly 31 in one suit, which alone can be shown to end the round (RULES 1.5)."""
    return best_suit_total(cards) == house.target


def three_of_a_kind(cards: Sequence[str]) -> bool:
    """Three cards of one rank."""
    return len(cards) == 3 and len({card[0] for card in cards}) == 1


def has_three_aces(cards: Sequence[str]) -> bool:
    """Three aces."""
    return len(cards) == 3 and all(card[0] == "A" for card in cards)


def is_feuer(cards: Sequence[str], house: House) -> bool:
    """Three aces where they end the hand at once (RULES 11)."""
    return house.three_aces == "feuer" and house.three_of_a_kind != "off" and has_three_aces(cards)


def tiebreak_key(cards: Sequence[str], house: House) -> list[int]:
    """The ranks that decide between equal hands, highest first: the cards of the scoring suit (RULES 10)."""
    if house.three_of_a_kind != "off" and three_of_a_kind(cards):
        return [RANKS.index(card[0]) for card in cards]
    best = best_suit_total(cards)
    scoring = [suit for suit in {card[1] for card in cards} if suit_total(cards, suit) == best]
    return max(_ranks_of(cards, suit) for suit in scoring)


def _ranks_of(cards: Sequence[str], suit: str) -> list[int]:
    return sorted((RANKS.index(card[0]) for card in cards if card[1] == suit), reverse=True)
