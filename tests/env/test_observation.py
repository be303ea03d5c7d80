"""Observations: every column is what the table says, nothing is lost, and the shape is pinned (PAINS C5, C7)."""

from __future__ import annotations

import hashlib
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from scripts import docs_tables
from tests.env.env_walks import PRESETS, players_of, random_game
from tests.env.observation_reference import as_array, reference
from tests.env.stacking import stacked_deck
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.core import layout as at
from thirtyone_env.core import observe_entry
from thirtyone_env.observation import (
    OBSERVATION_VERSION,
    action_masks,
    describe,
    encode,
    highs,
    index_table,
    size,
)

# Pinned for version 1. A change here needs a new OBSERVATION_VERSION.
SIZES_1 = {2: 552, 3: 624, 4: 696, 5: 768, 6: 840, 7: 912, 8: 984, 9: 1056}
TABLE_1 = "75873ff6f3d22a98"
NUMBERS_1 = "ab071ade9cd6580e"


def games(preset: str, count: int, **options: object) -> list[Game]:
    return [
        random_game(seed, preset, players_of(preset)[seed % 4], steps=seed % 37, **options) for seed in range(count)
    ]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_column_is_what_its_name_says(preset: str) -> None:
    for game in games(preset, 12):
        for seat in range(game.players):
            seen = encode(game.view(seat))
            wanted = reference(game, seat)
            for block in index_table(game.players):
                if block.name in wanted:
                    got = seen[block.start : block.stop]
                    told = (block.name, describe(game.view(seat)))
                    assert np.array_equal(got, as_array(wanted[block.name])), told


@pytest.mark.parametrize(
    "changes",
    [
        {"three_of_a_kind": "30", "three_aces": "32.5", "return_taken_discard": True},
        {"dummy_hand": True, "dealer_upcard_swap": True, "declare": "hold", "natural_31": "own_turn"},
        {"stock_out": "reshuffle", "max_turns": 150, "knock_min": 31},
        {"final_lap_stand": True, "knock_min": 17, "max_deals": 9},
    ],
)
def test_every_column_is_what_its_name_says_under_other_rules(changes: dict[str, object]) -> None:
    rules = Rules.preset("standard").replace(**changes)
    for seed in range(12):
        game = random_game(seed, rules, 3 + seed % 3, steps=seed * 9)  # type: ignore[arg-type]  # Rules do as well
        for seat in range(game.players):
            seen, wanted = encode(game.view(seat)), reference(game, seat)
            for block in index_table(game.players):
                if block.name in wanted:
                    got = seen[block.start : block.stop]
                    assert np.array_equal(got, as_array(wanted[block.name])), (block.name, describe(game.view(seat)))


def test_the_reference_covers_all_but_a_few_blocks() -> None:
    game = random_game(1, "pagat", 3)
    named = {block.name for block in index_table(3) if not block.meaning.startswith("rule:")}
    left = {name.split("_", 1)[1] if name.startswith("seat") else name for name in named - set(reference(game, 0))}
    assert left == {"laps_left", "passes", "exchanged", "setup", "was_reshuffled", "last_turn", "hidden_draws"}


@pytest.mark.parametrize("players", range(2, 10))
def test_the_final_lap_is_told_seat_by_seat(players: int) -> None:
    game = Game("pagat", players, seed=players + 40, dealer=players - 1)
    while game.turn != 1:
        game.play("draw_stock")
        game.play(f"discard {game.drawn}")
    game.play("knock")
    left = [seat % players for seat in range(2, players + 1)]
    names = {block.name: block.start for block in index_table(players)}
    while game.round_count == 0:
        for seat in range(players):
            seen = encode(game.view(seat))
            told = [(seat + p) % players for p in range(players) if seen[names[f"seat{p}_last_turn"]]]
            assert sorted(told) == sorted(left)
            assert seen[names["laps_left"]] == len(left)
        game.play("draw_stock")
        if game.round_count == 0:
            game.play(f"discard {game.drawn}")
        left.pop(0)


