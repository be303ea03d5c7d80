"""The store: a kill loses nothing, the same command goes on, and the end is the same as without a kill."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from thirtyone_env.errors import UserError
from thirtyone_eval import crews, schedule
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import load_entrants
from thirtyone_eval.folders import one_at_a_time, run_folder
from thirtyone_eval.records import read_records
from thirtyone_eval.run import run_tournament
from thirtyone_eval.store import STORE, open_store
from thirtyone_eval.tournament import play_and_report, tournament_command

POOL = ["random", "threshold:21", "threshold:27", "tips"]
LASTING = ("ranking.json", "ranking.csv")
# The command in a fresh process, with so small blocks that kills fall between, and asked from Python to take its time.
SLOWLY = """
import sys
from thirtyone_eval import play, schedule
from thirtyone_env.cli import main
schedule.BLOCK_GAMES = 24
play.is_compiled = lambda policy: False
sys.argv = ["thirtyone", "tournament", *sys.argv[1:]]
main()
"""

# Sleeps when it is first asked, and leaves word that it does.
HANGS = """
import pathlib, time

class Hangs:
    name = "hangs"

    def act(self, views, keys):
        pathlib.Path("hangs").touch()
        time.sleep(600)
"""


def small(**keys: object) -> TournamentConfig:
    return parse_config({"policies": POOL, "deals": 6, "seed": 3, "rules": ["pagat", "kids"], **keys})


def stored_blocks(folder: Path) -> int:
    try:
        with sqlite3.connect(folder / STORE) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM blocks").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def start(cwd: Path, *words: str) -> subprocess.Popen[str]:
    line = [sys.executable, "-c", SLOWLY, "baselines", "--set", "deals=12", "--set", f"policies=[{', '.join(POOL)}]"]
    return subprocess.Popen([*line, *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop_once_playing(process: subprocess.Popen[str], folder: Path, blocks: int, how: signal.Signals) -> None:
    deadline = time.monotonic() + 180
    while stored_blocks(folder) < blocks and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(how)


def test_killed_and_started_again_the_results_are_those_of_an_uninterrupted_run(tmp_path: Path) -> None:
    whole = start(tmp_path, "--out", "whole")
    assert whole.wait(timeout=240) == 0, whole.stderr and whole.stderr.read()
    total = stored_blocks(tmp_path / "whole")
    for blocks in (0, 2, total - 2):
        process = start(tmp_path, "--out", "killed")
        stop_once_playing(process, tmp_path / "killed", blocks, signal.SIGKILL)
        assert process.wait(timeout=60) == -signal.SIGKILL
    assert not (tmp_path / "killed" / "ranking.json").exists()
    assert 0 < stored_blocks(tmp_path / "killed") < total
    last = start(tmp_path, "--out", "killed", "--workers", "2")
    assert last.wait(timeout=240) == 0, last.stderr and last.stderr.read()
    for name in LASTING:
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    killed, plain = (list(read_records(tmp_path / name)) for name in ("killed", "whole"))
    for one, other in zip(killed, plain, strict=True):  # workers play in compiled code, which stores no actions
        assert {**one, "actions": ""} == {**other, "actions": ""}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_kill_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "hanging.py").write_text(HANGS, encoding="utf-8")
    line = [sys.executable, "-c", SLOWLY, "baselines", "--out", "x", "--workers", "2"]
    line += ["--set", "deals=12", "--set", "policies=[tips, random, 'hanging:Hangs']"]
    process = subprocess.Popen(line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    deadline = time.monotonic() + 120
    while not (tmp_path / "hangs").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    started = descendants(process.pid)
    assert len(started) >= 3, "two workers, and a process of the policy's own"
    process.kill()
    process.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in started) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in started if Path(f"/proc/{pid}").exists()]


def descendants(pid: int) -> list[int]:
    """Processes that a process started, and those that they did."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it has ended meanwhile
            continue
        if int(text.rpartition(")")[2].split()[1]) == pid:
            children.append(int(stat.parent.name))
    return children + [one for child in children for one in descendants(child)]


