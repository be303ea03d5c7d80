"""The compiled core and the independent referee play the same cards and moves in lock step.

Each chunk compares everything that both show after every move, and each settled round with its rewards.
"""

from __future__ import annotations

import random

import pytest

from tests.env.lockstep import play_both, random_rules
from thirtyone_env import Rules

FAST_CHUNKS, FAST_ROUNDS = 24, 250
SLOW_CHUNKS, SLOW_ROUNDS = 40, 600
TABLES = ("stock_discard", "stock_discard", "widow", "pool")


def compared_rounds(chunk: int, rounds: int) -> tuple[int, int]:
    """Play until so many rounds have been compared: half of presets, half of random mixes. Returns rounds, moves."""
    source = random.Random(chunk)
    done = moves = number = 0
    while done < rounds:
        number += 1
        rules = random_rules(source, TABLES[number % 4]) if number % 2 else random_preset(source)
        players = source.randint(2, players_at_most(rules))
        seed, eager = chunk * 1_000_003 + number, source.choice((0.2, 0.6, 1))
        played = play_both(rules, players, seed, min(8, rounds - done), eager)
        done += played[0]
        moves += played[1]
    return done, moves


def random_preset(source: random.Random) -> Rules:
    name = source.choice(Rules.presets()[:7])
    return Rules.preset(name, max_turns=source.choice((15, 40, 200)), max_deals=source.choice((3, 40)))


def players_at_most(rules: Rules) -> int:
    """Most players for whom the pack is large enough."""
    fitting = 2
    for players in range(2, 10):
        try:
            fitting = rules.check_players(players)
        except ValueError:
            break
    return fitting


@pytest.mark.parametrize("chunk", range(FAST_CHUNKS))
def test_engine_and_referee_agree(chunk: int) -> None:
    rounds, moves = compared_rounds(chunk, FAST_ROUNDS)
    assert rounds == FAST_ROUNDS
    assert moves > rounds


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(SLOW_CHUNKS))
def test_engine_and_referee_agree_for_long(chunk: int) -> None:
    rounds, moves = compared_rounds(1_000 + chunk, SLOW_ROUNDS)
    assert rounds == SLOW_ROUNDS
    assert moves > rounds


def test_enough_rounds_are_compared() -> None:
    assert FAST_CHUNKS * FAST_ROUNDS >= 6_000
    assert SLOW_CHUNKS * SLOW_ROUNDS >= 20_000
