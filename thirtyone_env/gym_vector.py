"""Thirty-One as a Gymnasium vector environment: many learners, their opponents played inside the batch.

    envs = gymnasium.make_vec("ThirtyOne-v0", num_envs=1024, vectorization_mode="vector_entry_point", players=3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.observation_table import highs
from thirtyone_env.rules import Rules

Step = tuple[
    npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
]


class ThirtyOneVectorEnv(gymnasium.vector.VectorEnv[npt.NDArray[np.int8], npt.NDArray[np.int64], Any]):
    """`LearnerGames` behind Gymnasium's interface; an episode that ends is followed by the next in the same step.

    ``infos["action_mask"]`` holds the legal actions, int8 ``[num_envs, 63]``, and `action_masks` gives them as bool.
    Where episodes have ended, ``infos["final_obs"]`` holds the learners' observations at the end (None elsewhere) and
    ``infos["_final_obs"]`` says where; the observation returned belongs to the next episode already.

    Args:
        num_envs: games side by side.
        rules, players, seat, episode, reward: as for ``ThirtyOne-v0``.
        opponents: policies or their names: one for all seats, or one for each other seat in the order after the
            learner's. ``random``, ``threshold:K`` and ``tips`` play inside compiled code; any other, such as
            ``learned:PATH`` or an object with ``act(views, keys)``, answers all games that wait for it in one call.

    Raises:
        UserError: an argument is wrong; the text names it and what is allowed. `step` raises IllegalAction for an
            action that is not legal, naming the game; then nothing has changed.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        num_envs: int = 1,
        rules: Rules | str | Mapping[str, Any] = "pagat",
        players: int = 4,
        opponents: Any = "random",
        seat: int | None = None,
        episode: str = "match",
        reward: str | None = None,
    ) -> None:
        given = list(opponents) if isinstance(opponents, list | tuple) else [opponents]
        given = given * (players - 1) if len(given) == 1 else given
        self.games = LearnerGames(num_envs, rules, players, given, 0, seat, episode, reward, ordered=True)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(0, highs(players), dtype=np.int8)
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin anew. One whole number seeds all games; None takes a fresh one, or goes on from the last."""
        first = seed if seed is None or isinstance(seed, int) else int(next(iter(seed)))
        super().reset(seed=first)
        self.games.begin(int(self.np_random.integers(1 << 62)))
        return self.games.observations.copy(), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Play an action in each game and go on to each learner's next decision."""
        games = self.games
        games.step(np.asarray(actions))
        infos = self._infos()
        ended = games.ends != 0
        if ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(ended):
                final[i] = games.last_observations[i].copy()
            infos |= {"final_obs": final, "_final_obs": ended}
        return games.observations.copy(), games.rewards.copy(), games.ends == 1, games.ends == 2, infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of every learner: bool ``[num_envs, 63]``."""
        return self.games.masks.astype(np.bool_)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.games.masks.copy(), "seat": self.games.seats}
