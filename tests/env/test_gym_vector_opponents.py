"""Opponents that are asked from outside play, in the batch, the very games that compiled ones do."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from thirtyone_agents.registry import load
from thirtyone_env import IllegalAction, UserError
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.rules import Rules


class Asked:
    """A compiled policy that only answers views; counts how it is asked."""

    def __init__(self, name: str) -> None:
        self.name = f"asked {name}"
        self.inner = load(name)
        self.asked: list[int] = []

    def act(self, views: np.ndarray, keys: np.ndarray) -> np.ndarray:
        self.asked.append(len(views))
        return self.inner.act(views, keys)


class Once:
    """Answers as tips does until it is told to answer something else."""

    name = "once"

    def __init__(self) -> None:
        self.inner = load("tips")
        self.wrong: Any = None

    def act(self, views: np.ndarray, keys: np.ndarray) -> Any:
        if isinstance(self.wrong, BaseException):
            raise self.wrong
        return self.inner.act(views, keys) if self.wrong is None else self.wrong(len(views))


def trace(games: LearnerGames, steps: int) -> list[np.ndarray]:
    generator = np.random.default_rng(4)
    seen = [games.observations.copy(), games.masks.copy()]
    for _ in range(steps):
        games.step(np.array([generator.choice(np.flatnonzero(mask)) for mask in games.masks]))
        ended = games.ends != 0
        seen += [games.observations.copy(), games.masks.copy(), games.rewards.copy(), games.ends.copy()]
        seen += [games.last_observations[ended].copy(), games.seats, games.episode_seeds]
    return seen


@pytest.mark.parametrize(
    ("preset", "players", "options"),
    [
        ("pagat", 2, {"episode": "round"}),
        ("pagat", 4, {"episode": "match"}),
        ("standard", 3, {"episode": "deal", "hands": True}),
        ("party", 6, {"episode": "match", "reward": "match", "ordered": True}),
        ("schwimmen", 3, {"episode": "match"}),
        ("bicycle", 3, {"episode": "match", "seat": 1}),
        (Rules.preset("pagat", max_deals=2), 3, {"episode": "match", "reward": "own"}),
    ],
)
def test_the_same_policy_compiled_and_asked_gives_identical_games(
    preset: Any, players: int, options: dict[str, Any]
) -> None:
    names = ["random", "threshold:19", "tips", "threshold:24", "random"]
    names = names[: players - 1] if options.get("ordered") else names
    plain = LearnerGames(24, preset, players, names, seed=5, **options)
    wanted = trace(plain, 120)
    for asked in (set(names), {"tips", "random"}, {"threshold:19"}):
        mixed = [Asked(name) if name in asked else name for name in names]
        found = trace(LearnerGames(24, preset, players, mixed, seed=5, **options), 120)
        assert all(np.array_equal(a, b) for a, b in zip(wanted, found, strict=True))
    assert plain.ends.shape == (24,)
    assert sum(int(array.sum()) for array in wanted[5::7]) > 0  # episodes ended


def test_all_games_that_wait_for_a_policy_are_asked_about_in_one_call() -> None:
    one = Asked("threshold:21")
    games = LearnerGames(64, "pagat", 2, [one], seed=1, episode="match")
    one.asked.clear()
    trace(games, 50)
    assert sum(one.asked) > 64 * 50 * 0.8  # nearly every step has a reply
    assert max(one.asked) > 40
    assert len(one.asked) < 5 * 50  # a call for every game would be 64 * 50


def test_made_by_id_takes_policies_functions_and_names_together() -> None:
    def last_legal(views: np.ndarray, keys: np.ndarray) -> np.ndarray:
        from thirtyone_env.core.layout import V_LEGAL

        return np.array([int(view[V_LEGAL]).bit_length() - 1 for view in views])

    def make(*opponents: Any) -> gymnasium.vector.VectorEnv:
        return gymnasium.make_vec(
            "ThirtyOne-v0", num_envs=8, vectorization_mode="vector_entry_point", players=4, opponents=list(opponents)
        )

    traces = []
    for tips in ("tips", Asked("tips")):
        envs = make(last_legal, tips, "threshold:21")
        assert envs.unwrapped.games.opponent_names(0).count("last_legal") == 1
        observations, infos = envs.reset(seed=3)
        seen = [observations]
        for _ in range(40):
            observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            seen += [observations, rewards]
        traces.append(seen)
    assert all(np.array_equal(a, b) for a, b in zip(*traces, strict=True))


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda n: np.full(n, 62), IllegalAction, "the opponent once answered 62; legal are "),
        (lambda n: np.full(n, -1), IllegalAction, "the opponent once answered -1; legal are "),
        (lambda n: np.zeros(n), IllegalAction, r"the opponent once answered float64 \[\d+\]; whole numbers"),
        (lambda n: np.zeros(n + 1, dtype=int), IllegalAction, r"the opponent once answered int64 \[\d+\]"),
        (KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    ],
)
def test_an_opponent_that_fails_is_named_and_the_step_changes_nothing(wrong: Any, error: Any, text: str) -> None:
    once = Once()
    games = LearnerGames(9, "pagat", 2, [once], seed=2, seat=0)
    once.wrong = wrong
    before = games.save()

    def step_until_asked() -> None:
        for _ in range(20):
            before.update(games.save())
            games.step(games.masks.argmax(axis=1))

    with pytest.raises(error, match=text):
        step_until_asked()
    for name, array in games.save().items():
        np.testing.assert_array_equal(array, before[name])
    once.wrong = None
    twin = LearnerGames(9, "pagat", 2, ["tips"], seed=2, seat=0)
    twin.load(before)
    for mine, theirs in zip(trace(games, 20), trace(twin, 20), strict=True):
        assert np.array_equal(mine, theirs)


def test_a_policy_that_remembers_or_does_not_fit_is_refused_by_name() -> None:
    class Remembers(Asked):
        def begin(self, games: int) -> None:
            raise AssertionError("never called")

    class Picky(Asked):
        def check(self, rules: Rules, players: int) -> None:
            raise UserError(f"plays with 2 players, not with {players}")

    with pytest.raises(UserError, match="asked tips remembers matches"):
        LearnerGames(2, "pagat", 3, [Remembers("tips")])
    with pytest.raises(UserError, match="plays with 2 players, not with 3"):
        LearnerGames(2, "pagat", 3, [Picky("tips")])


def test_saved_games_with_asked_opponents_go_on_the_same() -> None:
    first = LearnerGames(5, "pagat", 3, [Asked("tips"), Asked("random")], seed=9)
    trace(first, 15)
    saved = first.save()
    other = LearnerGames(5, "pagat", 3, ["tips", "random"], seed=1)
    other.load(saved)
    for mine, theirs in zip(trace(first, 30), trace(other, 30), strict=True):
        assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("name", ["random", "threshold:22", "tips"])
def test_advice_is_the_same_compiled_and_asked(name: str) -> None:
    games = LearnerGames(50, "pagat", 3, ["random"], seed=7)
    trace(games, 13)
    assert np.array_equal(games.advise(load(name)), games.advise(Asked(name)))
