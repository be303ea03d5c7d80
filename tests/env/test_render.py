"""Rendering: text, pictures without a display, and whose eyes it uses."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.env.env_walks import PRESETS, random_action, random_game
from tests.env.stacking import laid_out
from thirtyone_env import UserError, extras, thirtyone_v0
from thirtyone_env.cards import pretty
from thirtyone_env.render import Window, ansi, rgb_array, scene_of_game
from thirtyone_env.render_scene import HIDDEN

DECK: dict[str, Any] = {"hands": {0: "AS KS 2D", 1: "7C 7D 7H", 2: "9H TH 3C"}, "up": "4S"}


def test_the_text_of_a_seat_shows_its_hand_and_no_other() -> None:
    game = laid_out("pagat", 3, **DECK)
    text = ansi(scene_of_game(game, 0))
    assert "2♦ K♠ A♠" in text
    assert "= 21" in text
    assert "top 4♠" in text
    assert "7♣" not in text
    assert text.count("▒▒") == 6
    assert "> seat 0 (you)" in text


def test_the_text_of_a_spectator_shows_all_hands() -> None:
    text = ansi(scene_of_game(laid_out("pagat", 3, **DECK), None))
    for cards in ("2♦ K♠ A♠", "7♣ 7♦ 7♥", "3♣ 9♥ 10♥"):
        assert cards in text
    assert "▒▒" not in text


def test_a_card_that_was_taken_openly_stays_seen() -> None:
    game = laid_out("pagat", 3, **DECK)
    game.play("draw_discard")
    game.play("discard 2D")
    scene = scene_of_game(game, 1)
    assert sorted(scene.seats[0].cards) == [HIDDEN, HIDDEN, 41]
    assert pretty(41) == "4♠"


def test_the_last_round_is_told_under_the_table() -> None:
    game = random_game(3, "pagat", 3, steps=400)
    assert game.last_round is not None
    assert ansi(scene_of_game(game, 0)).rstrip().endswith(game.last_round.why[-1])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_pictures_need_no_display(preset: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    shots = []
    for steps in (0, 7, 30):
        game = random_game(players, preset, players, steps=steps)
        for viewer in (None, 0):
            picture = rgb_array(scene_of_game(game, viewer))
            assert picture.shape == (640, 960, 3)
            assert picture.dtype == np.uint8
            shots.append(picture.tobytes())
    assert len(set(shots)) == len(shots)


def test_the_environment_draws_the_seat_to_move_or_the_one_asked_for() -> None:
    views = {}
    for viewer in (None, "all", 0, 1, 2):
        env = thirtyone_v0.env(players=3, render_mode="ansi", viewer=viewer)
        env.reset(seed=5)
        views[viewer] = env.render()
    mover = int(env.agent_selection[-1])
    assert views[None] == views[mover]
    assert len(set(views.values())) == 4


def test_a_window_opens_once_and_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    import pygame

    window = Window(0)
    game = random_game(1, "pagat", 3, steps=5)
    window.show(scene_of_game(game, 0))
    screen = window._screen
    window.show(scene_of_game(game, None))
    assert window._screen is screen
    window.close()
    window.close()
    assert not pygame.display.get_init()


@pytest.mark.parametrize("mode", ["human", "rgb_array"])
def test_a_mode_whose_extra_is_missing_names_it(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda module: None)
    with pytest.raises(UserError, match=r"pip install .*thirtyone-env\[render\]"):
        thirtyone_v0.env(render_mode=mode)
    thirtyone_v0.env(render_mode="ansi")


def test_without_a_mode_rendering_only_warns() -> None:
    env = thirtyone_v0.env(players=3)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


def test_human_mode_shows_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    shown = []
    monkeypatch.setattr(Window, "show", lambda self, scene: shown.append(scene))
    env = thirtyone_v0.env(players=3, render_mode="human")
    env.reset(seed=1)
    chance = random.Random(1)
    for _ in range(4):
        env.step(random_action(env.last()[0], chance))
    assert len(shown) == 5
