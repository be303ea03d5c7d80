"""The compiled games of the trainer against `ThirtyOne-v0`, which plays the same by way of `Game`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thirtyone_agents.registry import load
from thirtyone_env.cards import CARDS
from thirtyone_env.core import layout
from thirtyone_env.decode import field
from thirtyone_env.env_rewards import round_rewards
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.gym import ThirtyOneEnv
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.observation_table import index_table
from thirtyone_env.rules import Rules

PRESETS = ("pagat", "party", "standard", "kids", "wikipedia_fast")
NAMES = ("threshold:21", "random", "tips", "threshold:17")


def random_legal(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """A legal action of each row: int64 [n]."""
    return np.array([generator.choice(np.flatnonzero(mask)) for mask in masks], dtype=np.int64)


def open_episode(env: ThirtyOneEnv, games: LearnerGames, i: int) -> None:
    """Begin in ``env`` the very episode that stands in game ``i``."""
    env.seat = int(games.seats[i])
    env._begin(int(games.episode_seeds[i]))
    assert not env._over


def same_position(env: ThirtyOneEnv, games: LearnerGames, i: int) -> None:
    np.testing.assert_array_equal(env._observe(), games.observations[i])
    np.testing.assert_array_equal(env.action_masks(), games.masks[i])


@pytest.mark.parametrize(
    ("preset", "players", "episode", "reward"),
    [
        *((preset, 3, "match", "lives") for preset in PRESETS),
        ("pagat", 2, "round", "lives"),
        ("standard", 6, "match", "match"),
        ("wikipedia_fast", 4, "round", "lives"),
        ("kids", 9, "match", "match"),
    ],
)
def test_pains_b5_b10_f5_games_agree_with_the_environment_move_for_move(
    preset: str, players: int, episode: str, reward: str
) -> None:
    opponents = [NAMES[j % len(NAMES)] for j in range(players - 1)]
    setup: dict[str, Any] = {"rules": preset, "players": players, "episode": episode, "reward": reward}
    games = LearnerGames(3, opponents=opponents, seed=11, ordered=True, **setup)
    envs = [ThirtyOneEnv(opponents=[load(name) for name in opponents], **setup) for _ in range(3)]
    generator = np.random.default_rng(5)
    for i, env in enumerate(envs):
        open_episode(env, games, i)
        same_position(env, games, i)
    ended = 0
    for _ in range(150):
        actions = random_legal(games.masks, generator)
        games.step(actions)
        for i, env in enumerate(envs):
            observation, paid, terminated, truncated, _info = env.step(int(actions[i]))
            assert games.rewards[i] == pytest.approx(paid, abs=1e-12)
            assert games.ends[i] == (1 if terminated else 2 if truncated else 0)
            if terminated or truncated:
                np.testing.assert_array_equal(games.last_observations[i], observation)
                open_episode(env, games, i)
                ended += 1
            same_position(env, games, i)
    assert ended > 0


def test_a_deal_episode_ends_with_its_round_and_has_its_reward_alone() -> None:
    opponents = ["threshold:21", "tips"]
    games = LearnerGames(2, "pagat", 3, opponents, seed=3, ordered=True, episode="deal", reward="lives")
    env = ThirtyOneEnv("pagat", 3, [load(name) for name in opponents], episode="match", reward="lives")
    open_episode(env, games, 0)
    generator = np.random.default_rng(1)
    matches = rounds = 0
    for _ in range(300):
        same_position(env, games, 0)
        actions = random_legal(games.masks, generator)
        before = env.game.round_count
        games.step(actions)
        env.step(int(actions[0]))
        first = env.game._rounds[before : before + 1]
        assert games.ends[0] == len(first)
        if first:
            rounds += 1
            assert games.rewards[0] == pytest.approx(round_rewards(first[0][0], 3, "lives")[env.seat])
        if env._over:
            matches += 1
            open_episode(env, games, 0)
    assert rounds > matches > 0
    column = next(block.start for block in index_table(3) if block.name == "round_episode")
    assert games.observations[:, column].tolist() == [0, 1]


def test_transitions_are_the_learners_decisions() -> None:
    """PAINS F5: an episode has as many steps as the learner took decisions, and a new one begins at its first."""
    games = LearnerGames(1, "pagat", 2, ["threshold:25"], seed=2, ordered=True, seat=1, episode="round")
    env = ThirtyOneEnv("pagat", 2, load("threshold:25"), seat=1, episode="round")
    generator = np.random.default_rng(0)
    open_episode(env, games, 0)
    steps = 0
    for _ in range(200):
        actions = random_legal(games.masks, generator)
        games.step(actions)
        env.step(int(actions[0]))
        steps += 1
        if games.ends[0]:
            seats = [one.state for one in env.game.inputs() if one.kind == "action"]
            assert len(seats) > steps  # the opponent's are not steps
            assert steps == sum(_mover(state) == 1 for state in seats)
            open_episode(env, games, 0)
            steps = 0


def _mover(state: bytes) -> int:
    return field(np.frombuffer(state, dtype=np.uint64).reshape(-1, 1), layout.TURN)


def test_hands_stand_after_the_observation_and_change_nothing_in_it() -> None:
    """A critic's columns: 52 cards and the worth of each other seat, clockwise from the learner."""
    opponents = ["threshold:21", "tips", "threshold:25"]
    plain, shown = (
        LearnerGames(1, "standard", 4, opponents, seed=8, ordered=True, hands=hands)
        for hands in (False, True)
    )
    columns = plain.observations.shape[1]
    assert (shown.columns, shown.observations.shape[1]) == (columns, columns + 3 * 53)
    env = ThirtyOneEnv("standard", 4, [load(name) for name in opponents])
    open_episode(env, shown, 0)
    generator = np.random.default_rng(4)
    for _ in range(60):
        np.testing.assert_array_equal(shown.observations[:, :columns], plain.observations)
        for place in range(1, 4):
            part = shown.observations[0, columns + 53 * (place - 1) :][:53]
            hand = env.game.hands[(env.seat + place) % 4]
            assert [CARDS[i] for i in np.flatnonzero(part[:52])] == hand
            assert part[52] == (2 * env.game.rules.worth(hand) if hand else 0)
        actions = random_legal(plain.masks, generator)
        plain.step(actions)
        shown.step(actions)
        env.step(int(actions[0]))
        if env._over:
            open_episode(env, shown, 0)


