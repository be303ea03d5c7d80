"""A training that takes a second or two."""

from __future__ import annotations

from typing import Any

from thirtyone_train.config import TrainConfig, parse_config

VALUES: dict[str, Any] = {
    "rules": "pagat",
    "players": 3,
    "seed": 3,
    "opponents": ["threshold:21", "tips"],
    "hidden": [16, 16],
    "budget": {"steps": 6 * 256},
    "imitation": {"decisions": 2000, "epochs": 2, "batch_size": 128},
    "ppo": {"num_games": 16, "n_steps": 16, "batch_size": 64},
    "evaluation": {"opponents": ["tips", "threshold:25"], "deals": 2, "times": 2},
    "checkpoint_every": 2,
}


def small(**changes: Any) -> TrainConfig:
    """The small training with some keys changed."""
    return parse_config({**VALUES, **changes})
