"""Threads that share a batch's games: every part is done once, errors reach the caller, and the threads end."""

from __future__ import annotations

import gc
import os
import threading
import time

import pytest

from thirtyone_env.backends.team import Team

PARTS = [(i, i + 1) for i in range(40)]


def shares(threads: int) -> list[list[tuple[int, int]]]:
    """Uneven ones: the first thread has most of the parts."""
    return [PARTS[threads - 1 :], *([part] for part in PARTS[: threads - 1])]


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_every_part_is_done_once_by_several_threads(threads: int) -> None:
    """With more threads than cores too; right after a call, and after a rest in which the helpers fall asleep."""
    team = Team(threads)
    workers: set[int] = set()

    def work(low: int, high: int) -> int:
        workers.add(threading.get_ident())
        time.sleep(0.001)
        return low

    for rest in (0, 0, 0.05, 0, 0.01):
        time.sleep(rest)
        workers.clear()
        assert sorted(team.run(shares(threads), work)) == list(range(40))
        assert len(workers) == threads


def test_thousands_of_short_calls() -> None:
    team = Team(2)
    for _ in range(3000):
        assert sum(team.run([PARTS[:3], PARTS[3:4]], lambda low, high: high)) == 10


def test_an_error_in_any_thread_reaches_the_caller_and_the_next_call_works() -> None:
    team = Team(2)
    caller = threading.get_ident()

    def fails_elsewhere(low: int, high: int) -> int:
        time.sleep(0.002)
        if threading.get_ident() != caller:
            raise ValueError(f"part {low}")
        return low

    with pytest.raises(ValueError, match="part"):
        team.run(shares(2), fails_elsewhere)
    assert len(team.run(shares(2), lambda low, high: low)) == 40


def test_threads_end_with_the_team() -> None:
    others = set(threading.enumerate())
    team = Team(3)
    team.run(shares(3), lambda low, high: low)
    mine = set(threading.enumerate()) - others
    assert len(mine) == 2
    del team
    gc.collect()
    for thread in mine:
        thread.join(timeout=10)
        assert not thread.is_alive()


def test_two_callers_at_once_take_turns() -> None:
    team = Team(2)
    sums: list[int] = []

    def call() -> None:
        sums.extend(sum(team.run(shares(2), lambda low, high: low)) for _ in range(200))

    callers = [threading.Thread(target=call) for _ in range(3)]
    for thread in callers:
        thread.start()
    for thread in callers:
        thread.join(timeout=60)
    assert sums == [780] * 600


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_knows_that_the_threads_are_not_its_own() -> None:
    team = Team(2)
    team.run(shares(2), lambda low, high: low)
    assert team.is_mine
    child = os.fork()
    if child == 0:
        os._exit(0 if not team.is_mine else 1)
    assert os.waitpid(child, 0)[1] == 0
