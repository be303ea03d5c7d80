"""Thirty-One (Scat, Blitz, Ride the Bus) and its cousins: rules, games and environments.

Names are loaded when first used, so that importing the package is quick. Importing it registers the Gymnasium id
``ThirtyOne-v0`` (Gymnasium has no plugins since its version 1.0; ``gymnasium.make("thirtyone_env:ThirtyOne-v0")`` does
both).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from thirtyone_env.registration import register_envs

__version__ = "0.1.0"

_HOMES = {
    "Rules": "thirtyone_env.rules",
    "Game": "thirtyone_env.game",
    "IllegalAction": "thirtyone_env.errors",
    "UserError": "thirtyone_env.errors",
    "VectorGame": "thirtyone_env.vector",
}
_MODULES = ("thirtyone_v0",)

__all__ = ["Game", "IllegalAction", "Rules", "UserError", "VectorGame", "thirtyone_v0"]

if TYPE_CHECKING:
    from thirtyone_env import thirtyone_v0
    from thirtyone_env.errors import IllegalAction, UserError
    from thirtyone_env.game import Game
    from thirtyone_env.rules import Rules
    from thirtyone_env.vector import VectorGame


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"thirtyone_env.{name}")
    raise AttributeError(f"module 'thirtyone_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


register_envs()
