"""Each baseline answers every question that any rules can ask, legally, and by view and key alone."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.env.lockstep import random_rules
from thirtyone_agents import load, play_match, play_matches
from thirtyone_env import Game, Rules, UserError

BASELINES = ("random", "threshold:0", "threshold:21", "threshold:30.5", "tips", "tips:safe", "tips:bold")


def views_of_games(rules: Rules, players: int, seed: int, games: int = 6) -> npt.NDArray[np.uint64]:
    """Views of all decisions of games that random, threshold and tips seats play: uint64 ``[n, 32]``."""
    policies = [load(name) for name in ("random", "threshold:22", "tips")]
    views = []
    for number in range(games):
        game = Game(rules, players, seed=seed + number)
        for _ in range(400):
            if game.turn is None:
                break
            one = game.view(game.turn)
            views.append(one)
            policy = policies[(game.turn + number) % 3]
            game.play(int(policy.act(one[None], np.array([len(views)], dtype=np.uint64))[0]))
    return np.array(views)


def most_players(rules: Rules, wanted: int) -> int:
    """The wanted number of players, or as many as the pack is enough for."""
    for players in range(wanted, 2, -1):
        try:
            return rules.check_players(players)
        except UserError:
            continue
    return 2


@settings(max_examples=40)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 9))
def test_every_answer_is_legal_under_any_mix_of_options(seed: int, players: int) -> None:
    source = random.Random(seed)
    rules = random_rules(source)
    players = most_players(rules, players)
    seats = [load(source.choice(BASELINES)) for _ in range(players)]
    game = Game(rules.replace(max_deals=6) if rules.lives else rules, players, seed=seed)
    play_match(game, seats, seed=seed)  # raises at an illegal answer
    assert game.over


@pytest.mark.parametrize("preset", [name for name in Rules.presets() if not name.startswith("mini_")])
@pytest.mark.parametrize("players", [2, 7])
def test_every_preset_is_played_to_its_end(preset: str, players: int) -> None:
    games = [Game(preset, players, seed=seed) for seed in range(len(BASELINES))]
    seats = [
        [load(BASELINES[(seat + turn) % len(BASELINES)]) for seat in range(players)]
        for turn in range(len(games))
    ]
    assert all(result.decisions > 0 for result in play_matches(games, seats))
    assert all(game.over for game in games)


@pytest.mark.parametrize("preset", ["pagat", "schwimmen"])
@pytest.mark.parametrize("name", BASELINES)
def test_answers_depend_on_view_and_key_alone(preset: str, name: str) -> None:
    policy = load(name)
    views = views_of_games(Rules.preset(preset), 4, seed=3)
    keys = np.random.default_rng(1).integers(0, 2**64, len(views), dtype=np.uint64)
    together = policy.act(views, keys)
    order = np.random.default_rng(2).permutation(len(views))
    assert (policy.act(views[order], keys[order]) == together[order]).all()
    alone = [int(policy.act(views[i : i + 1], keys[i : i + 1])[0]) for i in range(0, len(views), 7)]
    assert alone == together[::7].tolist()


@pytest.mark.parametrize("name", BASELINES)
def test_only_random_reads_the_key(name: str) -> None:
    policy = load(name)
    views = views_of_games(Rules.preset("pagat"), 3, seed=5)
    one = policy.act(views, np.zeros(len(views), dtype=np.uint64))
    other = policy.act(views, np.arange(1, len(views) + 1, dtype=np.uint64))
    assert (one == other).all() == (name != "random")


def test_random_plays_each_legal_action_equally_often() -> None:
    game = Game("pagat", 3, seed=1)
    keys = np.arange(30_000, dtype=np.uint64)
    views = np.repeat(game.view(game.turn or 0)[None], len(keys), axis=0)
    counts = np.bincount(load("random").act(views, keys), minlength=3)[:3]
    assert counts.sum() == len(keys)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 13.8  # chi-square, two degrees of freedom, p = 0.001


@pytest.mark.parametrize("name", BASELINES)
def test_probabilities_are_those_of_the_actions(name: str) -> None:
    policy = load(name)
    views = views_of_games(Rules.preset("pagat"), 3, seed=7, games=2)
    chances = policy.probabilities(views)  # type: ignore[attr-defined]  # baselines have it
    assert chances.shape == (len(views), 63)
    assert np.allclose(chances.sum(axis=1), 1)
    for key in range(3):
        actions = policy.act(views, np.full(len(views), key, dtype=np.uint64))
        assert (chances[np.arange(len(views)), actions] > 0).all()
    assert (chances.max(axis=1) == 1).all() == (name != "random")
