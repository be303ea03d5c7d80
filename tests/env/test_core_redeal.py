"""Dealing the hidden cards anew: the view stays, all else varies as it should (PAINS C3)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.env.lockstep import pick, random_rules
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.cards import cards_to_set
from thirtyone_env.core import layout

MAIN = [name for name in Rules.presets() if not name.startswith("mini")]


def walked(rules: Rules, players: int, seed: int, moves: int) -> Game:
    """A game after some random moves."""
    game = Game(rules, players, seed=seed)
    source = random.Random(seed)
    for _ in range(moves):
        if game.over:
            break
        game.play(pick(game, source, 0.2))
    return game




def cards_of_state(game: Game) -> int:
    """All cards, each counted once; fails where one is in two places."""
    state = game.state[:, 0]
    places = [int(state[int(w)]) for w in (layout.STOCK, layout.PILE, layout.EXTRA)]
    places += [cards_to_set(hand) for hand in game.hands]
    assert sum(p.bit_count() for p in places) == game.rules.deck_set.bit_count()
    union = 0
    for place in places:
        union |= place
    return union


@pytest.mark.parametrize("seed", range(60))
def test_c3_redealt_game_fits_the_view_and_keeps_every_card(seed: int) -> None:
    source = random.Random(seed)
    rules = random_rules(source) if seed % 2 else Rules.preset(source.choice(MAIN))
    players = source.randint(2, 7)
    game = walked(rules, players, seed, source.randint(0, 120))
    if game.over:
        return
    for seat in range(players):
        if seat in game.out:
            continue
        other = game.resample(seat, key=seed * 10 + seat)
        assert (other.view(seat) == game.view(seat)).all()
        assert cards_of_state(other) == rules.deck_set
        assert [len(h) for h in other.hands] == [len(h) for h in game.hands]
        other.play(other.legal_actions()[0])


@pytest.mark.parametrize("preset", MAIN)
def test_c3_hidden_hands_vary(preset: str) -> None:
    game = walked(Rules.preset(preset), 3, 5, 4)
    seat = game.turn
    assert seat is not None
    hands = {tuple(map(tuple, game.resample(seat, key).hands)) for key in range(50)}
    assert len(hands) > 20


def test_c3_redealt_cards_are_hypergeometric_before_a_reshuffle() -> None:
    game = walked(Rules.preset("pagat"), 3, 8, 6)
    seat = game.turn
    assert seat is not None
    unseen = game.rules.deck_set & ~cards_to_set(game.hands[seat])
    unseen &= ~int(game.state[int(layout.PILE), 0])
    known = int(game.state[int(layout.KNOWN), 0])
    unseen &= ~known
    other = (seat + 1) % 3
    slots = 3 - (cards_to_set(game.hands[other]) & known).bit_count()
    counts: Counter[str] = Counter()
    draws = 4000
    for key in range(draws):
        hand = game.resample(seat, key).hands[other]
        counts.update(card for card in hand if not cards_to_set([card]) & known)
    expected = draws * slots / unseen.bit_count()
    assert len(counts) == unseen.bit_count()
    variance = expected * (1 - slots / unseen.bit_count())
    chi_square = sum((counts[c] - expected) ** 2 / variance for c in counts)
    freedom = unseen.bit_count() - 1
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def test_resampled_game_cannot_be_recorded() -> None:
    game = Game("pagat", 3, seed=1)
    with pytest.raises(UserError, match="no beginning"):
        game.resample(0, 1).record()


def test_resampling_needs_a_seat_to_move() -> None:
    with pytest.raises(UserError, match="a seat must be to move"):
        Game("pagat", 3, chance="manual").resample(0, 1)
