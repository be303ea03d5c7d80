"""Opponents for an environment: found by name, or given as objects or functions.

A policy answers a batch: ``act(views: uint64 [n, 32], keys: uint64 [n]) -> actions [n]``. Names are resolved by the
package that registers a loader under the entry-point group ``thirtyone.policies``; `thirtyone_agents` does. ``random``
needs no such package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import mask_to_ids
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.keys import POLICY, mix
from thirtyone_env.rules import Rules

GROUP = "thirtyone.policies"
_OURS = ("thirtyone_env", "thirtyone_agents")
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


def is_compiled(policy: Any) -> TypeGuard[CompiledPolicy]:
    """Whether compiled loops can play a policy; a class made from ours may answer otherwise, so it is asked."""
    ours = type(policy).__module__.partition(".")[0] in _OURS
    return ours and hasattr(policy, "kind") and hasattr(policy, "parameter")


def policies_for_batch(opponents: Any, rules: Rules, players: int) -> list[Any]:
    """Policies that play many games side by side. What is given twice is one policy.

    Args:
        opponents: names, policies or functions, at least one.
        rules, players: of the games.

    Raises:
        UserError: there is none, one is no policy, does not fit the game, or remembers matches.
    """
    if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not opponents:
        raise UserError(
            f"opponents={opponents!r}: a list of at least one name is needed, such as ['threshold:21']"
        )
    known: dict[str | int, Any] = {}
    for one in opponents:
        key = one if isinstance(one, str) else id(one)
        if key not in known:
            known[key] = load_opponent(one)
            _check_for_batch(known[key], rules, players)
    return [known[one if isinstance(one, str) else id(one)] for one in opponents]


def _check_for_batch(policy: Any, rules: Rules, players: int) -> None:
    if callable(getattr(policy, "begin", None)):
        raise UserError(
            f"the opponent {name_of(policy)} remembers matches (it has `begin`), so it cannot play many side by side"
        )
    check = getattr(policy, "check", None)
    if callable(check):
        check(rules, players)


def name_of(policy: Any) -> str:
    """A policy's name, else that of its class."""
    return str(getattr(policy, "name", type(policy).__name__))


def ask_many(
    policy: Any, views: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64]
) -> npt.NDArray[np.int64]:
    """A policy's actions, int64 ``[n]``, for views uint64 ``[n, 32]`` and keys uint64 ``[n]``, asked in one call.

    Raises:
        IllegalAction: it answered something that is not legal, or not one whole number a view; the text names it.
    """
    answer = np.asarray(policy.act(views.copy(), keys))  # it may write into its views
    if answer.shape != (len(views),) or answer.dtype.kind not in "iu":
        raise IllegalAction(
            f"the opponent {name_of(policy)} answered {answer.dtype} {list(answer.shape)}; whole numbers "
            f"[{len(views)}], one a view, are needed"
        )
    wrong = (answer < 0) | (answer > 63)
    actions = np.where(wrong, 0, answer).astype(np.int64)
    wrong |= views[:, V_LEGAL] >> actions.astype(np.uint64) & np.uint64(1) == 0
    if wrong.any():
        row = int(wrong.argmax())
        raise IllegalAction(_answered(policy, int(answer[row]), int(views[row, V_LEGAL])))
    return actions


def _answered(policy: Any, action: int, legal: int) -> str:
    return f"the opponent {name_of(policy)} answered {action}; legal are {mask_to_ids(legal)}"


class Outside:
    """The policies of a batch that compiled loops cannot play, each asked about all games that wait for it at once.

    Args:
        policies: of the batch, one a row of its pool; compiled ones are left out.
    """

    def __init__(self, policies: Sequence[Any]) -> None:
        self._asked: list[tuple[Any, npt.NDArray[np.bool_]]] = []
        for policy in {id(one): one for one in policies if not is_compiled(one)}.values():
            rows = np.array([False, *(one is policy for one in policies)])
            self._asked.append((policy, rows))

    def __bool__(self) -> bool:
        return bool(self._asked)

    def answer(
        self, views: npt.NDArray[np.uint64], asks: npt.NDArray[np.uint64], actions: npt.NDArray[np.int64]
    ) -> bool:
        """Answer every game that asks; False where none does.

        Args:
            views: uint64 ``[games, 32]``, those of the seats that are asked.
            asks: uint64 ``[games, 3]``: the row of the pool plus one (0: the game does not ask), the key, and more.
            actions: int64 ``[games]``, written where a game asks.

        Raises:
            IllegalAction: as `ask_many`.
        """
        rows = asks[:, 0].astype(np.int64)
        if not rows.any():
            return False
        for policy, mine in self._asked:
            games = np.flatnonzero(mine[rows])
            if len(games):
                actions[games] = ask_many(policy, views[games], np.ascontiguousarray(asks[games, 1]))
        return True


def ask(policy: Any, view: npt.NDArray[np.uint64], key: int) -> int:
    """A policy's action for one view ``[32]``.

    Raises:
        IllegalAction: it answered something that is not legal; the text names it.
    """
    answer = policy.act(view.reshape(1, -1).copy(), np.array([key], dtype=np.uint64))  # it may write into its view
    action = int(np.asarray(answer).reshape(-1)[0])
    if not 0 <= action < 64 or not int(view[V_LEGAL]) >> action & 1:
        raise IllegalAction(_answered(policy, action, int(view[V_LEGAL])))
    return action
