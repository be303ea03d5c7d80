"""Two runs side by side."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from thirtyone_env.errors import UserError
from thirtyone_eval.compare import comparison, stored_run
from thirtyone_eval.config import parse_config
from thirtyone_eval.results import RANKING_JSON
from thirtyone_eval.run import run_tournament

POOL = ["random", "threshold:21", "tips"]


def played(folder: Path, **keys: object) -> Path:
    folder.mkdir()
    run_tournament(parse_config({"policies": POOL, "deals": 30, "seed": 3, **keys}), folder)
    return folder


def test_a_run_does_not_differ_from_itself(tmp_path: Path) -> None:
    run = stored_run(played(tmp_path / "a"))
    found = comparison(run, run)
    assert found["changes"] == {}
    (setting,) = found["settings"]
    assert setting["paired"]
    assert [row["policy"] for row in setting["policies"]] == sorted(POOL)
    assert all(row["difference"] == {"mean": 0, "low": 0, "high": 0} for row in setting["policies"])
    assert not any(row["clear"] for row in setting["policies"])


def test_on_the_same_cards_differences_are_taken_deal_by_deal_and_are_narrower(tmp_path: Path) -> None:
    first = stored_run(played(tmp_path / "a"))
    weaker = stored_run(played(tmp_path / "b", policies=["random", "threshold:21", "threshold:31"]))
    other = stored_run(played(tmp_path / "c", seed=4, policies=["random", "threshold:21", "threshold:31"]))
    paired, apart = (comparison(first, run)["settings"][0] for run in (weaker, other))
    assert paired["paired"]
    assert not apart["paired"]
    near, far = ([row["difference"] for row in one["policies"]] for one in (paired, apart))
    for narrow, wide in zip(near, far, strict=True):
        assert narrow["high"] - narrow["low"] < wide["high"] - wide["low"]
    row = next(row for row in paired["policies"] if row["policy"] == "threshold:21")
    assert row["difference"]["mean"] == pytest.approx(row["second"]["mean"] - row["first"]["mean"])
    assert comparison(first, weaker)["only_in_one"] == [["tips"], ["threshold:31"]]
    assert comparison(first, other)["changes"]["seed"] == [3, 4]


def test_runs_with_nothing_in_common_are_refused(tmp_path: Path) -> None:
    first = stored_run(played(tmp_path / "a"))
    kids = stored_run(played(tmp_path / "b", rules="kids"))
    strangers = stored_run(played(tmp_path / "c", policies=["threshold:15", "threshold:16", "threshold:17"]))
    with pytest.raises(UserError, match="have no setting"):
        comparison(first, kids)
    with pytest.raises(UserError, match="have no policy in common"):
        comparison(first, strangers)
    with pytest.raises(UserError, match="is no folder of a run"):
        stored_run(tmp_path)


def test_the_command_shows_tables_or_json(tmp_path: Path) -> None:
    for folder in (played(tmp_path / "a"), played(tmp_path / "b", deals=40)):
        (folder / RANKING_JSON).write_text("{}", encoding="utf-8")  # as at a run's end
    line = [sys.executable, "-m", "thirtyone_env.cli", "compare", "a", "b"]
    shown = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "deals: 30 in a, 40 in b" in shown
    assert "on cards of their own" in shown
    plain = subprocess.run([*line, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    data = json.loads(plain)
    assert data["runs"] == ["a", "b"]
    assert "unfinished" not in shown
    assert data["unfinished"] == []
    (tmp_path / "b" / RANKING_JSON).unlink()
    shown = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [text for text in shown.splitlines() if "unfinished" in text] == [
        "b is unfinished: what it has played so far is compared"
    ]
    plain = subprocess.run([*line, "--json"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert json.loads(plain)["unfinished"] == ["b"]
    wrong = subprocess.run([*line[:-1], "nowhere"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "nowhere is no folder of a run" in wrong.stderr
