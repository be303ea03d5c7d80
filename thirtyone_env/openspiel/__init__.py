"""Thirty-One for OpenSpiel. Importing this module registers the game ``thirtyone``.

    import pyspiel
    import thirtyone_env.openspiel
    game = pyspiel.load_game("thirtyone(preset=mini_5x1,players=2)")

The game is one round, in which each seat has the tokens of a match's start. See ``docs/mini_games.md``.
"""

from __future__ import annotations

from thirtyone_env.extras import require

require("openspiel", "thirtyone_env.openspiel")

import pyspiel  # noqa: E402  # after the check that it is there

from thirtyone_env.openspiel.game import GAME_TYPE, ThirtyOneGame, ThirtyOneState  # noqa: E402  # after the check that it is there
from thirtyone_env.openspiel.observer import ThirtyOneObserver  # noqa: E402  # after the check that it is there

__all__ = ["GAME_TYPE", "ThirtyOneGame", "ThirtyOneObserver", "ThirtyOneState"]

pyspiel.register_game(GAME_TYPE, ThirtyOneGame)
