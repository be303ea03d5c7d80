"""Exact exploitability: stored numbers, OpenSpiel's on the smallest minis, and what is refused."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from thirtyone_agents import load, save_agent
from thirtyone_env import Rules
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.observation import action_masks, size
from thirtyone_eval.solve import (
    MiniGame,
    best_response,
    exploitability,
    judge,
    mini_game,
    solve,
    strategy_of,
)

SMALLEST = ("mini_5x1", "mini_3x2")
UNIFORM = {"mini_5x1": 5 / 6, "mini_3x2": 677 / 720, "mini_4x2": 3139 / 3360}
UNIFORM_VALUE = {"mini_5x1": -1 / 18, "mini_3x2": -14 / 243, "mini_4x2": -23 / 630}


@pytest.fixture(scope="module")
def games() -> dict[str, MiniGame]:
    return {name: mini_game(name) for name in UNIFORM}


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A trained agent's name for each of the smallest minis: a network with weights drawn at random."""
    names = {}
    for game in SMALLEST:
        source = np.random.default_rng(5)
        sizes = [size(2), 16, 63]
        layers = [
            (source.normal(0, 0.5, (wide, high)).astype(np.float32), source.normal(0, 0.5, wide).astype(np.float32))
            for high, wide in itertools.pairwise(sizes)
        ]
        folder = tmp_path_factory.mktemp(game)
        save_agent(folder / "agent", layers, activation="tanh", rules=Rules.preset(game), players=2, kind="test")
        names[game] = f"learned:{folder / 'agent'}"
    return names


@functools.cache
def efg_of(name: str) -> Any:
    """A mini as OpenSpiel reads it, read once."""
    from tests.eval.efg_policies import Efg

    return Efg(mini_game(name))


@pytest.mark.parametrize("name", UNIFORM)
def test_pains_g1_uniform_is_as_exploitable_as_the_stored_number(name: str, games: dict[str, MiniGame]) -> None:
    found = exploitability(games[name], "random")
    assert found.exploitability == pytest.approx(UNIFORM[name], abs=1e-12)
    assert found.nash_conv == pytest.approx(2 * UNIFORM[name], abs=1e-12)
    assert found.values == pytest.approx((UNIFORM_VALUE[name], -UNIFORM_VALUE[name]), abs=1e-12)


@pytest.mark.parametrize("name", SMALLEST)
@pytest.mark.parametrize("policy", ["random", "threshold:21", "threshold:27", "tips", "learned", "sampled", "solved"])
def test_exploitability_is_openspiels(
    name: str, policy: str, games: dict[str, MiniGame], agents: dict[str, str]
) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    game, efg = games[name], efg_of(name)
    named = {"learned": agents[name], "sampled": f"{agents[name]}?sample=1"}
    if policy == "solved":
        strategy = solve(game, iterations=30)[0].average()
    else:
        strategy = strategy_of(game, load(named.get(policy, policy), allow_code=True))
    found = judge(game, strategy)
    theirs = efg.policy(strategy)
    assert found.exploitability == pytest.approx(pyspiel.exploitability(efg.game, theirs), abs=1e-9)
    assert found.values == pytest.approx(efg.values(theirs), abs=1e-9)
    assert min(found.improvements) >= -1e-9


def test_one_against_copies_at_a_table_of_three_is_openspiels() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    from tests.eval.efg_policies import Efg

    game = mini_game("mini_5x1", 3)
    efg = Efg(game)
    for policy in ("random", "threshold:29"):
        strategy = strategy_of(game, load(policy))
        found = judge(game, strategy)
        assert len(found.improvements) == 3
        assert found.nash_conv == pytest.approx(pyspiel.nash_conv(efg.game, efg.policy(strategy)), abs=1e-9)
        assert found.values == pytest.approx(efg.values(efg.policy(strategy)), abs=1e-9)
        assert sum(found.values) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("players", [2, 3])
