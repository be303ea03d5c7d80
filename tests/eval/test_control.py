"""The control variate: means unbent, intervals narrower and honest, and the same however a run came about."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_env.errors import UserError
from thirtyone_eval import play, schedule
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.control import LEAST_DEALS, PARTS, gain, reduced
from thirtyone_eval.entrants import Entrant, load_entrants
from thirtyone_eval.intervals import Estimate, ratio
from thirtyone_eval.ranking import measured, rank
from thirtyone_eval.records import read_records, replay
from thirtyone_eval.results import result_data
from thirtyone_eval.run import Result, run_tournament
from thirtyone_eval.schedule import takes_luck_out
from thirtyone_eval.show import control_lines
from thirtyone_eval.store import open_store
from thirtyone_eval.tournament import play_and_report

POOL = ["random", "threshold:21", "threshold:27", "tips"]


def controlled(**keys: Any) -> TournamentConfig:
    return parse_config({"policies": POOL, "deals": 40, "seed": 3, "control_variate": True, **keys})


def test_luck_that_explains_everything_leaves_nothing_and_the_mean_where_it_was() -> None:
    luck = np.random.default_rng(0).normal(size=(1, 100))
    found = reduced(5 + 2 * luck[0], np.ones(100), luck).estimate()
    assert found.mean == pytest.approx(5, abs=0.1)
    assert found.half_width < 0.01 * ratio(5 + 2 * luck[0], np.ones(100)).estimate().half_width


def test_luck_that_explains_nothing_costs_next_to_nothing() -> None:
    draw = np.random.default_rng(1)
    gains = []
    for _ in range(100):
        sums, luck = draw.normal(size=60), draw.normal(size=(2, 60))
        gains.append(gain(ratio(sums, np.ones(60)).estimate(), reduced(sums, np.ones(60), luck).estimate()))
    assert np.mean(np.array(gains, dtype=float)) > 0.97


def test_the_share_taken_off_in_a_part_of_the_deals_does_not_depend_on_that_part() -> None:
    """Else the share would follow the very cards that it is used on, and bend the mean."""
    draw = np.random.default_rng(2)
    sums, luck = draw.normal(size=50), draw.normal(size=(1, 50))
    sums += luck[0]
    changed = sums.copy()
    changed[::PARTS] *= 7
    before, after = reduced(sums, np.ones(50), luck), reduced(changed, np.ones(50), luck)
    taken_off_before = sums - (before.mean + before.scatter)
    taken_off_after = changed - (after.mean + after.scatter)
    assert taken_off_after[::PARTS] == pytest.approx(taken_off_before[::PARTS]), "what was changed"
    assert taken_off_after[1::PARTS] != pytest.approx(taken_off_before[1::PARTS]), "what was not"


def test_few_deals_and_luck_that_the_seatings_cancel_change_nothing() -> None:
    luck, weights = np.random.default_rng(4).normal(size=(2, LEAST_DEALS)), np.ones(LEAST_DEALS)
    sums = luck[0] + np.random.default_rng(3).normal(size=LEAST_DEALS)
    few = slice(0, LEAST_DEALS - 1)
    assert reduced(sums[few], weights[few], luck[:, few]).mean == ratio(sums[few], weights[few]).mean
    assert reduced(sums, weights, 1e-8 * luck).estimate() == ratio(sums, weights).estimate()
    assert reduced(sums, weights, luck).mean != ratio(sums, weights).mean


def test_gain_is_the_ratio_of_variances() -> None:
    assert gain(Estimate(0, -2, 2), Estimate(0, -1, 1)) == 4
    assert gain(Estimate(0, -2, 2), Estimate(0, 0, 0)) is None
    assert gain(Estimate(0, -np.inf, np.inf), Estimate(0, -1, 1)) is None


def test_the_means_stay_and_the_intervals_shrink() -> None:
    """With luck left in it is the very tournament without control variate; with luck out half the variance is gone."""
    pool = ["threshold:21", "threshold:23", "threshold:25", "tips"]
    plain = run_tournament(controlled(policies=pool, deals=400, control_variate=False))
    found = run_tournament(controlled(policies=pool, deals=400))
    before = {row.label: row for row in rank(plain.labels, plain.tallies, "lives")}
    for row in rank(found.labels, found.tallies, "lives"):
        assert row.raw == before[row.label].lives
        assert before[row.label].raw is None
        assert abs(row.lives.mean - row.raw.mean) < 2 * row.raw.half_width
        assert row.lives.half_width < 0.85 * row.raw.half_width
        assert row.wins.half_width < row.raw.half_width


def test_matches_and_unmirrored_deals_gain_too() -> None:
    for keys in ({"episode": "match", "deals": 150}, {"mirror": "none", "deals": 400}):
        result = run_tournament(controlled(policies=["threshold:21", "threshold:25", "tips"], **keys))
        measure = result.settings[0].measure
        rows = rank(result.labels, result.tallies, measure)
        gains = [gain(row.raw, row.lives if measure == "lives" else row.wins) for row in rows if row.raw]
        assert all(one is not None and one > 1.1 for one in gains), (keys, gains)


def test_pains_g4_intervals_cover_in_200_simulated_tournaments() -> None:
    """The truth is taken from all together, whose error is a fourteenth of one's; means and a paired difference."""
    samples, sums = [], np.zeros((3, 2))
    for seed in range(200):
        tally = run_tournament(controlled(policies=["threshold:21", "threshold:25", "tips"], seed=seed)).tallies[0]
        samples.append([measured(tally, number, "lives") for number in range(3)])
        sums += [[tally.lost[number].sum(), tally.rounds[number].sum()] for number in range(3)]
    truth = sums[:, 0] / sums[:, 1]
    covered = np.array([
        [one[0].estimate(), one[2].estimate(), one[0].minus(one[2]).estimate()] for one in samples
    ])  # fmt: skip
    wanted = [truth[0], truth[2], truth[0] - truth[2]]
    for column, value in zip(covered.T, wanted, strict=True):
        share = np.mean([one.low <= value <= one.high for one in column])
        assert 0.90 <= share <= 0.99
    means = np.mean([[one.mean for one in row] for row in samples], axis=0)
    assert means == pytest.approx(truth, abs=0.006), "four standard errors of what luck adds to the mean of 200"


