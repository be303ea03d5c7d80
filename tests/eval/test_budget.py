"""Budgets: a number of deals, or until the intervals are as narrow as asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from thirtyone_env.errors import UserError
from thirtyone_eval import schedule
from thirtyone_eval.budget import FIRST, next_deals, wanted_deals, widest
from thirtyone_eval.config import MOST_DEALS, TournamentConfig, load_config, parse_config
from thirtyone_eval.results import result_data
from thirtyone_eval.run import run_tournament, total_games

POOL = ["random", "threshold:21", "threshold:27", "tips"]


def asked(**keys: object) -> TournamentConfig:
    return parse_config({"policies": POOL, "seed": 3, **keys})


@pytest.mark.parametrize(
    "keys", [{"precision": 0.02}, {"precision": 0.05, "rank_by": "wins", "rules": ["pagat", "kids"]}], ids=str
)
def test_with_a_precision_every_interval_is_as_narrow_as_asked_and_not_much_narrower(keys: dict[str, object]) -> None:
    result = run_tournament(asked(**keys))
    told = result_data(result, {})["precision"]
    assert told["reached"]
    deals = result.tallies[0].games.shape[1]
    assert deals < MOST_DEALS
    if deals > FIRST:
        assert 0.7 * told["asked"] < told["widest"] <= told["asked"]
    rows = result_data(result, {})["ranking"]
    key = "win_share" if "rank_by" in keys else "lives_per_round"
    assert max(row[key]["high"] - row[key]["mean"] for row in rows) <= told["asked"]


def test_deals_is_the_most_that_is_played_and_a_miss_is_told() -> None:
    result = run_tournament(asked(precision=0.0001, deals=70))
    assert result.tallies[0].games.shape[1] == 70
    assert not result_data(result, {})["precision"]["reached"]


def test_a_budget_in_matches_is_rounded_up_to_whole_deals() -> None:
    config = asked(matches=100, rules=["pagat", "kids"])
    assert total_games(config) == run_tournament(config).games == 3 * 48
    assert total_games(asked(matches=1)) == 2 * 24, "intervals need two deals"
    assert run_tournament(asked(matches=24 * 70, precision=0.0001)).games == 24 * 70


def test_a_budget_that_is_typed_takes_the_place_of_the_deals_in_the_file() -> None:
    assert load_config("baselines").deals == 100
    assert load_config("baselines", ["precision=0.005"]).deals == MOST_DEALS
    assert load_config("baselines", ["matches=5000"]).deals == MOST_DEALS
    assert load_config("baselines", ["precision=0.005", "deals=70"]).deals == 70


def test_the_stop_does_not_depend_on_blocks_workers_or_a_run_that_was_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = asked(precision=0.03)
    whole = run_tournament(config)

    class Enough(Exception):
        pass

    played: list[int] = []

    def progress(games: int) -> None:
        played.append(games)
        if len(played) == 2:
            raise Enough

    with monkeypatch.context() as smaller:
        smaller.setattr(schedule, "BLOCK_GAMES", 200)
        with pytest.raises(Enough):
            run_tournament(config, tmp_path, progress=progress)
        again = run_tournament(config.model_copy(update={"workers": 2}), tmp_path)
    assert np.array_equal(whole.tallies[0].lost, again.tallies[0].lost)
    assert widest(whole.labels, whole.settings, whole.tallies) == widest(again.labels, again.settings, again.tallies)


def test_what_is_expected_grows_to_what_was_played() -> None:
    totals: list[int] = []
    played: list[int] = []
    run_tournament(asked(precision=0.03), progress=played.append, expect=totals.append)
    assert totals[-1] == sum(played)


def test_stages_grow_towards_what_is_wanted_and_never_beyond_the_most() -> None:
    config = asked(precision=0.01, deals=1000)
    assert wanted_deals(config, 60, 0.009) == 60
    assert wanted_deals(config, 60, 0.02) == 252
    assert wanted_deals(config, 60, 1.0) == 1000
    assert next_deals(60, 1000) == 240
    assert next_deals(60, 61) == 66
    assert wanted_deals(asked(deals=60), 60, 0.5) == 60


@pytest.mark.parametrize("value", [0, -0.1, 1, "narrow"])
def test_a_precision_that_makes_no_sense_is_refused(value: object) -> None:
    with pytest.raises(UserError, match="precision="):
        asked(precision=value)
