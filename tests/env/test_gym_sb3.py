"""SB3's MaskablePPO learns on the Gymnasium environment for a few hundred steps (PAINS B1, B5)."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="needs the extra train")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env

import thirtyone_env  # registers the id

assert thirtyone_env.__version__


def make(players: int = 3, **options: object) -> gymnasium.Env:
    return gymnasium.make("ThirtyOne-v0", rules="pagat", players=players, opponents="threshold:21", **options)


def test_maskable_ppo_learns_and_never_plays_an_illegal_action() -> None:
    vector = make_vec_env(make, n_envs=4, seed=1)
    model = MaskablePPO("MlpPolicy", vector, n_steps=64, batch_size=64, n_epochs=2, seed=1, device="cpu")
    before = [p.detach().clone() for p in model.policy.parameters()]
    model.learn(512)
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
    env = make()
    observation, _ = env.reset(seed=2)
    for _ in range(200):
        action, _ = model.predict(observation, action_masks=get_action_masks(env), deterministic=False)
        observation, _, terminated, truncated, info = env.step(int(action))
        assert "illegal_action" not in info
        if terminated or truncated:
            observation, _ = env.reset()


def test_b5_masks_come_through_the_vector_environment_unchanged() -> None:
    vector = make_vec_env(make, n_envs=3, seed=4)
    vector.reset()
    chance = np.random.default_rng(0)
    for _ in range(60):
        masks = get_action_masks(vector)
        games = [env.unwrapped.game for env in vector.envs]  # type: ignore[attr-defined]  # a DummyVecEnv
        for mask, game in zip(masks, games, strict=True):
            assert sum(1 << int(i) for i in mask.nonzero()[0]) == game.mask
        _, _, _, infos = vector.step(np.array([chance.choice(mask.nonzero()[0]) for mask in masks]))
        assert not any("illegal_action" in info for info in infos)
