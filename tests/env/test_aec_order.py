"""Turn order, going out, and flags in the AEC environment (PAINS A1 to A11)."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from tests.env.env_walks import PRESETS, random_action, walk
from tests.env.stacking import stacked_deck
from thirtyone_env import IllegalAction, Rules, UserError, thirtyone_v0
from thirtyone_env.cards import card_id

# four hands of three cards in one suit each; the worth of the first two is the lowest
LOW = ("2C 3C 4C", "2D 3D 4D")
HIGH = ("TH JH QH", "TS JS QS")


def dying_env(dealer: int, dying: tuple[int, int], lives: list[int]) -> tuple[Any, int]:
    """An environment before the first turn of a round that sends two seats out, and the seat that is to knock."""
    rules = Rules.preset("pagat").replace(county=False, natural_31="own_turn")
    low, high = list(LOW), list(HIGH)
    hands = {seat: (low if seat in dying else high).pop() for seat in range(4)}
    deck = stacked_deck(rules, 4, dealer, hands, up="5H", stock="6H 7H 8H 9H 6S 7S 8S 9S")
    env = thirtyone_v0.env(rules=rules, players=4)
    env.reset(seed=1, options={"deck": deck, "dealer": dealer, "lives": lives})
    return env, (dealer + 1) % 4


def play_to_the_end_of_the_round(env: Any, dying: tuple[int, int]) -> None:
    """A safe seat knocks on its first turn; everyone else draws from the stock and throws the card drawn."""
    while env.unwrapped.game.round_count == 0:
        game = env.unwrapped.game
        seat = game.turn
        if game.knocker is None and seat not in dying and game.phase == "turn":
            env.step(2)
        else:
            env.step(0)
            if game.round_count == 0:
                env.step(4 + card_id(game.drawn))


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("dying", list(combinations(range(4), 2)))
def test_a1_after_two_seats_go_out_at_once_the_dead_are_visited_and_then_the_next_living(
    dying: tuple[int, int], dealer: int
) -> None:
    lives = [1 if seat in dying else 2 for seat in range(4)]
    env, _ = dying_env(dealer, dying, lives)
    play_to_the_end_of_the_round(env, dying)
    assert env.unwrapped.game.last_round.eliminated == dying
    living = [seat for seat in range(4) if seat not in dying]
    deals = next(s % 4 for s in range(dealer + 1, dealer + 5) if s % 4 in living)
    plays = next(s % 4 for s in range(deals + 1, deals + 5) if s % 4 in living)
    visited = []
    for agent in env.agent_iter(3):
        _, reward, ended, _, _ = env.last()
        visited.append((agent, ended, reward))
        env.step(None if ended else 0)
    assert visited == [
        (f"player_{dying[0]}", True, -1 / 3),
        (f"player_{dying[1]}", True, -1 / 3),
        (f"player_{plays}", False, 0.0),
    ]
    assert env.unwrapped.game.dealer == deals


def test_a2_the_agents_list_is_the_callers_to_spoil() -> None:
    env = thirtyone_v0.raw_env(players=4)
    chance = random.Random(4)
    env.reset(seed=4)
    env.agents.remove("player_1")
    moved = []
    while not env.game.over:
        seen, _, ended, cut, _ = env.last()
        moved.append(env.agent_selection)
        env.step(None if ended or cut else random_action(seen, chance))
    assert "player_1" in moved
    assert env.game.winner is not None


@pytest.mark.parametrize("preset", PRESETS)
def test_a5_at_the_end_no_agent_is_left_and_a_step_says_so(preset: str) -> None:
    env = thirtyone_v0.env(rules=preset, players=4)
    for seed in range(5):
        for _ in walk(env, seed, random.Random(seed)):
            pass
        assert env.agents == []
        assert env.rewards == env.terminations == env.truncations == env.infos == {}
        with pytest.raises(UserError, match="call reset"):
            env.step(None)


def test_a_step_before_the_first_reset_says_so() -> None:
    with pytest.raises(UserError, match="call reset"):
        thirtyone_v0.env().step(0)


def test_a6_a_knocker_that_loses_hears_of_it_once_with_its_termination() -> None:
    rules = Rules.preset("pagat").replace(county=False)
    hands = {0: "2C 3D 4H", 1: "TH JH QH", 2: "TS JS QS"}
    deck = stacked_deck(rules, 3, 2, hands, up="5H", stock="6C 7C 8C 9C")
    env = thirtyone_v0.env(rules=rules, players=3)
    env.reset(seed=1, options={"deck": deck, "dealer": 2, "lives": [1, 3, 3]})
    told = []
    for agent in env.agent_iter(9):
        seen, reward, ended, _, _ = env.last()
        told.append((agent, reward, ended))
        if ended:
            env.step(None)
        elif agent == "player_0":
            env.step(2)
        else:
            legal = seen["action_mask"].nonzero()[0]
            env.step(0 if 0 in legal else int(legal[-1]))
        if env.unwrapped.game.round_count and not ended and "player_0" not in env.agents:
            break
    losses = [entry for entry in told if entry[0] == "player_0" and entry[1] != 0]
    assert losses == [("player_0", -0.5, True)]


@pytest.mark.parametrize("episode", ["match", "round"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a11_the_flagged_agents_are_the_seats_that_are_out(preset: str, episode: str) -> None:
    env = thirtyone_v0.raw_env(rules=preset, players=4, episode=episode)
    for seed in range(4):
        gone: set[str] = set()
        for _, _, action in walk(env, seed, random.Random(seed)):
            flagged = {a for a in env.terminations if env.terminations[a] or env.truncations[a]}
            out = {f"player_{seat}" for seat in env.game.out}
            if env.game.over:
                assert flagged | gone == set(env.possible_agents)
            else:
                assert flagged | gone == out
            if action is None:
                gone.add(env.agent_selection)


def test_a_match_that_is_cut_off_truncates_the_seats_that_are_in() -> None:
    rules = Rules.preset("pagat").replace(max_deals=3)
    env = thirtyone_v0.env(rules=rules, players=3)
    ends = [(told[2], told[3]) for _, told, action in walk(env, 2, random.Random(2)) if action is None]
    assert env.unwrapped.game.truncated
    assert ends == [(False, True)] * 3


def test_seats_that_are_out_from_the_start_are_no_agents() -> None:
    env = thirtyone_v0.env(players=4, out=[1], lives=[3, 0, 2, 1])
    env.reset(seed=1)
    assert env.agents == ["player_0", "player_2", "player_3"]
    assert set(env.rewards) == set(env.agents)
    agents = {agent for agent, _, _ in walk(env, 1, random.Random(1))}
    assert agents == {"player_0", "player_2", "player_3"}


@pytest.mark.parametrize("seed", range(8))
def test_a9_an_illegal_action_ends_the_episode_with_one_flag_and_one_negative_reward(seed: int) -> None:
    env = thirtyone_v0.env(players=3)
    chance = random.Random(seed)
    env.reset(seed=seed)
    for _ in range(chance.randrange(6)):
        env.step(random_action(env.last()[0], chance))
    seen, *_ = env.last()
    offender = env.agent_selection
    illegal = chance.choice([i for i in range(63) if not seen["action_mask"][i]])
    env.step(illegal)
    assert env.rewards == {a: -1.0 if a == offender else 0.0 for a in env.agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert set(env.infos[offender]["illegal_action"]) == {"action", "why"}
    assert all("illegal_action" not in env.infos[a] for a in env.agents if a != offender)
    told = []
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        assert not seen["action_mask"].any()
        told.append((agent, reward, ended, cut))
        env.step(None)
    assert [t for t in told if t[1] < 0] == [(offender, -1.0, True, False)]
    assert env.agents == []


def test_b6_raw_env_refuses_an_illegal_action_and_changes_nothing() -> None:
    env = thirtyone_v0.raw_env(players=3)
    chance = random.Random(9)
    env.reset(seed=9)
    for _ in range(25):
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.step(None)
            continue
        before = (env.game.state.tobytes(), dict(env.rewards), dict(env._cumulative_rewards), env.agent_selection)
        for illegal in [i for i in range(63) if not seen["action_mask"][i]]:
            with pytest.raises(IllegalAction):
                env.step(illegal)
        for unknown in (63, -1, 1000):
            with pytest.raises(UserError):
                env.step(unknown)
        with pytest.raises(UserError, match="None is the answer only"):
            env.step(None)
        assert before == (
            env.game.state.tobytes(),
            dict(env.rewards),
            dict(env._cumulative_rewards),
            env.agent_selection,
        )
        env.step(random_action(seen, chance))


def test_an_agent_that_has_ended_may_only_answer_none() -> None:
    env, _ = dying_env(0, (1, 2), [2, 1, 1, 2])
    play_to_the_end_of_the_round(env, (1, 2))
    with pytest.raises(UserError, match="player_1 has ended"):
        env.step(0)
