"""A torch network choosing for every game of a batch, without leaving the device: observe, network, sample, step.

Everything is queued on torch's current stream, so that torch's own work and the kernels follow each other without a
wait. A loop may also be recorded as a CUDA graph, which spares small batches the cost of queueing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.errors import UserError
from thirtyone_env.observation import size
from thirtyone_env.vector import VectorGame


class PolicyLoop:
    """Steps a batch by a network's choices.

    Args:
        batch: of device ``"cuda"``, unchecked: the sampler draws legal actions only.
        network: from observations, bfloat16 ``[games, d]``, to logits, bfloat16 ``[games, 63 or more]``, contiguous.
            It is called under ``torch.inference_mode``.

    Attributes (torch tensors on the device):
        observations: bfloat16 ``[games, d]``, the columns together. The kernel writes these numbers itself: torch
            would move half as many bytes again to make them of an int8 matrix.
        actions: int64 ``[games]``, the last ones.

    Raises:
        UserError: the batch is checked or on the CPU.
    """

    def __init__(self, batch: VectorGame, network: Callable[[Any], Any]) -> None:
        import torch

        if batch.checked or batch.device != "cuda":
            raise UserError("a PolicyLoop needs a batch of device='cuda' with checked=False")
        self.batch = batch
        self.network = network
        where = batch._backend.device.torch_device
        shape = (size(batch.num_seats), batch.num_games)
        self.observations = torch.zeros(shape, dtype=torch.bfloat16, device=where).T
        self.actions = torch.zeros(batch.num_games, dtype=torch.int64, device=where)
        self._graph: Any = None

    def step(self) -> None:
        """Let the network play one action in every game."""
        if self._graph is None:
            self._queue()
        else:
            self._graph.replay()

    def record(self) -> None:
        """Record a step as a CUDA graph; `step` replays it from now on. Three steps are played on the way."""
        import torch

        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):  # whatever is compiled or allocated at first use
                self._queue()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._queue()
        self._graph = graph

    def _queue(self) -> None:
        import torch

        backend = self.batch._backend
        words = backend.adopt(self.observations.view(torch.int16))
        backend.observe_bfloat16(self.batch._state, words, self.batch.num_seats)
        with torch.inference_mode():
            logits = self.network(self.observations)
        sample(self.batch, logits, self.actions)
        self.batch.step(self.actions)


def sample(batch: VectorGame, logits: Any, out: Any) -> None:
    """Draw each game's action from the softmax of its logits over the legal actions, by the decision's own key.

    The same state and logits give the same action, whatever else is in the batch.

    Args:
        logits: torch bfloat16 ``[games, 63 or more]``, contiguous, on the batch's device.
        out: int64 ``[games]``, where the actions go.

    Raises:
        UserError: the logits' type or shape is wrong.
    """
    import torch

    rows, columns = logits.shape
    if logits.dtype != torch.bfloat16 or rows != batch.num_games or columns < len(ACTION_NAMES):
        raise UserError(f"logits must be bfloat16 [{batch.num_games}, {len(ACTION_NAMES)} or more], "
                        f"not {logits.dtype} {[rows, columns]}")
    backend = batch._backend
    words = backend.adopt(logits.detach().contiguous().view(torch.int16))
    target = backend.adopt(out)
    if target.dtype != np.int64 or target.shape != (batch.num_games,):
        raise UserError(f"out must be int64 ({batch.num_games},), not {target.dtype} {target.shape}")
    backend.sample(batch._state, words, batch.masks, batch.seeds, batch.decisions, target)


def network(columns: int, width: int = 256, device: Any = "cuda", seed: int = 0) -> Callable[[Any], Any]:
    """An untrained network in bfloat16, two hidden layers of ``width`` with ReLU; for measuring."""
    import torch

    generator = torch.Generator().manual_seed(seed)

    def layer(inputs: int, outputs: int) -> tuple[Any, Any]:
        weights = torch.randn(inputs, outputs, generator=generator) * (2 / inputs) ** 0.5
        return torch.zeros(outputs, device=device, dtype=torch.bfloat16), weights.to(device, torch.bfloat16)

    first, second, last = layer(columns, width), layer(width, width), layer(width, 64)

    def logits(observations: Any) -> Any:
        # the multiplication applies the ReLU itself, which spares a round trip through memory
        hidden = torch._addmm_activation(first[0], observations, first[1])
        return torch.addmm(last[0], torch._addmm_activation(second[0], hidden, second[1]), last[1])

    return logits
