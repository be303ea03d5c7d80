"""That training learns (PAINS B10), and that it goes on under logits of any size (PAINS B1)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.train.small import small
from tests.train.tiny import CARDS, RULES, exact_reward
from thirtyone_agents.learned import load_agent
from thirtyone_agents.registry import load
from thirtyone_train.config import load_config, parse_config
from thirtyone_train.policy import PlainPolicy
from thirtyone_train.trainer import make_model, train

OPPONENT = "threshold:7"


def test_pains_b10_it_learns_a_better_reply_than_any_threshold_counted_exactly(tmp_path: Path) -> None:
    """Six cards, 20,000 decisions from random weights; the bound is the best threshold's exact reward a round."""
    config = parse_config(
        {
            "rules": RULES.to_dict(),
            "players": 2,
            "seed": 1,
            "opponents": [OPPONENT],
            "episode": "round",
            "hidden": [64, 32],
            "budget": {"steps": 20_000},
            "imitation": {"teacher": None},
            "ppo": {
                "num_games": 64,
                "n_steps": 16,
                "batch_size": 128,
                "n_epochs": 6,
                "learning_rate": 2e-3,
                "learning_rate_end": 0.0,
                "gae_lambda": 0.95,
                "ent_coef": 0.02,
            },
            "evaluation": {"times": 0},
        }
    )
    train(config, tmp_path / "run", say=lambda line: None)
    reached = exact_reward(load_agent(tmp_path / "run"), load(OPPONENT))
    worths = sorted({RULES.worth([card]) for card in CARDS})
    bound = max(exact_reward(load(f"threshold:{worth:g}"), load(OPPONENT)) for worth in worths)
    assert bound > 0.5
    assert reached > bound + 0.1


class Larger(nn.Module):
    """Multiplies by a number."""

    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def forward(self, numbers: torch.Tensor) -> torch.Tensor:
        return numbers * self.factor


def learn_with_large_logits(preset: str, steps: int, **ppo: int) -> None:
    """Train with logits a thousand times what the network gives, and check what came of it."""
    ppo_part = {"ppo": ppo} if ppo else {"ppo": load_config(preset).ppo.model_dump()}
    model = make_model(small(rules=preset, **ppo_part))
    policy = model.policy
    assert isinstance(policy, PlainPolicy)
    assert torch.distributions.Distribution._validate_args
    policy.action_net = nn.Sequential(policy.action_net, Larger(1e3))  # type: ignore[assignment]  # a layer in a layer's place
    model.learn(steps)
    assert model.num_timesteps >= steps
    assert all(torch.isfinite(parameter).all() for parameter in policy.parameters())
    env = model.get_env()
    assert env is not None
    masks = np.stack(env.env_method("action_masks"))
    distribution = policy.get_distribution(torch.as_tensor(model._last_obs), action_masks=masks).distribution
    sums = distribution.probs.sum(dim=1)
    assert torch.allclose(sums, torch.ones_like(sums), atol=1e-6)
    assert float(distribution.probs.detach()[~torch.as_tensor(masks)].max()) < 1e-6


def test_pains_b1_training_goes_on_under_large_logits() -> None:
    learn_with_large_logits("pagat", 1000, num_games=16, n_steps=16, batch_size=64)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["pagat", "party", "standard", "kids", "wikipedia_fast"])
def test_pains_b1_50000_steps_under_large_logits(preset: str) -> None:
    learn_with_large_logits(preset, 50_000)
