"""The batch engine on a GPU: arrays live there, kernels are queued, and nothing waits but what has an answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core.batch_game import TALLIES

_NONE_FOUND = np.iinfo(np.int64).max


class CudaBackend:
    """A GPU, or what stands in for one (``device``: see `cuda.gpu.GpuDevice` for its methods).

    Raises:
        UserError: numba-cuda or a GPU is missing; the text says which.
    """

    name = "cuda"
    threads = 1

    def __init__(self, device: Any = None) -> None:
        if device is None:
            from thirtyone_env.cuda.load import load_with_gpu

            load_with_gpu()
            from thirtyone_env.cuda.gpu import GpuDevice

            device = GpuDevice()
        from thirtyone_env.cuda.catalog import KERNELS, play_kernel

        self.device = device
        self.play_kernel = play_kernel
        self._kernels = KERNELS
        self._found = self.to_device(np.array([_NONE_FOUND]))
        self.gathers = True  # False: a step in one kernel
        self._lists: dict[int, tuple[Any, Any]] = {}
        self._nothing = self.zeros(1, np.int64)

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> Any:
        """An array of zeros on the device."""
        return self.to_device(np.zeros(shape, dtype=dtype))

    def empty(self, shape: int | tuple[int, ...], dtype: Any, by_column: bool = False) -> Any:
        """An array of whatever was there before; ``by_column`` puts the columns of a matrix together."""
        return self.device.empty(shape, dtype, by_column)

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        """A copy in the host's memory; waits for all that was queued."""
        return np.asarray(self.device.to_host(array))

    def fill(self, array: Any, values: Any) -> None:
        """Copy values of the host, or another array of the device, into an array."""
        self.device.fill(array, values)

    def adopt(self, given: Any) -> Any:
        """The caller's array on the device, uncopied.

        Raises:
            TypeError: it is no array of the device.
        """
        return self.device.adopt(given)

    def to_device(self, values: npt.NDArray[Any]) -> Any:
        """A copy of the host's values on the device."""
        array = self.empty(values.shape, values.dtype)
        self.fill(array, values)
        return array

    def actions(self, given: Any) -> Any:
        """Actions as int64 on the device; those that are, are taken uncopied.

        Raises:
            TypeError: they are on another device, or of another type than int64.
        """
        if isinstance(given, np.ndarray | list):
            array = np.asarray(given)
            if array.dtype.kind not in "iu":
                raise TypeError(f"whole numbers are needed, not {array.dtype}")
            return self.to_device(np.ascontiguousarray(array, dtype=np.int64))
        array = self.device.adopt(given)
        if array.dtype != np.int64 or not _by_row(array):
            raise TypeError(f"on a GPU actions must be contiguous int64, not {array.dtype}")
        return array

    def may_write(self, out: Any) -> bool:
        """Whether the array's layout is one that `views` and `observe` write."""
        return _by_row(out) or _by_column(out)

    def begin_all(self, state: Any, seeds: Any, decisions: Any) -> None:
        """See `core.batch.begin_all`."""
        self._launch("begin_all", len(seeds), state, seeds, decisions)

    def first_illegal(self, masks: Any, actions: Any) -> int:
        """The first game whose action is illegal, or -1. Waits for the answer."""
        self._launch("first_illegal", len(masks), masks, actions, self._found)
        found = int(self.to_host(self._found)[0])
        if found == _NONE_FOUND:
            return -1
        self.fill(self._found, np.array([_NONE_FOUND]))
        return found

    def step(self, state: Any, actions: Any, scheme: int, masks: Any, *arrays: Any) -> None:
        """See `core.batch.step`; `cuda.gathered` has why it takes two kernels."""
        games = len(masks)
        if not self.gathers or len(actions) == 0:
            self._launch("step", games, state, actions, np.uint64(scheme), masks, *arrays)
            return
        seats, rewards, ended, results, decisions = arrays
        waiting, count = self._list(games)
        self.fill(count, self._nothing)
        self._launch("act", games, state, actions, masks, seats, rewards, ended, decisions, waiting, count)
        self._launch(
            "settle", games, state, np.uint64(scheme), masks, seats, rewards, ended, results, decisions, waiting, count
        )

    def _list(self, games: int) -> tuple[Any, Any]:
        """Scratch of `cuda.gathered`, kept: batches of one backend step one after the other."""
        if games not in self._lists:
            self._lists[games] = (self.empty(games, np.uint64), self.empty(1, np.int64))
        return self._lists[games]

    def views(self, state: Any, out: Any) -> None:
        """See `core.batch.views`."""
        self._launch("views" if _by_row(out) else "views_by_column", len(out), state, out)

    def observe(self, state: Any, out: Any, places: int) -> None:
        """Observations, int8 ``[games, d]``; fastest where a column's numbers lie together (``by_column``)."""
        self._launch("observe" if _by_row(out) else "observe_by_column", len(out), state, out, np.int64(places))

    def observe_bfloat16(self, state: Any, out: Any, places: int) -> None:
        """The same as the bits of bfloat16 numbers: int16 ``[games, d]``, the columns together."""
        self._launch("observe_bfloat16", len(out), state, out, np.int64(places))

    def random_actions(self, masks: Any, key: int, out: Any) -> None:
        """See `core.batch.random_actions`."""
        self._launch("random_actions", len(masks), masks, np.uint64(key), out)

    def sample(self, state: Any, logits: Any, masks: Any, seeds: Any, decisions: Any, out: Any) -> None:
        """Actions drawn from the softmax of a network's logits over the legal ones; see `cuda.sample`."""
        self._launch("sample", len(masks), state, logits, masks, seeds, decisions, out)

    def play(
        self, state: Any, kinds: npt.NDArray[np.uint64], rounds: int, seeds: Any, decisions: Any, seats: int
    ) -> tuple[npt.NDArray[np.uint64], int]:
        """See `cuda.play`. Returns the tally, uint64 ``[TALLIES, seats]``, and the actions played."""
        tally, played = self.zeros((TALLIES, seats), np.uint64), self.zeros(1, np.uint64)
        arguments = (state, self.to_device(kinds), np.uint64(rounds), seeds, decisions, tally, played)
        self.device.launch(self.play_kernel(seats), len(seeds), *arguments)
        return self.to_host(tally), int(self.to_host(played)[0])

    def _launch(self, name: str, games: int, *arguments: Any) -> None:
        self.device.launch(self._kernels[name], games, *arguments)


def _by_row(array: Any) -> bool:
    return bool(array.flags["C_CONTIGUOUS"])


def _by_column(array: Any) -> bool:
    return bool(array.flags["F_CONTIGUOUS"])
