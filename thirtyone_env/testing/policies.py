"""`check_policy`: what must hold of any policy."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_names
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_key
from thirtyone_env.rules import Rules
from thirtyone_env.testing.copies import burn
from thirtyone_env.testing.plays import choose
from thirtyone_env.view_text import describe

Views = npt.NDArray[np.uint64]
Keys = npt.NDArray[np.uint64]
_DRAWS = 400  # keys with which a policy's chances are compared


@dataclass(frozen=True)
class PolicyReport:
    """How much was checked.

    Attributes:
        views: decisions asked for.
        with_probabilities, with_memory: what the policy offers beside ``act``.
    """

    views: int
    with_probabilities: bool
    with_memory: bool


def check_policy(
    policy: Any,
    rules: Rules | str | Mapping[str, Any] = "pagat",
    players: int = 4,
    *,
    games: int = 10,
    seed: int = 0,
) -> PolicyReport:
    """Ask a policy for decisions of random games and check its answers.

    It has a name; answers are whole numbers, one a view, and legal; they depend on the view and its key alone: not on
    the other views of the batch, nor on their order, nor on global generators, which it leaves alone, as it does the
    arrays that it is given. Where it tells probabilities, these are chances of legal actions and the answers follow
    them. A policy with memory (``begin``) may answer by what it was asked before, so it is only asked game by game.

    Args:
        policy: an object with ``name`` and ``act(views, keys)``; see the policies page of the docs.
        rules, players: the games that it is asked about.
        games: how many.
        seed: of the games and of the keys.

    Raises:
        AssertionError: something does not hold; the text says what.
    """
    _check_shape(policy)
    remembers = callable(getattr(policy, "begin", None))
    tells = callable(getattr(policy, "probabilities", None))
    count = 0
    for number in range(games):
        views, keys = _decisions(Rules.of(rules), players, seed + number)
        count += len(views)
        if remembers:
            _check_with_memory(policy, views, keys)
            continue
        answers = _ask(policy, views, keys)
        _check_alone(policy, views, keys, answers)
        if tells:
            _check_probabilities(policy, views, answers, follow=number < 3)
    return PolicyReport(count, tells, remembers)


def _check_shape(policy: Any) -> None:
    name = getattr(policy, "name", None)
    assert isinstance(name, str), f"{type(policy).__name__} has no name (a str): {name!r}"
    assert name, f"{type(policy).__name__} has an empty name"
    assert callable(getattr(policy, "act", None)), f"{name} has no act(views, keys)"


def _decisions(rules: Rules, players: int, seed: int) -> tuple[Views, Keys]:
    """Views and keys of the decisions of a random match: uint64 ``[n, 32]`` and ``[n]``."""
    source = random.Random(seed)
    game = Game(rules, players, seed=seed)
    views: list[Views] = []
    keys: list[int] = []
    while not game.over and len(views) < 120:
        assert game.turn is not None
        views.append(game.view(game.turn))
        keys.append(decision_key(seed, 0, game.deal_number, len(views), game.turn))
        game.play(choose(game, source))
    return np.array(views, dtype=np.uint64), np.array(keys, dtype=np.uint64)


def _ask(policy: Any, views: Views, keys: Keys) -> npt.NDArray[Any]:
    """A policy's answers, checked one by one."""
    given = views.copy(), keys.copy()
    states = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002  # the global generator is what is meant
    answers = np.asarray(policy.act(*given))
    after = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002  # the global generator is what is meant
    assert states == after, f"{policy.name} uses a global generator; draw from the keys instead"
    untouched = (given[0] == views).all() and (given[1] == keys).all()
    assert untouched, f"{policy.name} has changed the arrays that it was given; copy what you change"
    shape = answers.shape == (len(views),)
    assert shape, f"{policy.name} answered an array of shape {list(answers.shape)} to {len(views)} views"
    assert answers.dtype.kind in "iu", f"{policy.name} answered {answers.dtype}, not whole numbers"
    for view, answer in zip(views, answers.tolist(), strict=True):
        legal = 0 <= answer < NUM_ACTIONS and int(view[V_LEGAL]) >> answer & 1
        assert legal, (
            f"{policy.name} answered {_name(answer)}, which is not legal; legal are "
            f"{', '.join(mask_to_names(int(view[V_LEGAL])))}\n{describe(view)}"
        )
    return answers


