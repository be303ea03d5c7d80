"""The names of actions, in the order of their ids (0 to 62)."""

from .cards import ALL_CARDS, in_order

ACTIONS = [
    "draw_stock",
    "draw_discard",
    "knock",
    "declare",
    *(f"discard {card}" for card in ALL_CARDS),
    "pass",
    "swap_dummy",
    "swap_all",
    "swap_upcard",
    *(f"take_pool {place}" for place in range(3)),
]


def discards(cards: list[str]) -> list[str]:
    """A discard of each of these cards, lowest id first."""
    return [f"discard {card}" for card in in_order(cards)]
