"""Ratings, alpha-rank, and pools in which play goes round in circles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from thirtyone_eval import schedule
from thirtyone_eval.config import parse_config
from thirtyone_eval.entrants import load_entrants
from thirtyone_eval.intervals import Estimate
from thirtyone_eval.metagame import alpha_rank, circle, clear_signs, transitivity
from thirtyone_eval.outcomes import Games, Outcomes
from thirtyone_eval.ratings import Drawn, ratings
from thirtyone_eval.results import result_data
from thirtyone_eval.run import run_tournament
from thirtyone_eval.show import circle_lines

POOL = ["random", "threshold:15", "threshold:21", "threshold:27", "tips"]
ROCK = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return result_data(run_tournament(parse_config({"policies": POOL, "deals": 120, "seed": 3})), {})


def test_ratings_say_what_the_ranking_says_where_that_is_clear(data: dict[str, Any]) -> None:
    rows = data["settings"][0]["ranking"]
    by_name = {row["policy"]: row["rating"] for row in rows}
    assert min(by_name, key=lambda name: by_name[name]["mean"]) == "random" == rows[-1]["policy"]
    assert by_name["random"]["high"] < by_name["tips"]["low"]
    assert all(one["low"] < one["mean"] < one["high"] for one in by_name.values())
    assert "10 groups" in data["settings"][0]["rating_text"]


def test_alpha_rank_sums_to_one_and_favours_the_best(data: dict[str, Any]) -> None:
    rows = data["settings"][0]["ranking"]
    assert sum(row["alpha_rank"] for row in rows) == pytest.approx(1)
    assert rows[0]["alpha_rank"] > 0.4 > 0.01 > rows[-1]["alpha_rank"]
    assert data["ranking"] == rows


@pytest.mark.parametrize("seed", range(6))
def test_alpha_rank_is_that_of_open_spiel(seed: int) -> None:
    theirs = pytest.importorskip("open_spiel.python.egt.alpharank", reason="needs the extra openspiel")
    draw = np.random.default_rng(seed)
    values = draw.integers(-1, 2, size=(5, 5)) if seed % 2 else draw.normal(size=(5, 5))
    better = values - values.T
    expected = theirs.compute([better.astype(float)], use_inf_alpha=True, inf_alpha_eps=0.01)[2]
    assert np.allclose(alpha_rank(better), expected, atol=1e-9)


def test_a_cyclic_pool_is_reported_as_such() -> None:
    """Stone, paper, scissors and one that loses to all."""
    signs = np.pad(ROCK, (0, 1), constant_values=1)
    signs[3] = -1
    signs[3, 3] = 0
    labels = ["stone", "paper", "scissors", "hand"]
    assert sorted(circle(signs)) == [0, 1, 2]
    text = transitivity(labels, signs)
    assert text.startswith("Play is not transitive: stone beats paper, paper beats scissors, scissors beats stone.")
    assert np.allclose(alpha_rank(ROCK), 1 / 3)
    setting = {"title": "here", "transitivity": text, "circle": labels[:3]}
    assert circle_lines({"settings": [setting], "over_all": None}) == [f"here: {text}"]


def test_a_pool_without_a_circle_is_called_transitive(data: dict[str, Any]) -> None:
    assert data["settings"][0]["transitivity"].startswith("Play looks transitive")
    assert circle_lines(data) == []
    assert circle(np.triu(np.ones((4, 4), dtype=np.int64), 1)) == []


def test_a_circle_of_four_is_found_and_differences_within_the_noise_make_none() -> None:
    signs = np.zeros((4, 4), dtype=np.int64)
    for one in range(4):
        signs[one, (one + 1) % 4], signs[(one + 1) % 4, one] = 1, -1
    assert len(circle(signs)) == 4
    noisy = Estimate(0.1, -0.1, 0.3)
    assert not clear_signs([[None, noisy], [noisy, None]], 100).any()
    clear = Estimate(0.1, 0.09, 0.11)
    assert clear_signs([[None, clear], [Estimate(-0.1, -0.11, -0.09), None]], 100).tolist() == [[0, 1], [-1, 0]]


def test_in_a_large_pool_chance_alone_makes_no_circles() -> None:
    """With 95 % intervals one by one, pools of 40 twins often have one."""
    draw = np.random.default_rng(0)
    alone = together = 0
    for _ in range(15):
        means = np.triu(draw.normal(size=(40, 40)), 1)
        means = means - means.T
        payoffs = [[Estimate(one, one - 1.96, one + 1.96) for one in row] for row in means.tolist()]
        alone += bool(circle(np.sign(means).astype(np.int64) * (abs(means) > 1.96)))
        together += bool(circle(clear_signs(payoffs, 10_000)))
    assert alone > 2
    assert together == 0


def test_pains_g7_ratings_do_not_depend_on_blocks_or_on_the_order_of_the_policies(
    data: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 100)
    config = parse_config({"policies": POOL, "deals": 120, "seed": 3})
    turned = result_data(run_tournament(config, entrants=load_entrants(POOL)[::-1]), {})
    before, after = (
        {row["policy"]: row["rating"]["mean"] for row in one["settings"][0]["ranking"]} for one in (data, turned)
    )
    assert before.keys() == after.keys()
    assert all(after[name] == pytest.approx(before[name], abs=1e-6) for name in before)


def test_only_so_many_games_are_rated_and_few_games_give_no_rating() -> None:
    entrants = load_entrants(["tips", "random"])
    games = Games(np.repeat(np.arange(100), 2), np.array([[0, 1], [1, 0]] * 100))
    zeros = np.zeros((200, 2), dtype=np.int64)
    outcomes = Outcomes(zeros, zeros, 1 + games.seats, zeros[:, 0], zeros[:, 0], [""] * 200)
    drawn = Drawn(entrants, 2, 150)
    drawn.add(games, outcomes)
    assert len(drawn.keys) == len(drawn.deals) == len(drawn.seats) == 150
    found, groups = ratings([drawn], 2)
    assert groups == 10
    assert found[0].mean > 30 > 20 > found[1].mean
    few = Drawn(entrants, 2, 12)
    few.add(games, outcomes)
    assert ratings([few], 2) == ([], 0)