def test_a_precision_is_reached_with_fewer_deals() -> None:
    keys = {"policies": ["threshold:21", "threshold:23", "tips"], "precision": 0.02, "deals": 4000}
    plain, found = (run_tournament(controlled(**keys, control_variate=on)) for on in (False, True))
    deals, fewer = (one.tallies[0].games.shape[1] for one in (plain, found))
    assert fewer < 0.8 * deals < 0.8 * 4000
    assert all(row.lives.half_width <= 0.02 for row in rank(found.labels, found.tallies, "lives"))


def test_twins_tie_exactly_and_share_a_rank() -> None:
    result = run_tournament(controlled(policies=["threshold:21", "threshold:21", "random"], deals=60))
    rows = rank(result.labels, result.tallies, "lives")
    assert [row.rank for row in rows] == [1, 1, 3]
    assert rows[1].behind_above is not None
    assert rows[1].behind_above.mean == pytest.approx(0, abs=1e-9)


def test_names_and_order_of_policies_change_nothing() -> None:
    """The luck of the cards is that of the seats, whoever is called what."""
    config = controlled(policies=POOL[:3])
    entrants = load_entrants(config.policies)
    plain, turned = (run_tournament(config, entrants=some) for some in (entrants, entrants[::-1]))
    means = {row.label: row.lives.mean for row in rank(plain.labels, plain.tallies, "lives")}
    for row in rank(turned.labels, turned.tallies, "lives"):
        assert row.lives.mean == pytest.approx(means[row.label], abs=1e-6)


def lasting(result: Result) -> dict[str, Any]:
    return {key: value for key, value in result_data(result, {}).items() if key != "config"}


def test_stored_in_other_blocks_by_workers_or_asked_the_result_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = controlled(policies=POOL[1:], players=2, episode="match", deals=LEAST_DEALS)
    first = lasting(run_tournament(config, tmp_path))
    with open_store(tmp_path) as store:
        block = store.blocks(0)[0]
        assert store.load(block).luck is not None
    assert lasting(run_tournament(config, tmp_path)) == first, "from the store"
    assert lasting(run_tournament(config.model_copy(update={"workers": 2}))) == first
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 30)
    assert lasting(run_tournament(config)) == first
    monkeypatch.setattr(play, "is_compiled", lambda policy: policy.name != "tips")
    assert lasting(run_tournament(config)) == first, "tips is asked from Python"


class Mine(CompiledPolicy):
    """One of ours made a stranger: it is asked from Python."""


class Breaks(Mine):
    """Crashes at hands that begin with an odd word."""

    def act(self, views: Any, keys: Any) -> Any:
        if (views[:, 6] % 3 == 0).any():
            raise RuntimeError("broken")
        return super().act(views, keys)


def test_auto_is_for_policies_that_are_asked() -> None:
    assert not takes_luck_out(controlled(control_variate="auto"))
    assert takes_luck_out(controlled(control_variate="auto", policies=["tips", "mymodule:Mine", "random"]))
    assert not takes_luck_out(controlled(control_variate=False, policies=["tips", "mymodule:Mine", "random"]))
    with pytest.raises(UserError, match="control_variate='maybe'"):
        controlled(control_variate="maybe")


def test_a_forfeited_game_has_the_luck_of_what_was_played_of_it(tmp_path: Path) -> None:
    entrants = [
        *load_entrants(["tips", "threshold:21"]),
        Entrant("zbreaks", "zbreaks", "zbreaks v1", Breaks("zbreaks", 2)),
    ]
    result = run_tournament(controlled(policies=["tips", "threshold:21", "zbreaks"]), tmp_path, entrants)
    assert result.forfeits
    with open_store(tmp_path) as store:
        outcomes = store.load(store.blocks(0)[0])
    assert outcomes.luck is not None
    assert np.isfinite(outcomes.luck).all()
    lengths = np.array([len(text) for text in outcomes.actions])
    assert not outcomes.luck[lengths == 0, 0].any()
    assert outcomes.luck[lengths > 8, 0].any()
    for record in read_records(tmp_path):
        replay(record)


def test_the_reduction_is_in_every_output(tmp_path: Path) -> None:
    data = play_and_report(controlled(deals=60), tmp_path, "thirtyone tournament mine")
    rows = json.loads((tmp_path / "ranking.json").read_text(encoding="utf-8"))["ranking"]
    assert all(row["gain"] > 0.5 for row in rows)
    assert all(row["raw"]["low"] < row["raw"]["mean"] for row in rows)
    with (tmp_path / "ranking.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [float(line["gain"]) for line in table] == [row["gain"] for row in rows]
    assert [float(line["raw_high"]) for line in table] == [row["raw"]["high"] for row in rows]
    (told,) = control_lines(data)
    assert "% of the variance is left" in told
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert told in page
    assert f"x {rows[0]['gain']:.1f}" in page
    assert not control_lines(result_data(run_tournament(controlled(control_variate=False)), {}))
