"""Thirty-One for OpenSpiel. Importing this module registers the game ``thirtyone``.

    import pyspiel
    import thirtyone_env.openspiel
    game = pyspiel.load_game("thirtyone(preset=mini_5x1,players=2)")

The game is one round, in which each seat has the tokens of a match's start. See ``docs/mini_games.md``.
"""

from __future__ import annotations

try:
    import pyspiel
except ImportError as error:
    from thirtyone_env.errors import UserError

    raise UserError("thirtyone_env.openspiel needs OpenSpiel: pip install 'thirtyone-env[openspiel]'") from error

from thirtyone_env.openspiel.game import GAME_TYPE, ThirtyOneGame, ThirtyOneState
from thirtyone_env.openspiel.observer import ThirtyOneObserver

__all__ = ["GAME_TYPE", "ThirtyOneGame", "ThirtyOneObserver", "ThirtyOneState"]

pyspiel.register_game(GAME_TYPE, ThirtyOneGame)
