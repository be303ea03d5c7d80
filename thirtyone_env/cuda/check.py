"""The same games on a device as on the CPU, and fair cards: what tests and `bench/gpu.py` both ask.

Every function takes a backend (`backends.cuda.CudaBackend`), raises `Different` where something is wrong, and returns
figures.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.rules import Rules
from thirtyone_env.vector import VectorGame

STEPPED = ("masks", "seats", "rewards", "ended")
KEPT = ("_state", "results", "decisions")
MAIN = tuple(name for name in Rules.presets() if not name.startswith("mini"))


class Different(AssertionError):
    """A device gave something else than the CPU, or cards that are not fair."""


def pair(backend: Any, games: int, seed: int, threads: int = 1, **options: Any) -> tuple[VectorGame, VectorGame]:
    """Two batches of mixed variants and sizes: on the CPU and on the device."""
    source = random.Random(seed)
    rules = [source.choice(MAIN) for _ in range(games)]
    players = [source.randint(2, 9) for _ in range(games)]
    mine = VectorGame(games, rules, players, seed=seed, threads=threads, checked=False, **options)
    return mine, VectorGame(games, rules, players, seed=seed, device=backend, checked=False, **options)


def compare(mine: VectorGame, theirs: VectorGame, names: tuple[str, ...], where: str) -> None:
    """Every array named, bit for bit."""
    for name in names:
        want, got = getattr(mine, name), theirs._backend.to_host(getattr(theirs, name))
        if want.dtype != got.dtype or want.tobytes() != got.tobytes():
            games = np.nonzero(np.asarray(want != got).reshape(-1))[0]
            raise Different(f"{where}: {name} differs, first at {games[:1]} of {want.shape}")


def lock_step(
    backend: Any, games: int, steps: int, seed: int = 1, threads: int = 1, every: int = 50,
    tell: Callable[[int], None] | None = None, **options: Any,
) -> dict[str, int]:
    """Random actions of mixed variants: what `VectorGame.step` writes after each, everything else ``every`` steps.

    ``tell`` hears of each step. Returns the actions, and how many rounds and matches ended.
    """
    mine, theirs = pair(backend, games, seed, threads, **options)
    compare(mine, theirs, STEPPED + KEPT, "at the start")
    chosen = backend.empty(games, np.int64)
    rounds = matches = 0
    for step in range(steps):
        theirs.random_actions(step, chosen)
        actions = mine.random_actions(step)
        if not (backend.to_host(chosen) == actions).all():
            raise Different(f"step {step}: random actions differ")
        mine.step(actions)
        theirs.step(chosen)
        compare(mine, theirs, STEPPED, f"step {step}")
        rounds += int((mine.ended > 0).sum())
        matches += int((mine.ended > 1).sum())
        if (step + 1) % every == 0 or step + 1 == steps:
            compare(mine, theirs, KEPT, f"step {step}")
            compare_seen(mine, theirs)
        if tell:
            tell(step + 1)
    if not rounds or not matches:
        raise Different("no round or no match ended")
    return {"actions": games * steps, "rounds": rounds, "matches": matches}


def compare_seen(mine: VectorGame, theirs: VectorGame) -> None:
    """Views and observations, in both layouts."""
    backend = theirs._backend
    seen, told = mine.views, mine.observe()
    for by_column in (False, True):
        views = backend.empty(seen.shape, np.uint64, by_column)
        theirs.write_views(views)
        observed = backend.empty(told.shape, np.int8, by_column)
        theirs.observe(observed)
        if not (backend.to_host(views) == seen).all() or not (backend.to_host(observed) == told).all():
            raise Different("views or observations differ")
    halves = backend.empty(told.shape, np.int16, True)
    backend.observe_bfloat16(theirs._state, halves, theirs.num_seats)
    numbers = backend.to_host(halves).astype(np.uint32) << np.uint32(16)
    if not (numbers.view(np.float32) == told).all():
        raise Different("observations in bfloat16 differ")


def fused(backend: Any, games: int, rounds: int, seed: int = 2, threads: int = 1) -> dict[str, int]:
    """The fused loop with all kinds of compiled policies: the same tallies and the same states afterwards."""
    mine, theirs = pair(backend, games, seed, threads)
    policies = ["random", "tips", "threshold:21", "random", "tips", "random", "threshold:25", "random", "tips"]
    want, got = mine.play(policies[: mine.num_seats], rounds), theirs.play(policies[: mine.num_seats], rounds)
    for name in want:
        if want[name].tolist() != got[name].tolist():
            raise Different(f"play: {name} differs: {want[name].tolist()}, {got[name].tolist()}")
    compare(mine, theirs, STEPPED + KEPT, "after play")
    return {"actions": int(want["actions"][0]), "matches": int(want["matches"][0])}


def fair_cards(backend: Any, games: int, seed: int = 3) -> dict[str, dict[str, float]]:
    """Dealt hands' worths against all 22,100 hands, up-cards and drawn cards against evenness: chi-squares.

    Raises:
        Different: a statistic lies more than five standard deviations from its mean.
    """
    rules = Rules.preset("pagat").replace(natural_31="own_turn")  # so that a dealt 31 still lies in the hand
    batch = VectorGame(games, rules, 4, seed=seed, device=backend)
    state = backend.to_host(batch._state)[:, :games].copy()
    every = Counter(
        rules._worth_of(1 << a | 1 << b | 1 << c) for a in range(52) for b in range(a) for c in range(b)
    )
    worths = sorted(every)
    share = np.array([every[worth] for worth in worths], dtype=float) / 22_100
    tables = {"up-cards": (_cards(state, layout.TOP), np.full(52, 1 / 52))}
    for seat in (0, 3):
        hands, times = np.unique(state[int(layout.HAND) + 2 * seat], return_counts=True)
        dealt: Counter[int] = Counter()
        for hand, count in zip(hands, times, strict=True):
            dealt[rules._worth_of(int(hand))] += int(count)
        tables[f"worths of seat {seat}"] = (np.array([dealt[worth] for worth in worths], dtype=float), share)
    batch.step([0] * games)  # everyone draws from the stock
    state = backend.to_host(batch._state)[:, :games]
    tables["drawn cards"] = (_cards(state, layout.DRAWN), np.full(52, 1 / 52))
    return {name: _chi_square(name, counts, share) for name, (counts, share) in tables.items()}


def _cards(state: npt.NDArray[np.uint64], field: Any) -> npt.NDArray[np.float64]:
    cards = (state[int(field[0])] >> field[1]) & field[2]
    return np.bincount(cards.astype(np.int64), minlength=52)[:52].astype(float)


def _chi_square(name: str, counts: npt.NDArray[Any], share: npt.NDArray[Any]) -> dict[str, float]:
    expected = share * counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    freedom = len(counts) - 1
    off = (statistic - freedom) / (2 * freedom) ** 0.5
    if counts.sum() == 0 or abs(off) > 5:
        raise Different(f"{name}: chi-square {statistic:.1f} at {freedom} degrees of freedom")
    return {"counted": float(counts.sum()), "chi_square": statistic, "freedom": freedom, "deviations": off}
