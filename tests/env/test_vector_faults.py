"""Interrupts, wrong arrays and damaged files: what a batch refuses, and how it stands afterwards."""

from __future__ import annotations

import gc
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest

from thirtyone_env import UserError, VectorGame
from thirtyone_env.backends.team import Team
from thirtyone_env.core import layout
from thirtyone_env.observation import encode

SHARES = [[(i, i + 1) for i in range(30)], [(i, i + 1) for i in range(30, 40)]]


def test_batches_that_are_deleted_end_their_threads() -> None:
    others = set(threading.enumerate())
    for number in range(20):
        batch = VectorGame(2048, "pagat", 4, seed=number, threads=2)
        batch.step(batch.random_actions(1))
        batch.play(["tips"] * 4, 1)
        batch.observe()
        assert batch._backend._team is not None
        del batch
    gc.collect()
    for thread in set(threading.enumerate()) - others:
        thread.join(timeout=10)
        assert not thread.is_alive()


@pytest.mark.parametrize("threads", [1, 2])
def test_after_an_interrupted_play_the_masks_are_those_of_the_games(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = VectorGame(2048, "pagat", 4, seed=1, threads=threads)
    play = batch._backend.play

    def interrupted(*arguments: Any) -> Any:
        play(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(batch._backend, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batch.play(["tips"] * 4, 2)
    assert (batch.views[:, layout.V_LEGAL] == batch.masks).all()


def test_an_interrupt_stops_all_threads_before_the_caller_hears_of_it() -> None:
    team = Team(2)
    caller = threading.get_ident()
    done: list[int] = []

    def work(low: int, high: int) -> None:
        time.sleep(0.002)
        if threading.get_ident() == caller and low >= 3:
            raise KeyboardInterrupt
        done.append(low)

    with pytest.raises(KeyboardInterrupt):
        team.run(SHARES, work)
    count = len(done)
    time.sleep(0.05)
    assert len(done) == count < 40, "nothing goes on, and what had not begun is left out"
    assert len(team.run(SHARES, lambda low, high: low)) == 40


def test_an_interrupt_before_the_helpers_are_told_leaves_no_one_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    team = Team(2)
    team.run(SHARES, lambda low, high: low)
    time.sleep(0.1)  # the helper sleeps
    tell = team._shared._tell
    calls = []

    def interrupted() -> None:
        calls.append(1)
        if len(calls) == 1:
            raise KeyboardInterrupt
        tell()

    monkeypatch.setattr(team._shared, "_tell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        team.run(SHARES, lambda low, high: low)
    assert len(team.run(SHARES, lambda low, high: low)) == 40


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers that interrupt")
def test_a_hundred_interrupts_at_any_moment_leave_the_batch_in_order() -> None:
    batch = VectorGame(8192, "pagat", 4, threads=2)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    interrupted = 0
    try:
        for number in range(100):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.0001 + number * 0.00003)
                for _ in range(300):  # an interrupt may be lost: Python drops one that comes while it collects garbage
                    batch.step(batch.random_actions(number))
            except KeyboardInterrupt:
                interrupted += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert interrupted > 50
    assert (batch.views[:, layout.V_LEGAL] == batch.masks).all()
    batch.step(batch.random_actions(1))


def test_a_call_within_a_call_is_done_by_its_own_thread() -> None:
    """As when a signal's handler looks at the batch that is being stepped."""
    team = Team(2)
    caller = threading.get_ident()

    def work(low: int, high: int) -> int:
        if threading.get_ident() == caller:
            return len(team.run(SHARES, lambda a, b: a))
        time.sleep(0.001)
        return 40

    assert team.run(SHARES, work) == [40] * 40


def test_read_only_arrays_are_read_and_not_written() -> None:
    batch = VectorGame(64, "pagat", 4)
    actions = batch.random_actions(1)
    actions.flags.writeable = False
    batch.step(actions)
    closed: dict[str, Any] = {
        "masks": np.zeros(64, np.uint64), "out": np.zeros((64, 696), np.int8),
        "views": np.zeros((64, 32), np.uint64), "actions": np.zeros(64, np.int64),
    }
    for array in closed.values():
        array.flags.writeable = False
    seats = batch.seats
    with pytest.raises(UserError, match="that can be written"):
        batch.use(seats=np.zeros(64, np.int64), masks=closed["masks"])
    assert batch.seats is seats, "nothing is changed"
    for write, array in (
        (batch.observe, "out"), (batch.write_views, "views"), (lambda out: batch.random_actions(1, out), "actions")
    ):
        with pytest.raises(UserError, match="not read-only"):
            write(closed[array])


@pytest.mark.parametrize(
    "array",
    [[0] * 4, np.zeros(8, np.int32), np.zeros(32, np.int8), np.int32(3), np.zeros((4, 4), np.int32)[:, ::2], None],
)
def test_arrays_that_could_not_keep_masks_are_refused(array: Any) -> None:
    with pytest.raises(UserError, match="masks"):
        VectorGame(4).use(masks=array)


@pytest.mark.parametrize("seats", [0, 1, 3, 10, True, 4.0, "4"])
def test_observations_have_room_for_every_seat(seats: Any) -> None:
    with pytest.raises(UserError, match="seats="):
        VectorGame(4, "pagat", 4).observe(seats=seats)


@pytest.mark.parametrize("actions", [[[1], [2, 3], [4], [5]], [0.5] * 4, [True] * 4, None, "abcd"])
def test_actions_that_are_no_whole_numbers_are_refused(actions: Any) -> None:
    with pytest.raises(UserError, match="actions"):
        VectorGame(4).step(actions)


@pytest.mark.parametrize("key", [-1, 1.9, 1 << 64, "a"])
def test_keys_of_random_actions_are_whole_numbers(key: Any) -> None:
    with pytest.raises(UserError, match="key="):
        VectorGame(4).random_actions(key)


@pytest.mark.parametrize("seeds", [[-1, 0, 1, 2], [1.7, 2.2, 3, 4], [1, 2, 3, 1 << 64]])
def test_seeds_of_games_are_whole_numbers(seeds: Any) -> None:
    with pytest.raises(UserError, match="seed="):
        VectorGame(4, seeds=seeds)


class Other:
    """A policy that has a kind, and a will of its own."""

    kind, parameter = 1, 42

    def act(self, views: Any, keys: Any) -> Any:
        return None


@pytest.mark.parametrize(
    "policy", [SimpleNamespace(kind=99, parameter=0), SimpleNamespace(kind=-1, parameter=0), Other()]
)
def test_fused_play_takes_compiled_policies_only(policy: Any) -> None:
    with pytest.raises(UserError):
        VectorGame(4).play([policy] * 4, 1)


def test_fused_play_takes_an_array_of_names() -> None:
    names: Any = np.array(["tips"] * 4)
    assert VectorGame(4).play(names, 1)["rounds"].sum() == 16


def _saved(**changed: Any) -> bytes:
    with np.load(io.BytesIO(VectorGame(4).save())) as stored:
        arrays = dict(stored)
    arrays |= changed
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def _header(text: Any) -> Any:
    return np.frombuffer(json.dumps(text).encode(), dtype=np.uint8)


def test_bytes_that_are_no_saved_batch_are_refused() -> None:
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    for data in (
        b"", array.getvalue(), _saved(header=_header([1, 2])), _saved(header=_header({"format": "other"})),
        _saved(state=np.zeros((5, 4), np.uint64)), _saved(state=np.zeros((24, 1), np.uint64)),
    ):
        with pytest.raises(UserError):
            VectorGame.load(data)


def test_environments_refuse_fractions_and_truth_values_too() -> None:
    env = gymnasium.make_vec("ThirtyOne-v0", num_envs=4, vectorization_mode="vector_entry_point", players=3)
    _, infos = env.reset(seed=7)
    actions = infos["action_mask"].argmax(axis=1)
    for wrong in (actions + 0.9, actions > 0):
        with pytest.raises(UserError, match="whole numbers"):
            env.step(wrong)
    env.step(actions)


def test_a_view_of_a_seat_that_is_not_there_is_refused() -> None:
    views = VectorGame(4, "pagat", 2).views
    views[2, layout.V_COUNTS] |= np.uint64(15)
    with pytest.raises(UserError, match="view 2 is of seat 15 in a game of 2 seats"):
        encode(views, seats=9)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["*.nbi", "*.nbc"])
def test_a_damaged_cache_is_made_anew(ending: str, tmp_path: Path) -> None:
    code = "from thirtyone_env.backends.team import Team; print(len(Team(2).run([[(0, 1)], [(1, 2)]], lambda a, b: a)))"
    environment = os.environ | {"THIRTYONE_CACHE_DIR": str(tmp_path)}
    said = []
    for _ in range(3):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr
        said.append(done.stderr)
        if len(said) == 1:
            for path in tmp_path.glob(f"standby-*/{ending}"):
                path.write_bytes(b"")
    assert "is damaged" in said[1]
    assert said[2] == ""
