"""Benchmarks measure games that move and end; what would measure nothing is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thirtyone_env import benchmark_peers, benchmarks


def test_a_run_without_actions_is_refused() -> None:
    with pytest.raises(RuntimeError, match="nothing: no action was played"):
        benchmarks.measure("nothing", lambda: (0, 1.0), 1)


@pytest.mark.parametrize(("changed", "ended", "what"), [(False, 3, "move"), (True, 0, "end")])
def test_a_peer_whose_games_stand_still_is_refused(changed: bool, ended: int, what: str) -> None:
    """As PufferLib's did while the C library's function of the same name was called in place of its step."""
    with pytest.raises(RuntimeError, match=f"did not {what}"):
        benchmark_peers._moved(changed, ended)


class StandsStill:
    def reset(self) -> None:
        """As if."""

    def step(self) -> None:
        """As if."""


def test_stepping_looks_whether_the_games_move() -> None:
    buffers = benchmark_peers._buffers(np.float32, 4)
    run = benchmark_peers._stepped(StandsStill(), buffers, np.zeros((3, 1024), np.int32))
    with pytest.raises(RuntimeError, match="did not move"):
        run()


CHOOSE: Any = benchmark_peers._legal_placements()


@given(st.lists(st.booleans(), min_size=14, max_size=14), st.booleans(), st.integers(0, 1 << 30))
@settings(deadline=None)
def test_the_peers_legal_actions_are_legal(taken: list[bool], chosen: bool, drawn: int) -> None:
    """Columns 0 to 8 are the board, 24 the card chosen (or -1), 104 to 108 where the own cards lie (0: in hand)."""
    observations = np.zeros((1, 114), np.float32)
    observations[0, :9], observations[0, 104:109] = taken[:9], taken[9:]
    observations[0, 24] = 2 if chosen else -1
    actions = np.zeros(1, np.int32)
    CHOOSE(observations, np.array([drawn], dtype=np.int32), actions)
    free = [6 + place for place in range(9) if not taken[place]] if chosen else []
    held = [] if chosen else [1 + card for card in range(5) if not taken[9 + card]]
    assert int(actions[0]) in (free or held or [0])


@pytest.mark.slow
@pytest.mark.parametrize("what", ["lock step", "fused play"])
def test_two_threads_are_measured_beside_two_processes(what: str) -> None:
    figures = benchmarks.two_threads(what, 2)
    assert set(figures) == {"one_thread", "two_threads", "two_processes", "threads_over_processes"}
    assert all(value > 0 for value in figures.values())
