"""PettingZoo's own tests on every variant, every warning an error (PAINS A13)."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from tests.env.env_walks import PRESETS, players_of
from thirtyone_env import thirtyone_v0

# What PettingZoo says of every environment whose observations are a Dict with a mask, word for word. The last one it
# says of agents that have ended: they have no legal action.
FIXED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Action mask numpy array is all zeros (no legal actions).",
)
CASES = [(preset, players) for preset in PRESETS for players in players_of(preset)]


@contextmanager
def every_warning_an_error() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in FIXED:
            warnings.filterwarnings("ignore", message=f"^{re.escape(message)}$")
        yield


@pytest.mark.parametrize(("preset", "players"), CASES)
def test_a13_api_test_passes_without_warnings(preset: str, players: int) -> None:
    with every_warning_an_error():
        api_test(thirtyone_v0.env(rules=preset, players=players), num_cycles=60)
        api_test(thirtyone_v0.raw_env(rules=preset, players=players, seats=9), num_cycles=20)


@pytest.mark.parametrize(("preset", "players"), CASES)
def test_a13_seed_test_passes_without_warnings(preset: str, players: int) -> None:
    with every_warning_an_error():
        seed_test(lambda: thirtyone_v0.env(rules=preset, players=players), num_cycles=40)


@pytest.mark.parametrize("preset", PRESETS)
def test_a13_render_test_passes_without_warnings(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(thirtyone_v0.raw_env.metadata, "render_fps", 0)
    with every_warning_an_error():
        render_test(lambda render_mode: thirtyone_v0.env(rules=preset, players=3, render_mode=render_mode))


@pytest.mark.parametrize("episode", ["match", "round"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a13_api_test_passes_for_every_episode_and_reward(preset: str, episode: str) -> None:
    reward = None if preset == "bicycle" else "lives"
    with every_warning_an_error():
        api_test(thirtyone_v0.env(rules=preset, players=4, episode=episode, reward=reward), num_cycles=30)


_TRACE = """
from thirtyone_env import thirtyone_v0
env = thirtyone_v0.env(rules="party", players=4)
env.reset(seed=11)
for agent in env.agent_iter():
    seen, reward, ended, cut, info = env.last()
    action = None if ended or cut else int(env.action_space(agent).sample(seen["action_mask"]))
    print(agent, action, reward, seen["observation"].sum())
    env.step(action)
"""


def test_d1_reset_seeds_the_action_spaces_too_and_in_any_process() -> None:
    def trace(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", _TRACE]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    first = trace("1")
    assert len(first.splitlines()) > 20
    assert first == trace("2")


def test_d1_global_generators_are_not_used() -> None:
    def trace(burn: int) -> list[int]:
        random.seed(burn)
        np.random.seed(burn)  # noqa: NPY002  # the global generator is what must not matter
        env = thirtyone_v0.env(players=3)
        env.reset(seed=3)
        sums = []
        for agent in env.agent_iter(40):
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else env.action_space(agent).sample(seen["action_mask"]))
            sums.append(int(seen["observation"].sum()))
        return sums

    assert trace(1) == trace(2)


def test_d1_episodes_after_a_seeded_one_are_fixed_and_differ() -> None:
    def hands() -> list[object]:
        env = thirtyone_v0.raw_env(players=3)
        env.reset(seed=5)
        found = [env.game.hands]
        for _ in range(3):
            env.reset()
            found.append(env.game.hands)
        return found

    first = hands()
    assert first == hands()
    assert len({str(deal) for deal in first}) == 4
