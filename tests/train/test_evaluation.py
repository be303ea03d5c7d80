"""Scores on the way are those of a tournament (PAINS B3)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.train.small import small
from thirtyone_agents.learned import load_agent
from thirtyone_agents.policy import Policy
from thirtyone_agents.registry import load
from thirtyone_env.rules import Rules
from thirtyone_eval.config import parse_config
from thirtyone_eval.entrants import load_entrants
from thirtyone_eval.ranking import rank
from thirtyone_eval.run import run_tournament
from thirtyone_train.evaluation import score, seatings
from thirtyone_train.trainer import train


def test_pains_b3_a_score_is_what_a_tournament_gives_for_the_same_deals(tmp_path: Path) -> None:
    config = small(evaluation={"opponents": ["tips", "threshold:25"], "deals": 40, "times": 1})
    result = train(config, tmp_path / "run", say=lambda line: None)
    agent = load_agent(tmp_path / "run")
    seed = config.seed + (1 << 41)
    again = score(agent, ["tips", "threshold:25"], Rules.preset("pagat"), 40, seed)
    assert again.lost == result.scores[-1]["lost"]
    lost, _ = tournament_lost(agent, 40, seed)
    assert again.lost == pytest.approx(lost, abs=1e-9)
    other, other_half = tournament_lost(agent, 120, 99)
    assert abs(other - again.lost) < other_half + again.lost_half


def tournament_lost(agent: Policy, deals: int, seed: int) -> tuple[float, float]:
    """Mean lives a round that the agent loses in a tournament against the two, and the half width of its interval."""
    values = {
        "rules": "pagat",
        "players": 3,
        "policies": ["agent", "tips", "threshold:25"],
        "deals": deals,
        "control_variate": False,  # the score has luck in it
        "seed": seed,
    }
    entrants = load_entrants([agent, "tips", "threshold:25"])
    result = run_tournament(parse_config(values), entrants=entrants)
    row = next(row for row in rank(result.labels, result.tallies, "lives") if row.label == agent.name)
    return row.lives.mean, (row.lives.high - row.lives.low) / 2


def test_scores_are_mirrored() -> None:
    """Two copies of one policy against themselves: every seat gets the same cards, so nobody is ahead."""
    found = score(load("threshold:23"), ["threshold:23", "threshold:23"], Rules.preset("pagat"), 20, 1)
    assert found.margin == pytest.approx(0.0, abs=1e-12)
    assert found.margin_half == pytest.approx(0.0, abs=1e-12)
    assert len(seatings(3)) == 6
    assert len(seatings(4)) == 24
    assert seatings(5) == [tuple((seat + turn) % 5 for seat in range(5)) for turn in range(5)]


def test_score_of_a_pot_game_is_the_share_of_the_pot() -> None:
    result = score(load("threshold:24"), ["random", "random"], Rules.preset("bicycle"), deals=60, seed=5)
    assert result.lost < 0 < result.margin
