"""Pools over several variants and table sizes: each setting by itself, and all of them together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_eval.config import parse_config
from thirtyone_eval.ranking import payoff, payoff_over_all
from thirtyone_eval.report import write_report
from thirtyone_eval.results import OVER_ALL, csv_parts, result_data
from thirtyone_eval.run import Result, run_tournament
from thirtyone_eval.show import circle_lines

POOL = ["random", "threshold:21", "threshold:21", "threshold:27", "tips"]
TITLES = [f"{rules}, {players} players" for rules in ("pagat", "standard") for players in (2, 3, 5)]


@pytest.fixture(scope="module")
def result() -> Result:
    keys = {"rules": ["pagat", "standard"], "players": [2, 3, 5], "deals": 50, "seed": 4}
    return run_tournament(parse_config({"policies": POOL, **keys}))


@pytest.fixture(scope="module")
def data(result: Result) -> dict[str, Any]:
    return result_data(result, {"command": "thirtyone tournament mine", "seed": 4, "load_before": None, "versions": {}})


def test_each_setting_has_its_ranking_payoffs_ratings_circles_and_seats(data: dict[str, Any]) -> None:
    assert [setting["title"] for setting in data["settings"]] == TITLES
    for setting in data["settings"]:
        assert sorted(row["policy"] for row in setting["ranking"]) == sorted(
            ["random", "threshold:21", "threshold:21#2", "threshold:27", "tips"]
        )
        assert all(row["rating"]["low"] < row["rating"]["mean"] for row in setting["ranking"])
        assert sum(row["alpha_rank"] for row in setting["ranking"]) == pytest.approx(1)
        assert all((setting["payoff"][i][j] is None) == (i == j) for i in range(5) for j in range(5))
        assert len(setting["seats"]) == setting["players"]
        assert setting["transitivity"].startswith("Play looks transitive")


def test_over_all_settings_each_counts_the_same(data: dict[str, Any]) -> None:
    titles = [title for title, _ in csv_parts(data)]
    assert titles == ["all", *TITLES]
    for row in data["ranking"]:
        of_each = [
            one["lives_per_round"]["mean"]
            for setting in data["settings"]
            for one in setting["ranking"]
            if one["policy"] == row["policy"]
        ]
        assert len(of_each) == 6
        assert row["lives_per_round"]["mean"] == pytest.approx(np.mean(of_each))
        assert row["rating"]["low"] < row["rating"]["mean"] < row["rating"]["high"]
    assert data["over_all"]["text"] == OVER_ALL
    assert "each counting the same" in OVER_ALL
    assert sum(row["alpha_rank"] for row in data["ranking"]) == pytest.approx(1)


def test_over_all_twins_share_a_rank_and_ratings_sort_as_the_ranks_do(data: dict[str, Any]) -> None:
    ranks = {row["policy"]: row["rank"] for row in data["ranking"]}
    assert ranks["threshold:21"] == ranks["threshold:21#2"]
    assert ranks["random"] == 5
    rating = {row["policy"]: row["rating"]["mean"] for row in data["ranking"]}
    assert min(rating, key=lambda policy: rating[policy]) == "random"
    assert rating["threshold:21"] == pytest.approx(rating["threshold:21#2"], abs=2.0)


def test_payoffs_over_all_are_means_with_the_widest_interval_and_mirror_images(result: Result) -> None:
    for row, column in ((0, 1), (3, 4)):
        each = [payoff(tally, row, column) for tally in result.tallies]
        whole, turned = (payoff_over_all(result.tallies, *pair) for pair in ((row, column), (column, row)))
        assert whole is not None
        assert turned is not None
        assert whole.mean == pytest.approx(np.mean([one.mean for one in each if one]))
        assert whole.half_width == pytest.approx(np.mean([one.half_width for one in each if one]))
        assert (turned.mean, turned.low) == pytest.approx((-whole.mean, -whole.high))
    assert payoff_over_all(result.tallies, 2, 2) is None


def test_the_report_has_a_section_for_all_and_one_for_each(data: dict[str, Any], tmp_path: Path) -> None:
    write_report(data, tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for title in ["Over all settings", *TITLES]:
        assert f"<h2>{title}</h2>" in page
    assert page.count("What a seat is worth") == 6
    assert page.count("Ratings and alpha-rank") == page.count("Row against column") == 7
    assert page.count("<svg") == 2 + 6 * 4


def test_circles_over_all_are_told_first() -> None:
    told = [{"title": "here", "transitivity": "Play is not transitive: a.", "circle": ["a", "b", "c"]}]
    over_all = {"transitivity": "Play is not transitive: b.", "circle": ["b", "c", "a"]}
    lines = circle_lines({"settings": told, "over_all": over_all})
    assert lines == ["all: Play is not transitive: b.", "here: Play is not transitive: a."]


def test_variants_ranked_by_different_things_have_no_ranking_in_common() -> None:
    config = parse_config({"policies": POOL[:2], "players": 2, "rules": ["pagat", "bicycle"], "deals": 4})
    data = result_data(run_tournament(config), {})
    assert [setting["measure"] for setting in data["settings"]] == ["lives", "wins"]
    assert data["measure"] is data["over_all"] is None
    assert data["ranking"] == []
