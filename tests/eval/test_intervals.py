"""Intervals clustered by deal, and ranks made of them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from thirtyone_eval.config import parse_config
from thirtyone_eval.intervals import Estimate, average, ratio, student_quantile
from thirtyone_eval.ranking import payoff, rank, seat_advantage
from thirtyone_eval.run import run_tournament
from thirtyone_eval.tally import Tally


def test_a_mean_with_equal_weights_is_the_textbook_interval() -> None:
    values = np.array([1.0, 2.0, 4.0, 5.0])
    found = ratio(values, np.ones(4)).estimate()
    margin = 3.182446 * values.std(ddof=1) / 2
    assert found.mean == 3
    assert found.low == pytest.approx(3 - margin, rel=1e-5)
    assert found.high == pytest.approx(3 + margin, rel=1e-5)


def test_student_quantiles() -> None:
    assert student_quantile(1) == pytest.approx(12.7062, abs=1e-4)
    assert student_quantile(9) == pytest.approx(2.2622, abs=1e-4)
    assert student_quantile(10_000) == pytest.approx(1.9602, abs=1e-4)


def test_games_on_one_deal_count_as_one_observation() -> None:
    rng = np.random.default_rng(0)
    by_deal = rng.normal(size=50)
    once = ratio(by_deal, np.ones(50)).estimate()
    copied = ratio(by_deal * 24, np.full(50, 24.0)).estimate()
    assert copied.half_width == pytest.approx(once.half_width)


def test_a_paired_difference_leaves_out_what_both_share() -> None:
    rng = np.random.default_rng(1)
    luck, ones = rng.normal(scale=10, size=100), np.ones(100)
    first, second = ratio(luck + 1, ones), ratio(luck + rng.normal(scale=0.1, size=100), ones)
    assert second.estimate().half_width > 1
    difference = first.minus(second).estimate()
    assert difference.half_width < 0.1
    assert difference.clear


def test_average_over_settings_keeps_the_deals_together() -> None:
    rng = np.random.default_rng(2)
    values, ones = rng.normal(size=80), np.ones(80)
    same = average([ratio(values, ones), ratio(values, ones)]).estimate()
    opposite = average([ratio(values, ones), ratio(-values, ones)]).estimate()
    assert same.half_width == pytest.approx(ratio(values, ones).estimate().half_width)
    assert opposite.half_width == pytest.approx(0, abs=1e-12)


def test_rounding_is_no_difference() -> None:
    assert not Estimate(1e-17, 1e-18, 1e-16).clear
    assert Estimate(0.02, 0.01, 0.03).clear
    assert Estimate(-0.02, -0.03, -0.01).clear


def tally_with(lost: np.ndarray) -> Tally:
    """A tally of one game a deal in which policy i lost ``lost[i, deal]`` lives; the rest is of no matter."""
    policies, deals = lost.shape
    ones = np.ones((policies, deals))
    return Tally(ones, ones, lost, ones / 2, ones, np.ones((policies, 2)), ones[:2], ones[:2], ones[:2], ones[:2],
                 np.zeros((policies, policies, 5)))


def test_pains_g4_overlapping_intervals_share_a_rank_and_the_paired_difference_tells_who_beats_whom() -> None:
    rng = np.random.default_rng(3)
    luck = rng.normal(scale=5, size=400)
    lost = np.stack([luck, luck + rng.normal(scale=2, size=400), luck + 0.7 + rng.normal(scale=0.5, size=400)])
    lost[1] += lost[0].mean() - lost[1].mean() + 0.01
    rows = rank(["a", "b", "c"], [tally_with(lost)], "lives")
    assert [(row.label, row.rank) for row in rows] == [("a", 1), ("b", 1), ("c", 1)]
    assert rows[0].lives.high > rows[2].lives.low, "alone, the intervals of a and c overlap"
    assert rows[0].beats == ("c",)
    assert rows[2].behind_best.mean == pytest.approx(0.7, abs=0.1)


def test_pains_g4_intervals_apart_are_ranks_apart_and_a_link_between_two_makes_them_one() -> None:
    rng = np.random.default_rng(4)
    lost = rng.normal(size=(4, 400)) + np.array([[0.0], [0.17], [0.34], [5.0]])
    rows = rank(["a", "b", "c", "d"], [tally_with(lost)], "lives")
    a, b, c, d = (row.lives for row in rows)
    assert a.high > b.low
    assert b.high > c.low
    assert a.high < c.low, "a and c are apart, b links them"
    assert c.high < d.low
    assert [row.rank for row in rows] == [1, 1, 1, 4]


def test_a_wide_interval_shares_the_rank_of_all_that_it_overlaps() -> None:
    """One that overlaps the best and the last, though those between do not overlap their neighbours."""
    rng = np.random.default_rng(5)
    narrow, wide = 0.02 * rng.normal(size=(3, 400)), 60 * rng.normal(size=400)
    lost = np.stack([*(narrow + np.array([[0.0], [0.5], [1.0]])), wide - wide.mean() + 2])
    assert [row.rank for row in rank(["a", "b", "c", "wide"], [tally_with(lost)], "lives")] == [1, 1, 1, 1]


def test_ranked_by_wins_the_greater_share_comes_first() -> None:
    lost = np.zeros((2, 10))
    tally = tally_with(lost)
    tally.wins = np.array([[0.2, 0.3] * 5, [0.8, 0.7] * 5])
    assert [row.label for row in rank(["a", "b"], [tally], "wins")] == ["b", "a"]


def simulated(seed: int, policies: list[str], deals: int, **keys: object) -> list[tuple[Tally, list[str]]]:
    config = parse_config({"policies": policies, "deals": deals, "seed": seed, **keys})
    result = run_tournament(config)
    return [(tally, result.labels) for tally in result.tallies]


def test_pains_g4_twins_share_a_rank_and_their_mirrored_games_tie_exactly() -> None:
    (tally, labels), = simulated(5, ["threshold:21", "threshold:21", "random"], 60)
    rows = rank(labels, [tally], "lives")
    assert [row.rank for row in rows] == [1, 1, 3]
    assert rows[1].behind_above is not None
    assert rows[1].behind_above.mean == pytest.approx(0, abs=1e-12)
    assert payoff(tally, 1, 2) == Estimate(0, 0, 0)


def test_pains_g4_twins_in_matches_share_a_rank() -> None:
    (tally, labels), = simulated(6, ["tips", "tips"], 60, players=2, episode="match", mirror="none")
    assert [row.rank for row in rank(labels, [tally], "wins")] == [1, 1]


def test_payoff_is_the_difference_at_shared_tables_and_its_own_mirror_image() -> None:
    (tally, labels), = simulated(7, ["threshold:21", "random"], 50, players=2)
    better, worse = payoff(tally, labels.index("threshold:21"), labels.index("random")), payoff(tally, 0, 1)
    assert better is not None
    assert worse is not None
    gap = ratio(tally.lost[0], tally.rounds[0]).minus(ratio(tally.lost[1], tally.rounds[1])).estimate()
    assert better.mean == pytest.approx(gap.mean)
    assert better.half_width == pytest.approx(gap.half_width)
    assert (worse.mean, worse.low, worse.high) == (-better.mean, -better.high, -better.low)
    assert payoff(tally, 0, 0) is None


def test_seat_advantage_counts_from_the_dealers_left() -> None:
    (tally, _), = simulated(8, ["threshold:21", "threshold:23", "tips"], 40)
    seats = seat_advantage(tally, "lives")
    assert len(seats) == 3
    overall = tally.lost.sum() / tally.rounds.sum()
    assert math.isclose(sum(seat.mean for seat in seats) / 3, overall)


def test_pains_g4_intervals_cover_in_200_simulated_tournaments_of_twins() -> None:
    """The true difference of twins is 0; unmirrored, so that they do not tie by construction."""
    covered = 0
    for seed in range(200):
        (tally, _), = simulated(seed, ["threshold:21", "threshold:21", "threshold:21"], 40, mirror="none")
        samples = [ratio(tally.lost[i], tally.rounds[i]) for i in range(2)]
        covered += not samples[0].minus(samples[1]).estimate().clear
    assert 0.90 <= covered / 200 <= 0.99


def test_pains_g4_intervals_of_mirrored_deals_cover_the_mean_in_200_simulated_tournaments() -> None:
    """The truth is taken from all 200 together, whose error is a fourteenth of one's."""
    estimates, lost, rounds = [], 0.0, 0.0
    for seed in range(200):
        (tally, _), = simulated(seed, ["threshold:21", "threshold:25", "random"], 30)
        estimates.append(ratio(tally.lost[1], tally.rounds[1]).estimate())
        lost, rounds = lost + tally.lost[1].sum(), rounds + tally.rounds[1].sum()
    truth = lost / rounds
    covered = sum(one.low <= truth <= one.high for one in estimates)
    assert 0.90 <= covered / 200 <= 0.99
