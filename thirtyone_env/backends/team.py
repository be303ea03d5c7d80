"""Threads that share the games of a batch. Between two calls they stand by for a moment before they go to sleep."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Part = tuple[int, int]
_PAUSES = 4000  # of standing by; 20 to 200 microseconds, as the processor has it
_NAP = 20e-6  # seconds


@dataclass
class _Job:
    """One call: parts for each thread, and what came of them."""

    work: Callable[[int, int], Any]
    parts: list[deque[Part]]
    results: list[Any] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)

    def take(self, thread: int) -> None:
        """Work on the thread's own parts, then on what the others have left, from their far ends."""
        try:
            for number in range(len(self.parts)):
                parts = self.parts[thread - number]
                while parts:
                    try:
                        low, high = parts.pop() if number else parts.popleft()
                    except IndexError:  # another thread was faster
                        break
                    self.results.append(self.work(low, high))
        except BaseException as error:
            self.errors.append(error)
            self.stop()

    def stop(self) -> None:
        """Let every thread end after the part that it is at."""
        for parts in self.parts:
            parts.clear()


class Team:
    """The calling thread and ``threads - 1`` helpers.

    A helper that sleeps takes longer to wake than thousands of games take to step, so after a call each helper stands
    by in compiled code, where it holds no lock of the interpreter; but not where there are more threads than cores,
    since it would then keep the others from working.
    """

    def __init__(self, threads: int) -> None:
        from thirtyone_env.backends import standby

        shared = _Shared(standby, threads)
        self._shared = shared
        self._owner = os.getpid()
        for number in range(1, threads):
            threading.Thread(target=shared.help, args=(number,), name=f"thirtyone-{number}", daemon=True).start()
        weakref.finalize(self, shared.close)

    @property
    def is_mine(self) -> bool:
        """Whether this process started the threads; a forked one has none of them."""
        return self._owner == os.getpid()

    def run(self, parts: Sequence[Sequence[Part]], work: Callable[[int, int], Any]) -> list[Any]:
        """``work(low, high)`` for each part; the results in no order.

        Args:
            parts: for each thread those that it begins with: the same ones in every call, since their games lie in its
                core's cache. A thread that has ended its own takes what others have left.
            work: what to do with a part.

        Raises:
            BaseException: the first error that a part raised, or an interrupt, once every thread has stopped; parts
                that had not begun are left out.
        """
        return self._shared.run(_Job(work, [deque(share) for share in parts]))


class _Shared:
    """What the threads share. It outlives the `Team`, whose end closes it."""

    def __init__(self, standby: Any, threads: int) -> None:
        self._standby = standby
        self._flags = np.zeros(standby.APART * threads, dtype=np.int64)
        self._pauses = _PAUSES if threads <= _cores() else 0
        self._owner = os.getpid()
        self._job: _Job | None = None
        self._number = 0
        self._busy: int | None = None
        self._closed = False
        self._caller = threading.RLock()  # a signal may come before this thread is known to be at work
        # A helper sleeps at its gate. Gates are plain locks, which no interrupt can leave half taken.
        self._gates = [threading.Lock() for _ in range(threads)]
        self._asleep = [False] * threads
        for gate in self._gates:
            gate.acquire()

    def run(self, job: _Job) -> list[Any]:
        if self._busy == threading.get_ident():  # a signal's handler asks while this thread is at work
            return [job.work(low, high) for parts in job.parts for low, high in parts]
        with self._caller:
            try:
                self._busy = threading.get_ident()
                self._begin(job)
                job.take(0)
                self._wait_for_all()
            except BaseException:  # an interrupt while this thread waits
                job.stop()
                self._wait_for_all()
                raise
            finally:
                self._busy = None
                self._job = None  # which holds the caller's arrays, and what this belongs to
        if job.errors:
            raise job.errors[0]
        return job.results

    def _begin(self, job: _Job) -> None:
        self._job = job
        self._number += 1
        self._tell()

    def _tell(self) -> None:
        """Call the helpers, those that stand by and those that sleep."""
        self._flags[0] = self._number
        for asleep, gate in zip(self._asleep, self._gates, strict=True):
            if asleep and gate.locked():
                with contextlib.suppress(RuntimeError):  # opened meanwhile
                    gate.release()

    def _wait_for_all(self) -> None:
        while not self._standby.all_ended(self._flags, self._number, _PAUSES):
            time.sleep(_NAP)
            self._tell()  # should an interrupt have come before they were told

    def help(self, helper: int) -> None:
        """The life of a helper."""
        ended = 0
        while True:
            number = self._standby.stand_by(self._flags, helper, ended, self._pauses)
            if number == ended:
                number = self._sleep(helper, ended)
            if self._closed:
                return
            job = self._job
            if job is not None:  # else the call was interrupted before it had begun
                job.take(helper)
            job = None
            ended = number

    def _sleep(self, helper: int, ended: int) -> int:
        self._asleep[helper] = True  # said before looking once more, so that no call is missed
        while self._number == ended and not self._closed:
            self._gates[helper].acquire()
        self._asleep[helper] = False
        return self._number

    def close(self) -> None:
        """Let the helpers end."""
        if self._owner == os.getpid():  # a forked process has none of them
            self._closed = True
            self._number += 1
            self._tell()


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
