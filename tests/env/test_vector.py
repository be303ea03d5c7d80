"""`VectorGame`: the same games as `Game` plays, whatever the batch, the order and the threads (PAINS D7, D9)."""

from __future__ import annotations

import random

import numpy as np
import pytest

from thirtyone_env import Game, IllegalAction, Rules, UserError, VectorGame
from thirtyone_env.core import layout
from thirtyone_env.observation import encode
from thirtyone_env.settlement import RoundResult

MAIN = [name for name in Rules.presets() if not name.startswith("mini")]


def mixed(count: int, seed: int) -> tuple[list[str], list[int]]:
    """Variants and numbers of players, side by side."""
    source = random.Random(seed)
    return [source.choice(MAIN) for _ in range(count)], [source.randint(2, 9) for _ in range(count)]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of a few hundred games are shared by threads too, which otherwise only larger ones are."""
    monkeypatch.setattr("thirtyone_env.backends.cpu._PART", 16)


class Followed:
    """A `Game` that follows game ``index`` of a batch through its matches."""

    def __init__(self, rules: str, players: int, seed: int) -> None:
        self.make = lambda match: Game(rules, players, seed=seed, match=match)
        self.match = 0
        self.game = self.make(0)
        self._skip()

    def _skip(self) -> None:
        while self.game.over:
            self.match += 1
            self.game = self.make(self.match)

    def play(self, action: int) -> None:
        self.game.play(action)
        self._skip()


def follow(actions: int, games: int, checked_games: int, seed: int) -> int:
    """Play a mixed batch, the same in other orders and with threads, and some of its games as `Game`; matches ended."""
    rules, players = mixed(games, seed)
    batch = VectorGame(games, rules, players, seed=seed)
    threaded = VectorGame(games, rules, players, seed=seed, threads=3)
    order = np.random.default_rng(seed).permutation(games)
    turned = VectorGame(
        games, [rules[i] for i in order], [players[i] for i in order], seeds=batch.seeds[order], checked=False
    )
    followed = {i: Followed(rules[i], players[i], int(batch.seeds[i])) for i in range(checked_games)}
    matches = 0
    for step in range(actions // games):
        chosen = batch.random_actions(step)
        batch.step(chosen)
        threaded.step(chosen)
        turned.step(chosen[order])
        matches += int((batch.ended >= 2).sum())
        for i, one in followed.items():
            one.play(int(chosen[i]))
            assert (one.game.turn, one.game.mask) == (batch.seats[i], int(batch.masks[i]))
    for i, one in followed.items():
        assert (one.game.state == batch.state_of(i)).all()
    assert threaded._backend._team is not None, "several threads were at work"
    assert (batch._state == threaded._state).all()
    assert (turned._state[:, :games] == batch._state[:, order]).all()
    return matches


def test_d7_same_games_in_any_batch_order_and_thread_count() -> None:
    assert follow(actions=120_000, games=240, checked_games=24, seed=1) > 300


@pytest.mark.slow
def test_d9_same_games_over_a_million_random_actions_of_mixed_variants() -> None:
    assert follow(actions=1_200_000, games=600, checked_games=60, seed=2) > 3000


def test_checked_stepping_names_the_game_and_leaves_the_whole_batch_as_it_was() -> None:
    batch = VectorGame(8, "pagat", 3, seed=1)
    actions = batch.random_actions(1)
    before = batch._state.copy()
    actions[5] = 59
    with pytest.raises(IllegalAction, match=r"swap_upcard' is not legal in game 5 for seat \d; legal are draw_stock"):
        batch.step(actions)
    actions[5] = -3
    with pytest.raises(IllegalAction, match="action -3 is not legal in game 5"):
        batch.step(actions)
    assert (batch._state == before).all()


@pytest.mark.parametrize("actions", [np.zeros(4), None, ["knock"] * 4, np.zeros(4, dtype=bool)])
def test_step_refuses_actions_that_are_no_whole_numbers(actions: object) -> None:
    with pytest.raises(UserError, match="whole numbers are needed, not"):
        VectorGame(4, "pagat", 3).step(actions)


def test_step_refuses_actions_of_another_shape() -> None:
    with pytest.raises(UserError, match="one for each of the 8 games"):
        VectorGame(8).step(np.zeros(7, dtype=np.int64))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"device": "tpu"}, "device='tpu' is not allowed: cpu, cuda"),
        ({"reward": "money"}, "reward='money' is not allowed"),
        ({"episode": "day"}, "episode='day' is not allowed"),
        ({"num_games": 0}, "num_games=0 is not allowed: a whole number from 1 on"),
        ({"rules": ["pagat"]}, "1 rules given for 4 games"),
        ({"players": 12}, "12 players: allowed are 2 to 9"),
        ({"seeds": [1, 2]}, "seeds has shape"),
    ],
)
def test_wrong_arguments_are_named(changes: dict, text: str) -> None:
    with pytest.raises(UserError, match=text):
        VectorGame(**{"num_games": 4, **changes})


def test_d3_saved_batch_goes_on_bit_for_bit() -> None:
    rules, players = mixed(60, 3)
    batch = VectorGame(60, rules, players, seed=3)
    for step in range(100):
        batch.step(batch.random_actions(step))
    other = VectorGame.load(batch.save())
    assert (other.rewards == batch.rewards).all()
    for step in range(100):
        batch.step(batch.random_actions(step))
        other.step(other.random_actions(step))
    assert (other._state == batch._state).all()
    assert (other.decisions == batch.decisions).all()


@pytest.mark.parametrize("damage", [b"", b"no batch", None])
def test_damaged_save_is_refused(damage: bytes | None) -> None:
    data = VectorGame(2).save()[:-400] if damage is None else damage
    with pytest.raises(UserError, match="no saved batch"):
        VectorGame.load(data)


def test_step_writes_into_the_callers_arrays_and_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    batch = VectorGame(32, seed=4)
    rewards = torch.zeros((32, 4))
    masks = torch.zeros(32, dtype=torch.int64)
    batch.use(rewards=rewards, masks=masks)
    plain = VectorGame(32, seed=4)
    for step in range(60):
        actions = plain.random_actions(step)
        batch.step(torch.from_numpy(actions))
        plain.step(actions)
        assert (rewards.numpy() == plain.rewards).all()
        assert (masks.numpy().view(np.uint64) == plain.masks).all()
    with pytest.raises(UserError, match="rewards must be a contiguous float32 array"):
        batch.use(rewards=np.zeros((32, 4)))


def test_words_stay_unsigned_of_64_bits() -> None:
    batch = VectorGame(4)
    assert batch._state.dtype == batch.masks.dtype == batch.views.dtype == batch.results.dtype == np.uint64


def test_state_of_a_game_of_four_takes_at_most_256_bytes() -> None:
    assert VectorGame(4, players=4).bytes_per_game <= 256


def test_views_and_observations_are_those_of_the_games() -> None:
    rules, players = mixed(40, 5)
    batch = VectorGame(40, rules, players, seed=5)
    for step in range(50):
        batch.step(batch.random_actions(step))
    views = batch.views
    assert (batch.observe(seats=9) == encode(views, seats=9)).all()
    assert (((views[:, layout.V_COUNTS]) & np.uint64(15)) == batch.seats).all()
    assert (views[:, layout.V_LEGAL] == batch.masks).all()


def test_results_keep_the_round_that_ended_before_the_next_began() -> None:
    batch = VectorGame(16, "standard", 3, seed=6)
    games = [Followed("standard", 3, int(seed)) for seed in batch.seeds]
    seen = 0
    for step in range(200):
        actions = batch.random_actions(step)
        before = [one.game for one in games]
        rounds = [one.game.round_count for one in games]
        batch.step(actions)
        for i, one in enumerate(games):
            one.play(int(actions[i]))
            game = before[i]
            if game.round_count != rounds[i] + 1 or one.game is not game:
                continue  # nothing ended, or the match did
            lives = [int(batch.results[1, i]) >> 7 * seat & 127 for seat in range(3)]
            assert batch.ended[i] == 1
            assert lives == list(game.last_round.lives_after)
            assert np.allclose(batch.rewards[i], game.last_round.rewards_lives)
            seen += 1
    assert seen > 50


def test_rewards_of_a_step_sum_to_zero() -> None:
    rules, players = mixed(90, 7)
    batch = VectorGame(90, rules, players, seed=7)
    paid = 0
    for step in range(300):
        batch.step(batch.random_actions(step))
        paid += int((batch.rewards != 0).any(axis=1).sum())
        assert np.abs(batch.rewards.sum(axis=1)).max() < 1e-5
    assert paid > 300


def test_play_is_what_the_policies_play_one_decision_at_a_time() -> None:
    from thirtyone_agents import load, play_match

    names = ["random", "threshold:21", "tips"]
    batch = VectorGame(6, "pagat", 3, seed=8)
    counts = batch.play(names, rounds=5)
    lost = np.zeros(3, dtype=int)
    for seed in batch.seeds:
        rounds, match = 0, 0
        while rounds < 5:
            game = Game("pagat", 3, seed=int(seed), match=match)
            play_match(game, [load(name) for name in names], seed=int(seed), match=match)
            for result in game.rounds[: 5 - rounds]:
                if not result.replayed:
                    lost += [min(cost, 2) for cost in paid_of(result, game)]
            rounds += min(5 - rounds, game.round_count)
            match += 1
    assert counts["rounds"].tolist() == [30, 30, 30]
    assert counts["lost"].tolist() == lost.tolist()


def paid_of(result: RoundResult, game: Game) -> list[int]:
    """Lives that each seat could pay of what the rule took."""
    rounds = game.rounds
    index = rounds.index(result)
    before = rounds[index - 1].lives_after if index else [game.rules.lives] * game.players
    return [min(lost, lives + 1) for lost, lives in zip(result.lost, before, strict=True)]


def test_play_refuses_policies_that_are_not_compiled() -> None:
    with pytest.raises(UserError, match="is not a compiled policy"):
        VectorGame(2, players=2).play([object(), "random"], rounds=1)
    with pytest.raises(UserError, match="one for each of 4 seats"):
        VectorGame(2).play(["random"], rounds=1)


@pytest.mark.parametrize(
    ("count", "options", "text"),
    [
        (2, {"seed": -1}, "seed=-1 is not allowed"),
        (2.5, {}, "num_games=2.5 is not allowed: a whole number from 1 on"),
        ("4", {}, "num_games='4' is not allowed"),
        (2, {"players": "4"}, "players='4' is not allowed: a whole number"),
        (2, {"players": 2.5}, "players=2.5 is not allowed"),
        (2, {"threads": 0}, "threads=0 is not allowed"),
    ],
)
def test_wrong_numbers_are_named(count: object, options: dict[str, object], text: str) -> None:
    with pytest.raises(UserError) as refusal:
        VectorGame(count, **options)
    assert text in str(refusal.value)


def test_a_negative_number_of_rounds_is_refused() -> None:
    with pytest.raises(UserError, match="rounds=-1 is not allowed: a whole number from 0 on"):
        VectorGame(2, players=2).play(["tips", "tips"], rounds=-1)
