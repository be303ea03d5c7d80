"""Ten thousand matches of every preset, played at random, with the books checked after every round (slow)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.env.game_walks import PRESETS
from tests.env.test_core_invariants import Books, check_end
from thirtyone_env import Game, actions
from thirtyone_env.actions import mask_to_ids
from thirtyone_env.core import entry, layout

MATCHES = 10_000
CHUNKS = 4
KNOCK = 1 << actions.KNOCK
BOOKS_EVERY = 10  # the whole result of a round is decoded in one match of so many; the sums are checked in all


STOCK, PILE, EXTRA, HAND = (int(word) for word in (layout.STOCK, layout.PILE, layout.EXTRA, layout.HAND))


def check_sums(game: Game, lives_at_start: int) -> None:
    """Each card in one place; tokens do not grow in number."""
    words, pack, lives = game.state[:, 0].tolist(), game.rules.deck_set, game.lives
    places = [words[STOCK], words[PILE], words[EXTRA], *words[HAND :: int(layout.SEAT_WORDS)]]
    assert sum(places) == pack
    assert sum(place.bit_count() for place in places) == pack.bit_count()
    assert min(lives) >= 0
    assert sum(lives) <= lives_at_start


def play_match(game: Game, source: random.Random) -> int:
    """A match by random legal moves, few of them knocks; sums are checked at each round's end. Returns the moves."""
    rounds, moves, lives_at_start = game.round_count, 0, sum(game.lives)
    while not game.over:
        mask = game.mask
        if mask & KNOCK and mask != KNOCK and source.random() < 0.75:
            mask ^= KNOCK
        ids = mask_to_ids(mask)
        game.play(ids[int(source.random() * len(ids))])
        moves += 1
        if game.round_count != rounds:
            rounds = game.round_count
            check_sums(game, lives_at_start)
    rewards = np.zeros((2, 9))
    entry.rewards(game.state, rewards)
    assert abs(rewards[0].sum()) < 1e-9
    return moves


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("preset", PRESETS)
def test_ten_thousand_matches_end_with_balanced_books(preset: str, chunk: int) -> None:
    source = random.Random(f"{preset} {chunk}")
    moves = winners = 0
    for number in range(MATCHES // CHUNKS):
        players = 2 + number % 8
        game = Game(preset, players, seed=source.randrange(1 << 60))
        moves += play_match(game, source)
        winners += game.winner is not None
        assert game.over
        assert game.round_count <= game.rules.max_deals
        assert game.winner is None or game.placings[game.winner] == 1
        if number % BOOKS_EVERY == 0:
            books = Books(game)
            books.keep(game)
            check_end(game, books)
    assert moves > MATCHES // CHUNKS
    assert winners > 0.5 * MATCHES // CHUNKS


def test_sixteen_matches_of_every_preset_end_with_balanced_books() -> None:
    """The same for the fast suite."""
    for preset in PRESETS:
        source = random.Random(preset)
        for number in range(16):
            game = Game(preset, 2 + number % 8, seed=source.randrange(1 << 60))
            play_match(game, source)
            books = Books(game)
            books.keep(game)
            check_end(game, books)
