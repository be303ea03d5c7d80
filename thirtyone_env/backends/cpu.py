"""The batch engine on the CPU: numpy's arrays, the core's compiled loops, threads that share the games."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.core.batch_game import TALLIES

Words = npt.NDArray[np.uint64]
_PARTS = 4  # parts a thread, of at least _PART games
_PART = 256


class CpuBackend:
    """The CPU. ``threads`` share the games."""

    name = "cpu"

    def __init__(self, threads: int) -> None:
        from thirtyone_env.core import batch

        self._core = batch
        self.threads = threads
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    def zeros(self, shape: int | tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        """An array of zeros."""
        return np.zeros(shape, dtype=dtype)

    def empty(self, shape: int | tuple[int, ...], dtype: Any, by_column: bool = False) -> npt.NDArray[Any]:
        """An array of whatever was there before, row by row: columns are of no use here."""
        return np.empty(shape, dtype=dtype)

    def to_host(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The array itself."""
        return array

    def fill(self, array: npt.NDArray[Any], values: npt.NDArray[Any]) -> None:
        """Copy values into an array."""
        array[...] = values

    def adopt(self, given: Any) -> npt.NDArray[Any]:
        """The caller's array, uncopied: a numpy array or a torch tensor on the CPU.

        Raises:
            TypeError: it lies on another device.
        """
        return np.asarray(given.numpy() if hasattr(given, "numpy") else given)

    def actions(self, given: Any) -> npt.NDArray[np.int64]:
        """Actions as int64; int64 is taken uncopied.

        Raises:
            TypeError: they lie on another device, or are no whole numbers.
        """
        array = np.asarray(given)
        if array.dtype.kind not in "iu":
            raise TypeError(f"whole numbers are needed, not {array.dtype}")
        return np.ascontiguousarray(array, dtype=np.int64)

    def to_device(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The values themselves."""
        return values

    def may_write(self, out: npt.NDArray[Any]) -> bool:
        """Whether the array's layout is one that `views` and `observe` write."""
        return bool(out.flags.c_contiguous)

    def begin_all(self, state: Words, seeds: Words, decisions: Words) -> None:
        """See `core.batch.begin_all`."""
        self._core.begin_all(state, seeds, decisions)

    def first_illegal(self, masks: Words, actions: npt.NDArray[np.int64]) -> int:
        """The first game whose action is illegal, or -1."""
        return int(self._core.first_illegal(masks, actions, 0, len(masks)))

    def step(self, state: Words, actions: npt.NDArray[np.int64], scheme: int, masks: Words, *arrays: Any) -> None:
        """See `core.batch.step`."""
        self._share(len(masks), lambda lo, hi: self._core.step(state, actions, lo, hi, scheme, masks, *arrays))

    def views(self, state: Words, out: Words) -> None:
        """See `core.batch.views`."""
        self._share(len(out), lambda lo, hi: self._core.views(state, lo, hi, out))

    def observe(self, state: Words, out: npt.NDArray[np.int8], places: int) -> None:
        """See `core.batch_observe.write`."""
        from thirtyone_env.core import batch_observe

        def work(lo: int, hi: int) -> None:
            batch_observe.write(state, lo, hi, np.empty((1, layout.VIEW_WORDS), dtype=np.uint64), out, places)

        self._share(len(out), work)

    def random_actions(self, masks: Words, key: int, out: npt.NDArray[np.int64]) -> None:
        """See `core.batch.random_actions`. One thread: waking another takes longer than thousands of choices."""
        self._core.random_actions(masks, key, 0, len(masks), out)

    def play(
        self, state: Words, kinds: Words, rounds: int, seeds: Words, decisions: Words, seats: int
    ) -> tuple[Words, int]:
        """See `core.batch.play`. Returns the tally, uint64 ``[TALLIES, seats]``, and the actions played."""
        tallies: list[Words] = []

        def work(lo: int, hi: int) -> int:
            tally = np.zeros((TALLIES, seats), dtype=np.uint64)
            scratch = np.empty((1, layout.VIEW_WORDS), dtype=np.uint64)
            tallies.append(tally)
            return int(self._core.play(state, lo, hi, kinds, scratch, rounds, seeds, decisions, tally))

        actions = sum(self._share(len(seeds), work))
        total = np.zeros((TALLIES, seats), dtype=np.uint64)
        for tally in tallies:
            total += tally
        return total, actions

    def _share(self, games: int, work: Callable[[int, int], Any]) -> list[Any]:
        """Run ``work(lo, hi)`` over all games, in parts that the threads take as they come free; results in no order.

        The calling thread works too, and there are more parts than threads: one that is held up holds up no other.
        """
        if self.threads == 1:
            return [work(0, games)]
        if self._pool is None or self._pool[0] != os.getpid():  # a forked process needs threads of its own
            self._pool = (os.getpid(), ThreadPoolExecutor(self.threads - 1))
        count = max(self.threads, min(_PARTS * self.threads, games // _PART))
        parts: SimpleQueue[tuple[int, int]] = SimpleQueue()
        for i in range(count):
            parts.put((games * i // count, games * (i + 1) // count))
        others = [self._pool[1].submit(_take, parts, work) for _ in range(self.threads - 1)]
        return sum((other.result() for other in others), start=_take(parts, work))


def _take(parts: SimpleQueue[tuple[int, int]], work: Callable[[int, int], Any]) -> list[Any]:
    """Work on parts until none is left."""
    results: list[Any] = []
    while True:
        try:
            lo, hi = parts.get_nowait()
        except Empty:
            return results
        results.append(work(lo, hi))
