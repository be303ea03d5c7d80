"""Short ways to set up a position of the referee's and to play on from it."""

from collections.abc import Iterable
from typing import Any

from .game import RefereeGame

PLAIN = "KS QH 9S 5H 2D 3C"  # seat 0: 19, seat 1: 15


def dealt(options: dict[str, Any], cards: str, players: int = 2, **more: Any) -> RefereeGame:
    """A game with these cards dealt in order, the last seat dealing, so that seat 0 gets the first card."""
    game = RefereeGame(options, players, dealer=players - 1, **more)
    give(game, cards.split())
    return game


def give(game: RefereeGame, cards: Iterable[str]) -> None:
    for card in cards:
        game.give(card)


def play(game: RefereeGame, *actions: str) -> None:
    """Play actions; one that is a card is chance's."""
    for action in actions:
        if len(action) == 2:
            game.give(action)
        else:
            game.play(action)


def result(game: RefereeGame) -> dict[str, Any]:
    assert game.last_round is not None
    return game.last_round
