"""Cards as text: rank then suit (`AS`, `TD`, `7H`); the id is 13 * suit + rank, suits C D H S, from 2 to A."""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
SUITS = "CDHS"
ALL_CARDS = [rank + suit for suit in SUITS for rank in RANKS]
CARD_ID = {card: number for number, card in enumerate(ALL_CARDS)}
POINTS = {**{str(number): number for number in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards, lowest id first."""
    return sorted(cards, key=CARD_ID.__getitem__)


def pack(deck: str) -> list[str]:
    """The whole pack: `52`, or `32` for seven up (RULES 1)."""
    if deck == "52":
        return list(ALL_CARDS)
    if deck == "32":
        return [card for card in ALL_CARDS if card[0] in "789TJQKA"]
    raise ValueError(f"deck {deck!r} is not known: 52 or 32")
