"""A PettingZoo wrapper for frameworks that never answer for a seat that is out.

In PettingZoo an agent that has ended is selected once more and must be answered with None, after which it is gone.
TorchRL's `PettingZooWrapper` sends an action to whoever is selected and reads every agent's flags until all have
ended. `SkipDead` answers None itself and keeps the last reward and the flags of those who have gone:

    PettingZooWrapper(SkipDead(thirtyone_v0.env(rules="pagat", players=3)), use_mask=True)
"""

from __future__ import annotations

from typing import Any

from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper


class SkipDead(BaseWrapper[Any, Any, Any]):
    """An AEC environment whose selected agent is never one that has ended, as long as one is left that has not.

    `agents`, `terminations`, `truncations`, `rewards` and `infos` keep every agent that began until the next reset;
    `rewards` are those of the last answered step, 0 for agents that ended before it. `infos` are empty where
    `keep_infos` is false, for TorchRL takes only infos of numbers whose names are known at the reset.
    """

    def __init__(self, env: AECEnv[Any, Any, Any], keep_infos: bool = False) -> None:
        super().__init__(env)
        self.keep_infos = keep_infos

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed=seed, options=options)
        self._began = list(self.env.agents)
        self._terminated = dict.fromkeys(self._began, False)
        self._truncated = dict.fromkeys(self._began, False)
        self._last_infos: dict[str, Any] = {agent: {} for agent in self._began}
        self._remember()

    def step(self, action: Any) -> None:
        """Answer for the selected agent, then for all agents that have ended and are selected next."""
        super().step(action)
        self._remember()
        while self._may_skip():
            super().step(None)

    def _may_skip(self) -> bool:
        if not self.env.agents or not self._has_ended(self.env.agent_selection):
            return False
        return not all(self._has_ended(agent) for agent in self.env.agents)

    def _has_ended(self, agent: str) -> bool:
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    def _remember(self) -> None:
        self._terminated.update(self.env.terminations)
        self._truncated.update(self.env.truncations)
        self._last_rewards = {agent: float(self.env.rewards.get(agent, 0.0)) for agent in self._began}
        if self.keep_infos:
            self._last_infos.update(self.env.infos)

    @property
    def agents(self) -> list[str]:
        return list(self._began) if self.env.agents else []

    @property
    def terminations(self) -> dict[str, bool]:
        return dict(self._terminated)

    @property
    def truncations(self) -> dict[str, bool]:
        return dict(self._truncated)

    @property
    def rewards(self) -> dict[str, float]:
        return dict(self._last_rewards)

    @property
    def infos(self) -> dict[str, Any]:
        return dict(self._last_infos)
