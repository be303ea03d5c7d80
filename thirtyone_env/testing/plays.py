"""Random play for the conformance suite."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from thirtyone_env.game import Game
from thirtyone_env.rules import Rules

MakeGame = Callable[..., Game]


@dataclass(frozen=True)
class Setting:
    """What is checked, and how much of it.

    Attributes:
        rules, players: the variant and the number of seats.
        games, moves: games played, and inputs (cards and actions) of each at most.
        seed: of the random play.
        make: what makes a game; `Game` or a class like it.
    """

    rules: Rules
    players: int
    games: int
    moves: int
    seed: int
    make: MakeGame

    def source(self, number: int) -> random.Random:
        """Randomness of one game of the play."""
        return random.Random(f"{self.seed} {number}")

    def start(self, number: int, **options: Any) -> Game:
        """A match before its first card."""
        return self.make(self.rules, self.players, dealer=number % self.players, **options)

    def where(self, game: Game) -> str:
        """How to see a position again."""
        inputs = [str(entry.value) for entry in game.inputs()][-40:]
        return f"\n{self.rules!r}\n{self.players} players, seed {self.seed}; last inputs: {' '.join(inputs)}"


def positions(setting: Setting, number: int) -> Iterator[Game]:
    """A game with every card given by hand, at each of its positions; it is played on between them."""
    source = setting.source(number)
    game = setting.start(number, chance="manual")
    yield game
    for _ in range(setting.moves):
        if game.over:
            return
        if game.needs_card:
            game.give(source.choice(game.possible_cards()))
        else:
            game.play(choose(game, source))
        yield game


def choose(game: Game, source: random.Random) -> str:
    """A random legal action; what ends rounds comes less often, so that they grow old."""
    legal = game.legal_actions()
    calm = [action for action in legal if action not in ("knock", "declare")]
    return source.choice(calm if calm and source.random() < 0.85 else legal)
