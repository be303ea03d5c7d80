"""`thirtyone replay`: stepping, checking and printing a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.env.run_command import run
from tests.env.simple_chooser import play_on
from thirtyone_env import Game
from thirtyone_env.record_file import write_record


@pytest.fixture
def record(tmp_path: Path) -> str:
    game = play_on(Game("pagat", 3, seed=3), 1000)
    return str(write_record(tmp_path / "game.jsonl", game, ["Ann", "Bob", "Christopher"]))


def test_check_says_how_it_ends(record: str) -> None:
    done = run("replay", record, "--check")
    assert done == (0, f"{record} plays: 124 moves, 8 rounds, winner Bob\n", "")


def test_check_as_json(record: str) -> None:
    data = json.loads(run("replay", record, "--check", "--json").out)
    assert (data["moves"], data["rounds"], data["winner"], data["over"]) == (124, 8, 1, True)


def test_print_tells_moves_and_results_with_the_players_names(record: str) -> None:
    out = run("replay", record, "--print").out
    assert out.startswith("Bob deals\nAnn holds KC 2H 6S\n")
    assert "Christopher knocked and everyone had one more turn" in out
    assert "seat " not in out
    assert out.endswith("winner Bob\n")


def test_steps_forward_back_and_to_a_move(record: str) -> None:
    out = run("replay", record, stdin="\nn\nb\ng 20\nq\n").out
    assert [part.partition("/")[0] for part in out.split("[")[1:]] == ["0", "1", "2", "1", "20"]
    assert out.count("> Christopher   ●●●   6♣ 9♣ 3♥ J♥             to move") == 2  # after move 1, twice


def test_stepping_back_to_the_start_and_past_the_end_stays(record: str) -> None:
    assert "this is the first position" in run("replay", record, stdin="b\nq\n").out
    out = run("replay", record, stdin="g 9999\nn\nq\n").out
    assert "[124/124]" in out
    assert "winner Bob" in out
    assert "this is the end of the record" in out


def test_unknown_key_tells_the_keys_and_end_of_input_quits(record: str) -> None:
    done = run("replay", record, stdin="what\n")
    assert done.code == 0
    assert "enter or n: next, b: back, g 20: go to move 20, q: quit" in done.out


def test_section_11_pool_that_the_dealer_leaves_is_told_to_all_whatever_he_chose() -> None:
    for choice in ("pass", "swap_all"):
        game = Game("schwimmen", 3, seed=2)
        game.play(choice)
        for seat in range(3):
            last = game.information_state(seat)[-1]
            assert all(card in last for card in game.pool), (choice, seat)


def test_every_position_can_be_shown_for_a_table_with_a_pool(tmp_path: Path) -> None:
    game = play_on(Game("schwimmen", 4, seed=2), 2)
    path = write_record(tmp_path / "s.jsonl", game)
    moves = len(game.inputs())
    done = run("replay", str(path), stdin="\n" * moves)
    assert done.code == 0
    assert f"[{moves}/{moves}]" in done.out
    assert "the game is not over" in done.out


@pytest.mark.parametrize(
    ("words", "part"), [(["--check", "--print"], "not both"), (["--json"], "--json needs --check")]
)
def test_options_that_contradict_each_other_are_refused(words: list[str], part: str, record: str) -> None:
    done = run("replay", record, *words)
    assert done.code == 2
    assert part in done.err


@pytest.mark.parametrize("content", [None, b"SQLite format 3\0", b"\xff\xfe"])
def test_what_is_no_record_is_told_what_one_is(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "results.sqlite"
    path.mkdir() if content is None else path.write_bytes(content)
    done = run("replay", str(path))
    assert done.code == 2
    assert "write_record" in done.err
    assert "thirtyone_eval.records.read_records(Path(folder))" in done.err
