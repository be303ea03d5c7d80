"""Cards: ids, text and sets.

A card id is ``13 * suit + rank`` with suits in the order C D H S and ranks 2..A, so 0 is the two of clubs and 51 the
ace of spades. A set of cards is an integer whose bit *i* stands for card *i*. In text a card is its rank and then its
suit, with ``T`` for the ten: ``AS``, ``TD``, ``7H``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable

from thirtyone_env.errors import UserError

RANKS = "23456789TJQKA"
SUITS = "CDHS"
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
NUM_CARDS = 52
FULL_DECK = (1 << NUM_CARDS) - 1
DECK_32 = sum(1 << (13 * s + r) for s in range(4) for r in range(5, 13))  # seven up: 7 8 9 T J Q K A

CARDS: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_IDS = {text: i for i, text in enumerate(CARDS)}


def card_id(card: str | int) -> int:
    """Id of a card given as text (``"7H"``, ``"10h"``, ``"7♥"``) or as an id.

    Raises:
        UserError: the text is no card, or the id is outside 0..51.
    """
    if isinstance(card, str):
        found = _IDS.get(card)
        return found if found is not None else _parse(card)
    try:
        number = operator.index(card)
    except TypeError:
        raise UserError(f"{card!r} is not a card: write it as text such as 7H, or give an id") from None
    if 0 <= number < NUM_CARDS:
        return number
    raise UserError(f"card id {card} is outside 0 to {NUM_CARDS - 1}")


def _parse(text: str) -> int:
    plain = text.strip().upper().replace("10", "T")
    for letter, sign in SUIT_SIGNS.items():
        plain = plain.replace(sign, letter)
    if plain in _IDS:
        return _IDS[plain]
    ranks = f"{RANKS} (10 or T for the ten)"
    raise UserError(f"'{text}' is not a card: write a rank of {ranks} and a suit of {SUITS}, such as 7H or 10D")


def card_text(card: int) -> str:
    """Text of a card id, such as ``"7H"``."""
    return CARDS[card_id(card)]


def pretty(card: int | str) -> str:
    """Card with its suit's sign, such as ``7♥`` and ``10♦``."""
    text = CARDS[card_id(card)]
    return text[0].replace("T", "10") + SUIT_SIGNS[text[1]]


def cards_to_set(cards: Iterable[str | int]) -> int:
    """Set of the given cards as an integer of 52 bits.

    Raises:
        UserError: a card occurs twice or is no card.
    """
    result = 0
    for card in cards:
        bit = 1 << card_id(card)
        if result & bit:
            raise UserError(f"the card {CARDS[card_id(card)]} occurs twice")
        result |= bit
    return result


def set_to_ids(cards: int) -> list[int]:
    """Ids of the cards of a set, ascending."""
    ids = []
    rest = int(cards)
    while rest:
        low = rest & -rest
        ids.append(low.bit_length() - 1)
        rest ^= low
    return ids


def set_to_cards(cards: int) -> list[str]:
    """Texts of the cards of a set, in the order of their ids."""
    return [CARDS[i] for i in set_to_ids(cards)]


def parse_cards(text: str) -> list[str]:
    """Cards of a line such as ``"KS 8S 5S"`` or ``"K♠,8♠,5♠"``.

    Raises:
        UserError: a word is no card.
    """
    return [CARDS[card_id(word)] for word in text.replace(",", " ").split()]
