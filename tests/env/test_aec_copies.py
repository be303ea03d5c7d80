"""Copies and pickles of environments in mid-game go on the same way (PAINS D3)."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from tests.env.env_walks import PRESETS, random_action
from thirtyone_env import thirtyone_v0
from thirtyone_env.gym import ThirtyOneEnv


def go_on(env: Any, seed: int, steps: int = 25) -> list[Any]:
    """Play on at random; everything that can be seen on the way."""
    chance = random.Random(seed)
    trace: list[Any] = []
    for agent in env.agent_iter(steps):
        seen, reward, ended, cut, info = env.last()
        trace.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, ended, cut))
        trace.append([dict(round_) for round_ in info.get("rounds", [])])
        env.step(None if ended or cut else random_action(seen, chance))
    trace.append(env.unwrapped.game.state.tobytes())
    return trace


def check_copies(env: Any, seed: int) -> None:
    before = env.unwrapped.game.state.tobytes()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    traces = [go_on(one, seed) for one in copies]
    assert traces[0] == traces[1] == traces[2]
    assert env.unwrapped.game.state.tobytes() == before
    assert go_on(copy.deepcopy(env), seed) == traces[0]


@pytest.mark.parametrize("players", range(2, 10))
def test_d3_copies_in_mid_game_go_on_the_same_way(players: int) -> None:
    env = thirtyone_v0.env(rules="standard", players=players, reward="lives")
    chance = random.Random(players)
    env.reset(seed=players)
    for step in range(60):
        if not env.agents:
            break
        if step % 6 == 0:
            check_copies(env, step)
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else random_action(seen, chance))


@pytest.mark.parametrize("preset", PRESETS)
def test_d3_raw_environments_of_every_variant_copy_at_each_step(preset: str) -> None:
    env = thirtyone_v0.raw_env(rules=preset, players=3, episode="round")
    chance = random.Random(5)
    env.reset(seed=5)
    while env.agents:
        check_copies(env, 5)
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else random_action(seen, chance))


def test_d3_a_copy_keeps_the_sequence_of_episodes_to_come() -> None:
    env = thirtyone_v0.env(players=3)
    env.reset(seed=4)
    env.reset()
    other = pickle.loads(pickle.dumps(env))
    env.reset()
    other.reset()
    assert env.unwrapped.game.hands == other.unwrapped.game.hands


def test_d3_the_gymnasium_environment_copies_too() -> None:
    env = ThirtyOneEnv(players=3, opponents="random")
    env.reset(seed=6)
    chance = np.random.default_rng(1)
    for _ in range(12):
        other = pickle.loads(pickle.dumps(copy.deepcopy(env)))
        legal = env.action_masks().nonzero()[0]
        action = int(chance.choice(legal))
        mine, theirs = env.step(action), other.step(action)
        assert mine[0].tobytes() == theirs[0].tobytes()
        assert mine[1:4] == theirs[1:4]
        if mine[2] or mine[3]:
            assert env.reset()[0].tobytes() == other.reset()[0].tobytes()
