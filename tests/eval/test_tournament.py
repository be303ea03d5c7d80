"""A tournament from config to folder: the same result however played, records that replay, nothing half-written."""

from __future__ import annotations

import csv
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_env.errors import UserError
from thirtyone_eval import play, schedule
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import load_entrants
from thirtyone_eval.folders import check_free
from thirtyone_eval.records import read_records, replay
from thirtyone_eval.results import result_data
from thirtyone_eval.run import run_tournament, total_games
from thirtyone_eval.tournament import play_and_report

POOL = ["random", "threshold:21", "threshold:27", "tips"]


def small(**keys: Any) -> TournamentConfig:
    return parse_config({"policies": POOL, "deals": 4, "seed": 3, **keys})


def found(config: TournamentConfig, folder: Path | None = None) -> dict[str, Any]:
    """The part of a result that depends on the config alone."""
    data = result_data(run_tournament(config, folder), {})
    return {key: value for key, value in data.items() if key != "config"}


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    play_and_report(small(rules=["pagat", "kids"], description="A <small> one"), folder, "thirtyone tournament small")
    return folder


def test_number_of_games_is_known_beforehand_and_progress_counts_them() -> None:
    config = small(rules=["pagat", "party"], players=[2, 3, 4])
    done: list[int] = []
    result = run_tournament(config, progress=done.append)
    assert total_games(config) == result.games == sum(done) == 4 * 2 * (6 * 2 + 4 * 6 + 24)


def test_every_policy_plays_equally_often() -> None:
    for tables in ("all", "random"):
        result = run_tournament(small(tables=tables))
        assert len(set(result.tallies[0].games.ravel())) == 1


def test_the_result_does_not_depend_on_blocks_order_of_policies_or_global_generators(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = found(small())
    random.seed(99)
    np.random.seed(99)  # noqa: NPY002  # burnt on purpose
    np.random.random(1000)  # noqa: NPY002  # the global generator is what must not matter
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 1)
    assert found(small(policies=POOL[::-1])) == first


def test_another_seed_gives_other_games() -> None:
    assert found(small())["settings"] != found(small(seed=4))["settings"]


def test_worker_processes_give_the_very_same_result_and_records(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    config = small(rules=["pagat", "kids"])
    assert found(config, here) == found(config.model_copy(update={"workers": 2}), there)
    assert list(read_records(here)) == list(read_records(there))


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"rules": {"preset": "party", "lives": 2}, "episode": "match", "players": 4, "deals": 2},
        {"rules": "standard", "episode": "match", "players": 2, "deals": 2},
        {"rules": "bicycle", "players": 2},
        {"rules": "schwimmen"},
    ],
    ids=str,
)
def test_pains_g9_each_record_says_who_played_what_and_replays_to_the_same_end(tmp_path: Path, keys: Any) -> None:
    config = small(**keys)
    run_tournament(config, tmp_path)
    records = list(read_records(tmp_path))
    assert len(records) == total_games(config)
    assert len({record["match"] for record in records}) == len(records)
    for record in records:
        game = replay(record)
        assert game.over
        assert game.round_count == record["rounds"]
        assert set(record["seats"]) <= set(POOL)
        assert all(mark.startswith(name) for name, mark in zip(record["seats"], record["policies"], strict=True))
        assert {"version", "rules", "seed"} <= set(record)


def test_a_record_that_was_changed_is_refused_and_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "is_compiled", lambda policy: False)
    run_tournament(small(), tmp_path)
    record = max(read_records(tmp_path), key=lambda one: len(one["actions"]))
    with pytest.raises(UserError, match=r"action 0: '!' is not legal"):
        replay({**record, "actions": "!" + record["actions"][1:]})
    with pytest.raises(UserError, match="the game is not over"):
        replay({**record, "actions": record["actions"][:-1]})
    with pytest.raises(UserError, match="nothing, for the game is over"):
        replay({**record, "actions": record["actions"] + "0"})
    with pytest.raises(UserError, match="the record says lost="):
        replay({**record, "lost": [9] * 3})
    with pytest.raises(UserError, match="lacks seed"):
        replay({key: value for key, value in record.items() if key != "seed"})


