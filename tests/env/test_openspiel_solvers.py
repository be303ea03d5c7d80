"""OpenSpiel's solvers on the mini games: by its own tree, and by the tree that we write as EFG."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from thirtyone_env.tree import build_tree
from thirtyone_env.tree_efg import to_efg

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")

import thirtyone_env.openspiel  # noqa: E402, F401

MINIS = ("mini_5x1", "mini_3x2")
UNIFORM_EXPLOITABILITY = {"mini_5x1": 5 / 6, "mini_3x2": 677 / 720, "mini_4x2": 3139 / 3360}
UNIFORM_VALUE = {"mini_5x1": -1 / 18, "mini_3x2": -14 / 243, "mini_4x2": -23 / 630}
GAME_VALUE = {"mini_5x1": 0.2, "mini_3x2": 0.744436}


@functools.cache
def efg(name: str, ordered: bool = True) -> Any:
    """A mini's tree, written by us and read by OpenSpiel."""
    return pyspiel.load_efg_game(to_efg(build_tree(name, ordered=ordered)))


@functools.cache
def own(name: str) -> Any:
    """A mini as our game, kept by OpenSpiel as a tree of its own."""
    return pyspiel.convert_to_cached_tree(pyspiel.load_game(f"thirtyone(preset={name},players=2)"))


def value(game: Any, policy: Any) -> float:
    """What seat 0 gets when all play a policy."""
    return float(pyspiel.expected_returns(game.new_initial_state(), policy, -1, False)[0])


def solve(game: Any, steps: int) -> Any:
    """Average policy of CFR+."""
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(steps):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()  # average_policy() points into the solver, which ends here


def count(state: Any) -> list[int]:
    """Decisions, chance nodes and ends below a state."""
    total = [int(state.current_player() >= 0), int(state.is_chance_node()), int(state.is_terminal())]
    for action in state.legal_actions():
        total = [a + b for a, b in zip(total, count(state.child(action)), strict=True)]
    return total


@pytest.mark.parametrize("name", MINIS)
def test_efg_has_the_nodes_and_the_values(name: str) -> None:
    game = efg(name)
    uniform = pyspiel.UniformRandomPolicy(game)
    counts = build_tree(name).counts
    assert count(game.new_initial_state()) == [counts.decisions, counts.chances, counts.terminals]
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert value(game, uniform) == pytest.approx(UNIFORM_VALUE[name], abs=1e-12)


@pytest.mark.parametrize("name", MINIS)
def test_pains_g1_uniform_exploitability_is_the_stored_number(name: str) -> None:
    for game in (efg(name), own(name)):
        uniform = pyspiel.UniformRandomPolicy(game)
        assert pyspiel.exploitability(game, uniform) == pytest.approx(UNIFORM_EXPLOITABILITY[name], abs=1e-12)


def test_exported_by_openspiel_it_is_the_same_game() -> None:
    from open_spiel.python.algorithms.gambit import export_gambit

    game = pyspiel.load_efg_game(export_gambit(pyspiel.load_game("thirtyone(preset=mini_5x1,players=2)")))
    uniform = pyspiel.UniformRandomPolicy(game)
    assert count(game.new_initial_state()) == [1440, 446, 1620]
    assert value(game, uniform) == pytest.approx(UNIFORM_VALUE["mini_5x1"], abs=1e-12)
    assert pyspiel.exploitability(game, uniform) == pytest.approx(UNIFORM_EXPLOITABILITY["mini_5x1"], abs=1e-12)


@pytest.mark.parametrize(("name", "steps"), [("mini_5x1", 200), ("mini_3x2", 32)])
def test_cfr_plus_lowers_exploitability(name: str, steps: int) -> None:
    game = own(name)
    before = UNIFORM_EXPLOITABILITY[name]
    few, many = solve(game, steps // 8), solve(game, steps)
    first, last = pyspiel.exploitability(game, few), pyspiel.exploitability(game, many)
    assert 0 <= last < first < before / 3
    assert last < 0.01
    assert value(game, many) == pytest.approx(GAME_VALUE[name], abs=2 * last + 1e-6)


def test_pythons_cfr_runs_on_our_own_states() -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.load_game("thirtyone(preset=mini_5x1,players=2)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    told = exploitability.nash_conv(game, solver.average_policy(), return_only_nash_conv=False)
    assert told.nash_conv < UNIFORM_EXPLOITABILITY["mini_5x1"]
    assert min(told.player_improvements) >= -1e-9


def test_pains_g1_improvements_are_never_negative() -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    game = efg("mini_5x1")
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game), return_only_nash_conv=False)
    assert uniform.nash_conv == pytest.approx(2 * UNIFORM_EXPLOITABILITY["mini_5x1"], abs=1e-12)
    solved = policy.pyspiel_policy_to_python_policy(game, solve(game, 100))
    near = exploitability.nash_conv(game, solved, return_only_nash_conv=False)
    for told in (uniform, near):
        assert min(told.player_improvements) >= -1e-9
    assert near.nash_conv < 0.01


@pytest.mark.slow
def test_pains_g1_equilibrium_has_exploitability_below_a_millionth() -> None:
    game = efg("mini_5x1")
    policy = solve(game, 3000)
    assert pyspiel.exploitability(game, policy) < 1e-6
    assert value(game, policy) == pytest.approx(0.2, abs=2e-6)


def test_ascending_deal_has_the_values_of_the_plain_deal() -> None:
    """Where hands have two cards the trees differ in size, and in nothing that is played for."""
    ascending, plain = efg("mini_3x2"), efg("mini_3x2", ordered=False)
    for game in (ascending, plain):
        uniform = pyspiel.UniformRandomPolicy(game)
        assert value(game, uniform) == pytest.approx(UNIFORM_VALUE["mini_3x2"], abs=1e-12)
        assert pyspiel.exploitability(game, uniform) == pytest.approx(UNIFORM_EXPLOITABILITY["mini_3x2"], abs=1e-12)


@pytest.mark.slow
def test_ascending_deal_solves_to_the_value_of_the_plain_deal() -> None:
    ascending, plain = efg("mini_3x2"), efg("mini_3x2", ordered=False)
    solved = solve(ascending, 10), solve(plain, 10)
    gaps = [pyspiel.exploitability(game, policy) for game, policy in zip((ascending, plain), solved, strict=True)]
    assert max(gaps) < 0.05
    assert value(ascending, solved[0]) == pytest.approx(value(plain, solved[1]), abs=2 * sum(gaps))


@pytest.mark.slow
def test_uniform_exploitability_of_a_larger_mini() -> None:
    game = efg("mini_4x2")
    uniform = pyspiel.UniformRandomPolicy(game)
    assert pyspiel.exploitability(game, uniform) == pytest.approx(UNIFORM_EXPLOITABILITY["mini_4x2"], abs=1e-9)
    assert value(game, uniform) == pytest.approx(UNIFORM_VALUE["mini_4x2"], abs=1e-12)
