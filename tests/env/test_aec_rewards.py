"""Rewards are paid once and only once, and sum to zero (PAINS A3)."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from tests.env.env_walks import PRESETS, players_of, walk
from thirtyone_env import Rules, UserError, thirtyone_v0

SCHEMES = [(p, e, r) for p in PRESETS for e, r in (("match", "match"), ("match", "lives"), ("round", "lives"))]
SCHEMES = [case for case in SCHEMES if case[0] != "bicycle" or case[2] == "match"]


def check_paid_once(preset: str, episode: str, reward: str, players: int, seed: int) -> None:
    env = thirtyone_v0.env(rules=preset, players=players, episode=episode, reward=reward)
    heard: dict[str, float] = defaultdict(float)
    shown: dict[str, float] = defaultdict(float)
    for agent, told, _ in walk(env, seed, random.Random(seed)):
        heard[agent] += told[1]
        for other, paid in env.rewards.items():
            shown[other] += paid
    rounds = env.unwrapped.game.rounds
    for seat in range(players):
        paid = sum((r.rewards_lives if reward == "lives" else r.rewards_match)[seat] for r in rounds)
        assert heard[f"player_{seat}"] == pytest.approx(paid, abs=1e-12)
        assert shown[f"player_{seat}"] == pytest.approx(paid, abs=1e-12)
    assert sum(heard.values()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("preset", "episode", "reward"), SCHEMES)
def test_a3_what_last_reports_adds_up_to_what_the_core_paid(preset: str, episode: str, reward: str) -> None:
    for seed in range(12):
        check_paid_once(preset, episode, reward, players_of(preset)[seed % 4], seed)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_a3_what_last_reports_adds_up_in_10000_games_of_each_variant(preset: str) -> None:
    *matches, single = [scheme for scheme in SCHEMES if scheme[0] == preset]
    for seed in range(10_000):  # whole matches take ten times as long as single rounds: every fifth game is one
        _, episode, reward = matches[seed // 5 % len(matches)] if matches and seed % 5 == 0 else single
        check_paid_once(preset, episode, reward, players_of(preset)[seed // 3 % 4], seed)


def test_a_round_settled_before_the_first_turn_is_paid_with_the_first_step() -> None:
    from tests.env.stacking import stacked_deck

    rules = Rules.preset("standard")
    deck = stacked_deck(rules, 3, 2, {0: "AS KS QS", 1: "2C 3D 4H", 2: "2D 3H 4C"})
    env = thirtyone_v0.env(rules=rules, players=3, reward="lives")
    env.reset(seed=3, options={"deck": deck, "dealer": 2})
    assert env.unwrapped.game.round_count == 1
    assert not any(env.rewards.values())
    first = env.agent_selection
    env.step(0)
    assert env.rewards == {"player_0": 1.0, "player_1": -0.5, "player_2": -0.5}
    assert [info["reason"] for info in env.infos[first]["rounds"]] == ["natural"]


def test_infos_tell_what_happened_in_the_rounds_since_an_agents_last_action() -> None:
    env = thirtyone_v0.env(rules="pagat", players=3)
    heard: dict[str, list[int]] = defaultdict(list)
    for agent, told, _ in walk(env, 7, random.Random(7)):
        rounds = told[4].get("rounds", [])
        heard[agent] += [info["deal"] for info in rounds]
        for info in rounds:
            result = env.unwrapped.game.rounds[info["deal"]]
            assert info["values"] == result.values
            assert info["lost"] == result.lost
            assert info["why"] == result.why
            assert len(info["why"]) > 0
    for seat in range(3):
        lasted = [r.deal for r in env.unwrapped.game.rounds]
        out = next((r.deal for r in env.unwrapped.game.rounds if seat in r.eliminated), lasted[-1])
        assert heard[f"player_{seat}"] == [deal for deal in lasted if deal <= out]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"reward": "points"}, "reward='points'"),
        ({"episode": "game"}, "episode='game'"),
        ({"episode": "round", "reward": "match"}, "no match to win"),
        ({"rules": "bicycle", "reward": "lives"}, "a pot game has no lives"),
        ({"seats": 3}, "seats=3"),
        ({"seats": 10}, "seats=10"),
        ({"players": 10}, "10 players"),
        ({"render_mode": "text"}, "render_mode='text'"),
        ({"viewer": 7}, "viewer=7"),
        ({"lives": [1, 2]}, "lives="),
        ({"out": [1, 2, 3]}, "out="),
        ({"rules": "pagatt"}, "did you mean pagat"),
    ],
)
def test_a_wrong_option_is_refused_by_name(options: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        thirtyone_v0.env(**options)
