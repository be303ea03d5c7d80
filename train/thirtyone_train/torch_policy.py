"""Any torch network as a policy, to play as an opponent, in tournaments or at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from thirtyone_agents.learned import draw
from thirtyone_agents.network import chances
from thirtyone_agents.policy import Actions, Keys, Views
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.errors import UserError
from thirtyone_env.observation import encode
from thirtyone_env.rules import Rules


class TorchPolicy:
    """A function from observations to logits that answers views.

    Libraries of linear algebra add up in an order that depends on a batch's shape. So the network is asked about
    exactly ``rows`` views each time, filled up with zeros where there are fewer: the answer to a view does not
    depend on how many others came with it.

    Args:
        network: from float32 ``[rows, d]`` (observations as they are, see `thirtyone_env.observation.encode`) to logits
            ``[rows, 63]``; such as a ``torch.nn.Module`` in evaluation mode.
        players: seats of the games that it plays.
        name: by which it is shown.
        rows: views that it is asked about at once.
        sample: draw each action from the probabilities, by the key; else take the likeliest.
        device: that the network is on.
    """

    def __init__(
        self,
        network: Callable[[torch.Tensor], torch.Tensor],
        players: int,
        name: str = "torch",
        rows: int = 256,
        sample: bool = False,
        device: str = "cpu",
    ) -> None:
        if isinstance(rows, bool) or not isinstance(rows, int) or rows < 1:
            raise UserError(f"rows={rows!r} is not allowed: a whole number from 1")
        self.network, self.players, self.name = network, players, name
        self.rows, self.sample, self.device = rows, sample, device

    def check(self, rules: Rules, players: int) -> None:
        """Refuse games with another number of players. Raises `UserError`."""
        if players != self.players:
            raise UserError(f"{self.name} plays with {self.players} players, not with {players}")

    def act(self, views: Views, keys: Keys) -> Actions:
        """See `thirtyone_agents.policy.Policy.act`."""
        logits = self._logits(views)
        legal = np.ascontiguousarray(views[:, V_LEGAL])
        if self.sample:
            return draw(chances(logits, legal), keys)
        bits = (legal[:, None] >> np.arange(logits.shape[1], dtype=np.uint64)) & np.uint64(1)
        return np.where(bits == 1, logits, -np.inf).argmax(axis=1).astype(np.int64)

    def probabilities(self, views: Views) -> npt.NDArray[np.float64]:
        """Chance with which it plays each action: float64 ``[n, 63]``; 1 for the likeliest unless it samples."""
        logits = self._logits(views)
        if self.sample:
            return chances(logits, np.ascontiguousarray(views[:, V_LEGAL]))
        sure = np.zeros(logits.shape)
        sure[np.arange(len(views)), self.act(views, np.zeros(len(views), dtype=np.uint64))] = 1.0
        return sure

    def _logits(self, views: Views) -> npt.NDArray[np.float32]:
        """Float32 ``[n, 63]``, ``rows`` views at a time."""
        observations = encode(views, seats=self.players)
        return np.concatenate(
            [self._part(observations[at : at + self.rows]) for at in range(0, max(len(views), 1), self.rows)]
        )

    def _part(self, observations: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        count = len(observations)
        padded = np.zeros((self.rows, observations.shape[1]), dtype=np.float32)
        padded[:count] = observations
        with torch.inference_mode():
            logits: Any = self.network(torch.as_tensor(padded, device=self.device))
        return logits[:count].float().cpu().numpy()
