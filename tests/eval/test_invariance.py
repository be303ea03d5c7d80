"""What a ranking must not depend on, and a pool that goes round in circles, from the games to the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_eval import crews, schedule
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import Entrant, in_order, load_entrants
from thirtyone_eval.outcomes import Outcomes
from thirtyone_eval.results import result_data
from thirtyone_eval.run import run_tournament
from thirtyone_eval.schedule import Block, Setting, games_of
from thirtyone_eval.seating import seatings
from thirtyone_eval.show import circle_lines
from thirtyone_eval.tournament import play_and_report

POOL = ["random", "threshold:21", "threshold:27", "tips"]
KEYS = ("rank", "lives_per_round", "win_share", "place", "behind_best", "rating", "alpha_rank")


def config_of(**keys: Any) -> TournamentConfig:
    return parse_config({"policies": POOL, "deals": 40, "seed": 8, "rules": ["pagat", "kids"], **keys})


def told(config: TournamentConfig, entrants: list[Entrant] | None = None) -> dict[tuple[str, str], list[float]]:
    """All numbers of every ranking, by setting and fingerprint."""
    data = result_data(run_tournament(config, entrants=entrants), {})
    parts = [("all", data["ranking"]), *((one["title"], one["ranking"]) for one in data["settings"])]
    return {(title, row["fingerprint"]): _numbers(row) for title, rows in parts for row in rows}


def _numbers(row: dict[str, Any]) -> list[float]:
    flat: list[float] = []
    for key in KEYS:
        value = row[key]
        flat += list(value.values()) if isinstance(value, dict) else [value]
    return flat


def assert_same(first: dict[tuple[str, str], list[float]], second: dict[tuple[str, str], list[float]]) -> None:
    assert first.keys() == second.keys()
    for key, numbers in first.items():
        assert second[key] == pytest.approx(numbers, abs=1e-9), key


@pytest.mark.parametrize("keys", [{}, {"episode": "match", "deals": 20}, {"control_variate": True}], ids=str)
def test_pains_g7_labels_and_the_order_in_which_policies_are_named_change_nothing(keys: dict[str, Any]) -> None:
    plain = told(config_of(**keys))
    assert_same(plain, told(config_of(policies=[POOL[2], POOL[0], POOL[3], POOL[1]], **keys)))
    entrants = load_entrants(POOL)
    renamed = [
        Entrant(label, one.name, one.fingerprint, one.policy)
        for label, one in zip("dbca", entrants, strict=True)
    ]
    assert_same(plain, told(config_of(**keys), sorted(renamed, key=lambda one: one.label)))


@pytest.mark.parametrize(
    "keys", [{"players": 5}, {"players": 6}, {"tables": "random"}, {"mirror": "none"}, {"mirror": "rotations"}], ids=str
)
def test_pains_g7_nor_do_they_where_not_all_tables_and_seatings_are_played(keys: dict[str, Any]) -> None:
    pool = [*POOL, "tips:bold", "threshold:25"]
    config = config_of(**{"deals": 20, "rules": "pagat", "policies": pool, **keys})
    plain = told(config)
    assert_same(plain, told(config_of(**{**config.model_dump(), "policies": pool[3:] + pool[:3]})))
    entrants = load_entrants(pool)
    assert_same(plain, told(config, entrants[::-1]))
    renamed = [
        Entrant(label, one.name, one.fingerprint, one.policy)
        for label, one in zip("fdbcae", entrants, strict=True)
    ]
    assert_same(plain, told(config, sorted(renamed, key=lambda one: one.label)))


def test_an_agent_whose_file_has_another_name_is_the_same_entrant() -> None:
    one, other, third = (
        Entrant(name, name, f"{name} sha256:{digest}", load_entrants(["tips"])[0].policy)
        for name, digest in (("learned:a", "77"), ("learned:z", "77"), ("learned:b", "88"))
    )
    assert one.identity == other.identity != third.identity
    assert [in_order([third, some])[0] for some in (one, other)] == [one, other]
    assert load_entrants(["tips"])[0].identity == "tips v1"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pains_g7_the_order_of_the_seatings_and_who_sits_where_first_change_nothing(
    players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_of(players=players)
    plain = told(config)

    def turned(count: int, mirror: str = "auto", deal: int = 0) -> list[tuple[int, ...]]:
        """The same seatings, each with its seats turned on by one, the last first."""
        return [seating[1:] + seating[:1] for seating in seatings(count, mirror, deal)][::-1]

    monkeypatch.setattr(schedule, "seatings", turned)
    assert_same(plain, told(config))


def test_a_cyclic_pool_is_reported_as_such_from_the_games_to_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stone, paper and scissors, whose games are made up: who is beaten loses a life, but for some noise."""

    def made_up(
        config: TournamentConfig, setting: Setting, entrants: list[Entrant], block: Block, desk: object
    ) -> Outcomes:
        games = games_of(config, setting, block)
        beaten = (games.seats - games.seats[:, ::-1]) % 3 == 2
        noise = np.random.default_rng(block.deals.start).random(len(games)) < 0.2
        lost = np.where(noise[:, None], ~beaten, beaten).astype(np.int64)
        ones = np.ones_like(lost)
        return Outcomes(lost, ones, 1 + lost, ones[:, 0], ones[:, 0], [""] * len(games))

    monkeypatch.setattr(crews, "play_one", made_up)
    config = config_of(policies=["random", "threshold:21", "tips"], players=2, deals=100)
    data = play_and_report(config, tmp_path, "thirtyone tournament mine")
    lines = circle_lines(data)
    assert len(lines) == 3, "over all, and in both settings"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for setting in [data["over_all"], *data["settings"]]:
        assert sorted(setting["circle"]) == ["random", "threshold:21", "tips"]
        assert setting["transitivity"].startswith("Play is not transitive: ")
        assert setting["transitivity"].count(" beats ") == 3 + 1, "and no order says who beats whom"
    assert page.count("Play is not transitive: ") == 3
    assert [row["rank"] for row in data["ranking"]] == [1, 1, 1]
    assert all(row["alpha_rank"] == pytest.approx(1 / 3) for row in data["ranking"])
