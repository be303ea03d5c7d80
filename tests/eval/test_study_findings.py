"""What studies say of their figures, and how they keep them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from thirtyone_eval.intervals import Estimate
from thirtyone_eval.study.findings import Findings, Part, csv_text, show
from thirtyone_eval.study.run import run_study
from thirtyone_eval.study.shares import grouped_share, share

ROWS = [
    {"players": size, "seat": seat, "share": Estimate(size / 10 + seat / 100, 0.1, 0.9)}
    for size in (2, 3) for seat in range(size)
]  # fmt: skip


def test_wilson_intervals_are_the_published_ones_and_never_empty() -> None:
    none, half = share(0, 10), share(5, 10)
    assert (none.mean, none.low) == (0, 0)
    assert none.high == pytest.approx(0.2775, abs=1e-4)
    assert (half.low, half.high) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    assert share(10, 10).low == pytest.approx(1 - none.high)
    assert math.isnan(share(0, 0).mean)


def test_intervals_of_shares_cover_in_95_of_100_runs() -> None:
    draw = np.random.default_rng(1)
    alone, grouped = [], []
    for _ in range(400):
        chances = draw.beta(3, 7, size=40)  # each group has a chance of its own, .3 on the average
        hits = draw.binomial(20, chances).astype(float)
        found = grouped_share(hits, np.full(40, 20.0))
        grouped.append(found.low <= 0.3 <= found.high)
        plain = share(float(draw.binomial(50, 0.3)), 50)
        alone.append(plain.low <= 0.3 <= plain.high)
    assert 0.9 <= np.mean(grouped) <= 0.99
    assert 0.9 <= np.mean(alone) <= 0.99


def test_groups_widen_an_interval_and_never_narrow_it() -> None:
    alike = grouped_share(np.full(10, 2.0), np.full(10, 4.0))
    assert alike == share(20, 40)
    apart = grouped_share(np.array([4.0, 0.0] * 5), np.full(10, 4.0))
    assert apart.half_width > 1.5 * alike.half_width


def test_a_table_has_an_estimate_in_three_columns() -> None:
    lines = csv_text(Part("totals", "", ROWS)).splitlines()
    assert lines[0] == "players,seat,share,share_low,share_high"
    assert lines[1] == "2,0,0.2,0.1,0.9"
    assert len(lines) == 1 + len(ROWS)


def test_an_estimate_without_an_interval_is_empty_in_json_and_csv() -> None:
    rows = [{"what": "a", "found": Estimate(math.nan, -math.inf, math.inf)}]
    found = Findings("x", "", {}, [Part("p", "", rows)])
    assert found.as_dict()["tables"]["p"]["rows"] == [{"what": "a", "found": {"mean": None, "low": None, "high": None}}]
    assert csv_text(found.parts[0]).splitlines()[1] == "a,,,"


def test_the_terminal_shows_a_key_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    part = Part("totals", "by seat", ROWS, 2, across=("seat", "share"))
    show(Findings("x", "What?", {}, [part, Part("long", "not this", ROWS, shown=False)], ["So."]), Console(width=100))
    out = capsys.readouterr().out
    lines = [line.split() for line in out.splitlines()]
    assert ["players", "0", "1", "2"] in lines
    assert ["2", "0.20", "±", "0.40", "0.21", "±", "0.40"] in lines
    assert "not this" not in out
    assert out.rstrip().endswith("So.")


def test_a_study_that_is_stopped_leaves_nothing(tmp_path: Path) -> None:
    def stopped() -> Findings:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_study("study x", stopped, tmp_path / "a" / "b", as_text=True)
    assert not list(tmp_path.iterdir())
