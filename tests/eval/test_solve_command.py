"""`thirtyone solve`: files, figures, refusals, and what Ctrl-C leaves."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.env.run_command import run
from thirtyone_agents.solved import load_solved
from thirtyone_eval.solve import cfr, exploitability
from thirtyone_eval.solve import kernels as _kernels  # noqa: F401  # compiles now, not while a command's words are read


@pytest.fixture(autouse=True)
def somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_solves_to_a_thousandth_of_a_life_and_leaves_a_policy(somewhere: Path) -> None:
    done = run("solve", "mini_4x2", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["exploitability"] < 1e-3
    assert not told["interrupted"]
    assert told["file"] == "runs/solved/mini_4x2.npz"
    policy = load_solved(told["file"])
    assert policy.about.exploitability == told["exploitability"]
    assert policy.about.curve[-1] == (told["iterations"], pytest.approx(told["exploitability"], abs=1e-12))
    assert policy.about.versions["numba"]
    assert exploitability("mini_4x2", policy).exploitability == pytest.approx(told["exploitability"], abs=1e-12)
    assert [path.name for path in (somewhere / "runs" / "solved").iterdir()] == ["mini_4x2.npz"]
    assert "12,432 information sets" in done.err
    assert "exploitability" in done.err


def test_words_name_the_policy_and_an_earlier_solution_stays(somewhere: Path) -> None:
    first = run("solve", "mini_5x1", "--iterations", "20")
    second = run("solve", "mini_5x1", "--iterations", "21")
    assert first.code == second.code == 0
    assert "it plays as solved:runs/solved/mini_5x1.npz" in first.out
    assert "it plays as solved:runs/solved/mini_5x1-2.npz" in second.out
    assert [load_solved(f"runs/solved/mini_5x1{end}.npz").about.iterations for end in ("", "-2")] == [20, 21]


def test_policies_are_judged_and_nothing_is_written(somewhere: Path) -> None:
    run("solve", "mini_5x1", "--until", "1e-6", "--out", "best")
    done = run("solve", "mini_5x1", "--judge", "random", "--judge", "solved:best.npz", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert [row["policy"] for row in told["policies"]] == ["random", "solved:best.npz"]
    uniform, best = told["policies"]
    assert uniform["exploitability"] == pytest.approx(5 / 6)
    assert uniform["best_responses"][0] - uniform["values"][0] == pytest.approx(uniform["improvements"][0])
    assert best["exploitability"] < 1e-6
    shown = run("solve", "mini_5x1", "--players", "3", "--judge", "random").out
    rows = [line.split() for line in shown.splitlines()[1:]]
    assert rows[0] == ["random", "0.265432", "0", "-0.092593", "+0.506481"]
    assert [row[0] for row in rows[1:]] == ["1", "2"]
    assert [path.name for path in somewhere.iterdir()] == ["best.npz"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mini_5x2"], "'mini_5x2' is not a preset of rules; did you mean mini_5x1"),
        (["pagat"], "18,729,838,400 deals"),
        (["mini_5x1", "--players", "9"], "9 players need"),
        (["mini_5x1", "--players", "3"], "give --iterations"),
        (["mini_5x1", "--until", "0"], "--until 0 is not allowed: a number from 1e-12"),
        (["mini_5x1", "--until", "nan"], "--until nan is not allowed"),
        (["mini_5x1", "--judge", "tips", "--out", "x"], "leave --out out"),
        (["mini_5x1", "--judge", "tipps"], "'tipps' is not a policy"),
        (["mini_5x1", "--judge", "solved:nothing.npz"], "there is no solution nothing.npz"),
        (["mini_5x1", "--out", "there.npz"], "there.npz is there already"),
    ],
)
def test_wrong_words_are_refused_with_code_2_before_anything_is_solved(
    words: list[str], told: str, somewhere: Path
) -> None:
    (somewhere / "there.npz").write_text("mine")
    done = run("solve", *words)
    assert done.code == 2
    assert told in done.err
    assert len(done.err.strip().splitlines()) <= 2
    assert [path.name for path in somewhere.rglob("*.npz")] == ["there.npz"]
    assert (somewhere / "there.npz").read_text() == "mine"


def test_ctrl_c_keeps_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt comes in the middle of the sixth iteration; that one is finished, and written."""
    judged = cfr.judge
    calls: list[int] = []

    def interrupting(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) == 6:
            signal.raise_signal(signal.SIGINT)
        return judged(*arguments)

    monkeypatch.setattr(cfr, "judge", interrupting)
    done = run("solve", "mini_3x2", "--until", "1e-9", "--json", "--out", "kept")
    assert done.code == 130
    assert "interrupted" in done.err
    told = json.loads(done.out)
    assert told["interrupted"]
    assert told["iterations"] == 6
    policy = load_solved("kept.npz")
    assert policy.about.interrupted
    assert exploitability("mini_3x2", policy).exploitability == pytest.approx(told["exploitability"], abs=1e-12)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.slow
def test_largest_preset_is_solved_below_a_thousandth_of_a_life() -> None:
    """890,064 information sets, about half a minute; views forget which cards were drawn, at no cost."""
    done = run("solve", "mini_4x2_limit4", "--json", "--out", "large")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    assert told["exploitability"] < 1e-3
    assert (told["information_sets"], told["positions"]) == (890_064, 436_464)
    assert told["values"][0] == pytest.approx(0.2654, abs=2e-3)
