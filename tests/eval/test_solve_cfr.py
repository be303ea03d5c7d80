"""CFR+ on the mini games: OpenSpiel's play, equilibria, the same result every time, and play by views at no cost."""

from __future__ import annotations

import numpy as np
import pytest

from thirtyone_eval.solve import MiniGame, Solver, judge, mini_game, solve
from thirtyone_eval.solve.merge import by_views

VALUE = {"mini_5x1": 0.2, "mini_3x2": 67 / 90, "mini_3x2_target": 32 / 45, "mini_4x2": -0.043254}


@pytest.fixture(scope="module")
def smallest() -> MiniGame:
    return mini_game("mini_5x1")


def test_average_play_is_openspiels_after_as_many_iterations(smallest: MiniGame) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    from tests.eval.efg_policies import Efg

    efg = Efg(smallest)
    ours, theirs = Solver(smallest), pyspiel.CFRPlusSolver(efg.game)
    for count in range(1, 101):
        ours.step()
        theirs.evaluate_and_update_policy()
        if count in (1, 2, 10, 100):
            played = efg.strategy(theirs.tabular_average_policy())
            assert ours.average() == pytest.approx(played, abs=1e-9)


def test_on_the_next_larger_mini_openspiel_comes_to_the_same_value() -> None:
    """Ties of regrets fall to either side there by the last bit, so the play of early iterations differs."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    from tests.eval.efg_policies import Efg

    game = mini_game("mini_3x2")
    efg = Efg(game)
    solver = pyspiel.CFRPlusSolver(efg.game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    theirs = judge(game, efg.strategy(solver.tabular_average_policy()))
    ours = judge(game, solve(game, iterations=20)[0].average())
    assert ours.exploitability == pytest.approx(theirs.exploitability, rel=0.05)
    gap = ours.nash_conv + theirs.nash_conv
    assert ours.values[0] == pytest.approx(theirs.values[0], abs=gap)


def test_pains_g1_an_equilibrium_has_exploitability_below_a_millionth(smallest: MiniGame) -> None:
    solver, curve = solve(smallest, until=1e-6)
    found = judge(smallest, solver.average())
    assert found.exploitability == curve[-1][1] < 1e-6
    assert found.values == pytest.approx((0.2, -0.2), abs=2e-6)
    assert min(found.improvements) >= -1e-9


@pytest.mark.parametrize("name", VALUE)
def test_minis_are_solved_below_a_thousandth_of_a_life(name: str) -> None:
    game = mini_game(name)
    solver, curve = solve(game, until=1e-3)
    found = judge(game, by_views(game, solver.average()).strategy)
    assert found.exploitability < 1e-3
    assert found.values[0] == pytest.approx(VALUE[name], abs=found.nash_conv + 1e-6)
    first, last = curve[0][1], curve[-1][1]
    assert last < 1e-3 < first


def test_more_than_two_players_come_near_an_equilibrium_of_a_small_game() -> None:
    game = mini_game("mini_5x1", 3)
    found = judge(game, solve(game, iterations=300)[0].average())
    assert found.nash_conv < 0.01
    assert sum(found.values) == pytest.approx(0, abs=1e-12)


def test_two_runs_are_the_same_to_the_last_bit() -> None:
    runs = [solve(mini_game("mini_3x2"), iterations=25) for _ in range(2)]
    assert runs[0][1] == runs[1][1]
    assert (runs[0][0].average() == runs[1][0].average()).all()


def test_a_longer_run_goes_through_the_shorter_one(smallest: MiniGame) -> None:
    short, long = (solve(smallest, iterations=count)[1] for count in (20, 40))
    assert long[: len(short)] == short
    assert [count for count, _ in long] == [*range(1, 11), 20, 30, 40]


def test_run_ends_where_it_is_told_to_and_is_judged_there(smallest: MiniGame) -> None:
    told: list[tuple[int, float]] = []

    def watch(count: int, exploitable: float) -> bool:
        told.append((count, exploitable))
        return count == 17

    solver, curve = solve(smallest, iterations=40, until=1e-9, watch=watch)
    assert solver.iterations == 17 == curve[-1][0]
    assert curve[-1][1] == judge(smallest, solver.average()).exploitability
    assert [count for count, _ in told] == list(range(1, 18))
    assert told[15][1] == told[9][1] == curve[9][1]


@pytest.mark.parametrize("name", ["mini_5x1", "mini_3x2", "mini_4x2"])
def test_where_each_view_is_one_information_set_playing_by_views_changes_nothing(name: str) -> None:
    game = mini_game(name)
    average = solve(game, iterations=10)[0].average()
    played = by_views(game, average)
    assert len(played.views) == len(game.parent)
    assert played.strategy == pytest.approx(average, abs=1e-12)


def test_what_views_forget_costs_nothing() -> None:
    """With three turns a view no longer tells which of three cards was drawn: 150,864 sets have 73,584 views."""
    game = mini_game("mini_4x2_limit3")
    strategy = solve(game, iterations=5)[0].average()
    played = by_views(game, strategy)
    assert len(played.views) == 73_584 < len(game.parent) == 150_864
    assert np.abs(played.strategy - strategy).max() > 0.01
    before, after = judge(game, strategy), judge(game, played.strategy)
    assert after.values == pytest.approx(before.values, abs=1e-12)
    assert after.best == pytest.approx(before.best, abs=1e-12)
