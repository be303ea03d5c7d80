"""Checks of determinism and of every kind of copy."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable

import numpy as np

from thirtyone_env.game import Game
from thirtyone_env.testing.plays import Setting

Choose = Callable[[Game, random.Random], str]


def burn() -> None:
    """Disturb the global generators, which nothing may use."""
    random.seed()
    np.random.seed(None)  # noqa: NPY002  # it is the old global generator that is disturbed
    random.random()
    np.random.rand()  # noqa: NPY002  # the global generator is what is meant


def check_seed(setting: Setting, number: int, choose: Choose) -> None:
    """Two games of one seed and the same actions are equal state by state, whatever the global generators do."""
    games = []
    for _ in range(2):
        burn()
        source = setting.source(number)
        game = setting.start(number, seed=number)
        states = [game.state.tobytes()]
        for _ in range(setting.moves):
            if game.over:
                break
            game.play(choose(game, source))
            states.append(game.state.tobytes())
        games.append((states, game))
    (first, game), (second, _) = games
    step = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    same = step is None and len(first) == len(second)
    assert same, f"two games with seed {number} and the same actions differ after {step} actions{setting.where(game)}"


def check_copies(setting: Setting, game: Game, source: random.Random) -> None:
    """A clone, a deep copy and a pickle go on as the original would, which stays as it is; undo takes back a step."""
    before = (game.state.tobytes(), tuple(game.information_state(0)))
    ways: dict[str, Callable[[Game], Game]] = {
        "clone()": lambda g: g.clone(),
        "copy.deepcopy": copy.deepcopy,
        "pickle": lambda g: pickle.loads(pickle.dumps(g)),
    }
    traces = {name: _go_on(way(game), random.Random(7)) for name, way in ways.items()}
    now = (game.state.tobytes(), tuple(game.information_state(0)))
    assert now == before, f"a copy was played on, and the original has changed{setting.where(game)}"
    for name, trace in traces.items():
        assert trace == traces["clone()"], f"{name} goes on otherwise than clone(){setting.where(game)}"
    if not game.over:
        _check_undo(setting, game, source)


def _go_on(game: Game, source: random.Random) -> list[bytes]:
    states = [game.state.tobytes()]
    for _ in range(25):
        if game.over:
            break
        _step(game, source)
        states.append(game.state.tobytes())
    return states


def _step(game: Game, source: random.Random) -> None:
    if game.needs_card:
        game.give(source.choice(game.possible_cards()))
    else:
        game.play(source.choice(game.legal_actions()))


def _check_undo(setting: Setting, game: Game, source: random.Random) -> None:
    other = game.clone()
    before = (other.state.tobytes(), other.mask, other.turn, other.round_count, other.events)
    _step(other, source)
    other.undo()
    after = (other.state.tobytes(), other.mask, other.turn, other.round_count, other.events)
    assert after == before, f"undo() does not lead back to the position before{setting.where(game)}"


def check_record(setting: Setting, game: Game) -> None:
    """The record of a game is plain JSON and plays again to the same state."""
    record = json.loads(json.dumps(game.record()))
    again = Game.replay(record)
    same = again.state.tobytes() == game.state.tobytes() and again.events == game.events
    assert same, f"the game's record plays again to another state{setting.where(game)}"
