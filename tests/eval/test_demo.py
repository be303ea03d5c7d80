"""The demo: an agent trained, ranked and reported in one command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from thirtyone_agents import load
from thirtyone_eval.plots import curve_plot, far_off
from thirtyone_eval.records import read_records, replay


@pytest.mark.slow
def test_demo_trains_ranks_and_leaves_report_agent_and_records(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "thirtyone_env.cli", "demo", "--minutes", "0.02", "--seed", "3"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "runs" / "demo-1"
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["demo-1"]
    data = json.loads((folder / "ranking.json").read_text(encoding="utf-8"))
    ranks = {row["policy"]: row for row in data["ranking"]}
    assert "random" in ranks["trained agent"]["beats"], "imitation alone is enough for that"
    assert str(ranks["trained agent"]["rank"]) in done.stdout
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "imitated tips" in page
    assert "turned into" in page
    assert "unfinished" not in page + done.stdout
    assert "unfinished" not in (folder / "ranking.json").read_text(encoding="utf-8")
    assert load(f"learned:{folder / 'agent'}", allow_code=True).name.startswith("learned:")
    record = next(one for one in read_records(folder) if "trained agent" in one["seats"])
    assert replay(record).over
    for word in ("report", "agent", "records", "What to try next"):
        assert word in done.stdout


def test_far_off_policies_do_not_squeeze_a_plot_of_the_others() -> None:
    assert far_off([28.0, 30, 31, 32, 36, 57, 120]) == {5, 6}
    assert far_off([0.3, 0.31, 0.32, 0.33]) == set()
    assert far_off([28.0, 120.0]) == set()
    assert far_off([1.0] * 5) == set()


def test_a_curve_is_drawn_with_and_without_intervals() -> None:
    curve = {"x": [0.0, 1.0], "y": [0.0, 2.0], "x_label": "decisions", "y_label": "lives"}
    plain, barred = curve_plot(curve), curve_plot({**curve, "half": [0.5, 0.5]})
    assert plain.startswith("<svg")
    assert "decisions" in plain
    assert len(barred) > len(plain)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGTERM that a process could handle")
def test_a_killed_demo_leaves_nothing_behind(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "thirtyone_env.cli", "demo", "--minutes", "5", "--out", "d"]
    process = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not list(tmp_path.glob(".d.unfinished-*/agent")) and time.monotonic() < until:
            time.sleep(0.05)
        assert list(tmp_path.iterdir()), "it did not begin"
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