def test_best_response_is_worth_what_is_told_and_no_other_answer_is_worth_more(players: int) -> None:
    game = mini_game("mini_5x1", players)
    source = np.random.default_rng(3)
    strategy = random_strategy(game, source)
    found = judge(game, strategy)
    for seat in range(players):
        value, answered = best_response(game, strategy, seat)
        assert value == pytest.approx(found.best[seat], abs=1e-12)
        assert judge(game, answered).values[seat] == pytest.approx(value, abs=1e-12)
        mine = np.repeat(game.tree.set_seat == seat, np.diff(game.offset))
        assert (answered[~mine] == strategy[~mine]).all()
        for _ in range(20):
            other = np.where(mine, random_strategy(game, source), strategy)
            assert judge(game, other).values[seat] <= value + 1e-12


def random_strategy(game: MiniGame, source: np.random.Generator) -> npt.NDArray[np.float64]:
    weights = source.random(game.actions) ** 4
    return weights / np.repeat(np.add.reduceat(weights, game.offset[:-1]), np.diff(game.offset))


def test_a_seat_that_gains_nothing_by_knowing_is_not_below_zero(games: dict[str, MiniGame]) -> None:
    best = games["mini_5x1"].uniform()
    for _ in range(3):
        for seat in (0, 1):
            best = best_response(games["mini_5x1"], best, seat)[1]
            assert min(judge(games["mini_5x1"], best).improvements) >= -1e-9


class Answering:
    """Tells whatever probabilities it is given."""

    name = "answering"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Any, keys: Any) -> Any:
        raise AssertionError("not asked for actions")

    def probabilities(self, views: Any) -> Any:
        return self.answer(views)


class Silent:
    """Tells no probabilities."""

    name = "silent"

    def act(self, views: Any, keys: Any) -> Any:
        raise AssertionError("not asked for actions")


class Remembering(Answering):
    name = "remembering"

    def begin(self, games: int) -> None:
        raise AssertionError("not asked to play")


def test_policies_that_cannot_be_judged_are_refused_by_name(games: dict[str, MiniGame]) -> None:
    small = games["mini_5x1"]
    with pytest.raises(UserError, match=r"the policy silent tells no probabilities"):
        exploitability(small, Silent())
    with pytest.raises(UserError, match=r"the policy remembering remembers"):
        exploitability(small, Remembering(action_masks))
    with pytest.raises(IllegalAction, match=r"the policy answering answered probabilities .*\[680, 63\] are wanted"):
        exploitability(small, Answering(lambda views: np.ones(len(views))))
    with pytest.raises(IllegalAction, match="answering answered probabilities below 0, or that sum to 2"):
        exploitability(small, Answering(lambda views: np.full((len(views), 63), 2 / 63)))
    with pytest.raises(IllegalAction, match=r"answering gives declare a chance, which is not legal: legal are"):
        exploitability(small, Answering(lambda views: np.eye(63)[np.full(len(views), 3)]))
    with pytest.raises(UserError, match="allow_code=True"):
        exploitability(small, "learned:somewhere")


def test_an_agent_of_another_game_is_refused(games: dict[str, MiniGame], agents: dict[str, str]) -> None:
    with pytest.raises(UserError, match="was trained on other rules"):
        exploitability(games["mini_4x2"], load(agents["mini_3x2"], allow_code=True))


@pytest.mark.parametrize(
    ("rules", "players", "words"),
    [
        ("pagat", 2, r"pagat with 2 players has 18,729,838,400 deals"),
        ("schwimmen", 3, r"schwimmen with 3 players has .* deals"),
        (Rules.preset("mini_4x2", max_turns=0, stock_out="reshuffle"), 2, r"may go on for ever .* set max_turns"),
        (Rules.preset("mini_4x2", max_turns=60, stock_out="reshuffle"), 2, r"more than 100000 nodes"),
        ("mini_4x2", 1, "1 players: allowed are 2 to 9"),
        ("mini_5x2", 2, "'mini_5x2' is not a preset"),
    ],
)
def test_games_too_large_to_be_kept_are_refused_with_their_size(rules: Rules | str, players: int, words: str) -> None:
    with pytest.raises(UserError, match=words):
        mini_game(rules, players, limit=100_000)
