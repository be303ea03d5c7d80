"""Nothing hidden reaches an agent: hidden cards are exchanged in the state, and all that it sees stays the same, bit
for bit (PAINS C1, C2)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.env.env_walks import PRESETS, random_action
from thirtyone_env import thirtyone_v0
from thirtyone_env.cards import CARDS
from thirtyone_env.core import layout as at
from thirtyone_env.observation import describe, encode
from thirtyone_env.render import ansi, rgb_array, scene_of_game

HAND, STOCK, EXTRA, KNOWN = int(at.HAND), int(at.STOCK), int(at.EXTRA), int(at.KNOWN)


def hidden_places(env: Any, viewer: int) -> dict[int, int]:
    """Word of the state -> the cards there that the viewer does not know."""
    game = env.unwrapped.game
    state = [int(word) for word in game._state[:, 0]]
    places = {STOCK: state[STOCK]}
    for seat in range(game.players):
        if seat != viewer:
            places[HAND + 2 * seat] = state[HAND + 2 * seat] & ~state[KNOWN]
    pool = game.rules.table != "stock_discard"
    if game.phase == "packet" or (not pool and game.rules.dummy_hand and game.dummy is None):
        places[EXTRA] = state[EXTRA]
    return {word: cards for word, cards in places.items() if cards}


def exchange(env: Any, viewer: int, chance: random.Random) -> bool:
    """Exchange two cards that the viewer cannot see; False where there are none."""
    game = env.unwrapped.game
    places = hidden_places(env, viewer)
    if len(places) < 2:
        return False
    one, other = chance.sample(sorted(places), 2)
    a = chance.choice([i for i in range(52) if places[one] >> i & 1])
    b = chance.choice([i for i in range(52) if places[other] >> i & 1])
    reshuffled = int(game._state[int(at.RESHUFFLED), 0])
    if reshuffled >> a & 1 != reshuffled >> b & 1:
        return False  # after a reshuffle a seat may know which of the two is in the stock
    both = np.uint64(1 << a | 1 << b)
    game._state[one, 0] ^= both
    game._state[other, 0] ^= both
    status = int(game._state[int(at.DRAWN[0]), 0])
    shift = int(at.DRAWN[1])
    drawn = status >> shift & 63
    if drawn in (a, b):
        status += ((a + b - drawn) - drawn) << shift
        game._state[int(at.DRAWN[0]), 0] = np.uint64(status)
    return True


def all_that_is_seen(env: Any, viewer: int, picture: bool) -> list[Any]:
    raw = env.unwrapped
    agent = f"player_{viewer}"
    view = raw.game.view(viewer)
    seen = raw.observe(agent)
    scene = scene_of_game(raw.game, viewer)
    things = [
        view.tobytes(),
        seen["observation"].tobytes(),
        seen["action_mask"].tobytes(),
        encode(view, seats=9).tobytes(),
        describe(view),
        ansi(scene),
        repr(raw.infos.get(agent)),
    ]
    return [*things, rgb_array(scene).tobytes()] if picture else things


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 4])
def test_c1_hidden_cards_change_nothing_that_a_seat_sees(preset: str, players: int) -> None:
    exchanged = 0
    for seed in range(3):
        env = thirtyone_v0.env(rules=preset, players=players)
        chance = random.Random(seed)
        env.reset(seed=seed)
        for step in range(30):
            if env.unwrapped.game.over:
                break
            for viewer in chance.sample(range(players), 2):
                other = thirtyone_v0.TerminateIllegal(env.unwrapped)
                kept = env.unwrapped.game._state.copy()
                before = all_that_is_seen(other, viewer, picture=step % 30 == 7)
                if exchange(other, viewer, chance):
                    exchanged += 1
                    assert all_that_is_seen(other, viewer, picture=step % 30 == 7) == before
                env.unwrapped.game._state[:] = kept
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else random_action(seen, chance))
    assert exchanged > 40


@pytest.mark.parametrize("preset", PRESETS)
def test_c2_the_mask_of_a_seat_that_is_not_to_move_is_all_zero(preset: str) -> None:
    env = thirtyone_v0.env(rules=preset, players=4)
    chance = random.Random(2)
    for seed in range(3):
        env.reset(seed=seed)
        while env.agents:
            mover = env.agent_selection
            for agent in env.agents:
                mask = env.observe(agent)["action_mask"]
                if agent != mover or env.terminations[agent]:
                    assert not mask.any()
                else:
                    assert mask.any()
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else random_action(seen, chance))


def test_c7_every_seat_can_be_observed_in_every_state() -> None:
    env = thirtyone_v0.env(rules="schwimmen", players=3)
    chance = random.Random(3)
    env.reset(seed=3)
    while True:
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        state = env.state()
        assert env.unwrapped.state_space.contains(state)
        if not env.agents:
            break
        seen, _, ended, cut, _ = env.last()
        env.step(None if ended or cut else random_action(seen, chance))


def test_state_shows_every_hand_and_the_stock() -> None:
    env = thirtyone_v0.env(rules="pagat", players=3)
    env.reset(seed=8)
    game = env.unwrapped.game
    cards = env.state()[: 4 * 52].reshape(4, 52)
    for seat in range(3):
        assert [CARDS[i] for i in cards[seat].nonzero()[0]] == game.hands[seat]
    assert cards[3].sum() == game.stock_count
