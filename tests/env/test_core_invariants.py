"""What always holds, in random games of every preset, number of players and mix of options.

Cards are each in one place, the mask is what `play` accepts, tokens and rewards balance, every round and match ends.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.env.game_walks import (
    PRESETS,
    cards_on_table,
    move,
    nothing_dealt_yet,
    players_at_most,
    random_table,
    walk,
)
from tests.env.lockstep import make_compatible
from thirtyone_env import Game, IllegalAction, Rules
from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS
from thirtyone_env.options import OPTIONS, unused_because
from thirtyone_env.settlement import RoundResult


@st.composite
def option_mixes(draw: st.DrawFn) -> Rules:
    """Rules with any mix of options that goes together."""
    values: dict[str, Any] = {option.name: draw(st.sampled_from(option.values)) for option in OPTIONS if option.values}
    values |= {
        "hand_size": 3, "lives": draw(st.integers(1, 9)), "knock_min": draw(st.integers(0, 31)),
        "max_turns": draw(st.integers(1, 60)), "max_deals": draw(st.integers(1, 12)),
    }
    make_compatible(values)
    return Rules(**{name: value for name, value in values.items() if unused_because(name, values) is None})


def check_position(game: Game) -> None:
    """Each card in one place; hands of the right size; the mask fits the seat to move."""
    if not nothing_dealt_yet(game):
        places, pack = cards_on_table(game), game.rules.deck_set
        assert sum(place.bit_count() for place in places) == pack.bit_count(), "a card lies twice or nowhere"
        assert sum(places) == pack
    seats_in = [seat for seat in range(game.players) if seat not in game.out]
    if game.phase in ("turn", "upcard", "packet"):
        assert [len(game.hands[seat]) for seat in seats_in] == [game.rules.hand_size] * len(seats_in)
    if game.phase in ("discard", "pool"):
        assert len(game.hands[game.turn or 0]) == game.rules.hand_size + 1
    assert min(game.lives) >= 0
    assert all(game.lives[seat] == 0 for seat in game.out)
    assert all(game.lives[seat] == 0 and seat not in game.out for seat in game.on_county)
    assert (game.turn is None) == (game.mask == 0) == (game.over or game.needs_card)
    assert game.turn is None or game.turn in seats_in
    for seat in range(game.players):
        legal = int(game.view(seat)[5])
        assert legal == (game.mask if seat == game.turn else 0)


class Books:
    """Tokens, seats and rewards of a match, kept once more from the results of its rounds."""

    def __init__(self, game: Game) -> None:
        self.rules = game.rules
        self.out = list(game.start["out"])
        self.began = [seat for seat in range(game.players) if seat not in self.out]
        start = game.start["lives"] or [game.rules.lives or 0] * game.players
        self.lives = [0 if seat in self.out else start[seat] for seat in range(game.players)]
        self.paid = [0.0] * game.players
        self.rounds = 0

    def keep(self, game: Game) -> None:
        """Check the rounds settled since the last call, and take them over."""
        for result in game.rounds[self.rounds :]:
            self.rounds += 1
            self.paid = [a + b for a, b in zip(self.paid, result.rewards_match, strict=True)]
            assert sum(result.rewards_lives) == pytest.approx(0)
            for seat in self.out:
                assert result.rewards_lives[seat] == result.rewards_match[seat] == 0
                assert result.values[seat] is None
                assert result.lost[seat] == result.gained[seat] == 0
            if self.rules.lives is not None:
                self.take(result)

    def take(self, result: RoundResult) -> None:
        seats = [seat for seat in self.began if seat not in self.out]
        county = int(self.rules.county)
        dying = [seat for seat in seats if 0 < result.would_lose[seat] >= self.lives[seat] + county]
        if len(dying) == len(seats):
            self.everyone(result, seats)
            return
        assert (result.replayed, result.sudden_death) == (False, ())
        assert list(result.eliminated) == dying
        paid = [min(loss, tokens) for loss, tokens in zip(result.lost, self.lives, strict=True)]
        if sum(result.gained):
            assert self.rules.life_transfer == "to_winner"
            assert sum(result.gained) == sum(paid), "lives change hands, none is lost"
            assert sum(gain > 0 for gain in result.gained) == 1
        self.lives = [a - b + c for a, b, c in zip(self.lives, paid, result.gained, strict=True)]
        self.out += dying
        self.same_as(result)

    def everyone(self, result: RoundResult, seats: list[int]) -> None:
        """All who were left would have gone out."""
        assert result.eliminated == ()
        assert result.replayed == (self.rules.all_out == "replay")
        assert result.sudden_death == (() if result.replayed else tuple(seats))
        if not result.replayed:
            self.lives = [int(seat in seats and not self.rules.county) for seat in range(len(self.lives))]
        self.same_as(result)

    def same_as(self, result: RoundResult) -> None:
        assert list(result.lives_after) == self.lives
        broke = [seat for seat in self.began if seat not in self.out and self.lives[seat] == 0]
        assert list(result.on_county) == broke


def check_end(game: Game, books: Books) -> None:
    """Placings, winner and the sum of all rewards."""
    assert sum(books.paid) == pytest.approx(0)
    if game.episode == "round" and game.winner is None and game.rules.lives is not None:
        return
    places = [game.placings[seat] or 0 for seat in books.began]
    for place in places:
        assert place == 1 + sum(other < place for other in places), "equal places leave the next ones free"
    if game.winner is not None:
        assert [seat for seat in books.began if game.placings[seat] == 1] == [game.winner]
    if game.rules.lives is not None and game.episode == "match":
        assert game.truncated == (game.winner is None)
        assert sorted(game.out) == sorted(books.out)
        assert min(books.paid) >= -1 / (len(books.began) - 1) - 1e-12
        assert max(books.paid) <= 1 + 1e-12


def walk_with_checks(game: Game, source: random.Random, most: int) -> None:
    """A whole match, or its first moves, with every check after every move."""
    books = Books(game)
    for _ in range(most):
        books.keep(game)
        check_position(game)
        if game.over:
            check_end(game, books)
            return
        move(game, source)


@pytest.mark.parametrize("chunk", range(8))
def test_books_balance_in_random_games(chunk: int) -> None:
    source = random.Random(chunk)
    for _ in range(25):
        walk_with_checks(random_table(source), source, 3_000)


@pytest.mark.parametrize("preset", PRESETS)
def test_books_balance_in_every_preset_with_every_number_of_players(preset: str) -> None:
    for players in range(2, 10):
        source = random.Random(players)
        walk_with_checks(Game(preset, players, seed=players), source, 3_000)


@settings(max_examples=60)
@given(rules=option_mixes(), players=st.integers(2, 9), source=st.randoms(use_true_random=False), manual=st.booleans())
def test_books_balance_in_any_mix_of_options(rules: Rules, players: int, source: random.Random, manual: bool) -> None:
    players = min(players, players_at_most(rules))
    game = Game(rules, players, dealer=0, **({"chance": "manual"} if manual else {"seed": source.randrange(1 << 40)}))
    walk_with_checks(game, source, 600)


@pytest.mark.parametrize("chunk", range(4))
def test_pains_b6_mask_is_exactly_what_play_accepts(chunk: int) -> None:
    """All 63 ids: a legal one is played, any other raises IllegalAction and leaves every bit as it was."""
    source = random.Random(100 + chunk)
    for _ in range(12):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        for step, _ in enumerate(walk(game, source, 160)):
            if step % 8:
                continue
            before = game.state.tobytes()
            for action in range(NUM_ACTIONS):
                copy = game.clone()
                if game.mask >> action & 1:
                    copy.play(action)
                    assert copy.state.tobytes() != before
                    continue
                name = ACTION_NAMES[action]
                with pytest.raises(IllegalAction, match=f"'{name}' is not legal"):
                    copy.play(source.choice((action, name)))
                assert copy.state.tobytes() == before
                assert copy.inputs() == game.inputs()
            assert game.state.tobytes() == before


def test_pains_b8_legal_actions_stay_while_each_is_played_and_undone() -> None:
    source = random.Random(5)
    for _ in range(30):
        game = random_table(source)
        for _ in walk(game, source, 40):
            legal = list(game.legal_actions())
            for action in game.legal_actions():
                game.play(action)
                game.undo()
                assert game.legal_actions() == legal


@pytest.mark.parametrize("preset", PRESETS)
def test_limits_hold_and_every_match_ends(preset: str) -> None:
    """With the defaults of the preset, whatever is played; here nobody ever knocks or closes."""
    source = random.Random(9)
    for players in (2, 9):
        game = Game(preset, players, seed=players)
        most = game.rules.max_turns
        while not game.over:
            calm = [action for action in game.legal_actions() if action != "knock"]
            game.play(source.choice(calm))
            assert game.turn_number < most or game.over
            assert game.deal_number < game.rules.max_deals
        assert game.round_count <= game.rules.max_deals


def test_a_match_of_draws_without_end_is_cut_off() -> None:
    """In the party game nobody loses without a knocker: only max_deals ends it."""
    game = Game(Rules.preset("party", max_turns=3, max_deals=25, declare="hold", natural_31="own_turn"), 3, seed=2)
    while not game.over:
        game.play("draw_stock")
        game.play(game.legal_actions()[-1])
    assert game.round_count <= 25
    assert game.truncated
    assert game.lives == [3, 3, 3]
