"""Records on disk: written at once, read by playing, and each kind of damage named with its line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.env.run_command import run
from tests.env.simple_chooser import play_on
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.record_file import read_record, record_lines, write_record

NAMES = ["Ann", "Bob", "Cem"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A whole match of three players."""
    game = play_on(Game("pagat", 3, seed=3), 1000)
    return write_record(tmp_path / "game.jsonl", game, NAMES)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rewrite(path: Path, lines: list[Any]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def check_refused(path: Path, *parts: str) -> None:
    before = path.read_bytes()
    with pytest.raises(UserError) as refused:
        read_record(path)
    for part in (str(path), *parts):
        assert part in str(refused.value)
    done = run("replay", str(path))
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: {refused.value}\n"
    assert path.read_bytes() == before


@pytest.mark.parametrize("preset", Rules.presets())
def test_written_record_reads_back_to_the_same_game(preset: str, tmp_path: Path) -> None:
    game = play_on(Game(preset, 2, seed=11), 3)
    read = read_record(write_record(tmp_path / "r.jsonl", game))
    assert read.game.state.tobytes() == game.state.tobytes()
    assert read.game.record() == game.record()
    assert read.names == ["seat 0", "seat 1"]


def test_record_of_given_cards_reads_back(tmp_path: Path) -> None:
    game = Game("pagat", 2, chance="manual")
    while game.needs_card:
        game.give(game.possible_cards()[0])
    game.play("draw_discard")
    game.play(game.legal_actions()[0])
    read = read_record(write_record(tmp_path / "r.jsonl", game))
    assert read.game.hands == game.hands
    assert read.game.turn == game.turn


def test_record_of_scripted_decks_reads_back(tmp_path: Path) -> None:
    deck = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
    game = Game("kids", 2, deck=deck)
    play_on(game, 1)
    read = read_record(write_record(tmp_path / "r.jsonl", game))
    assert read.game.rounds == game.rounds


def test_header_comes_first_then_moves_each_round_after_its_last_move_then_the_end(record: Path) -> None:
    lines = lines_of(record)
    assert lines[0]["format"] == "thirtyone-record"
    assert lines[0]["names"] == NAMES
    assert {"rules", "players", "seed", "version", "library"} <= lines[0].keys()
    kinds = [next(kind for kind in ("round", "move", "end") if kind in line) for line in lines[1:]]
    assert kinds[-1] == "end"
    assert kinds[-2] == "round"  # the move that ended the match comes before its round
    assert kinds.count("round") == lines[-1]["end"]["rounds"] > 3
    assert kinds.count("move") == lines[-1]["end"]["moves"]
    moved = [line["seat"] for line in lines[1:] if "move" in line]
    assert set(moved) == {0, 1, 2}


def test_file_cut_at_any_byte_is_refused_and_says_where(record: Path) -> None:
    whole = record.read_bytes()
    lines = whole.count(b"\n")
    for cut in [*range(0, len(whole) - 1, 997), len(whole) - 2]:
        record.write_bytes(whole[:cut])
        with pytest.raises(UserError, match=r"line \d+: (the record is cut off|the file is empty)") as refused:
            read_record(record)
        number = int(str(refused.value).partition("line ")[2].partition(":")[0])
        assert number in (whole[:cut].count(b"\n"), whole[:cut].count(b"\n") + 1)
        assert number <= lines


def test_file_cut_between_lines_is_refused(record: Path) -> None:
    lines = lines_of(record)
    rewrite(record, lines[:8])
    check_refused(record, "line 8: the record is cut off here", "moves and 0 rounds were read")


def test_bad_json_is_named_with_its_line(record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[4] = "{'seat': 0}\n"
    record.write_text("".join(lines), encoding="utf-8")
    check_refused(record, "line 5: not JSON", "column 2")


def change_header(**changes: Any) -> Callable[[list[Any]], None]:
    return lambda lines: lines[0].update(changes)


def first(kind: str, lines: list[Any]) -> int:
    return next(number for number, line in enumerate(lines) if kind in line)


def break_move(lines: list[Any]) -> None:
    lines[1]["move"] = "discard 2C"


def no_move(lines: list[Any]) -> None:
    lines[1]["move"] = 7


def round_without_key(lines: list[Any]) -> None:
    del lines[first("round", lines)]["round"]["lost"]


def break_seat(lines: list[Any]) -> None:
    lines[1]["seat"] = (lines[1]["seat"] + 1) % 3


def break_round(lines: list[Any]) -> None:
    lines[first("round", lines)]["round"]["lost"] = [3, 3, 3]


def drop_round(lines: list[Any]) -> None:
    del lines[first("round", lines)]


def early_round(lines: list[Any]) -> None:
    lines.insert(2, lines[first("round", lines)])


def break_end(lines: list[Any]) -> None:
    lines[-1]["end"]["winner"] = 7


def add_behind_end(lines: list[Any]) -> None:
    lines.append(lines[1])


def unknown_line(lines: list[Any]) -> None:
    lines[3] = {"note": "hello"}


def no_object(lines: list[Any]) -> None:
    lines[3] = [1, 2]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (change_header(version=99), ["line 1: record version 99 is not 1"]),
        (change_header(format="pgn"), ["line 1: format 'pgn' is not 'thirtyone-record'"]),
        (change_header(rules={"livse": 3}), ["line 1: 'livse' is not a rule option; did you mean lives?"]),
        (change_header(rules="pagta"), ["line 1: ", "did you mean pagat?"]),
        (change_header(players=17), ["line 1: 17 players"]),
        (change_header(names=["Ann"]), ["line 1: names must be a list of 3"]),
        (change_header(names=["Ann", "Bob", 3]), ["line 1: names must be a list of 3 texts"]),
        (change_header(deck=["AS", "AS"]), ["line 1: the card AS occurs twice"]),
        (change_header(seed="x"), ["line 1: seed='x'"]),
        (break_move, ["line 2: 'discard 2C' is not legal", "legal are"]),
        (no_move, ["line 2: 7 is not a move: it must be a name"]),
        (round_without_key, ["round 0 lacks lost"]),
        (break_seat, ["line 2: seat ", "is not to move here"]),
        (break_round, ["round 0 has lost [3, 3, 3], but the game gives"]),
        (drop_round, ["the line of round 0, which ended before this move, is missing"]),
        (early_round, ["line 3: no round has ended here"]),
        (break_end, ["the record's winner is 7"]),
        (add_behind_end, ["there is something behind the end"]),
        (unknown_line, ["line 4: a line holds a move, a round or the end, not note"]),
        (no_object, ["line 4: a line must be a JSON object, not list"]),
    ],
)
def test_damage_is_named_with_its_line(change: Callable[[list[Any]], None], parts: list[str], record: Path) -> None:
    lines = lines_of(record)
    change(lines)
    rewrite(record, lines)
    check_refused(record, *parts)


def test_missing_file_and_folder_and_bytes_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        assert "cannot be read" in run("replay", str(path)).err
    (tmp_path / "b.jsonl").write_bytes(b"\xff\xfe")
    check_refused(tmp_path / "b.jsonl", "is not text")


def test_writing_is_all_or_nothing(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = record.read_bytes()
    game = Game("pagat", 2, seed=1)
    with pytest.raises(UserError, match="3 names given for 2 seats"):
        write_record(record, game, NAMES)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UserError, match="cannot be written: No space left on device"):
        write_record(record, game)
    assert record.read_bytes() == before
    assert list(record.parent.iterdir()) == [record]


def test_pains_d11_same_seed_same_file(tmp_path: Path) -> None:
    texts = ["".join(record_lines(play_on(Game("party", 4, seed=5), 3).record())) for _ in range(2)]
    assert texts[0] == texts[1]
