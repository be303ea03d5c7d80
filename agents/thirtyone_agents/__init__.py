"""Policies that play Thirty-One.

`load` finds one by name, `play_match` lets them play. See `thirtyone_agents.policy` for what a policy is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thirtyone_agents.policy import Policy, fingerprint, has_memory, has_probabilities
from thirtyone_agents.registry import Kind, load, names

if TYPE_CHECKING:
    from thirtyone_agents.learned import LearnedPolicy, load_agent, save_agent
    from thirtyone_agents.play import MatchResult, decide, decide_one, play_match, play_matches

_LATER = {
    "LearnedPolicy": "learned",
    "load_agent": "learned",
    "save_agent": "learned",
    "MatchResult": "play",
    "decide": "play",
    "decide_one": "play",
    "play_match": "play",
    "play_matches": "play",
}

__all__ = [
    "Kind",
    "LearnedPolicy",
    "MatchResult",
    "Policy",
    "decide",
    "decide_one",
    "fingerprint",
    "has_memory",
    "has_probabilities",
    "load",
    "load_agent",
    "names",
    "play_match",
    "play_matches",
    "save_agent",
]


def __getattr__(name: str) -> Any:
    """Import what needs the compiled core only when it is asked for, so that `thirtyone agents` starts at once."""
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(f"thirtyone_agents.{_LATER[name]}"), name)
    raise AttributeError(f"module 'thirtyone_agents' has no attribute {name!r}")
