"""Luck: zero in the mean over all that chance can give, whatever is guessed, and the same however a game is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from thirtyone_agents.policy import Policy
from thirtyone_agents.registry import load
from thirtyone_env.cards import card_id
from thirtyone_env.core.layout import STOCK
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import deal_seed, play_compiled, with_luck
from thirtyone_eval.asking import Desk
from thirtyone_eval.luck import Guess, centred, fitted, luck_of_deal, luck_of_draw
from thirtyone_eval.luck_core import CLASSES, LEVELS, ROWS
from thirtyone_eval.outcomes import Games, end_of
from thirtyone_eval.play import play_asking

MINI = Rules(cards=["8C", "9C", "TC", "AC", "9D", "TD", "AD"], hand_size=2, max_turns=4, stock_out="show")


class Plays(NamedTuple):
    """Ways in which a round may go: chance, lives lost ``[plays, seats]``, and luck ``[plays, guesses, 2, seats]``."""

    chances: np.ndarray
    lost: np.ndarray
    luck: np.ndarray


def any_guess(rules: Rules, seed: int) -> Guess:
    """A guess without sense; only the mean of the hopes must be right, and it is told by the pack."""
    draw = np.random.default_rng(seed)
    return Guess(draw.normal(size=(CLASSES, ROWS, LEVELS + 1)), centred(rules, draw.normal(size=ROWS)))


def all_plays(rules: Rules, policies: Sequence[Policy], guesses: Sequence[Guess]) -> Plays:
    """Every way in which chance, and a policy that plays by chance, can let a round go."""
    start = Game(rules, len(policies), dealer=len(policies) - 1, episode="round", chance="manual")
    nothing = np.zeros((len(guesses), 2, len(policies)))
    chances, lost, luck = zip(*_from_here(start, policies, guesses, Fraction(1), nothing), strict=True)
    assert sum(chances) == 1
    return Plays(np.array(chances, dtype=float), np.array(lost), np.array(luck))


def _from_here(
    game: Game, policies: Sequence[Policy], guesses: Sequence[Guess], chance: Fraction, luck: np.ndarray
) -> Iterator[tuple[Fraction, tuple[int, ...], np.ndarray]]:
    if game.over:
        yield chance, end_of(game).lost, luck
        return
    for step, share in _steps(game, policies):
        after = game.clone()
        more = luck.copy()
        if game.needs_card and game.phase == "draw":
            more[:, 0] += [luck_of_draw(game, step, guess) for guess in guesses]
        (after.give if game.needs_card else after.play)(step)
        if game.phase == "deal" and after.phase != "deal":
            more[:, 1] += [luck_of_deal(after, guess) for guess in guesses]
        yield from _from_here(after, policies, guesses, chance * share, more)


def _steps(game: Game, policies: Sequence[Policy]) -> list[tuple[int, Fraction]]:
    """Cards that may come, or actions that may be taken, and how likely each is."""
    if game.needs_card:
        cards = [card_id(name) for name in game.possible_cards()]
        return [(card, Fraction(1, len(cards))) for card in cards]
    assert game.turn is not None
    policy: Any = policies[game.turn]
    shares = policy.probabilities(game.view(game.turn)[None])[0]
    return [(int(action), Fraction(float(shares[action])).limit_denominator(64)) for action in np.flatnonzero(shares)]


@pytest.fixture(scope="module")
def mini() -> Plays:
    """The whole tree of a mini game, every deal and draw with its exact chance; guesses: two senseless, one fitted."""
    guesses = [any_guess(MINI, 1), any_guess(MINI, 2), fitted(MINI, 2)]
    return all_plays(MINI, [load("threshold:18"), load("tips")], guesses)


@pytest.mark.parametrize("guess", [0, 1, 2], ids=["any", "any other", "fitted"])
def test_over_all_that_chance_can_give_the_mean_stays_the_same_whatever_is_guessed(mini: Plays, guess: int) -> None:
    raw = mini.chances @ mini.lost
    assert len(mini.chances) > 4_000
    for share in (1.0, -0.7, 3.0):
        for kinds in ([0], [1], [0, 1]):
            corrected = mini.lost - share * mini.luck[:, guess, kinds].sum(axis=1)
            assert np.abs(corrected - mini.lost).max() > 0.1
            assert mini.chances @ corrected == pytest.approx(raw, abs=1e-12)


def test_a_fitted_guess_takes_off_more_than_a_senseless_one(mini: Plays) -> None:
    def left(values: np.ndarray) -> np.ndarray:
        return mini.chances @ values**2 - (mini.chances @ values) ** 2

    raw = left(mini.lost)
    assert (left(mini.lost - mini.luck[:, 2].sum(axis=1)) < 0.8 * raw).all()
    assert (left(mini.lost - mini.luck[:, 0].sum(axis=1)) > raw).all()


def test_the_mean_stays_the_same_against_a_policy_that_plays_by_chance() -> None:
    rules = Rules.preset("mini_5x1")
    plays = all_plays(rules, [load("random"), load("threshold:9")], [any_guess(rules, 3)])
    assert np.abs(plays.luck).max() > 0.1
    assert np.abs(np.tensordot(plays.chances, plays.luck, axes=1)).max() < 1e-12


def by_hand(rules: Rules, seed: int, policies: Sequence[Policy], guess: Guess) -> np.ndarray:
    """Luck of a round step by step: one game of that seed, and its twin whose cards are given from it."""
    game, twin = (
        Game(rules, len(policies), seed=seed, episode="round", chance=chance) for chance in ("seed", "manual")
    )
    luck = np.zeros((2, len(policies)))
    seats = [(game.dealer + 1 + place) % len(policies) for place in range(len(policies))]
    hands = [list(hand) for hand in game.hands]
    cards = [hands[seat][turn] for turn in range(rules.hand_size) for seat in seats]
    for card in [*cards, str(game.top)]:
        twin.give(card)
    luck[1] += luck_of_deal(twin, guess)
    while not game.over:
        assert game.turn is not None
        action = int(policies[game.turn].act(game.view(game.turn)[None], np.zeros(1, dtype=np.uint64))[0])
        game.play(action)
        twin.play(action)
        if twin.needs_card and not twin.over:
            came = int(twin.state[int(STOCK), 0]) & ~int(game.state[int(STOCK), 0])
            card = came.bit_length() - 1
            luck[0] += luck_of_draw(twin, card, guess)
            twin.give(card)
    return luck


def test_luck_of_a_whole_game_is_that_of_its_steps() -> None:
    rules = Rules.preset("pagat")
    names = ["tips", "threshold:21", "threshold:27"]
    policies = [load(name) for name in names]
    games = Games.of(range(30), [[0, 1, 2]] * 30)
    found = play_compiled(rules, 3, "round", 9, games, policies, luck=True).luck
    assert found is not None
    for deal in range(30):
        steps = by_hand(rules, deal_seed(9, deal), policies, fitted(rules, 3))
        assert found[deal] == pytest.approx(steps, abs=1e-6)
    assert np.abs(found).max() > 0.3


@pytest.mark.parametrize("preset", ["pagat", "standard", "party", "schwimmen", "bicycle"])
@pytest.mark.parametrize("episode", ["round", "match"])
def test_luck_is_the_same_when_python_asks(preset: str, episode: str) -> None:
    rules = Rules.preset(preset)
    policies = [load(name) for name in ("tips", "threshold:25", "random", "threshold:21")]
    games = Games.of([3, 3, 4, 4], [[0, 1, 2], [2, 3, 1], [1, 0, 3], [3, 2, 0]])
    fast = play_compiled(rules, 3, episode, 5, games, policies, luck=True)
    plain = play_compiled(rules, 3, episode, 5, games, policies)
    asked = play_asking(rules, 3, episode, 5, games, policies, Desk())
    slow = with_luck(rules, 3, episode, 5, games, asked)
    assert fast.luck is not None
    assert slow.luck is not None
    assert np.array_equal(fast.luck, slow.luck)
    assert np.array_equal(fast.lost, plain.lost)
    assert np.array_equal(fast.places, plain.places)
    assert bool(fast.luck[:, 0].any()) == (rules.table == "stock_discard")
    assert np.abs(fast.luck[:, 1].sum(axis=1)).max() < 1e-5, "luck of the deal is zero over the seats"


def test_luck_is_zero_in_the_mean_of_many_full_games() -> None:
    """Four standard errors, over every seat and both kinds."""
    rules = Rules.preset("pagat")
    policies = [load(name) for name in ("tips", "threshold:25", "random", "threshold:21")]
    games = Games.of(range(20_000), [[0, 1, 2, 3]] * 20_000)
    luck = play_compiled(rules, 4, "round", 77, games, policies, luck=True).luck
    assert luck is not None
    error = luck.std(axis=0) / np.sqrt(len(games))
    assert (np.abs(luck.mean(axis=0)) < 4 * error).all()
    lost = play_compiled(rules, 4, "round", 77, games, policies).lost
    assert np.corrcoef(lost.ravel(), luck[:, 0].ravel())[0, 1] > 0.35
