"""The soak holds on sound games, and sees each kind of fault that is put in its way."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.env.run_command import run
from thirtyone_env import Game, Rules
from thirtyone_env.core import invariants, layout, soak_entry
from thirtyone_env.soak import BrokenInvariant, numbers_of_players, soak

FULL = [name for name in Rules.presets() if not name.startswith("mini_")]
Words = npt.NDArray[np.uint64]


@pytest.mark.parametrize("preset", Rules.presets())
def test_every_invariant_holds_in_random_games_of_every_preset(preset: str) -> None:
    done = soak(preset, 200_000, seed=11)
    assert done.actions >= 200_000
    assert done.players == tuple(numbers_of_players(Rules.preset(preset)))
    assert sum(done.reasons.values()) == done.rounds >= done.matches > 0


def test_long_rounds_are_played_too() -> None:
    assert soak("pagat", 500_000).longest > 150, "stocks run out and are reshuffled"
    assert soak("kids", 500_000).reasons["knock"] > 0


def test_the_same_seed_plays_the_same_games() -> None:
    def counts(seed: int) -> tuple[int, ...]:
        done = soak("party", 100_000, seed=seed)
        return done.actions, done.rounds, done.matches, *done.reasons.values()

    assert counts(4) == counts(4) != counts(5)


def card_twice(S: Words) -> None:
    S[int(layout.PILE)] |= S[int(layout.HAND)]


def card_lost(S: Words) -> None:
    S[int(layout.STOCK)] &= S[int(layout.STOCK)] - np.uint64(1)


def hand_short(S: Words) -> None:
    card = S[int(layout.HAND)] & (~S[int(layout.HAND)] + np.uint64(1))
    S[int(layout.HAND)] ^= card
    S[int(layout.STOCK)] |= card


def known_nowhere(S: Words) -> None:
    S[int(layout.KNOWN)] |= S[int(layout.STOCK)]


def strange_top(S: Words) -> None:
    S[int(layout.PILE)], S[int(layout.STOCK)] = np.uint64(0), S[int(layout.STOCK)] | S[int(layout.PILE)]


def no_turn(S: Words) -> None:
    S[int(layout.SEATS)] |= layout.OUT[2] << layout.OUT[1]


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (card_twice, invariants.CARDS), (card_lost, invariants.CARDS), (hand_short, invariants.HANDS),
        (known_nowhere, invariants.KNOWS), (strange_top, invariants.TOP_CARD), (no_turn, invariants.TO_MOVE),
    ],
)
def test_a_damaged_state_is_seen(damage: Callable[[Words], None], code: np.uint64) -> None:
    game = Game("pagat", 3, seed=2)
    state = game.state.copy()
    damage(state[:, 0])
    broken = np.zeros(2, dtype=np.uint64)
    counts, sums = np.zeros(soak_entry.COUNTS, dtype=np.uint64), np.zeros((1, 9))
    soak_entry.soak(state, 0, 1, 50, np.array([2], dtype=np.uint64), counts, sums, broken)
    assert broken[soak_entry.CODE] == code, invariants.BROKEN_NAMES[int(broken[soak_entry.CODE])]
    assert counts[soak_entry.ACTIONS] == 0, "play stops at once"


def test_tokens_that_come_from_nowhere_are_seen() -> None:
    """A seat on no county that has no token and is not out: the round's books do not fit."""
    state = Game("kids", 3, seed=2).state.copy()
    state[int(layout.LIVES), 0] = 0
    broken, sums = np.zeros(2, dtype=np.uint64), np.zeros((1, 9))
    counts = np.zeros(soak_entry.COUNTS, dtype=np.uint64)
    soak_entry.soak(state, 0, 1, 50, np.array([2], dtype=np.uint64), counts, sums, broken)
    assert broken[soak_entry.CODE] in (invariants.SEATS_OUT, invariants.TOKENS, invariants.MATCH_SUM)


def test_a_fault_is_told_with_the_game_it_was_found_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(S: Words, *rest: object) -> None:
        np.asarray(rest[-1])[:] = invariants.CARDS, 3

    monkeypatch.setattr(soak_entry, "soak", damaged)
    with pytest.raises(BrokenInvariant, match=r"a card lies in two places or in none: 2 players, seed \d+, match 0"):
        soak("pagat", 1_000)


def test_the_command_saves_what_it_played(tmp_path: Path) -> None:
    out = tmp_path / "soak.json"
    done = run("soak", "--rules", "pagat,schwimmen", "--actions", "50000", "--json", "--out", str(out))
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told == json.loads(out.read_text())
    assert [one["rules"] for one in told["soaked"]] == ["pagat", "schwimmen"]


def test_a_wrong_preset_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    done = run("soak", "--rules", "pagat,pokr", "--out", str(tmp_path / "soak.json"))
    assert done.code == 2
    assert "'pokr' is not a preset of rules" in done.err
    assert not list(tmp_path.iterdir())


def test_a_folder_in_place_of_a_file_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    done = run("soak", "--rules", "pagat", "--out", str(tmp_path))
    assert done.code == 2
    assert f"{tmp_path} is a folder: name a file in it" in done.err
    assert not list(tmp_path.iterdir())
