"""Trained agents and torch networks as opponents in the batch: the games that single ones would be."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.train.small import small
from tests.train.test_games import open_episode, random_legal, same_position
from thirtyone_agents.learned import save_agent
from thirtyone_agents.play import play_match
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.gym import ThirtyOneEnv
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.observation_table import size
from thirtyone_env.rules import Rules
from thirtyone_train.torch_policy import TorchPolicy
from thirtyone_train.trainer import resume, train


def quiet(line: str) -> None:
    """Nobody is told."""


def network(seed: int, players: int) -> list[Any]:
    """Weights of a network that plays all kinds of actions."""
    generator = np.random.default_rng(seed)
    widths = [size(players), 24, 63]
    return [
        (generator.normal(0, 0.5, (out, inner)).astype(np.float32), np.zeros(out, dtype=np.float32))
        for inner, out in pairwise(widths)
    ]


def saved(folder: Path, seed: int = 1, players: int = 3) -> str:
    """Name of an agent that lies in a folder."""
    save_agent(
        folder, network(seed, players), activation="relu", rules=Rules.preset("pagat"), players=players, kind="test"
    )
    return f"learned:{folder}"


def torch_policy(players: int = 3, **options: Any) -> TorchPolicy:
    torch.manual_seed(5)
    layers = torch.nn.Sequential(
        torch.nn.Linear(size(players), 32), torch.nn.Tanh(), torch.nn.Linear(32, 63)
    )
    return TorchPolicy(layers, players, **options)


def mixed(tmp_path: Path) -> list[Any]:
    """A trained agent that draws lots, a baseline, a torch network."""
    return [f"{saved(tmp_path / 'agent')}?sample=1", "threshold:21", torch_policy(rows=16, sample=True)]


def test_learned_torch_and_compiled_opponents_agree_with_the_single_environment(tmp_path: Path) -> None:
    agent, _, torch_one = mixed(tmp_path)
    opponents = [agent, torch_one]
    games = LearnerGames(4, "pagat", 3, opponents, seed=8, ordered=True)
    env = ThirtyOneEnv("pagat", 3, [load(agent, allow_code=True), torch_one])
    open_episode(env, games, 1)
    generator = np.random.default_rng(3)
    ended = 0
    for _ in range(80):
        same_position(env, games, 1)
        actions = random_legal(games.masks, generator)
        games.step(actions)
        _, paid, terminated, truncated, _ = env.step(int(actions[1]))
        assert games.rewards[1] == pytest.approx(paid, abs=1e-12)
        if terminated or truncated:
            ended += 1
            open_episode(env, games, 1)
    assert ended > 1


def test_games_are_those_that_the_adapter_of_single_games_plays(tmp_path: Path) -> None:
    """Learned and threshold mixed; the learner plays as tips does."""
    opponents = [load(saved(tmp_path / "agent"), allow_code=True), load("threshold:21")]
    games = LearnerGames(6, "pagat", 3, opponents, seed=8, ordered=True, episode="round")
    tips = load("tips")
    compared = 0
    for _ in range(60):
        seeds, seats = games.episode_seeds, games.seats
        games.step(games.advise(tips))
        for i in np.flatnonzero(games.ends):
            seed, seat = int(seeds[i]), int(seats[i])
            game = Game("pagat", 3, seed=seed, episode="round")
            table: list[Any] = [None] * 3
            for place, policy in enumerate([tips, *opponents]):
                table[(seat + place) % 3] = policy
            play_match(game, table, seed=seed)
            lives = [one.gained[s] - one.lost[s] for one in game.rounds for s in range(3)]
            assert games.rewards[i] == pytest.approx(lives[seat] - (sum(lives) - lives[seat]) / 2)
            np.testing.assert_array_equal(_own_view(game, seat), games.last_observations[i])
            compared += 1
    assert compared > 20


def _own_view(game: Game, seat: int) -> np.ndarray:
    from thirtyone_env.observation import encode

    return encode(game.view(seat)[None], seats=3)[0]


def test_pains_d_games_with_learned_opponents_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    opponents = mixed(tmp_path)
    sizes = (1, 5, 33)
    batches = [LearnerGames(n, "pagat", 3, opponents, seed=6) for n in sizes]
    for _ in range(40):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in batches[-1].masks])
        for n, games in zip(sizes, batches, strict=True):
            games.step(actions[:n])
        for n, games in zip(sizes[:-1], batches[:-1], strict=True):
            np.testing.assert_array_equal(games.observations, batches[-1].observations[:n])
            np.testing.assert_array_equal(games.rewards, batches[-1].rewards[:n])


def test_a_torch_policy_answers_a_view_the_same_in_any_company() -> None:
    policy = torch_policy(rows=64)
    games = LearnerGames(200, "pagat", 3, ["random"], seed=3)
    keys = np.zeros(200, dtype=np.uint64)
    together = policy.act(games.views, keys)
    order = np.random.default_rng(0).permutation(200)
    np.testing.assert_array_equal(policy.act(games.views[order], keys), together[order])
    alone = [int(policy.act(games.views[i : i + 1], keys[:1])[0]) for i in range(50)]
    assert alone == together[:50].tolist()
    assert set(policy.probabilities(games.views).max(axis=1)) == {1.0}


def test_a_torch_policy_refuses_another_number_of_players_and_wrong_rows() -> None:
    with pytest.raises(UserError, match="torch plays with 3 players, not with 4"):
        LearnerGames(2, "pagat", 4, [torch_policy()])
    with pytest.raises(UserError, match="rows=0"):
        torch_policy(rows=0)


def test_training_takes_a_trained_agent_as_opponent_and_resumes_only_with_the_same_one(tmp_path: Path) -> None:
    name = saved(tmp_path / "agent")
    config = small(opponents=[name, "tips"], budget={"steps": 512}, evaluation={"times": 0})
    whole = train(config, tmp_path / "whole", say=quiet)
    assert whole.steps == 512
    assert name in whole.describe()[1]

    def stop(stage: str, done: int, total: int) -> None:
        if stage == "training" and done > 300:
            raise KeyboardInterrupt

    config = small(opponents=[name, "tips"], budget={"steps": 512}, evaluation={"times": 0}, checkpoint_every=1)
    with pytest.raises(KeyboardInterrupt):
        train(config, tmp_path / "stopped", stop, say=quiet)
    first = (tmp_path / "agent.safetensors").read_bytes(), (tmp_path / "agent.json").read_bytes()
    saved(tmp_path / "agent", seed=2)
    with pytest.raises(UserError, match="does not fit: its config is"):
        resume(tmp_path / "stopped", say=quiet)
    (tmp_path / "agent.safetensors").write_bytes(first[0])
    (tmp_path / "agent.json").write_bytes(first[1])
    resume(tmp_path / "stopped", say=quiet)
    weights = [(tmp_path / run / "agent.safetensors").read_bytes() for run in ("whole", "stopped")]
    assert weights[0] == weights[1]


def test_a_trained_agent_can_be_the_teacher(tmp_path: Path) -> None:
    name = saved(tmp_path / "agent")
    config = small(imitation={"teacher": name, "decisions": 4000, "epochs": 8}, budget={"steps": 256})
    result = train(config, tmp_path / "run", say=quiet)
    assert result.agreement is not None
    assert result.agreement > 0.3  # of many legal actions each


def test_an_agent_for_another_game_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="plays with 2 players, not with 3"):
        small(opponents=[saved(tmp_path / "agent", players=2)])