def test_each_rule_has_a_column_of_its_own() -> None:
    table = [block for block in index_table(2) if block.meaning.startswith("rule:")]
    start, stop = table[0].start, table[-1].stop
    base = {"three_of_a_kind": "30.5"}
    changes: list[dict[str, object]] = [
        {"three_of_a_kind": "30"}, {"three_of_a_kind": "off"}, {"three_aces": "32.5"}, {"dealer_upcard_swap": True},
        {"dummy_hand": True}, {"return_taken_discard": True}, {"final_lap_stand": True},
        {"first_turn_knock": "banned_first_turn"}, {"first_turn_knock": "banned_first_lap"}, {"knock_min": 17},
        {"early_knock_shows_now": True}, {"declare": "claim"}, {"declare": "hold"}, {"natural_31": "own_turn"},
        {"declare_effect": "lowest_loses"}, {"simultaneous_31": 2}, {"knocker_on_31": 2}, {"stock_out": "play_on"},
        {"stock_out": "draw"}, {"settlement": "below_knocker_loses"}, {"tie_lowest": "none_lose"},
        {"knock_penalty": 1}, {"knocker_tie": "knocker_two"}, {"knocker_tie": "only_knocker"},
        {"knocker_tie": "all_lose"}, {"life_transfer": "to_winner"}, {"lives": 4}, {"county": False},
        {"all_out": "sudden_death"}, {"deck": 32},
    ]  # fmt: skip
    seen = {}
    for change in [{}, *changes]:
        rules = Rules(**{**base, **change})
        columns = encode(Game(rules, 2, seed=1).view(0))[start:stop].tobytes()
        assert columns not in seen, (change, seen[columns])
        seen[columns] = change


def words_that_matter(view: np.ndarray) -> dict[str, np.ndarray]:
    """Views that differ from one in a thing that a player must see (PAINS C5)."""
    changed = {}
    fields = {"own position": at.DEALER, "knocker": at.KNOCKER, "top": at.TOP, "turn": at.TURN}
    for name, field in fields.items():
        for other in (0, 1, 2) if name != "top" else (3, 17, 51):
            if int(view[at.V_STATUS]) >> int(field[1]) & int(field[2]) != other:
                copy = view.copy()
                copy[at.V_STATUS] &= ~(field[2] << field[1])
                copy[at.V_STATUS] |= np.uint64(other) << field[1]
                changed[f"{name} {other}"] = copy
    for seat in range(3):
        copy = view.copy()
        copy[at.V_LIVES] ^= np.uint64(4) << (at.LIVES_OF[1] * np.uint64(seat))
        changed[f"lives of {seat}"] = copy
        for name, field in (("out", at.OUT), ("county", at.ON_COUNTY)):
            copy = view.copy()
            copy[at.V_SEATS] ^= np.uint64(1 << seat) << field[1]
            changed[f"{name} {seat}"] = copy
        for word in (at.V_KNOWN, at.V_THROWN):
            copy = view.copy()
            copy[word + seat] ^= np.uint64(1 << 20)
            changed[f"word {word + seat}"] = copy
    for word in (at.V_HAND, at.V_PILE, at.V_EXTRA, at.V_RESHUFFLED):
        copy = view.copy()
        copy[word] ^= np.uint64(1 << 20)
        changed[f"word {word}"] = copy
    return changed


@pytest.mark.parametrize("seed", range(10))
def test_c5_states_that_differ_have_different_tensors(seed: int) -> None:
    game = random_game(seed, "pagat", 3, steps=seed * 3)
    view = game.view(seed % 3)
    me = int(view[at.V_COUNTS]) & 15
    seen = encode(view)
    for name, other in words_that_matter(view).items():
        if name != f"word {at.V_KNOWN + me}":  # what others know of one's own hand is in the seat's counts
            assert not np.array_equal(encode(other), seen), name


def test_c5_the_same_table_seen_from_another_seat_is_another_tensor() -> None:
    game = random_game(5, "standard", 4, steps=9)
    seen = {encode(game.view(seat)).tobytes() for seat in range(4)}
    assert len(seen) == 4


@pytest.mark.parametrize("players", range(2, 10))
def test_nine_places_hold_the_same_and_say_which_seats_are_absent(players: int) -> None:
    game = random_game(players, "party", players, steps=12)
    for seat in range(players):
        small, large = encode(game.view(seat)), encode(game.view(seat), seats=9)
        wide = {block.name: large[block.start : block.stop] for block in index_table(9)}
        for block in index_table(players):
            assert np.array_equal(small[block.start : block.stop], wide.pop(block.name)), block.name
        assert all(not columns.any() for columns in wide.values())


def test_every_column_stays_within_its_bounds() -> None:
    for preset in PRESETS:
        for game in games(preset, 12):
            for seat in range(game.players):
                seen = encode(game.view(seat), seats=9)
                assert (seen >= 0).all()
                assert (seen <= highs(9)).all()


def test_a_batch_is_its_rows() -> None:
    views = np.stack([random_game(seed, "pagat", 3, steps=seed).view(seed % 3) for seed in range(20)])
    assert np.array_equal(encode(views), np.stack([encode(view) for view in views]))
    assert np.array_equal(action_masks(views), np.stack([action_masks(view) for view in views]))
    out = np.full((20, size(3)), 77, dtype=np.int8)
    assert encode(views, out=out) is out
    assert np.array_equal(out, encode(views))
    assert encode(views[:0]).shape == (0, size(2))


