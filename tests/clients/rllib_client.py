"""RLlib's PPO trains one shared policy for a few hundred steps through `PettingZooEnv`, with action masks."""

from __future__ import annotations

import logging
import math
import os
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.utils.torch_utils import FLOAT_MIN
from ray.tune.registry import register_env

from thirtyone_env import thirtyone_v0

PLAYERS = 3
STEPS = 300
ITERATIONS = 2


class MaskedNet(TorchRLModule, ValueFunctionAPI):
    """A small network that gives an illegal action no chance."""

    def setup(self) -> None:
        width = self.observation_space["observation"].shape[0]
        self.body = torch.nn.Sequential(torch.nn.Linear(width, 64), torch.nn.Tanh())
        self.policy = torch.nn.Linear(64, self.action_space.n)
        self.value = torch.nn.Linear(64, 1)

    def _features(self, batch: dict[str, Any]) -> torch.Tensor:
        return self.body(batch[Columns.OBS]["observation"].float())

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, torch.Tensor]:
        logits = self.policy(self._features(batch))
        illegal = batch[Columns.OBS]["action_mask"] == 0
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(illegal, FLOAT_MIN)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        return self.value(self._features(batch)).squeeze(-1)


def make_config() -> PPOConfig:
    # raw_env raises on an illegal action, so a mask that got lost would end the run.
    register_env("thirtyone", lambda _: PettingZooEnv(thirtyone_v0.raw_env(rules="pagat", players=PLAYERS)))
    return (
        PPOConfig()
        .environment("thirtyone", disable_env_checking=True)  # the check plays without the mask
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **kwargs: "shared")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedNet))
        .training(train_batch_size=STEPS, minibatch_size=100, num_epochs=2)
        .debugging(seed=0)
    )


def main() -> None:
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    algorithm = make_config().build_algo()
    for _ in range(ITERATIONS):
        result = algorithm.train()
    steps = result["num_env_steps_sampled_lifetime"]
    learned = result["learners"]["shared"]
    algorithm.stop()
    ray.shutdown()
    assert steps >= STEPS * ITERATIONS, steps
    assert math.isfinite(learned["total_loss"]), learned
    assert result["env_runners"]["num_episodes_lifetime"] > 0, "no match ended"
    print(f"rllib: PPO with action masks, {steps} steps, total loss {learned['total_loss']:.3f}")


if __name__ == "__main__":
    main()
