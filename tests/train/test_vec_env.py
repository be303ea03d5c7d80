"""The games as SB3 sees them: masks, ends, and what MaskablePPO's buffer makes of their rewards."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.callbacks import BaseCallback

from tests.train.small import small
from tests.train.test_games import open_episode, random_legal
from thirtyone_agents.registry import load
from thirtyone_env.gym import ThirtyOneEnv
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.rules import Rules
from thirtyone_train.trainer import make_model
from thirtyone_train.vec_env import LearnerVecEnv


def test_masks_and_ends_are_as_sb3_wants_them() -> None:
    rules = Rules.preset("pagat", max_deals=3)
    env = LearnerVecEnv(LearnerGames(6, rules, 3, ["threshold:21"], seed=1))
    assert is_masking_supported(env)
    observations = env.reset()
    generator = np.random.default_rng(0)
    totals, lengths, cut = np.zeros(6), np.zeros(6, dtype=int), 0
    for _ in range(150):
        masks = get_action_masks(env)
        np.testing.assert_array_equal(masks, env.games.masks == 1)
        assert all(env.observation_space.contains(row) for row in observations)
        observations, rewards, dones, infos = env.step(random_legal(masks, generator))
        totals, lengths = totals + rewards, lengths + 1
        for i in range(6):
            assert ("terminal_observation" in infos[i]) == bool(dones[i])
            if not dones[i]:
                continue
            info = infos[i]
            assert info["episode"]["r"] == pytest.approx(totals[i], abs=1e-6)
            assert info["episode"]["l"] == lengths[i]
            assert not np.array_equal(info["terminal_observation"], observations[i])
            assert info["TimeLimit.truncated"] == (env.games.ends[i] == 2)
            cut += info["TimeLimit.truncated"]
            totals[i], lengths[i] = 0, 0
    assert cut > 0


def test_what_is_returned_is_the_callers_to_keep() -> None:
    env = LearnerVecEnv(LearnerGames(2, "pagat", 3, ["threshold:21"], seed=1))
    first = env.reset()
    kept = first.copy()
    env.step(random_legal(env.action_masks(), np.random.default_rng(0)))
    np.testing.assert_array_equal(first, kept)


def test_a_reset_begins_anew_under_the_seed_given() -> None:
    env = LearnerVecEnv(LearnerGames(4, "pagat", 3, ["tips"], seed=1))
    first = env.reset()
    np.testing.assert_array_equal(env.reset(), first)
    env.seed(2)
    assert not np.array_equal(env.reset(), first)


class _Keep(BaseCallback):
    """Keeps one rollout: actions, rewards paid, and the seeds and seats of the episodes at its start."""

    def _on_training_start(self) -> None:
        self.actions: list[np.ndarray] = []
        self.returns = np.zeros(0)

    def _on_step(self) -> bool:
        self.actions.append(self.locals["actions"].copy())
        return True

    def _on_rollout_end(self) -> None:
        self.returns = self.model.rollout_buffer.returns.copy()


def test_pains_f1_b10_the_buffers_returns_are_what_the_environment_pays_from_each_decision_on() -> None:
    """With gamma and lambda 1 a return is the sum of the rewards up to the episode's end, replies included."""
    values = {"num_games": 4, "n_steps": 64, "batch_size": 64, "gamma": 1.0, "gae_lambda": 1.0}
    config = small(ppo=values, episode="match", opponents=["threshold:21"])
    model = make_model(config)
    keep = _Keep()
    model.learn(4 * 64, callback=keep)
    games = LearnerGames(4, "pagat", 3, ["threshold:21"], seed=config.seed, episode="match", reward="lives")
    checked = 0
    for i in range(4):
        env = ThirtyOneEnv("pagat", 3, load("threshold:21"), episode="match", reward="lives")
        replay = LearnerGames(
            4, "pagat", 3, ["threshold:21"], seed=config.seed, episode="match", reward="lives"
        )
        open_episode(env, games, i)
        paid: list[float] = []
        starts = [0]
        for step, actions in enumerate(keep.actions):
            replay.step(actions.reshape(-1))
            paid.append(float(env.step(int(actions.reshape(-1)[i]))[1]))
            if env._over:
                starts.append(step + 1)
                open_episode(env, replay, i)
        for begin, end in pairwise(starts):
            wanted = np.cumsum(paid[begin:end][::-1])[::-1]
            np.testing.assert_allclose(keep.returns[begin:end, i], wanted, atol=1e-4)
            checked += end - begin
    assert checked > 30