def _name(action: int) -> str:
    return ACTION_NAMES[action] if 0 <= action < NUM_ACTIONS else f"action {action}"


def _check_alone(policy: Any, views: Views, keys: Keys, answers: npt.NDArray[Any]) -> None:
    """The same answers again, in another order, one by one and in parts."""
    burn()
    order = np.random.Generator(np.random.PCG64(0)).permutation(len(views))
    half = len(views) // 2
    parts = [_ask(policy, views[:half], keys[:half]), _ask(policy, views[half:], keys[half:])] if half else [answers]
    ones = [_ask(policy, views[i : i + 1], keys[i : i + 1])[0] for i in range(min(len(views), 40))]
    ways = {
        "asked again": (_ask(policy, views, keys), answers),
        "asked in another order": (_ask(policy, views[order], keys[order]), answers[order]),
        "asked in two parts": (np.concatenate(parts), answers),
        "asked one by one": (np.array(ones), answers[: len(ones)]),
    }
    for way, (got, wanted) in ways.items():
        other = np.flatnonzero(got != wanted)
        assert not len(other), (
            f"{policy.name} {way} answers {_name(int(got[other[0]]))} instead of {_name(int(wanted[other[0]]))}: "
            "an answer may depend on its view and key alone"
        )


def _check_with_memory(policy: Any, views: Views, keys: Keys) -> None:
    """Asked one by one, in order, twice: the same match gets the same answers."""
    told = []
    for _ in range(2):
        policy.begin(1)
        burn()
        told.append([_ask(policy, views[i : i + 1], keys[i : i + 1])[0] for i in range(len(views))])
    assert told[0] == told[1], f"{policy.name} answers the same match otherwise after begin(): it has not forgotten"


def _check_probabilities(policy: Any, views: Views, answers: npt.NDArray[Any], follow: bool) -> None:
    chances = np.asarray(policy.probabilities(views.copy()))
    shape = chances.shape == (len(views), NUM_ACTIONS)
    assert shape, f"{policy.name}: probabilities of shape {list(chances.shape)}, not {[len(views), NUM_ACTIONS]}"
    assert np.isfinite(chances).all(), f"{policy.name}: probabilities that are no numbers"
    assert (chances >= 0).all(), f"{policy.name}: a probability below 0"
    total = float(np.abs(chances.sum(axis=1) - 1).max())
    assert total < 1e-6, f"{policy.name}: probabilities that miss a sum of 1 by {total}"
    legal = (views[:, V_LEGAL, None] >> np.arange(NUM_ACTIONS, dtype=np.uint64)) & np.uint64(1)
    wrong = np.argwhere((chances > 0) & (legal == 0))
    assert not len(wrong), f"{policy.name}: {_name(int(wrong[0][1]))} has a probability and is not legal"
    never = chances[np.arange(len(views)), answers.astype(np.int64)] <= 0
    assert not never.any(), f"{policy.name} answers an action to which it gives probability 0"
    if follow:
        _check_frequencies(policy, views[0], chances[0])


def _check_frequencies(policy: Any, view: Views, chances: npt.NDArray[Any]) -> None:
    """Over many keys actions come as often as the policy says, within six standard deviations."""
    keys = np.array([decision_key(1, i) for i in range(_DRAWS)], dtype=np.uint64)
    answers = _ask(policy, np.repeat(view[None], _DRAWS, axis=0), keys)
    often = np.bincount(answers.astype(np.int64), minlength=NUM_ACTIONS) / _DRAWS
    spread = np.sqrt(chances * (1 - chances) / _DRAWS)
    off = np.flatnonzero(np.abs(often - chances) > 6 * spread + 2 / _DRAWS)
    assert not len(off), (
        f"{policy.name} gives {_name(int(off[0]))} the chance {chances[off[0]]:.3f}, and plays it with "
        f"{often[off[0]]:.3f} of {_DRAWS} keys"
    )