def test_ctrl_c_keeps_what_was_played_and_the_same_command_goes_on(tmp_path: Path) -> None:
    process = start(tmp_path)
    folder = tmp_path / "runs" / "baselines-1"
    stop_once_playing(process, folder, 1, signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "the same command goes on from there" in errors
    again = start(tmp_path)
    _, errors = again.communicate(timeout=240)
    assert again.returncode == 0, errors
    assert "is not played again" in errors
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["baselines-1"]
    assert (folder / "ranking.json").is_file()


def test_what_is_stored_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play_and_report(small(), tmp_path, "")
    before = {name: (tmp_path / name).read_bytes() for name in LASTING}

    def never(*_: object) -> None:
        raise AssertionError("played again")

    monkeypatch.setattr(crews, "play_one", never)
    play_and_report(small(workers=1, description=""), tmp_path, "")
    assert {name: (tmp_path / name).read_bytes() for name in LASTING} == before


def test_another_config_in_the_folder_of_a_run_is_refused_by_name(tmp_path: Path) -> None:
    run_tournament(small(), tmp_path)
    with pytest.raises(UserError, match=r"deals=6 there and 7 here.*seed=3 there and 4 here"):
        run_tournament(small(deals=7, seed=4), tmp_path)
    with sqlite3.connect(tmp_path / STORE) as connection:
        connection.execute("UPDATE run SET value = replace(value, 'tips v', 'tips w') WHERE key = 'policies'")
    with pytest.raises(UserError, match="the policies tips are other ones now"):
        run_tournament(small(), tmp_path)
    with sqlite3.connect(tmp_path / STORE) as connection:
        connection.execute("UPDATE run SET value = '\"0.0.1\"' WHERE key = 'version'")
    with pytest.raises(UserError, match=r"version 0\.0\.1 there and"):
        run_tournament(small(), tmp_path)


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is no folder of a run"), open_store(tmp_path):
        pass
    (tmp_path / STORE).write_text("not a database, but long enough to be looked at" * 20)
    with pytest.raises(UserError, match="cannot be used as a store"):
        run_tournament(small(), tmp_path)


def test_a_numbered_folder_is_gone_on_with_only_by_the_same_unfinished_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config, other = small(), small(seed=4)
    entrants = load_entrants(config.policies)

    def folder(config: TournamentConfig) -> str:
        return run_folder(None, "mine", config, entrants).name

    assert folder(config) == "mine-1"
    first = tmp_path / "runs" / "mine-1"
    first.mkdir(parents=True)
    sqlite3.connect(first / STORE).close()
    assert folder(config) == "mine-2", "stopped before it began"
    (first / STORE).unlink()
    run_tournament(config, first)
    assert folder(config) == "mine-1"
    assert folder(other) == "mine-2"
    (first / "ranking.json").write_text("{}", encoding="utf-8")
    assert folder(config) == "mine-2"
    (first / STORE).unlink()
    with pytest.raises(UserError, match="is not written over"):
        run_folder(first, "mine", config, entrants)


def test_only_a_run_that_goes_on_is_said_to_keep_its_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    said = "is not played again"

    def errors(*changes: str) -> str:
        tournament_command("baselines", Path("run"), ["deals=2", "workers=1", *changes], True)
        return capsys.readouterr().err

    Path("run").mkdir()
    Path("run", STORE).touch()
    assert said not in errors()
    assert said in errors()
    with pytest.raises(UserError, match="holds another run"):
        errors("seed=99")
    assert said not in capsys.readouterr().err


def test_two_processes_do_not_write_into_one_run(tmp_path: Path) -> None:
    with one_at_a_time(tmp_path), pytest.raises(UserError, match="another process is at work"), one_at_a_time(tmp_path):
        pass


def test_a_stored_block_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 50)
    first = run_tournament(small(), tmp_path)
    again = run_tournament(small(), tmp_path)
    for one, other in zip(first.tallies, again.tallies, strict=True):
        assert all(np.array_equal(getattr(one, key), getattr(other, key)) for key in vars(one))
    with open_store(tmp_path) as store:
        assert store.told["config"] == json.loads(small().model_dump_json())
        assert [block.deals for block in store.blocks(1)] == [range(2), range(2, 4), range(4, 6)]
