"""What happens between rollouts: checkpoints, scores, the training curve, and the progress told while they run."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from thirtyone_agents.network import Layer
from thirtyone_env.rules import Rules
from thirtyone_train.checkpoint import save_checkpoint
from thirtyone_train.config import TrainConfig
from thirtyone_train.evaluation import Score, player_of, score
from thirtyone_train.policy import actor_layers
from thirtyone_train.vec_env import LearnerVecEnv

_SCORE_SEED = 1 << 41  # deals of the scorings, the same each time

Judge = Callable[[list[Layer]], Score]


class Watch(BaseCallback):
    """MaskablePPO's callback for a run.

    Attributes:
        points, scores, agreement, seconds: as in `trainer.TrainResult`; ``seconds`` of earlier parts of a resumed run.
    """

    def __init__(
        self,
        config: TrainConfig,
        folder: Path,
        env: LearnerVecEnv,
        report: Callable[[str, int, int], Any],
        judge: Judge | None = None,
    ) -> None:
        super().__init__()
        self.judge = judge or self._score
        self.config, self.folder, self.env, self.report = config, folder, env, report
        self.points: list[dict[str, float]] = []
        self.scores: list[dict[str, float]] = []
        self.agreement: float | None = None
        self.seconds = 0.0
        self._started = time.monotonic()
        self._paid, self._ended = 0.0, 0
        self._saved_at: int | None = None

    def recall(self, notes: dict[str, Any]) -> None:
        """Take up what a checkpoint noted."""
        self.points, self.scores = notes["points"], notes["scores"]
        self.agreement, self.seconds = notes["agreement"], notes["seconds"]
        self._saved_at = len(self.points)

    def finish(self, model: Any) -> None:
        """After the last update: its score."""
        self.model = model
        self._score_if_due(len(self.points))

    def _on_rollout_start(self) -> None:
        update = len(self.points)
        self._score_if_due(update)
        if update % self.config.checkpoint_every == 0 and update != self._saved_at:
            self._save()
            self._saved_at = update
        self._paid, self._ended = 0.0, 0

    def _on_step(self) -> bool:
        self._paid += float(self.env.games.rewards.sum())
        self._ended += int(np.count_nonzero(self.env.games.ends))
        self.report("training", self.num_timesteps, self.config.budget.steps or 0)
        return True

    def _on_rollout_end(self) -> None:
        reward = self._paid / max(self._ended, 1)
        self.points.append({"update": len(self.points) + 1, "steps": self.num_timesteps, "reward": reward})
        self.logger.record("rollout/reward", reward)

    def _save(self) -> None:
        notes = {
            "points": self.points,
            "scores": self.scores,
            "agreement": self.agreement,
            "seconds": self.seconds + time.monotonic() - self._started,
        }
        model: Any = self.model
        save_checkpoint(self.folder, model, self.env, self.config, notes)

    def _score_if_due(self, update: int) -> None:
        if update not in self._due() or any(one["update"] == update for one in self.scores):
            return
        network: Any = self.model.policy
        found = self.judge([(weight.copy(), bias.copy()) for weight, bias in actor_layers(network)])
        self.scores.append({"update": update, "steps": self.num_timesteps, **found._asdict()})
        self.logger.record("score/margin", found.margin)
        self.logger.record("score/lost", found.lost)

    def _score(self, layers: list[Layer]) -> Score:
        """At a table with the config's opponents."""
        part = self.config.evaluation
        rules = Rules.of(self.config.rules)
        policy = player_of(layers, rules, self.config.players)
        return score(policy, part.opponents, rules, part.deals, self.config.seed + _SCORE_SEED)

    def _due(self) -> set[int]:
        """Updates after which a scoring is due: the beginning, the end, and evenly between."""
        updates = (self.config.budget.steps or 0) // self.config.ppo.rollout
        times = self.config.evaluation.times
        if times == 0:
            return set()
        return {round(updates * k / max(times - 1, 1)) for k in range(times)} if times > 1 else {updates}
