"""Compiled play: the very games that result when Python asks the same policies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import is_compiled
from thirtyone_eval.asking import Desk
from thirtyone_eval.outcomes import Games
from thirtyone_eval.play import play_asking, play_block

NAMES = ["random", "threshold:19", "threshold:25.5", "tips", "tips:bold", "random", "threshold:31", "tips:safe", "tips"]


def fitting(rules: Rules, sizes: Sequence[int]) -> Iterator[int]:
    """Table sizes for which a variant has cards."""
    for players in sizes:
        try:
            yield rules.check_players(players)
        except UserError:
            assert players > 2


@pytest.mark.parametrize("episode", ["round", "match"])
@pytest.mark.parametrize("preset", sorted(Rules.presets()))
def test_every_variant_ends_as_when_python_asks(preset: str, episode: str) -> None:
    rules = Rules.preset(preset)
    for players in fitting(rules, (2, 3, 4, 7)):
        policies = [load(name) for name in NAMES]
        draw = np.random.default_rng(players)
        seats = np.array([draw.permutation(len(NAMES))[:players] for _ in range(12)])
        games = Games(np.repeat(np.arange(4), 3) + 1000, seats)
        fast = play_block(rules, players, episode, 7, games, policies)
        slow = play_asking(rules, players, episode, 7, games, policies, Desk())
        for name in ("lost", "played", "places", "dealers", "rounds", "wins"):
            assert np.array_equal(getattr(fast, name), getattr(slow, name)), (players, name)
        assert not any(fast.actions)
        assert any(slow.actions)
        assert not fast.forfeits
        assert not slow.forfeits


def test_a_class_made_from_ours_is_asked_for_it_may_answer_otherwise() -> None:
    class Mine(CompiledPolicy):
        """Overrides nothing, but could."""

    assert is_compiled(load("tips"))
    assert not is_compiled(Mine("mine", 2))


def test_tables_with_and_without_compiled_policies_come_back_in_order() -> None:
    class Mine(CompiledPolicy):
        """Is asked."""

    policies = [load("random"), Mine("mine", 1, 42), load("tips"), load("threshold:21")]
    seats = np.array([[0, 1, 2], [0, 2, 3], [3, 2, 1], [2, 0, 3], [1, 3, 0]])
    games = Games(np.array([5, 5, 6, 6, 7]), seats)
    rules = Rules.preset("pagat")
    mixed = play_block(rules, 3, "match", 1, games, policies)
    asked = play_asking(rules, 3, "match", 1, games, policies, Desk())
    assert np.array_equal(mixed.lost, asked.lost)
    assert np.array_equal(mixed.rounds, asked.rounds)
    assert [bool(text) for text in mixed.actions] == [True, False, True, False, True]
    assert mixed.actions[2] == asked.actions[2]