@pytest.mark.parametrize("players", range(2, 10))
def test_every_column_of_the_callers_array_is_written_and_nothing_beside_it(players: int) -> None:
    """The compiled code writes many columns at once; what stood in the array before must not shine through."""
    game = random_game(players, "pagat", players, steps=20)
    view = game.view(game.turn or 0).reshape(1, -1)
    for places in range(players, 10):
        columns = size(places)
        memory = np.full(columns + 256, 77, dtype=np.int8)
        out = memory[128 : 128 + columns].reshape(1, columns)
        observe_entry.encode(view, out, np.zeros((0, 63), dtype=np.int8), places)
        assert np.array_equal(out[0], encode(view, seats=places)[0])
        assert (memory[:128] == 77).all()
        assert (memory[128 + columns :] == 77).all()


def test_b5_masks_are_the_core_s_legal_actions() -> None:
    for preset in PRESETS:
        for game in games(preset, 12):
            for seat in range(game.players):
                mask = action_masks(game.view(seat))
                legal = game.mask if seat == game.turn else 0
                assert sum(1 << int(i) for i in mask.nonzero()[0]) == legal


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda v: encode(v.astype(np.int64)), "views are uint64"),
        (lambda v: encode(v[:, :31]), "views are uint64"),
        (lambda v: encode(v, seats=2), "seats=2 is outside 3 to 9"),
        (lambda v: encode(v, seats=10), "seats=10 is outside"),
        (lambda v: encode(v, out=np.zeros((1, 5), dtype=np.int8)), "out must be int8"),
        (lambda v: encode(np.stack([v[0], Game("pagat", 2, seed=1).view(0)])), "2 to 3 seats"),
    ],
)
def test_wrong_arrays_are_refused(call: object, words: str) -> None:
    with pytest.raises(UserError, match=words):
        call(Game("pagat", 3, seed=1).view(0).reshape(1, -1))  # type: ignore[operator]  # a function


def scripted_views() -> np.ndarray:
    """Views of a game without chance: a laid-out pack, and of the legal actions one after the other."""
    rules = Rules.preset("pagat").replace(stock_out="reshuffle", lives=3)
    deck = stacked_deck(rules, 3, 2, {0: "AS KS 2D", 1: "7C 7D 7H", 2: "9H TH 3C"}, up="4S")
    game = Game(rules, 3, deck=deck, dealer=2, episode="round")
    views = []
    for step in range(24):
        views += [game.view(seat) for seat in range(3)]
        legal = [a for a in game.legal_actions() if a != "knock" or step > 15]
        game.play(legal[step % len(legal)])
        if game.over:
            break
    return np.stack(views)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def test_c5_the_shape_and_the_numbers_of_this_version_are_pinned() -> None:
    assert OBSERVATION_VERSION == 1
    assert {seats: size(seats) for seats in range(2, 10)} == SIZES_1
    table = [(b.start, b.stop, b.name, b.high) for b in index_table(9)]
    assert digest(repr(table).encode()) == TABLE_1
    assert digest(encode(scripted_views(), seats=9).tobytes()) == NUMBERS_1


def test_the_index_table_has_no_gaps_and_no_name_twice() -> None:
    for seats in range(2, 10):
        table = index_table(seats)
        assert table[0].start == 0
        assert all(a.stop == b.start for a, b in pairwise(table))
        assert len({block.name for block in table}) == len(table)
    with pytest.raises(ValueError, match="seats=1"):
        index_table(1)


@pytest.mark.parametrize("name", ["observation.md", "actions.md"])
def test_the_tables_in_the_docs_are_up_to_date(name: str) -> None:
    path = Path(__file__).parents[2] / "docs" / name
    text = path.read_text(encoding="utf-8")
    assert "generated by thirtyone_env.observation_table" in text
    assert docs_tables.renewed(text) == text, "run make docs-tables"


def test_describe_tells_a_person_what_the_seat_knows() -> None:
    rules = Rules.preset("pagat")
    deck = stacked_deck(rules, 3, 2, {0: "AS KS 2D", 1: "7C 7D 7H", 2: "9H TH 3C"}, up="4S", stock="5S")
    game = Game(rules, 3, deck=deck, dealer=2)
    game.play("draw_discard")
    game.play("discard 2D")
    text = describe(game.view(1))
    for words in ("hand: 7♣ 7♦ 7♥ (worth 7)", "holds 4♠", "threw 2♦", "top: 2♦", "seat 2: lives 3, deals", "knock"):
        assert words in text
    assert "K♠" not in text
    assert describe(game.view(0)).endswith("not to move")


def test_describe_works_in_every_state() -> None:
    chance = random.Random(1)
    for preset in PRESETS:
        for game in games(preset, 10):
            assert f"seat {0}" in describe(game.view(chance.randrange(game.players)))
