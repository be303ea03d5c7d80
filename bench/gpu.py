"""Everything about the batch engine on a GPU in one call: compile, check against the CPU, time.

    python bench/gpu.py                  # on a machine with an NVIDIA GPU; about five minutes
    python bench/gpu.py --dry-run        # anywhere: the kernels' code on the CPU, tiny sizes; its rates mean nothing

Needs the extras cuda and train (torch built for CUDA). What is measured goes to ``bench/results/gpu.json`` after every
figure, so that a run that is stopped leaves what it had. A difference from the CPU ends the run with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from thirtyone_env import VectorGame
from thirtyone_env.backends.cuda import CudaBackend
from thirtyone_env.benchmarks import machine
from thirtyone_env.core import layout
from thirtyone_env.errors import UserError
from thirtyone_env.observation import size

PLAYERS = 4
RESULTS = Path(__file__).resolve().parent / "results"
PACKAGES = ("numba-cuda", "torch", "cuda-bindings", "nvidia-nvvm")


class Report:
    """What is known so far; written anew after every entry."""

    def __init__(self, path: Path, dry: bool) -> None:
        self.path = path
        self.data: dict[str, Any] = {"dry_run": dry, "machine": machine() | {"gpu_versions": _versions()}}
        self.data |= {"checks": {}, "figures": []}
        self._began = time.perf_counter()

    def check(self, name: str, figures: dict[str, Any]) -> None:
        """Note a check that has passed."""
        self.data["checks"][name] = figures
        self._write(f"{name}: {figures}")

    def figure(self, name: str, rates: list[float], **more: Any) -> None:
        """Note rates in actions a second."""
        median = statistics.median(rates)
        entry = {"name": name, "rate": median, "best": max(rates), "worst": min(rates), "runs": len(rates), **more}
        self.data["figures"].append(entry)
        self._write(f"{name}: {median / 1e6:,.1f} M actions/s ({min(rates) / 1e6:,.1f} to {max(rates) / 1e6:,.1f})")

    def missed(self, name: str, error: BaseException) -> None:
        """Note what could not be measured, and why."""
        self.data["figures"].append({"name": name, "error": f"{type(error).__name__}: {error}"})
        self._write(f"{name}: not measured: {type(error).__name__}: {error}")

    def _write(self, line: str) -> None:
        print(f"[{time.perf_counter() - self._began:6.1f} s] {line}", flush=True)
        self.data["seconds"] = time.perf_counter() - self._began
        self.path.parent.mkdir(parents=True, exist_ok=True)
        half = self.path.with_suffix(".part")
        half.write_text(json.dumps(self.data, indent=1) + "\n", encoding="utf-8")
        os.replace(half, self.path)


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def check(backend: CudaBackend, report: Report, games: int, actions: int, cards: int) -> None:
    """The same games as on the CPU, and fair cards.

    Raises:
        Different: they are not.
    """
    from thirtyone_env.cuda import check as checks

    threads = os.cpu_count() or 1
    steps = -(-actions // games)

    def tell(step: int) -> None:
        if step % max(1, steps // 10) == 0:
            print(f"    {step * games:,} actions are the same", flush=True)

    report.check("lock step, mixed variants", checks.lock_step(backend, games, steps, threads=threads, tell=tell))
    report.check("lock step, rewards by match", checks.lock_step(backend, games, 60, seed=5, reward="match"))
    report.check("fused play, all policies", checks.fused(backend, games, 20, threads=threads))
    report.check("fair cards", checks.fair_cards(backend, cards))


def batch_of(backend: CudaBackend, games: int) -> VectorGame:
    """Games of pagat with four players, begun and some steps in, so that they do not all stand at the same point."""
    batch = VectorGame(games, "pagat", PLAYERS, seed=1, device=backend, checked=False)
    for key in range(40):
        batch.step(batch.random_actions(key))
    return batch


def timed(backend: CudaBackend, batch: VectorGame, step: Callable[[int], None], steps: int, runs: int) -> list[float]:
    """Rates of several runs of so many steps.

    Raises:
        RuntimeError: some games did not move on to another deal.
    """
    rates = []
    number = 0
    for run in range(runs + 1):
        before = _counters(backend, batch)
        backend.device.finish()
        started = time.perf_counter()
        for _ in range(steps):
            step(number)
            number += 1
        backend.device.finish()
        if run:  # the first only warms up
            rates.append(batch.num_games * steps / (time.perf_counter() - started))
        moved = float((_counters(backend, batch) != before).mean())
        if moved < 0.5:
            raise RuntimeError(f"only {moved:.0%} of the games moved on")
    return rates


def _counters(backend: CudaBackend, batch: VectorGame) -> Any:
    """Numbers of match and deal: they change where rounds end."""
    words = backend.to_host(batch._state[int(layout.COUNT)])[: batch.num_games]
    return words >> layout.DEAL_NO[1]


def fused(backend: CudaBackend, report: Report, games: int, rounds: int, runs: int, settings: int) -> None:
    """Whole rounds in one kernel; then with other settings of the kernel, for tuning: the first so many."""
    from thirtyone_env.cuda import catalog, play

    others = ((1, None), (8, None), (12, None), (24, None), (play.GATHER, 96), (play.GATHER, 64))
    batch = batch_of(backend, games)
    for policy in ("random", "threshold:21", "tips"):
        rates = list(_played(batch, policy, rounds, runs))
        report.figure(f"fused {policy}, {games} games", rates, games=games, rounds=rounds)
    for gather, registers in others[:settings]:
        name = f"fused random, gather {gather}, registers {registers or 'free'}"
        backend.play_kernel = lambda seats, g=gather, r=registers: catalog.play_kernel(seats, g, r)
        try:
            report.figure(name, list(_played(batch, "random", rounds, runs)), gather=gather, registers=registers)
        finally:
            backend.play_kernel = catalog.play_kernel


def _played(batch: VectorGame, policy: str, rounds: int, runs: int) -> Iterator[float]:
    for run in range(runs + 1):
        started = time.perf_counter()
        counts = batch.play([policy] * PLAYERS, rounds)
        seconds = time.perf_counter() - started
        if counts["rounds"][0] != rounds * batch.num_games or counts["matches"][0] == 0:
            raise RuntimeError(f"fused {policy}: rounds or matches are missing: {counts}")
        if run:
            yield int(counts["actions"][0]) / seconds


def lock_step(backend: CudaBackend, report: Report, games: int, steps: int, runs: int) -> None:
    """Random actions made on the device; masks and seats; then with observations, in both layouts."""
    batch = batch_of(backend, games)
    actions = backend.empty(games, np.int64)

    def plain(number: int) -> None:
        batch.random_actions(number, actions)
        batch.step(actions)

    report.figure(f"lock step, {games} games", timed(backend, batch, plain, steps, runs), games=games)
    backend.gathers = False
    report.figure("the same, a step in one kernel", timed(backend, batch, plain, steps, runs), games=games)
    backend.gathers = True
    columns = size(PLAYERS)
    for by_column in (True, False):
        out = backend.empty((games, columns), np.int8, by_column)

        def seeing(number: int, out: Any = out) -> None:
            batch.observe(out)
            plain(number)

        layout_name = "columns together" if by_column else "rows together"
        report.figure(
            f"the same with observations, {layout_name}", timed(backend, batch, seeing, steps, runs), games=games,
            observation=columns,
        )
    out = backend.empty((games, columns), np.int16, True)

    def seeing_halves(number: int) -> None:
        backend.observe_bfloat16(batch._state, out, PLAYERS)
        plain(number)

    report.figure(
        "the same with observations in bfloat16", timed(backend, batch, seeing_halves, steps, runs), games=games,
        observation=columns,
    )
    checked = VectorGame(games, "pagat", PLAYERS, seed=1, device=backend)

    def careful(number: int) -> None:
        checked.random_actions(number, actions)
        checked.step(actions)

    report.figure(f"lock step, checked, {games} games", timed(backend, checked, careful, steps, runs), games=games)


def policy(backend: CudaBackend, report: Report, games: int, steps: int, runs: int, graphs: bool) -> None:
    """A 256 x 256 bfloat16 torch network choosing, actions sampled on the device; queued, and as a CUDA graph."""
    from thirtyone_env.cuda.torch_policy import PolicyLoop, network

    batch = batch_of(backend, games)
    columns = size(PLAYERS)
    loop = PolicyLoop(batch, network(columns, device=backend.device.torch_device))
    more = {"games": games, "observation": columns}
    report.figure(
        f"torch policy, {games} games", timed(backend, batch, lambda _: loop.step(), steps, runs), **more
    )
    if graphs:
        name = f"torch policy as a CUDA graph, {games} games"
        try:
            loop.record()
            report.figure(name, timed(backend, batch, lambda _: loop.step(), steps, runs), **more)
        except Exception as error:
            report.missed(name, error)


def main() -> int:
    """The whole run. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true", help="the kernels' code on the CPU, tiny sizes")
    parser.add_argument("--games", type=int, default=1 << 20, help="games of the large batches")
    parser.add_argument("--actions", type=int, default=105_000_000, help="actions to compare with the CPU")
    parser.add_argument("--runs", type=int, default=5, help="runs of a figure; the median counts")
    parser.add_argument("--out", type=Path, default=RESULTS / "gpu.json")
    options = parser.parse_args()
    try:
        backend = _backend(options.dry_run)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    report = Report(options.out, options.dry_run)
    report.data["machine"]["gpu"] = backend.device.name
    games, runs = (300, 1) if options.dry_run else (options.games, options.runs)
    small, actions, cards = (300, 30_000, 20_000) if options.dry_run else (1 << 16, options.actions, 1 << 20)
    from thirtyone_env.cuda.check import Different

    try:
        check(backend, report, small, actions, cards)
    except Different as error:
        report.data["different"] = str(error)
        report.missed("checks", error)
        return 1
    fused(backend, report, games, 15 if options.dry_run else 60, runs, settings=1 if options.dry_run else 6)
    lock_step(backend, report, games, 60 if options.dry_run else 200, runs)
    for count in (games,) if options.dry_run else (1 << 14, 1 << 16, 1 << 18, games):
        steps = 60 if options.dry_run else min(2000, max(100, (100 << 20) // count))
        policy(backend, report, count, steps, runs, graphs=not options.dry_run)
    print(f"written: {options.out}")
    return 0


def _backend(dry: bool) -> CudaBackend:
    if not dry:
        return CudaBackend()
    from thirtyone_env.cuda.on_host import HostDevice

    return CudaBackend(HostDevice())


if __name__ == "__main__":
    sys.exit(main())
