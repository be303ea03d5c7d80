"""A game of each preset and number of players, told in full for two rounds; `make golden` writes the files anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.env.simple_chooser import play_on
from thirtyone_env import Game, Rules
from thirtyone_env.replay_text import ending, event_lines
from thirtyone_env.settlement import RoundResult

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "playthroughs"
PRESETS = ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen")
MINIS = ("mini_5x1", "mini_3x2", "mini_3x2_target", "mini_4x2", "mini_4x2_limit3", "mini_4x2_limit4")
TABLES = [(preset, players) for preset in PRESETS for players in range(2, 10)] + [(mini, 2) for mini in MINIS]
SEED = 31
TOLD = 2  # rounds told in full
ROUNDS = 8  # rounds told at all


def playthrough(preset: str, players: int) -> str:
    """The text of a golden file."""
    game = Game(preset, players, seed=SEED)
    names = [f"seat {seat}" for seat in range(players)]
    lines = [f"preset {preset}, {players} players, seed {SEED}", ""]
    play_on(game, TOLD)
    shown = len(game.events) if game.over else _last_round(game)
    lines += event_lines(game.events[:shown], game, names)
    play_on(game, ROUNDS)
    lines += ["", *(_short(result) for result in game.rounds[TOLD:])]
    counts = f"{len(game.inputs())} moves, {game.round_count} rounds"
    lines += ["", f"{counts}, {ending(game, names)}, placings {game.placings}"]
    return "\n".join(lines) + "\n"


def _last_round(game: Game) -> int:
    """Events up to the last settled round; those behind it belong to a deal that is not told."""
    return max(number for number, event in enumerate(game.events) if event.kind == "round") + 1


def _short(result: RoundResult) -> str:
    worths = " ".join("-" if value is None else f"{value:g}" for value in result.values)
    return (
        f"round {result.deal + 1}: {result.reason}, dealer {result.dealer}, knocker {result.knocker}, "
        f"shown {list(result.declared)}, worths {worths}, lost {list(result.lost)}, gained {list(result.gained)}, "
        f"tokens {list(result.lives_after)}, county {list(result.on_county)}, out {list(result.eliminated)}"
    )


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_game_is_the_golden_one(preset: str, players: int, check_golden: Callable[[Path, str], None]) -> None:
    check_golden(FOLDER / f"{preset}_{players}.txt", playthrough(preset, players))


def test_every_preset_has_a_golden_game() -> None:
    assert {preset for preset, _ in TABLES} == set(Rules.presets())


def test_golden_folder_has_no_file_too_many() -> None:
    expected = {f"{preset}_{players}.txt" for preset, players in TABLES}
    assert {path.name for path in FOLDER.iterdir()} == expected