@pytest.mark.parametrize("preset", ["pagat", "party"])
def test_own_rewards_are_the_lives_that_a_tournament_counts(preset: str) -> None:
    opponents = ["threshold:19", "random"]
    games = LearnerGames(1, preset, 3, opponents, seed=5, ordered=True, reward="own")
    env = ThirtyOneEnv(preset, 3, [load(name) for name in opponents])
    open_episode(env, games, 0)
    generator = np.random.default_rng(4)
    total, wanted = 0.0, 0
    for _ in range(250):
        actions = random_legal(games.masks, generator)
        games.step(actions)
        env.step(int(actions[0]))
        total += float(games.rewards[0])
        if env._over:
            wanted += sum(one.gained[env.seat] - one.lost[env.seat] for one in env.game.rounds)
            assert total == wanted
            open_episode(env, games, 0)
    assert wanted < 0


def test_a_match_cut_off_at_max_deals_is_truncated_not_terminated() -> None:
    rules = Rules.preset("pagat", max_deals=2, lives=5)
    games = LearnerGames(8, rules, 3, ["threshold:21"], seed=4)
    generator = np.random.default_rng(2)
    kinds = set()
    for _ in range(120):
        games.step(random_legal(games.masks, generator))
        kinds |= set(games.ends.tolist())
    assert kinds == {0, 2}


def test_an_illegal_action_is_refused_by_game_and_nothing_changes() -> None:
    games = LearnerGames(4, "pagat", 3, ["tips"], seed=1)
    actions = random_legal(games.masks, np.random.default_rng(0))
    illegal = int(np.flatnonzero(games.masks[2] == 0)[0])
    before = {name: array.copy() for name, array in games.save().items()}
    for wrong in (illegal, -1, 63):
        actions[2] = wrong
        with pytest.raises(IllegalAction, match=r"game 2: .* is not legal now; legal are "):
            games.step(actions)
    for name, array in games.save().items():
        np.testing.assert_array_equal(array, before[name])


def test_saved_games_go_on_the_same_and_do_not_touch_global_generators() -> None:
    games = LearnerGames(16, "standard", 4, list(NAMES), seed=9)
    generator = np.random.default_rng(3)
    for _ in range(30):
        games.step(random_legal(games.masks, generator))
    saved = games.save()
    first = _trace(games, 40, 7)
    np.random.default_rng().random(5)
    np.random.seed(123)  # noqa: NPY002  # the global generator must not matter
    other = LearnerGames(16, "standard", 4, list(NAMES), seed=0)
    other.load(saved)
    for mine, theirs in zip(first, _trace(other, 40, 7), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def _trace(games: LearnerGames, steps: int, seed: int) -> list[np.ndarray]:
    generator = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        games.step(random_legal(games.masks, generator))
        seen += [games.observations.copy(), games.rewards.copy(), games.ends.copy()]
    return seen


def test_a_game_does_not_depend_on_the_size_of_the_batch() -> None:
    small, large = (LearnerGames(n, "party", 3, ["tips", "random"], seed=6) for n in (2, 7))
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[-1] for mask in large.masks])
        small.step(actions[:2])
        large.step(actions)
        np.testing.assert_array_equal(small.observations, large.observations[:2])
        np.testing.assert_array_equal(small.rewards, large.rewards[:2])


def test_opponents_and_seats_are_drawn_for_each_episode() -> None:
    games = LearnerGames(64, "pagat", 3, ["tips", "random", "threshold:21"], seed=6)
    assert set(games.seats.tolist()) == {0, 1, 2}
    lineups = {tuple(games.opponent_names(i)) for i in range(64)}
    assert {name for lineup in lineups for name in lineup} == {None, "tips", "random", "threshold:21"}
    assert len(lineups) > 10


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"opponents": ["learned:x"]}, "there is no agent at 'x'"),
        ({"opponents": []}, "at least one name"),
        ({"opponents": ["tips"], "ordered": True}, "3 players need 2"),
        ({"seat": 3}, "seat=3 is not in this game: 0 to 2"),
        ({"episode": "hand"}, "episode='hand': allowed are match, round, deal"),
        ({"num_games": 0}, "num_games=0"),
        ({"seed": -1}, "seed=-1"),
        ({"rules": "bicycle", "episode": "deal", "reward": "lives"}, "a pot game has no lives"),
    ],
)
def test_wrong_settings_are_refused_by_name(wrong: dict[str, Any], text: str) -> None:
    with pytest.raises(UserError, match=text):
        LearnerGames(
            **{"num_games": 2, "rules": "pagat", "players": 3, "opponents": ["tips"], "seed": 0, **wrong}
        )
