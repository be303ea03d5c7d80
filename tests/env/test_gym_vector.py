"""The Gymnasium vector environment: made by id, masks and ends as they are in the single environment."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

from thirtyone_env import IllegalAction, UserError
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.gym_vector import ThirtyOneVectorEnv


def make(**options: object) -> ThirtyOneVectorEnv:
    envs = gymnasium.make_vec(
        "ThirtyOne-v0", num_envs=options.pop("num_envs", 16), vectorization_mode="vector_entry_point", **options
    )
    assert isinstance(envs.unwrapped, ThirtyOneVectorEnv)
    return envs.unwrapped


def random_actions(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in masks])


def test_made_by_id_plays_legal_actions_to_the_ends_of_episodes() -> None:
    envs = make(players=3, opponents=["threshold:21", "tips"])
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    generator = np.random.default_rng(1)
    ended = 0
    for _ in range(300):
        masks = infos["action_mask"]
        assert (envs.action_masks() == masks.astype(bool)).all()
        assert masks.any(axis=1).all()
        observations, rewards, terminated, truncated, infos = envs.step(random_actions(masks, generator))
        assert envs.observation_space.contains(observations)
        over = terminated | truncated
        ended += int(over.sum())
        if over.any():
            assert (infos["_final_obs"] == over).all()
            assert all((final is not None) == end for final, end in zip(infos["final_obs"], over, strict=True))
        else:
            assert "final_obs" not in infos
            assert (rewards[~over] <= 1).all()
    assert ended > 30


def test_same_seed_gives_the_same_games() -> None:
    traces = []
    for _ in range(2):
        envs = make(players=3)
        observations, infos = envs.reset(seed=7)
        generator = np.random.default_rng(2)
        trace = [observations]
        for _ in range(60):
            observations, rewards, *_, infos = envs.step(random_actions(infos["action_mask"], generator))
            trace += [observations, rewards]
        traces.append(trace)
    assert all((a == b).all() for a, b in zip(*traces, strict=True))


def test_b5_illegal_action_is_refused_by_game_and_changes_nothing() -> None:
    envs = make(num_envs=4)
    observations, infos = envs.reset(seed=3)
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = 59
    with pytest.raises(IllegalAction, match="game 2: swap_upcard is not legal now"):
        envs.step(actions)
    assert (envs.games.observations == observations).all()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"opponents": ["random"] * 5, "players": 3}, "3 players need 2"),
        ({"opponents": "nobody"}, "nobody"),
        ({"seat": 9}, "seat=9 is not in this game"),
        ({"rules": "pagatt"}, "did you mean pagat"),
    ],
)
def test_wrong_options_are_named(options: dict, text: str) -> None:
    with pytest.raises(UserError, match=text):
        make(**options)


def test_an_opponent_that_writes_into_its_views_changes_nothing() -> None:
    class Scribbler:
        name = "scribbler"

        def act(self, views: np.ndarray, keys: np.ndarray) -> np.ndarray:
            legal = views[:, V_LEGAL].copy()
            views[:] = 0
            return np.array([int(mask & (~mask + np.uint64(1))).bit_length() - 1 for mask in legal])

    envs = make(num_envs=4, players=3, opponents=[Scribbler()])
    envs.reset(seed=1)
    for _ in range(20):
        envs.step(np.array([np.flatnonzero(row)[0] for row in envs.action_masks()]))
