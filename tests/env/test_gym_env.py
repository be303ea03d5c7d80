"""The Gymnasium environment: one learner against opponents that the environment plays (PAINS B5, B10)."""

from __future__ import annotations

import random
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from tests.env.env_walks import PRESETS
from tests.env.stacking import stacked_deck
from thirtyone_env import IllegalAction, Rules, UserError
from thirtyone_env.actions import mask_to_ids
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.gym import ThirtyOneEnv
from thirtyone_env.keys import decision_key, decision_keys, mix


def random_action(env: ThirtyOneEnv, chance: random.Random) -> int:
    legal = [int(i) for i in env.action_masks().nonzero()[0]]
    others = [i for i in legal if i != 2]
    return chance.choice(others) if others and chance.random() > 0.15 else chance.choice(legal)


def play(env: ThirtyOneEnv, seed: int) -> tuple[float, list[float], bool, bool]:
    """An episode at random: return, the rewards, terminated, truncated."""
    chance = random.Random(seed)
    env.reset(seed=seed)
    rewards: list[float] = []
    while True:
        _, reward, terminated, truncated, _ = env.step(random_action(env, chance))
        rewards.append(reward)
        if terminated or truncated:
            return sum(rewards), rewards, terminated, truncated


@pytest.mark.parametrize("preset", PRESETS)
def test_check_env_passes_without_warnings(preset: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make("ThirtyOne-v0", rules=preset, players=3, opponents=["threshold:21", "random"])
        check_env(env.unwrapped, skip_render_check=True)


def test_check_env_passes_for_every_render_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(ThirtyOneEnv.metadata, "render_fps", 50)
    for mode in ("ansi", "rgb_array", "human"):
        env = gymnasium.make("ThirtyOne-v0", players=3, render_mode=mode)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            env.reset(seed=1)
            drawn = env.render()
        assert (drawn is None) == (mode == "human")
        env.close()


def test_make_works_with_the_module_in_the_name_too() -> None:
    env = gymnasium.make("thirtyone_env:ThirtyOne-v0", players=2, opponents="random", episode="round")
    observation, info = env.reset(seed=1)
    assert env.observation_space.contains(observation)
    assert env.get_wrapper_attr("action_masks")().sum() > 0
    assert info["seat"] in (0, 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_b5_action_masks_are_the_core_s_legal_actions_of_the_learner(preset: str) -> None:
    env = ThirtyOneEnv(preset, players=4)
    for seed in range(6):
        chance = random.Random(seed)
        env.reset(seed=seed)
        over = False
        while not over:
            mask = env.action_masks()
            assert env.game.turn == env.seat
            assert mask.dtype == np.bool_
            assert [int(i) for i in mask.nonzero()[0]] == mask_to_ids(env.game.mask)
            _, _, terminated, truncated, _ = env.step(random_action(env, chance))
            over = terminated or truncated
        assert not env.action_masks().any()


@pytest.mark.parametrize("reward", ["match", "lives"])
@pytest.mark.parametrize("preset", [p for p in PRESETS if p != "bicycle"])
def test_b10_what_the_learner_hears_is_all_that_the_core_paid_its_seat(preset: str, reward: str) -> None:
    env = ThirtyOneEnv(preset, players=4, reward=reward)
    for seed in range(12):
        total, _, terminated, truncated = play(env, seed)
        rounds = env.game.rounds
        paid = sum((r.rewards_lives if reward == "lives" else r.rewards_match)[env.seat] for r in rounds)
        assert total == pytest.approx(paid, abs=1e-12)
        assert terminated != truncated
        if reward == "match":
            assert total == pytest.approx(-1 / 3 if env.seat in env.game.out else 1.0)


def test_the_learner_s_elimination_ends_its_episode_with_its_match_reward() -> None:
    env = ThirtyOneEnv("pagat", players=4, seat=2)
    ends = set()
    for seed in range(20):
        _, rewards, terminated, _ = play(env, seed)
        assert terminated
        assert all(reward == 0 for reward in rewards[:-1])
        out = env.seat in env.game.out
        assert rewards[-1] == pytest.approx(-1 / 3 if out else 1.0)
        ends.add((out, env.game.over))
    assert (True, False) in ends  # the others play on without it


def test_b10_the_opponents_reply_is_in_the_reward_of_the_move_before_it() -> None:
    rules = Rules.preset("pagat").replace(stock_out="reshuffle")
    deck = stacked_deck(rules, 2, 1, {0: "2C 3D 4H", 1: "KS QS 2D"}, up="5C", stock="6C AS")
    env = ThirtyOneEnv(rules, players=2, opponents=[take_the_stock], seat=0, episode="round", dealer=1)
    env.reset(seed=1)
    env.game = type(env.game)(rules, 2, deck=deck, dealer=1, episode="round")
    env._play_on()
    env.step("draw_stock")
    _, reward, terminated, _, info = env.step("discard 6C")  # the opponent draws the ace of spades and shows 31
    assert (reward, terminated) == (-1.0, True)
    assert info["rounds"][0]["reason"] == "declared"


def take_the_stock(views: np.ndarray, keys: np.ndarray) -> list[int]:
    """Shows 31 if it can, draws from the stock, throws the lowest id."""
    del keys
    legal = mask_to_ids(int(views[0, V_LEGAL]))
    return [3 if 3 in legal else legal[0]]


def test_the_seat_is_any_or_the_one_asked_for() -> None:
    env = ThirtyOneEnv(players=4)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(40)}
    assert seats == {0, 1, 2, 3}
    for seat in range(4):
        env = ThirtyOneEnv(players=4, seat=seat)
        assert all(env.reset(seed=seed)[1]["seat"] == seat for seed in range(5))
    assert ThirtyOneEnv(players=4).reset(seed=1, options={"seat": 3})[1]["seat"] == 3


def test_opponents_sit_in_the_order_given_clockwise_from_the_learner() -> None:
    asked: list[tuple[str, int]] = []

    def named(name: str) -> Any:
        def act(views: np.ndarray, keys: np.ndarray) -> list[int]:
            asked.append((name, int(views[0, 11]) & 15))
            return take_the_stock(views, keys)

        return act

    env = ThirtyOneEnv(players=4, opponents=[named("a"), named("b"), named("c")])
    for seed in range(10):
        asked.clear()
        env.reset(seed=seed)
        env.step(int(env.action_masks().nonzero()[0][0]))
        assert {(name, (seat - env.seat) % 4) for name, seat in asked} <= {("a", 1), ("b", 2), ("c", 3)}


def test_the_same_seed_is_the_same_episode_whatever_the_global_generators_do() -> None:
    env = ThirtyOneEnv("standard", players=3, opponents="random")

    def trace(burn: int) -> list[Any]:
        random.seed(burn)
        chance = random.Random(3)
        seen = [env.reset(seed=9)[0].tobytes()]
        for _ in range(3):
            over = False
            while not over:
                observation, reward, terminated, truncated, _ = env.step(random_action(env, chance))
                seen.append((observation.tobytes(), reward))
                over = terminated or truncated
            seen.append(env.reset()[0].tobytes())
        return seen

    assert trace(1) == trace(2)


def test_an_illegal_action_ends_the_episode_and_says_why() -> None:
    env = ThirtyOneEnv(players=3)
    env.reset(seed=1)
    illegal = int((~env.action_masks()).nonzero()[0][0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "legal are" in info["illegal_action"]["why"]
    with pytest.raises(UserError, match="call reset"):
        env.step(0)


def test_a_match_that_is_cut_off_is_truncated() -> None:
    env = ThirtyOneEnv(Rules.preset("pagat").replace(max_deals=2), players=3)
    ends = [play(env, seed)[2:] for seed in range(10)]
    assert (False, True) in ends


def test_an_opponent_that_plays_what_is_not_legal_is_named() -> None:
    def cheat(views: np.ndarray, keys: np.ndarray) -> list[int]:
        return [59]

    env = ThirtyOneEnv(players=2, opponents=[cheat], seat=0, dealer=0)
    with pytest.raises(IllegalAction, match="cheat answered 59"):
        env.reset(seed=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponents": ["random", "random"]}, "2 opponents given: 1 .* or 3"),
        ({"opponents": "treshold:21"}, "treshold"),
        ({"opponents": 5}, "5 is no opponent"),
        ({"seat": 4}, "seat=4"),
        ({"out": [1], "seat": 1}, "seat=1"),
        ({"seats": 2}, "seats=2"),
        ({"viewer": "some"}, "viewer='some'"),
        ({"reward": "chips"}, "reward='chips'"),
    ],
)
def test_a_wrong_option_is_refused_by_name(options: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        ThirtyOneEnv(**options)


def test_without_a_package_that_knows_names_only_random_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thirtyone_env.opponents.entry_points", lambda group: [])
    ThirtyOneEnv(players=3, opponents="random")
    with pytest.raises(UserError, match=r"thirtyone\.policies"):
        ThirtyOneEnv(players=3, opponents="threshold:21")


def test_random_plays_every_legal_action_about_as_often() -> None:
    from thirtyone_env.opponents import Uniform

    view = np.zeros((1, 32), dtype=np.uint64)
    view[0, V_LEGAL] = 0b100111
    keys = decision_keys(5, np.arange(8000), 0, 0, 0)
    actions = Uniform().act(np.repeat(view, 8000, axis=0), keys)
    counts = np.bincount(actions, minlength=6)
    assert list(counts.nonzero()[0]) == [0, 1, 2, 5]
    assert abs(counts[counts > 0] - 2000).max() < 200  # 2000 +- 5 standard deviations


def test_keys_are_the_same_one_by_one_and_in_arrays_and_do_not_repeat() -> None:
    matches, decisions = np.meshgrid(np.arange(40), np.arange(50))
    keys = decision_keys(7, matches, 3, decisions, 2)
    assert keys.dtype == np.uint64
    assert len(set(keys.ravel().tolist())) == keys.size
    for row, column in ((0, 0), (49, 39), (17, 8)):
        assert int(keys[row, column]) == decision_key(7, column, 3, row, 2)
    assert decision_key((1 << 64) - 1) != decision_key(0)
    assert mix(0) == 0
    assert mix(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF  # first number of SplitMix64 from state 0
