"""The keeper's file: saved after every line, resumed after a kill, never damaged further, never overwritten by two."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.env.run_command import run
from thirtyone_env import UserError
from thirtyone_env.keeper.saving import SaveFile, default_file

SETUP = "Ann Bob Cem\n\n\n\n\n"


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "keeper.json"
    assert run("keeper", "--file", str(path), stdin=SETUP + "ann\nbob\nq\n").code == 0
    return path


def test_saved_game_goes_on(save: Path) -> None:
    out = run("keeper", "--file", str(save), stdin="q\n").out
    assert out.startswith(f"Going on with {save}"[:20])
    assert "Bob            ●●\n" in out
    assert "Round 2: who knocked?" in out


def test_input_that_ends_loses_nothing_even_in_the_middle_of_a_round(save: Path) -> None:
    lines = ["cem", "h", "KS 8S 5S", "KD 8D 5D", "9"]
    for line in lines:
        assert run("keeper", "--file", str(save), stdin=line + "\n").code == 0
    out = run("keeper", "--file", str(save), stdin="c\nx\nq\n").out
    assert " 2 Cem knocked: Cem -2" in out


def test_input_that_ends_in_the_questions_before_a_game_loses_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "k.json")
    for line in ("Ann Bob", "", "1", "5", "", "bus"):
        assert run("keeper", "--file", path, stdin=line + "\n").code == 0
    out = run("keeper", "--file", path, stdin="Bob\nq\n").out
    assert "D  2 Bob            ●●●●●" in out
    assert json.loads(Path(path).read_text(encoding="utf-8"))["game"]["rules"]["county"] == "bus"


def test_kill_in_the_middle_of_a_round_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "killed.json"
    program = "from thirtyone_env.cli import main; main()"
    keeper = subprocess.Popen(
        [sys.executable, "-c", program, "keeper", "--file", str(path)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )
    assert keeper.stdin is not None
    keeper.stdin.write(SETUP + "ann\nbob\ncem\nh\n23\n")
    keeper.stdin.flush()
    for _ in range(3000):  # the first start may compile
        if path.exists() and json.loads(path.read_text(encoding="utf-8"))["typed"] == ["cem", "h", "23"]:
            break
        time.sleep(0.1)
    keeper.send_signal(signal.SIGKILL)
    keeper.wait()
    keeper.stdin.close()
    assert os.listdir(tmp_path) == ["killed.json"]
    out = run("keeper", "--file", str(path), stdin="22\n24\nq\n").out
    assert "Typed so far: cem, h, 23" in out
    assert "Bob loses one" in out


def break_json(text: str) -> str:
    return text[: len(text) // 2]


def change(key: str, value: Any) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), key: value})


def break_entry(text: str) -> str:
    data = json.loads(text)
    data["game"]["entries"][0]["lowest"] = [9]
    return json.dumps(data)


def break_rules(text: str) -> str:
    data = json.loads(text)
    data["game"]["rules"]["changes"] = {"livse": 4}
    return json.dumps(data)


@pytest.mark.parametrize(
    ("damage", "part"),
    [
        (break_json, "line "),
        (lambda text: "", "line 1"),
        (lambda text: "[]", "its format is not thirtyone-keeper"),
        (change("format", "x"), "its format is not thirtyone-keeper"),
        (change("version", 2), "its version 2 is not 1"),
        (change("typed", [3]), "typed must be a list of lines"),
        (change("past", 3), "past must be a list of games"),
        (change("past", [{}]), "not a game: KeyError"),
        (change("game", {"names": []}), "not a game: KeyError"),
        (break_entry, "entry 1 does not fit: 9 is not in this round"),
        (break_rules, "did you mean lives?"),
    ],
)
def test_damaged_save_is_refused_by_name_and_left_untouched(
    damage: Callable[[str], str], part: str, save: Path
) -> None:
    save.write_text(damage(save.read_text(encoding="utf-8")), encoding="utf-8")
    before = save.read_bytes()
    done = run("keeper", "--file", str(save), stdin="ann\nbob\n")
    assert done.code == 2
    assert done.err.startswith(f"error: the save {save} is damaged (")
    assert part in done.err
    assert done.err.count("\n") == 1
    assert save.read_bytes() == before
    assert list(save.parent.iterdir()) == [save]


def test_file_that_another_program_changes_is_not_written_over(save: Path) -> None:
    first = SaveFile(save)
    loaded = first.load()
    second = SaveFile(save)
    second.store(second.load().__class__(loaded.game, (), ("cem",)))
    changed = save.read_bytes()
    with pytest.raises(UserError, match="was changed by another program; nothing was written over it"):
        first.store(loaded)
    assert save.read_bytes() == changed


def test_file_that_cannot_be_written_ends_with_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    path = tmp_path / "k.json"
    done = run("keeper", "--file", str(path), stdin=SETUP)
    assert (done.code, done.err) == (2, f"error: {path} cannot be written: No space left on device\n")
    assert list(tmp_path.iterdir()) == []


def test_folder_given_as_file_is_refused(tmp_path: Path) -> None:
    done = run("keeper", "--file", str(tmp_path), stdin="")
    assert done.code == 2
    assert "cannot be read" in done.err


def test_without_file_it_saves_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run("keeper", stdin="Ann Bob\n").code == 0
    assert default_file() == tmp_path / "thirtyone-env" / "keeper.json"
    assert default_file().exists()
