"""Batches in forked and spawned processes, and in threads of one process, play as they do alone."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from thirtyone_env import VectorGame
from thirtyone_env.backends.cpu import _PART

SEEDS = (1, 2, 3, 4)
GAMES = 2 * _PART  # fewer are stepped by the calling thread alone


def steps(batch: VectorGame, number: int) -> str:
    """Some random steps; a hash of all that the batch then holds."""
    for key in range(number):
        batch.step(batch.random_actions(key))
    digest = hashlib.sha256(batch.views.tobytes())
    for array in (batch.masks, batch.seats, batch.rewards, batch.ended, batch.results, batch.decisions):
        digest.update(array.tobytes())
    return digest.hexdigest()


def play(seed: int, threads: int = 2) -> str:
    return steps(VectorGame(GAMES, ["pagat", "schwimmen"] * (GAMES // 2), 3, seed=seed, threads=threads), 60)


def answer(results: Any, seed: int) -> None:
    results.put((seed, play(seed)))


def go_on(results: Any, batch: VectorGame) -> None:
    results.put((0, steps(batch, 60)))


@pytest.fixture(scope="module")
def alone() -> dict[int, str]:
    return {seed: play(seed, threads=1) for seed in SEEDS}


METHODS = [method for method in ("fork", "spawn", "forkserver") if method in multiprocessing.get_all_start_methods()]


@pytest.mark.parametrize("method", METHODS)
def test_processes_play_what_one_process_plays(method: str, alone: dict[int, str]) -> None:
    play(9)  # the parent's threads are at work before the processes begin
    context = multiprocessing.get_context(method)
    results = context.Queue()
    workers = [context.Process(target=answer, args=(results, seed)) for seed in SEEDS[:2]]
    for worker in workers:
        worker.start()
    told = dict(results.get(timeout=120) for _ in workers)
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0
    assert told == {seed: alone[seed] for seed in SEEDS[:2]}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_batch_goes_on_in_a_forked_process_and_in_its_parent_alike() -> None:
    """Its threads stay behind in the parent; the child must make its own, not wait for those."""
    batch = VectorGame(GAMES, "pagat", 4, seed=5, threads=2)
    steps(batch, 30)
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    worker = context.Process(target=go_on, args=(results, batch))
    worker.start()
    here = steps(batch, 60)
    assert results.get(timeout=120)[1] == here
    worker.join(timeout=60)


def test_threads_with_batches_of_their_own_do_not_disturb_each_other(alone: dict[int, str]) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert dict(zip(SEEDS, pool.map(play, SEEDS), strict=True)) == alone
