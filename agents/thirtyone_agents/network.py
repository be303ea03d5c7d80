"""A small network's forward pass, row by row.

Libraries of linear algebra add up in an order that depends on the batch's shape, so an action could depend on its batch
mates. Here every row is added up in one fixed order by itself: results are bit-equal for any batch and any order of
rows, and playing needs no torch. Zeros of the input are skipped, which most columns of an observation are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Layer = tuple[Floats, Floats]


def _cached(function: Callable[..., Any]) -> Any:
    """Compile, and keep the result on disk where some folder can be written."""
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # numba finds no folder for its cache
        return numba.njit(nogil=True, error_model="numpy")(function)


@_cached
def _forward(inputs, weights, biases, sizes, tanh, outputs):  # type: ignore[no-untyped-def]  # numba types it
    """Rows of ``inputs`` through the layers into ``outputs``; ``weights`` hold each layer as [in, out], end to end."""
    widest = sizes.max()
    before = np.empty(widest, np.float32)
    after = np.empty(widest, np.float32)
    for row in range(inputs.shape[0]):
        for i in range(sizes[0]):
            before[i] = np.float32(inputs[row, i])
        weight_at = 0
        bias_at = 0
        for layer in range(sizes.shape[0] - 1):
            wide, high = sizes[layer + 1], sizes[layer]
            after[:wide] = biases[bias_at : bias_at + wide]
            for i in range(high):
                value = before[i]
                if value != np.float32(0.0):
                    line = weights[weight_at + i * wide : weight_at + (i + 1) * wide]
                    for j in range(wide):
                        after[j] += value * line[j]
            weight_at += high * wide
            bias_at += wide
            if layer < sizes.shape[0] - 2:
                for j in range(wide):
                    after[j] = math.tanh(after[j]) if tanh else max(after[j], np.float32(0.0))
            before, after = after, before
        outputs[row] = before[: sizes[-1]]


@_cached
def _chances(logits, masks, chances):  # type: ignore[no-untyped-def]  # numba types it
    """Softmax over the legal actions of each row: ``masks`` uint64 [n], ``chances`` float64 [n, 63]."""
    one = np.uint64(1)
    for row in range(logits.shape[0]):
        most = -np.inf
        for i in range(logits.shape[1]):
            if masks[row] >> np.uint64(i) & one:
                most = max(most, np.float64(logits[row, i]))
        total = 0.0
        for i in range(logits.shape[1]):
            legal = masks[row] >> np.uint64(i) & one
            chances[row, i] = math.exp(np.float64(logits[row, i]) - most) if legal else 0.0
            total += chances[row, i]
        for i in range(logits.shape[1]):
            chances[row, i] /= total


class Network:
    """Layers of weights with an activation between them.

    Args:
        layers: for each layer its weight float32 ``[out, in]`` (torch's way round) and its bias float32 ``[out]``.
        activation: ``tanh`` or ``relu``.
    """

    def __init__(self, layers: Sequence[Layer], activation: str) -> None:
        self.sizes = np.array(
            [layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers)], dtype=np.int64
        )
        self.activation = activation
        flat = [np.ascontiguousarray(weight.T, dtype=np.float32).ravel() for weight, _ in layers]
        self._weights = np.concatenate(flat)
        self._biases = np.concatenate([np.asarray(bias, dtype=np.float32) for _, bias in layers])

    def logits(self, observations: npt.NDArray[np.int8]) -> Floats:
        """Outputs float32 ``[n, out]`` for observations int8 ``[n, in]``; each row's depend on that row alone."""
        out = np.empty((len(observations), int(self.sizes[-1])), dtype=np.float32)
        _forward(observations, self._weights, self._biases, self.sizes, self.activation == "tanh", out)
        return out


def chances(logits: Floats, masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """Softmax over the legal actions: float64 ``[n, 63]``, for logits ``[n, 63]`` and masks uint64 ``[n]``."""
    out = np.empty(logits.shape, dtype=np.float64)
    _chances(logits, masks, out)
    return out
