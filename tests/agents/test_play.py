"""The adapter between policies and games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thirtyone_agents import Policy, decide, decide_one, load, play_match, play_matches
from thirtyone_env import Game, IllegalAction, UserError
from thirtyone_env.core.layout import V_LEGAL


class Answers:
    """A policy that answers what it is told to."""

    name = "answers"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Any, keys: Any) -> Any:
        return self.answer(views) if callable(self.answer) else np.full(len(views), self.answer)


class Wicked:
    """A policy that looks for something illegal and finds it in one decision of ten."""

    name = "wicked"

    def act(self, views: Any, keys: Any) -> Any:
        legal = load("random").act(views, keys)
        illegal = [next(a for a in range(63) if not int(mask) >> a & 1) for mask in views[:, V_LEGAL]]
        return np.where(keys % np.uint64(10) == 0, illegal, legal)


def played_legally(game: Game, seed: int) -> bool:
    """Whether every action that a game took was legal where it was played."""
    again = Game("pagat", 3, seed=seed, episode="round")
    for entry in game.inputs():
        if not again.mask >> entry.value & 1:
            return False
        again.play(entry.value)
    return bool((again.state == game.state).all())


def test_pains_b2_no_illegal_action_of_a_bad_policy_is_ever_played() -> None:
    refusals = []
    for seed in range(1000):
        game = Game("pagat", 3, seed=seed, episode="round")
        try:
            play_match(game, [Wicked(), load("threshold:21"), load("random")], seed=seed)
        except IllegalAction as error:
            refusals.append(str(error))
        assert played_legally(game, seed)
    assert 100 < len(refusals) < 1000
    assert all(text.startswith("the policy wicked answered") for text in refusals)


def test_pains_b2_without_a_mask_the_adapter_raises() -> None:
    game = Game("pagat", 3, seed=1)
    waiting = ((game.turn or 0) + 1) % 3
    with pytest.raises(UserError, match="view 0 has no legal action"):
        decide(load("random"), game.view(waiting)[None], np.zeros(1, dtype=np.uint64))


def test_an_illegal_answer_is_named_with_the_legal_ones_and_changes_nothing() -> None:
    game = Game("pagat", 3, seed=1)
    before = game.state
    with pytest.raises(
        IllegalAction, match=r"answers answered discard 2C.*legal are draw_stock, draw_discard, knock"
    ):
        play_match(game, [Answers(4)] * 3)
    assert (game.state == before).all()


@pytest.mark.parametrize(
    "answer",
    [63, -1, 2**40, lambda v: np.zeros(len(v) + 1, int), lambda v: np.zeros(len(v)), lambda v: "draw_stock"],
)
def test_nonsense_is_refused(answer: Any) -> None:
    with pytest.raises(IllegalAction, match="the policy answers answered"):
        play_match(Game("pagat", 2, seed=1), [Answers(answer)] * 2)


@pytest.mark.parametrize(
    ("views", "keys"),
    [
        (np.zeros((1, 32), dtype=np.int64), np.zeros(1, dtype=np.uint64)),
        (np.zeros(32, dtype=np.uint64), np.zeros(1, dtype=np.uint64)),
        (np.zeros((1, 31), dtype=np.uint64), np.zeros(1, dtype=np.uint64)),
        (np.zeros((2, 32), dtype=np.uint64), np.zeros(1, dtype=np.uint64)),
        (np.zeros((1, 32), dtype=np.uint64), np.zeros(1, dtype=np.int64)),
    ],
)
def test_wrong_arrays_are_refused(views: Any, keys: Any) -> None:
    with pytest.raises(UserError, match="are uint64"):
        decide(load("random"), views, keys)


def trace(games: list[Game]) -> list[list[Any]]:
    return [[entry.value for entry in game.inputs()] for game in games]


def test_a_game_does_not_depend_on_the_games_played_beside_it() -> None:
    def games() -> list[Game]:
        return [Game("pagat", 3, seed=seed) for seed in range(12)]

    policies = [load("random"), load("tips"), load("random")]
    together, alone, reversed_order = games(), games(), games()
    play_matches(together, [policies] * 12, seed=5)
    for number, game in enumerate(alone):
        play_match(game, policies, seed=5, match=number)
    play_matches(reversed_order[::-1], [policies] * 12, seed=5, matches=list(range(12))[::-1])
    assert trace(together) == trace(alone) == trace(reversed_order)
    other = games()
    play_matches(other, [policies] * 12, seed=6)
    assert trace(other) != trace(together)


def test_the_result_is_the_games() -> None:
    game = Game("pagat", 4, seed=3)
    result = play_match(game, [load("random"), load("tips"), load("threshold:21"), load("random")])
    assert result.policies == ("random", "tips", "threshold:21", "random")
    assert (result.winner, result.rounds, list(result.placings)) == (
        game.winner,
        game.round_count,
        game.placings,
    )
    assert result.decisions == len(game.inputs())


class Counts:
    """A policy with memory: it counts the decisions of a match."""

    name = "counts"

    def __init__(self) -> None:
        self.counts: list[int] = []

    def begin(self, games: int) -> None:
        assert games == 1
        self.counts.append(0)

    def act(self, views: Any, keys: Any) -> Any:
        assert len(views) == 1
        self.counts[-1] += 1
        return load("threshold:21").act(views, keys)


def test_a_policy_with_memory_is_asked_about_one_match_at_a_time() -> None:
    memory, games = Counts(), [Game("pagat", 2, seed=seed) for seed in range(4)]
    seats: list[list[Policy]] = [[memory, memory]] * 4
    results = play_matches(games, seats)
    assert memory.counts == [result.decisions for result in results]


def test_seats_and_policies_must_be_as_many() -> None:
    with pytest.raises(UserError, match="2 policies for 3 seats"):
        play_match(Game("pagat", 3, seed=1), [load("random")] * 2)
    with pytest.raises(UserError, match="as many of each"):
        play_matches([Game("pagat", 3, seed=1)], [])


def test_a_game_that_waits_for_a_card_is_refused() -> None:
    with pytest.raises(UserError, match="need a seed"):
        play_match(Game("pagat", 2, chance="manual"), [load("random")] * 2)


def test_one_decision() -> None:
    game = Game("pagat", 2, seed=1)
    assert game.mask >> decide_one(load("tips"), game, key=0) & 1
    play_match(game, [load("tips")] * 2)
    with pytest.raises(UserError, match="no seat is to move"):
        decide_one(load("tips"), game, key=0)


def test_names_play_like_the_policies_they_name() -> None:
    by_name = play_match(Game("pagat", 2, seed=5), ["tips", "threshold:21"], seed=1)
    assert by_name == play_match(Game("pagat", 2, seed=5), [load("tips"), load("threshold:21")], seed=1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: play_match("pagat", ["tips", "tips"]), "'pagat' is no Game"),
        (lambda: play_match(Game("pagat", 2, seed=1), [None, "tips"]), "None is no policy"),
        (lambda: play_match(Game("pagat", 2, seed=1), ["tipps", "tips"]), "'tipps' is not a policy"),
        (lambda: play_match(Game("pagat", 4, seed=1), "tips"), "policies must be a list, not 'tips'"),
        (lambda: play_match(Game("pagat", 2, seed=1), ["tips", "tips"], seed=-1), "seed=-1 is not allowed"),
        (lambda: play_match(Game("pagat", 2, seed=1), ["tips", "tips"], match=-1), "match=-1 is not allowed"),
        (lambda: play_matches(Game("pagat", 2, seed=1), [["tips", "tips"]]), "games must be a list"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(call: Any, text: str) -> None:
    with pytest.raises(UserError) as refusal:
        call()
    assert text in str(refusal.value)
    assert "\n" not in str(refusal.value)
