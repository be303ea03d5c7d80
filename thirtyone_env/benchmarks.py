"""What this machine does: rates of the engine in actions a second, each the median of several runs.

A benchmark asserts that games move and end; it judges no speed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

GAMES = 1024
PACKAGES = (
    "thirtyone-env", "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo",
    "pufferlib", "pgx", "jax", "envpool", "open-spiel",
)
Run = Callable[[], tuple[int, float]]  # actions played, seconds


@dataclass(frozen=True)
class Figure:
    """One line of the bench.

    Attributes:
        name: what was measured.
        rate: actions a second, the median of the runs.
        best, worst: the fastest and the slowest run.
        runs: how many.
    """

    name: str
    rate: float
    best: float
    worst: float
    runs: int


def measure(name: str, run: Run, runs: int) -> Figure:
    """Median rate of several runs after one that only warms up."""
    run()
    rates = []
    for _ in range(runs):
        actions, seconds = run()
        if actions <= 0:
            raise RuntimeError(f"{name}: no action was played")
        rates.append(actions / seconds)
    return Figure(name, statistics.median(rates), max(rates), min(rates), runs)


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Hold this process to the first core it may use, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def fused(policy: str, threads: int = 1, games: int = GAMES, rounds: int = 60) -> Run:
    """Whole rounds of `pagat` with four players inside compiled code."""
    from thirtyone_env.vector import VectorGame

    batch = VectorGame(games, "pagat", 4, seed=1, threads=threads)

    def run() -> tuple[int, float]:
        started = time.perf_counter()
        counts = batch.play([policy] * 4, rounds)
        return int(counts["actions"][0]), time.perf_counter() - started

    return run


def lock_step(observe: bool = False, threads: int = 1, games: int = GAMES, steps: int = 400) -> Run:
    """One call a step with actions from outside; masks, seats and rewards written, with or without observations.

    Choosing the actions (another compiled call) is counted in.
    """
    from thirtyone_env.vector import VectorGame

    batch = VectorGame(games, "pagat", 4, seed=1, threads=threads)
    actions = np.zeros(games, dtype=np.int64)
    out = batch.observe() if observe else None

    def run() -> tuple[int, float]:
        ended = 0
        started = time.perf_counter()
        for number in range(steps):
            batch.random_actions(number, actions)
            batch.step(actions)
            if out is not None:
                batch.observe(out)
            ended += int(batch.ended[0] > 0)
        seconds = time.perf_counter() - started
        if not ended:
            raise RuntimeError("lock step: no round ended in the first game")
        return games * steps, seconds

    return run


def single_game(actions: int = 20_000) -> Run:
    """`Game` with the list of legal actions and a view before each action."""
    from thirtyone_env.game import Game

    def run() -> tuple[int, float]:
        game = Game("pagat", 4, seed=1)
        number = 1
        started = time.perf_counter()
        for step in range(actions):
            if game.turn is None:
                number += 1
                game = Game("pagat", 4, seed=number)
            legal = game.legal_actions()
            game.view(game.turn or 0)
            game.play(legal[step * 7919 % len(legal)])
        if number == 1:
            raise RuntimeError("Game: no match ended")
        return actions, time.perf_counter() - started

    return run


def _rate(run: Run) -> float:
    actions, seconds = run()
    return actions / seconds


def _shared(what: str, threads: int = 1) -> Run:
    """What threads and processes are compared by: a batch of 16,384 games."""
    if what == "lock step":
        return lock_step(games=16 * GAMES, steps=40, threads=threads)
    return fused("random", games=16 * GAMES, rounds=4, threads=threads)


def _process(what: str, turns: int, start: Any, results: Any) -> None:
    run = _shared(what)
    run()
    for _ in range(turns):
        start.wait()  # the other process
        start.wait()  # the one that measures
        results.put(_rate(run))


def two_threads(what: str, runs: int) -> dict[str, float]:
    """What two threads reach of what two processes reach together; the medians of turns, and of their ratios.

    The two cores of a small machine are often one core's two threads, so the bare ratio to one thread says little; and
    its pace changes from second to second, so one thread, two threads and two processes are measured turn about.

    Args:
        what: "lock step", choosing counted in, or "fused play".
        runs: turns.
    """
    one, two = _shared(what), _shared(what, threads=2)
    one()
    two()
    context = multiprocessing.get_context("spawn")
    start, results = context.Barrier(3, timeout=300), context.Queue()
    workers = [context.Process(target=_process, args=(what, runs, start, results)) for _ in range(2)]
    for worker in workers:
        worker.start()
    turns = []
    for _ in range(runs):
        start.wait()  # until both are ready
        alone, shared = _rate(one), _rate(two)
        start.wait()
        turns.append((alone, shared, sum(results.get(timeout=300) for _ in workers)))
    for worker in workers:
        worker.join()
    alone, shared, together = (statistics.median(column) for column in zip(*turns, strict=True))
    return {
        "one_thread": alone,
        "two_threads": shared,
        "two_processes": together,
        "threads_over_processes": statistics.median(turn[1] / turn[2] for turn in turns),
    }


def machine() -> dict[str, Any]:
    """Processor, load and versions."""
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": versions,
    }


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def plan() -> list[tuple[str, Callable[[], Run]]]:
    """The measurements, in the order of the table."""
    return [
        ("fused random play, pagat, 4 players", lambda: fused("random")),
        ("fused threshold:21", lambda: fused("threshold:21")),
        ("fused tips", lambda: fused("tips")),
        (f"lock step, {GAMES} games, masks and seats", lambda: lock_step()),
        ("the same with int8 observations", lambda: lock_step(observe=True, steps=100)),
        ("Game, legal actions and a view", lambda: single_game()),
    ]


def as_json(figures: list[Figure], extra: dict[str, Any]) -> dict[str, Any]:
    """Everything that was measured, ready for JSON."""
    return {"machine": machine(), "figures": [asdict(figure) for figure in figures], **extra}