def test_a_record_of_compiled_policies_of_another_version_is_refused(tmp_path: Path) -> None:
    run_tournament(small(), tmp_path)
    record = next(one for one in read_records(tmp_path) if replay(one).inputs())
    assert record["actions"] == ""
    with pytest.raises(UserError, match="it was played by tips v0, and this version"):
        replay({**record, "policies": ["tips v0"] * 3})
    with pytest.raises(UserError, match="the record says lost="):
        replay({**record, "lost": [9] * 3})


def test_pains_g7_the_ranking_does_not_depend_on_how_policies_are_called() -> None:
    """Entrants play the same games in whatever order they are given."""
    config = small(policies=POOL[:3], deals=6)
    entrants = load_entrants(config.policies)
    plain = run_tournament(config, entrants=entrants)
    turned = run_tournament(config, entrants=entrants[::-1])
    assert turned.labels == plain.labels
    assert np.array_equal(plain.tallies[0].lost, turned.tallies[0].lost)
    assert np.allclose(plain.tallies[0].seat_lost, turned.tallies[0].seat_lost)


def test_results_never_go_over_an_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    assert check_free(tmp_path / "old") == tmp_path / "old"
    (tmp_path / "old" / "ranking.json").write_text("{}")
    with pytest.raises(UserError, match="is not written over"):
        check_free(tmp_path / "old")


def test_json_and_csv_say_the_same(report: Path) -> None:
    data = json.loads((report / "ranking.json").read_text(encoding="utf-8"))
    with (report / "ranking.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert Counter(row["setting"] for row in rows) == {"all": 4, "pagat, 3 players": 4, "kids, 3 players": 4}
    for row, entry in zip(rows, data["ranking"], strict=False):
        assert row["policy"] == entry["policy"]
        assert float(row["lives_low"]) == entry["lives_per_round"]["low"]
        assert float(row["lives_per_100_rounds"]) == pytest.approx(100 * entry["lives_per_round"]["mean"])
    assert json.loads((report / "run.json").read_text(encoding="utf-8"))["versions"]["thirtyone-env"]
    assert [one["policy"] for one in data["policies"]] == sorted(POOL)
    assert sum(entry["win_share"]["mean"] for entry in data["ranking"]) == pytest.approx(4 / 3)


def test_the_report_is_one_page_for_light_and_dark_that_loads_nothing(report: Path) -> None:
    page = (report / "report.html").read_text(encoding="utf-8")
    loads = re.findall(r"""(?:src|href|xlink:href)\s*=\s*["']([^"']*)""", page)
    assert all(target.startswith("#") for target in loads), loads
    assert "@import" not in page
    assert not re.search(r"url\((?!#|'#|\"#)", page)
    assert "prefers-color-scheme: dark" in page
    assert "currentColor" in page
    assert "A &lt;small&gt; one" in page
    assert "thirtyone tournament small" in page
    assert page.count("<svg") == 2 + 2 * 4
    assert all(policy in page for policy in POOL)


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "thirtyone_env.cli", "tournament", *words]
    return subprocess.run(line, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_command_prints_json_and_writes_all_files(tmp_path: Path) -> None:
    done = command("baselines", "--set", "deals=2", "--set", "policies=[random, tips, tips]", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "runs" / "baselines-1"
    assert json.loads(done.stdout) == json.loads((folder / "ranking.json").read_text(encoding="utf-8"))
    names = {path.name for path in folder.iterdir()}
    assert names == {"ranking.json", "ranking.csv", "results.sqlite", "report.html", "run.json"}


def test_wrong_words_end_with_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = command("baselines", "--set", "deal=2", cwd=tmp_path)
    assert done.returncode == 2
    assert "did you mean deals" in done.stderr
    assert list(tmp_path.iterdir()) == []


