"""The conformance suite on every variant, and its teeth: each flaw that is put in is found and named."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.env.lockstep import random_rules
from thirtyone_env import Game, Rules, thirtyone_v0
from thirtyone_env.core.layout import V_HAND, V_LEGAL
from thirtyone_env.errors import UserError
from thirtyone_env.testing import check_policy, check_rules

PRESETS = [(name, players) for name in Rules.presets() for players in ((2,) if name.startswith("mini_") else (2, 4))]


@pytest.mark.parametrize(("name", "players"), PRESETS)
def test_preset_conforms(name: str, players: int) -> None:
    report = check_rules(name, players, games=3, moves=100)
    assert report.positions > 50
    assert report.exchanges > 0


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), [*((name, 9) for name in Rules.presets()[:6]), ("schwimmen", 8)])
def test_preset_conforms_at_a_large_table(name: str, players: int) -> None:
    assert check_rules(name, players, games=4, moves=300).rounds >= 4


@pytest.mark.parametrize("seed", range(12))
def test_random_rules_conform(seed: int) -> None:
    source = random.Random(f"conformance {seed}")
    check_rules(random_rules(source), source.randint(2, 5), games=2, moves=90, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25))
def test_many_random_rules_conform(seed: int) -> None:
    source = random.Random(f"more {seed}")
    check_rules(random_rules(source), source.randint(2, 7), games=4, moves=250, seed=seed)


def test_wrong_rules_and_players_are_refused() -> None:
    with pytest.raises(UserError, match="'paget' is not a preset"):
        check_rules("paget")
    with pytest.raises(UserError, match="10 players: allowed are 2 to 9"):
        check_rules("pagat", 10)


# --- flaws in games ---------------------------------------------------------------------------------------------------


class _Flawed(Game):
    """A game whose copies keep its flaw."""

    def clone(self) -> _Flawed:
        made = object.__new__(type(self))
        made.__dict__.update(super().clone().__dict__)
        return made


class LeakyText(_Flawed):
    def information_state(self, seat: int) -> tuple[str, ...]:
        lines = super().information_state(seat)
        return (*lines, *(f"{card}?" for hand in self.hands[:1] for card in hand)) if self.turn == 1 else lines


class LeakyView(_Flawed):
    def view(self, seat: int) -> Any:
        view = super().view(seat)
        if self.turn is not None:
            view[21 + 8] = super().view((seat + 1) % self.players)[V_HAND]
        return view


class Forgetful(_Flawed):
    def information_state(self, seat: int) -> tuple[str, ...]:
        return super().information_state(seat)[-6:]


class Vague(_Flawed):
    def information_state(self, seat: int) -> tuple[str, ...]:
        return tuple("up-card" if line.startswith("up-card") else line for line in super().information_state(seat))


class SharedMask(_Flawed):
    def view(self, seat: int) -> Any:
        view = super().view(seat)
        view[V_LEGAL] = self.mask
        return view


class Lenient(_Flawed):
    def play(self, action: str | int) -> None:
        super().play(2 if action == 63 - 1 and self.mask >> 2 & 1 else action)


class Shallow(_Flawed):
    def clone(self) -> Any:
        made = super().clone()
        made._state = self._state
        return made


class Moody(_Flawed):
    def play(self, action: str | int) -> None:
        super().play(action)
        if self.chance == "seed" and self.turn is not None and random.random() < 0.2:
            self._state[2, 0] += np.uint64(1)


class Forgery(_Flawed):
    def record(self, names: Any = None) -> dict[str, Any]:
        record = super().record(names)
        record["dealer"] = (record["dealer"] + 1) % self.players
        record["rounds"] = []
        record["moves"] = record["moves"][:3]
        return {key: value for key, value in record.items() if key not in ("over", "winner", "placings")}


FLAWS: dict[type[Game], str] = {
    LeakyText: "the text of what it has seen is another|does not begin with what it had seen before",
    LeakyView: "its view is another",
    Forgetful: "does not begin with what it had seen before",
    Vague: "has seen the same, but its mask or view is another|cannot know .* but its view is another",
    SharedMask: "the view of seat . has the mask",
    Lenient: "take_pool 2 is not in the mask but could be played",
    Shallow: "a clone was played on, and the original has changed",
    Moody: "two games with seed . and the same actions differ",
    Forgery: "the game's record plays again to another state",
}


@pytest.mark.parametrize("flawed", FLAWS)
def test_flaw_in_a_game_is_found_and_named(flawed: type[Game]) -> None:
    rules = "mini_5x1" if flawed is Vague else "pagat"
    with pytest.raises(AssertionError, match=FLAWS[flawed]) as told:
        check_rules(rules, 2, games=40 if flawed is Vague else 6, make=flawed)
    assert "2 players, seed 0; last inputs:" in str(told.value)


# --- policies ---------------------------------------------------------------------------------------------------------


class Plain:
    """The lowest legal action, or one by its key."""

    name = "plain"

    def act(self, views: Any, keys: Any) -> Any:
        return np.array([self.choose(view, int(key)) for view, key in zip(views, keys, strict=True)], dtype=np.int64)

    def choose(self, view: Any, key: int) -> int:
        mask = int(view[V_LEGAL])
        legal = [i for i in range(63) if mask >> i & 1]
        return legal[key % len(legal)]

    def probabilities(self, views: Any) -> Any:
        mask = (views[:, V_LEGAL, None] >> np.arange(63, dtype=np.uint64)) & np.uint64(1)
        return mask / mask.sum(axis=1, keepdims=True)


def test_sound_policy_passes() -> None:
    report = check_policy(Plain(), "pagat", 3, games=4)
    assert report.views > 20
    assert report.with_probabilities
    assert not report.with_memory


@pytest.mark.parametrize("name", ["random", "threshold:21", "tips"])
@pytest.mark.parametrize("rules", ["standard", "schwimmen"])
def test_baselines_pass(name: str, rules: str) -> None:
    from thirtyone_agents.registry import load

    assert check_policy(load(name), rules, 3, games=3).views > 20


def _flawed_policy(change: Callable[[Any], None]) -> Any:
    policy = Plain()
    policy_copy = copy.copy(policy)
    change(policy_copy)
    return policy_copy


def _asked_before(policy: Any) -> None:
    asked: list[int] = []

    def act(views: Any, keys: Any) -> Any:
        asked.append(len(views))
        return Plain.act(policy, views, keys + np.uint64(len(asked) % 2))

    policy.act = act


POLICY_FLAWS: dict[str, tuple[Callable[[Any], None], str]] = {
    "no name": (lambda p: setattr(p, "name", None), "Plain has no name"),
    "illegal": (lambda p: setattr(p, "act", lambda v, k: np.full(len(v), 62)), "take_pool 2, which is not legal"),
    "too few": (lambda p: setattr(p, "act", lambda v, k: np.zeros(1, int)), r"answered an array of shape \[1\]"),
    "floats": (lambda p: setattr(p, "act", lambda v, k: np.zeros(len(v))), "answered float64, not whole numbers"),
    "memory": (_asked_before, "asked again answers .* instead of"),
    "batch": (
        lambda p: setattr(p, "act", lambda v, k: Plain.act(p, v, k + np.uint64(len(v)))),
        "asked (in two parts|one by one) answers",
    ),
    "global": (
        lambda p: setattr(p, "choose", lambda v, k: Plain.choose(p, v, random.randrange(99))), "uses a global generator"
    ),
    "writes": (
        lambda p: setattr(p, "act", lambda v, k: (Plain.act(p, v, k), k.fill(0))[0]), "has changed the arrays"
    ),
    "sum": (lambda p: setattr(p, "probabilities", lambda v: Plain.probabilities(p, v) / 2), "miss a sum of 1 by 0.5"),
    "chance of illegal": (
        lambda p: setattr(p, "probabilities", lambda v: np.full((len(v), 63), 1 / 63)),
        "has a probability and is not legal",
    ),
    "other chances": (
        lambda p: setattr(p, "choose", lambda v, k: Plain.choose(p, v, k if k % 2 else 0)), "gives .* the chance"
    ),
}


@pytest.mark.parametrize("flaw", POLICY_FLAWS)
def test_flaw_in_a_policy_is_found_and_named(flaw: str) -> None:
    change, words = POLICY_FLAWS[flaw]
    with pytest.raises(AssertionError, match=words):
        check_policy(_flawed_policy(change), "pagat", 3, games=4)


class Counting(Plain):
    """A policy with memory: it throws by how often it was asked in this match."""

    name = "counting"
    forgets = True

    def __init__(self) -> None:
        self.asked = 0

    def begin(self, games: int) -> None:
        assert games == 1
        if self.forgets:
            self.asked = 0

    def choose(self, view: Any, key: int) -> int:
        self.asked += 1
        return Plain.choose(self, view, self.asked // 3)


def test_policy_with_memory_must_forget_at_begin() -> None:
    assert check_policy(Counting(), "pagat", 3, games=3).with_memory
    stubborn = Counting()
    stubborn.forgets = False
    with pytest.raises(AssertionError, match="it has not forgotten"):
        check_policy(stubborn, "pagat", 3, games=3)


def test_a_seed_that_is_no_number_is_named() -> None:
    with pytest.raises(UserError, match="seed='x' is not allowed: a whole number"):
        thirtyone_v0.env().reset(seed="x")
