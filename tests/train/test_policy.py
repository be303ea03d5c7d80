"""The network under masks and large logits (PAINS B1), and what is saved of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.train.small import small
from tests.train.test_games import random_legal
from thirtyone_agents.learned import load_agent, save_agent
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.rules import Rules
from thirtyone_train.policy import PlainPolicy, actor_layers
from thirtyone_train.trainer import make_games, make_model


def big_policy(scale: float) -> PlainPolicy:
    """A fresh network whose logits are ``scale`` times those of a network of spread-out logits."""
    policy = make_model(small()).policy
    assert isinstance(policy, PlainPolicy)
    with torch.no_grad():
        policy.action_net.weight.mul_(100 * scale)
        policy.action_net.bias.normal_(std=scale, generator=torch.Generator().manual_seed(1))
    return policy


@pytest.mark.parametrize("scale", [1.0, 1e3, 1e30])
def test_pains_b1_probabilities_sum_to_one_under_any_mask_and_any_logits(scale: float) -> None:
    policy = big_policy(scale)
    games = make_games(small(), 5)
    observations = torch.as_tensor(games.observations)
    single = np.zeros_like(games.masks)
    single[:, 7] = 1
    for masks in (games.masks, single, np.zeros_like(games.masks), np.ones_like(games.masks)):
        distribution = policy.get_distribution(observations, action_masks=masks.astype(bool)).distribution
        assert distribution._validate_args
        sums = distribution.probs.sum(dim=1)
        assert torch.allclose(sums, torch.ones_like(sums), atol=1e-6)
        assert torch.isfinite(distribution.entropy()).all()
        assert torch.isfinite(distribution.log_prob(distribution.sample())).all()
    only = policy.get_distribution(observations, action_masks=single.astype(bool)).distribution
    assert (only.sample() == 7).all()


def test_logits_within_the_limit_are_not_changed() -> None:
    policy = big_policy(1e-2)
    games = make_games(small(), 5)
    observations = torch.as_tensor(games.observations).float()
    features = policy.extract_features(observations)
    raw = policy.action_net(policy.mlp_extractor.forward_actor(features))
    assert raw.abs().max() < 20
    assert torch.equal(policy.logits_and_values(observations)[0], raw)


def test_the_saved_agent_decides_as_the_network_does(tmp_path: Path) -> None:
    policy = big_policy(1e-2)
    save_agent(
        tmp_path / "agent",
        actor_layers(policy),
        activation="relu",
        rules=Rules.preset("pagat"),
        players=3,
        kind="test",
        scaled=True,
    )
    agent = load_agent(tmp_path / "agent")
    games = make_games(small(), 8)
    generator = np.random.default_rng(0)
    same = total = 0
    for _ in range(40):
        with torch.no_grad():
            logits, _ = policy.logits_and_values(torch.as_tensor(games.observations).float())
        legal = np.where(games.masks == 1, logits.numpy(), -np.inf)
        actions = agent.act(games.views, np.zeros(len(games.views), dtype=np.uint64))
        best = np.sort(legal, axis=1)
        clear = best[:, -1] - best[:, -2] > 1e-4  # float32 adds up in another order
        assert (actions == legal.argmax(axis=1))[clear].all()
        same, total = same + int(clear.sum()), total + len(clear)
        assert (games.views[:, V_LEGAL] >> actions.astype(np.uint64) & np.uint64(1)).all()
        games.step(random_legal(games.masks, generator))
    assert same > 0.9 * total
