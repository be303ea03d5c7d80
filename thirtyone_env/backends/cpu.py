"""The batch engine on the CPU: numpy's arrays, the core's compiled loops, threads that share the games."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.backends.team import Team
from thirtyone_env.core import layout
from thirtyone_env.core.batch_game import TALLIES

Words = npt.NDArray[np.uint64]
_PARTS = 8  # parts a thread, of _PART games or more
_PART = 512
_PART_OF_CHOICES = 32768  # so quickly done that handing over fewer takes longer


class CpuBackend:
    """The CPU. ``threads`` share the games."""

    name = "cpu"

    def __init__(self, threads: int) -> None:
        from thirtyone_env.core import batch

        self._core = batch
        self.threads = threads
        self._team: Team | None = None

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
            TypeError: it lies on another device, or is no array.
        """
        array = given.numpy() if hasattr(given, "numpy") else given
        if not isinstance(array, np.ndarray):
            raise TypeError(f"{type(given).__name__} is no array")
        return array

    def actions(self, given: Any) -> npt.NDArray[np.int64]:
        """Actions as int64; int64 is taken uncopied.

        Raises:
            TypeError: they lie on another device, or are no whole numbers.
        """
        array = np.asarray(given)
        if array.dtype.kind not in "iu":
            raise TypeError(f"whole numbers are needed, not {array.dtype}")
        array = np.ascontiguousarray(array, dtype=np.int64)
        return array if array.flags.writeable else array.copy()  # compiled code takes no others, though it only reads

    def to_device(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The values themselves."""
        return values

    def may_write(self, out: npt.NDArray[Any]) -> bool:
        """Whether the array is one that `views` and `observe` write."""
        return bool(out.flags.c_contiguous and out.flags.writeable)

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
        write = self._observations.write

        def work(lo: int, hi: int) -> None:
            write(state, lo, hi, np.empty((1, layout.VIEW_WORDS), dtype=np.uint64), out, places)

        self._share(len(out), work)

    @functools.cached_property
    def _observations(self) -> Any:
        """Imported when they are first asked for: importing compiles."""
        from thirtyone_env.core import batch_observe

        return batch_observe

    def random_actions(self, masks: Words, key: int, out: npt.NDArray[np.int64]) -> None:
        """See `core.batch.random_actions`."""
        choose = self._core.random_actions
        if self.threads == 1:
            choose(masks, key, 0, len(masks), out)
        else:
            self._share(len(masks), lambda low, high: choose(masks, key, low, high, out), _PART_OF_CHOICES)

    def play(
        self, state: Words, kinds: Words, rounds: int, seeds: Words, decisions: Words, seats: int
    ) -> tuple[Words, int]:
        """See `core.batch_play.play`. Returns the tally, uint64 ``[TALLIES, seats]``, and the actions played."""
        from thirtyone_env.core.batch_play import play  # importing compiles

        tallies: list[Words] = []

        def work(lo: int, hi: int) -> int:
            tally = np.zeros((TALLIES, seats), dtype=np.uint64)
            scratch = np.empty((1, layout.VIEW_WORDS), dtype=np.uint64)
            tallies.append(tally)
            return int(play(state, lo, hi, kinds, scratch, rounds, seeds, decisions, tally))

        actions = sum(self._share(len(seeds), work))
        total = np.zeros((TALLIES, seats), dtype=np.uint64)
        for tally in tallies:
            total += tally
        return total, actions

    def _share(self, games: int, work: Callable[[int, int], Any], least: int | None = None) -> list[Any]:
        """Run ``work(low, high)`` over all games, in parts of ``least`` games or more; the results in no order."""
        least = least or _PART
        if self.threads == 1 or games < 2 * least:
            return [work(0, games)]
        if self._team is None or not self._team.is_mine:
            self._team = Team(self.threads)
        return self._team.run(_parts(games, self.threads, least), work)


@functools.cache
def _parts(games: int, threads: int, least: int) -> list[list[tuple[int, int]]]:
    """For each thread the parts that it begins with: neighbours, so that its core's cache holds their games."""
    each = max(1, min(_PARTS, games // least // threads))
    count = threads * each
    bounds = [games * i // count for i in range(count + 1)]
    parts = list(itertools.pairwise(bounds))
    return [parts[each * thread : each * (thread + 1)] for thread in range(threads)]
