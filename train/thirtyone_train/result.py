"""What a training gave, as data and in sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from thirtyone_train.config import TrainConfig

_REWARD_TEXT = {
    "lives": "the reward is what a round gained or cost, less the mean of the others",
    "match": "the reward is that of the match or the pot",
    "own": "the reward is what a round gained or cost",
}


@dataclass
class TrainResult:
    """What a training gave.

    Attributes:
        folder: of the run: ``agent.json`` and ``agent.safetensors``, the config, the checkpoint, TensorBoard files.
        config: what was run, its budget in steps.
        agreement: part of the teacher's decisions that the network took at the end of the imitation; None without.
        points: for each update: ``update``, ``steps`` so far and the mean ``reward`` of the episodes that ended in its
            rollout.
        scores: the scorings: ``update``, ``steps`` and the fields of `evaluation.Score`.
        seconds: that the run took, earlier parts of a resumed one included.
    """

    folder: Path
    config: TrainConfig
    agreement: float | None = None
    points: list[dict[str, float]] = field(default_factory=list)
    scores: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def steps(self) -> int:
        """Decisions that reinforcement learning was done on."""
        return int(self.points[-1]["steps"]) if self.points else 0

    def curve(self, most: int = 40) -> dict[str, list[float]]:
        """The training curve: ``x`` steps, ``y`` mean reward an episode, averaged down to at most ``most`` points."""
        parts = [part for part in np.array_split(np.arange(len(self.points)), most) if len(part)]
        return {
            "x": [float(self.points[part[-1]]["steps"]) for part in parts],
            "y": [float(np.mean([self.points[i]["reward"] for i in part])) for part in parts],
        }

    def describe(self) -> list[str]:
        """What was done, in sentences."""
        lines = [*self._imitated(), self._trained()]
        return [*lines, self._scored()] if self.scores else lines

    def _imitated(self) -> list[str]:
        if self.agreement is None:
            return []
        part = self.config.imitation
        return [
            f"First the network imitated {part.teacher}: {part.decisions} of its decisions, {part.epochs} times over, "
            f"until it took {100 * self.agreement:.1f} % of them the same way."
        ]

    def _trained(self) -> str:
        start = "Then MaskablePPO trained it" if self.agreement is not None else "MaskablePPO trained it"
        reward = _REWARD_TEXT[self.config.scheme]
        return (
            f"{start} for {self.steps} decisions against {', '.join(self.config.opponents)}, drawn anew for each "
            f"opponent and episode; {reward}."
        )

    def _scored(self) -> str:
        first, last = self.scores[0], self.scores[-1]
        text = (
            f"On {int(last['deals'])} mirrored deals {' and '.join(self.config.evaluation.opponents)} lost "
            f"{last['margin']:+.3f} ± {last['margin_half']:.3f} lives a round more than it did"
        )
        if first["steps"] == last["steps"]:
            return f"{text}."
        before = f"{first['margin']:+.3f} ± {first['margin_half']:.3f}"
        return f"{text} at the end, and {before} at {int(first['steps'])} decisions."
