"""Parquet: the same numbers as elsewhere, a row a seat of every game."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from thirtyone_env import extras
from thirtyone_env.errors import UserError
from thirtyone_eval.commands.tournament import tournament
from thirtyone_eval.parquet import FILES, MATCHES, PAYOFFS, POLICIES, write_parquet
from thirtyone_eval.records import read_records
from thirtyone_eval.results import lasting
from thirtyone_eval.tournament import tournament_command

pq = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
SET = ["deals=34", "rules=[pagat, kids]", "policies=[random, tips, 'threshold:21', 'threshold:25']"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parquet") / "run"
    tournament_command("baselines", folder, [*SET, "control_variate=true"], False, parquet=True)
    return folder


def test_policies_and_payoffs_are_those_of_the_json(run: Path) -> None:
    data = json.loads((run / "ranking.json").read_text(encoding="utf-8"))
    policies = pq.read_table(run / POLICIES).to_pylist()
    assert [row["setting"] for row in policies[:8]] == ["all"] * 4 + ["pagat, 3 players"] * 4
    for row, told in zip(policies, [*data["ranking"], *data["settings"][0]["ranking"]], strict=False):
        assert (row["policy"], row["rank"], row["gain"]) == (told["policy"], told["rank"], told["gain"])
        assert row["lives_per_round_low"] == told["lives_per_round"]["low"]
        assert row["raw_high"] == told["raw"]["high"]
    payoffs = pq.read_table(run / PAYOFFS).to_pylist()
    assert len(payoffs) == 2 * 4 * 3
    labels = [one["policy"] for one in data["policies"]]
    for row in payoffs[:12]:
        cell = data["settings"][0]["payoff"][labels.index(row["policy"])][labels.index(row["against"])]
        assert {key: row[key] for key in cell} == cell


def test_matches_are_those_of_the_records(run: Path) -> None:
    table = pq.read_table(run / MATCHES)
    records = list(read_records(run))
    assert len(table) == 3 * len(records)
    rows = table.to_pylist()
    for number in (0, 7, len(records) - 1):
        record = records[number]
        seats = rows[3 * number : 3 * number + 3]
        assert [row["seat"] for row in seats] == [0, 1, 2]
        assert [row["policy"] for row in seats] == record["seats"]
        assert [row["lives_lost"] for row in seats] == record["lost"]
        assert [row["place"] for row in seats] == record["places"]
        assert sum(row["dealt_first"] for row in seats) == 1
        assert sum(row["win_share"] for row in seats) == pytest.approx(1)
        assert all(row["forfeit"] is None for row in seats)
    assert {row["setting"] for row in rows} == {"pagat, 3 players", "kids, 3 players"}
    assert np.std([row["luck_of_draws"] for row in rows]) > 0.1


def test_a_finished_run_gives_the_same_files_again_without_playing(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: pq.read_table(run / name) for name in FILES}
    first = json.loads((run / "run.json").read_text(encoding="utf-8"))
    for name in FILES:
        (run / name).unlink()
    monkeypatch.setattr("thirtyone_eval.crews.play_one", None)
    tournament_command("baselines", run, [*SET, "control_variate=true"], False, parquet=True)
    assert all(pq.read_table(run / name).equals(table) for name, table in before.items())
    sittings = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert [one["seconds"] for one in sittings["earlier"]] == [first["seconds"]], "the first one's time stays"


def test_without_pyarrow_the_option_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(extras.EXTRAS, "parquet", ("no_such_module",))
    with pytest.raises(UserError, match=r"--parquet needs no_such_module: pip install .*parquet"):
        tournament("baselines", tmp_path / "x", [], None, None, True, False)
    assert not (tmp_path / "x").exists()


def test_nothing_half_written_is_left_where_writing_fails(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = lasting(json.loads((run / "ranking.json").read_text(encoding="utf-8")))
    with pytest.raises(UserError, match="is no folder of a run"):
        write_parquet(data, tmp_path)
    assert not (tmp_path / MATCHES).exists()
    assert not list(tmp_path.glob("*.new"))
