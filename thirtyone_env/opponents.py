"""Opponents for an environment: found by name, or given as objects or functions.

A policy answers a batch: ``act(views: uint64 [n, 32], keys: uint64 [n]) -> actions [n]``. Names are resolved by the
package that registers a loader under the entry-point group ``thirtyone.policies``; `thirtyone_agents` does. ``random``
needs no such package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import mask_to_ids
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.keys import POLICY, mix

GROUP = "thirtyone.policies"
Act = Callable[[npt.NDArray[np.uint64], npt.NDArray[np.uint64]], Any]


class CompiledPolicy(Protocol):
    """A policy that compiled loops play by its kind and parameter (`core.policies`)."""

    name: str
    kind: int
    parameter: int

    def act(self, views: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """A legal action for each view: int64 ``[n]``."""
        ...


class Uniform:
    """Plays any legal action, each equally likely, by the key of the decision; as the compiled `random` does."""

    name = "random"
    kind = 0
    parameter = 0

    def act(self, views: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """A legal action for each view: int64 ``[n]``."""
        return np.array([self._one(view, key) for view, key in zip(views, keys, strict=True)], dtype=np.int64)

    @staticmethod
    def _one(view: npt.NDArray[np.uint64], key: np.uint64) -> int:
        legal = mask_to_ids(int(view[V_LEGAL]))
        return legal[(mix(int(key) ^ POLICY) >> 32) * len(legal) >> 32]


class Function:
    """A function ``act(views, keys)`` as a policy."""

    def __init__(self, function: Act) -> None:
        self.act = function
        self.name = getattr(function, "__name__", "function")


def load_opponents(opponents: Any, count: int) -> list[Any]:
    """Policies of the opponents, in the order of the seats after the learner's.

    Args:
        opponents: one name, policy or function for all, or a sequence of one for all or of ``count``.
        count: how many are needed.

    Raises:
        UserError: the number is wrong, or a name is not a policy.
    """
    given = [opponents] if isinstance(opponents, str) or not isinstance(opponents, Sequence) else list(opponents)
    if len(given) not in (1, count):
        raise UserError(f"{len(given)} opponents given: 1 (for all seats) or {count}, the players but the learner")
    if len(given) == 1:
        given = given * count
    return [load_opponent(one) for one in given]


def load_opponent(opponent: Any, allow_code: bool = True) -> Any:
    """The policy of a name (such as ``threshold:21``); a policy is returned as it is, a function is wrapped.

    Args:
        allow_code: whether names may be used that import code or read files.

    Raises:
        UserError: it is no policy, or there is nothing installed that knows names.
    """
    if callable(getattr(opponent, "act", None)):
        return opponent
    if callable(opponent):
        return Function(opponent)
    if not isinstance(opponent, str):
        raise UserError(f"{opponent!r} is no opponent: give a name such as threshold:21, a policy, or a function")
    if opponent == "random":
        return Uniform()
    loaders = list(entry_points(group=GROUP))
    if not loaders:
        raise UserError(
            f"the opponent {opponent!r} cannot be found: no installed package registers a loader of policies "
            f"(entry-point group {GROUP}); thirtyone_agents does, and 'random' needs none"
        )
    return loaders[0].load()(opponent, allow_code=allow_code)


def ask(policy: Any, view: npt.NDArray[np.uint64], key: int) -> int:
    """A policy's action for one view ``[32]``.

    Raises:
        IllegalAction: it answered something that is not legal; the text names it.
    """
    answer = policy.act(view.reshape(1, -1), np.array([key], dtype=np.uint64))
    action = int(np.asarray(answer).reshape(-1)[0])
    if not 0 <= action < 64 or not int(view[V_LEGAL]) >> action & 1:
        name = getattr(policy, "name", type(policy).__name__)
        raise IllegalAction(f"the opponent {name} answered {action}; legal are {mask_to_ids(int(view[V_LEGAL]))}")
    return action
