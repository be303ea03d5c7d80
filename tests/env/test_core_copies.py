"""Copies, pickles, undo and seeds: a game continues identically, and nothing outside it can change it (PAINS D)."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.env.game_walks import (
    PRESETS,
    burn_global_generators,
    move,
    players_at_most,
    random_table,
    snapshot,
    walk,
)
from tests.env.stacking import laid_out, stacked_deck
from thirtyone_env import Game, Rules

ROOT = Path(__file__).parents[2]
COPIES: dict[str, Callable[[Game], Game]] = {
    "clone": Game.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("players", range(2, 10))
def test_pains_d3_copies_continue_identically_at_every_step(way: str, players: int) -> None:
    source = random.Random(players)
    rules = Rules.preset(source.choice(PRESETS), max_turns=40)
    game = Game(rules, players, seed=players, chance=source.choice(("seed", "manual")))
    for _ in walk(game, source, 45):
        other = COPIES[way](game)
        seed, before, events = source.random(), snapshot(game), len(game.inputs())
        first = list(walk(other, random.Random(seed), 12))
        assert snapshot(game) == before, "the original is untouched"
        assert len(game.inputs()) == events
        again = COPIES[way](game)
        assert list(walk(again, random.Random(seed), 12)) == first
        assert snapshot(again) == snapshot(other)
        assert again.rounds == other.rounds


@pytest.mark.parametrize("chunk", range(4))
def test_pains_d3_copies_of_any_table_continue_identically(chunk: int) -> None:
    source = random.Random(50 + chunk)
    for _ in range(25):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        list(walk(game, source, source.randrange(60)))
        others = [make(game) for make in COPIES.values()]
        seed = source.random()
        traces = [list(walk(other, random.Random(seed), 80)) for other in [*others, game]]
        assert traces.count(traces[0]) == len(traces)
        assert all(snapshot(other) == snapshot(game) for other in others)
        assert all(other.record() == game.record() for other in others)
        assert all(other.events == game.events for other in others)


def test_pains_d4_a_pickle_keeps_history_undo_and_scripted_cards() -> None:
    pack = [f"{rank}{suit}" for rank in "2A3K4Q5J6T798" for suit in "SHDC"]
    game = Game("kids", 3, deck=pack, dealer=2, seed=4)
    start = game.state.tobytes()
    made = len(list(walk(game, random.Random(1), 60)))
    again = pickle.loads(pickle.dumps(game))
    for _ in range(made):
        again.undo()
    assert again.state.tobytes() == start
    list(walk(again, random.Random(1), 60))
    assert snapshot(again) == snapshot(game)
    assert again.events == game.events


@pytest.mark.parametrize("chunk", range(4))
def test_undo_is_exact_all_the_way_back(chunk: int) -> None:
    source = random.Random(70 + chunk)
    for _ in range(12):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        seen = [(snapshot(game), game.events)]
        for _ in walk(game, source, 60):
            seen.append((snapshot(game), game.events if len(seen) < 20 else None))
        while seen:
            shown, events = seen.pop()
            assert snapshot(game) == shown
            if events is not None:
                assert game.events == events
            if seen:
                game.undo()
        with pytest.raises(ValueError, match="nothing to undo"):
            game.undo()


def test_undo_goes_back_over_packs_that_were_given() -> None:
    rules = Rules.preset("kids")
    game = laid_out(rules, 3, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="2S", stock="5C 6D 7H")
    seen = [snapshot(game)]
    for action in ("draw_stock", "discard 5C", "knock", "draw_stock", "discard 7H", "draw_stock", "discard 2C"):
        game.play(action if action in game.legal_actions() else game.legal_actions()[-1])
        seen.append(snapshot(game))
    assert game.round_count == 1
    game.deal(stacked_deck(rules, 3, game.dealer, {1: "2C 3D 4H"}, up="2S", stock="8C"))
    seen.append(snapshot(game))
    game.play("draw_stock")
    assert game.drawn == "8C"
    for shown in reversed(seen):
        game.undo()
        assert snapshot(game) == shown
        if shown is seen[0]:
            break
    game.play("draw_stock")
    assert game.drawn == "5C", "the scripted cards come again"


@pytest.mark.parametrize("preset", PRESETS)
def test_pains_d1_same_seed_same_game_with_the_global_generators_burnt(preset: str) -> None:
    for players in (2, 4, players_at_most(Rules.preset(preset))):
        assert trace(preset, players, 12, burn=False) == trace(preset, players, 12, burn=True)
        assert trace(preset, players, 12, burn=False) != trace(preset, players, 13, burn=False)


def trace(preset: str, players: int, seed: int, burn: bool) -> list[Any]:
    game, source = Game(preset, players, seed=seed), random.Random(seed)
    seen: list[Any] = [game.dealer, game.hands]
    for _ in range(150):
        if game.over:
            break
        if burn:
            burn_global_generators()
        seen += [move(game, source), game.state.tobytes()]
    return seen


PROGRAM = """
import hashlib, random
from tests.env.game_walks import random_table, walk, burn_global_generators
digest, source = hashlib.sha256(), random.Random(2)
for number in range(40):
    game = random_table(source)
    for made in walk(game, source, 60):
        digest.update(made.encode() + game.state.tobytes())
    digest.update(repr(game.rounds).encode() + repr(game.events).encode() + repr(game.record()).encode())
    burn_global_generators()
print(digest.hexdigest())
"""


def test_pains_d1_a_fresh_process_with_another_hash_seed_plays_the_same() -> None:
    digests = set()
    for hash_seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False)
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


def test_the_kth_stock_card_of_a_deal_is_the_same_whatever_was_played() -> None:
    """Mirrored deals: before a reshuffle the stock does not depend on what is done with it."""
    for preset in ("pagat", "kids", "standard"):
        drawn: list[list[str]] = []
        for way in range(3):
            rules = Rules.preset(preset, declare="hold", natural_31="own_turn")
            game, source, cards = Game(rules, 3, seed=8, dealer=0), random.Random(way), []
            while len(cards) < 12 and game.round_count == 0:
                game.play("draw_stock" if source.random() < 0.7 else "draw_discard")
                if "discard" in game.phase and game.top is not None:
                    cards.append(game.drawn or "")
                throws = [action for action in game.legal_actions() if action.startswith("discard")]
                game.play(source.choice(throws))
            drawn.append(cards)
        assert drawn[0] == drawn[1] == drawn[2]
        assert len(drawn[0]) == 12
