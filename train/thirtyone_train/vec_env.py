"""The games as Stable-Baselines3 wants them: a `VecEnv` with masks and true ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.observation_table import highs

_MOST_WORTH = 66  # half points


class LearnerVecEnv(VecEnv):
    """`LearnerGames` behind Stable-Baselines3's interface. Where the games show the hands, observations hold them too.

    Where an episode has ended, ``infos[i]`` holds ``terminal_observation`` (the learner's observation at the end; the
    observation returned belongs to the next episode already), ``TimeLimit.truncated`` and ``episode`` (``r`` the sum of
    rewards, ``l`` the decisions). Masks come from ``env_method("action_masks")``, which MaskablePPO asks for.
    """

    def __init__(self, games: LearnerGames) -> None:
        self.games = games
        hands = games.observations.shape[1] - games.columns
        high = np.concatenate(
            [highs(games.players), np.resize(np.array([1] * 52 + [_MOST_WORTH], dtype=np.int8), hands)]
        )
        super().__init__(games.num_games, spaces.Box(0, high, dtype=np.int8), spaces.Discrete(NUM_ACTIONS))
        self._actions = np.zeros(games.num_games, dtype=np.int64)
        self.returns = np.zeros(games.num_games)
        self.lengths = np.zeros(games.num_games, dtype=np.int64)
        self._infos: list[dict[str, Any]] = [{} for _ in range(games.num_games)]

    def reset(self) -> npt.NDArray[np.int8]:
        """Begin anew, under the seed given to `seed` or else the games' own."""
        asked = self._seeds[0]
        self.games.begin(self.games.seed if asked is None else asked)
        self._reset_seeds()
        self._reset_options()
        self.returns[:] = 0.0
        self.lengths[:] = 0
        return self.games.observations.copy()

    def step_async(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        self._actions = np.asarray(actions)

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        games = self.games
        games.step(self._actions)
        self.returns += games.rewards
        self.lengths += 1
        dones = games.ends != 0
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(dones):
            infos[i] = self._end_of(int(i))
        self.returns[dones] = 0.0
        self.lengths[dones] = 0
        return games.observations.copy(), games.rewards.astype(np.float32), dones, infos

    def _end_of(self, i: int) -> dict[str, Any]:
        return {
            "terminal_observation": self.games.last_observations[i].copy(),
            "TimeLimit.truncated": bool(self.games.ends[i] == 2),
            "episode": {"r": float(self.returns[i]), "l": int(self.lengths[i])},
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of every learner: bool ``[games, 63]``."""
        return self.games.masks.astype(np.bool_)

    def close(self) -> None:
        """Nothing is held open."""

    def save(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of all arrays that decide how the games go on."""
        return {**self.games.save(), "returns": self.returns.copy(), "lengths": self.lengths.copy()}

    def load(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `save` gave. Raises `UserError` where an array does not fit."""
        self.games.load(arrays)
        self.returns[:] = arrays["returns"]
        self.lengths[:] = arrays["lengths"]

    # --- what SB3 asks of single environments ------------------------------------------------------------------

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        count = len(list(self._get_indices(indices)))
        if attr_name == "render_mode":
            return [None] * count
        if attr_name == "action_masks":
            return [self.action_masks] * count
        raise AttributeError(f"the games have no attribute {attr_name!r}")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the games have no attribute {attr_name!r} that could be set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"the games have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """All False but for Monitor: the statistics that it keeps are kept here."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed for the next `reset`; the games draw all of theirs from this one."""
        if seed is not None:
            self._seeds = [seed] * self.num_envs
        return self._seeds
