"""The checked cases of `tests/data/cases.jsonl`: worths, settlements and dealers, against the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Rules

DATA = Path(__file__).parent.parent / "data" / "cases.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
SETTLED = (
    "values", "lost", "gained", "lives_after", "on_county", "eliminated", "replayed", "would_lose", "sudden_death",
    "winner", "pot_winners",
)


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["kind"] == kind]


def rules_of(case: dict[str, Any]) -> Rules:
    return Rules.of(case["options"])


def plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def test_every_kind_of_case_is_read() -> None:
    assert {case["kind"] for case in CASES} == {"value", "settle", "dealer"}
    assert len(CASES) == 272
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", of_kind("value"))
def test_worth(case: dict[str, Any]) -> None:
    assert rules_of(case).worth(case["cards"]) == case["expect"]["value"]


@pytest.mark.parametrize("case", of_kind("settle"))
def test_settlement(case: dict[str, Any]) -> None:
    out = [seat for seat, hand in enumerate(case["hands"]) if hand is None]
    rules = rules_of(case)
    lives = None if rules.lives is None else case["lives"]
    result = rules.settle(case["hands"], case["knocker"], case["declared"], lives, out)
    assert set(case["expect"]) <= set(SETTLED)
    assert {name: plain(getattr(result, name)) for name in case["expect"]} == case["expect"]
    assert result.why
    assert all(line == line.strip() for line in result.why)


@pytest.mark.parametrize("case", of_kind("dealer"))
def test_next_dealer_and_first_player(case: dict[str, Any]) -> None:
    """A round moves the deal as the case says; a dealer whom the case calls out goes out by that round."""
    alive = [seat for seat, there in enumerate(case["alive"]) if there]
    dealer, players = case["dealer"], len(case["alive"])
    out = [seat for seat in range(players) if seat not in alive and seat != dealer]
    lives = [0 if s in out else (3 if s in alive else 1) for s in range(players)]
    hands = {seat: f"A{suit} K{suit}" for seat, suit in zip(alive, "CDHS", strict=False)}
    if dealer not in alive:
        hands[dealer] = "2S 3H 4C"
    game = laid_out("kids", players, hands, dealer=dealer, lives=lives, out=out, up="5D", seed=5)
    play(game, "knock", *["-"] * (players - len(out) - 1))
    assert (dealer in game.out) == (dealer not in alive)
    assert game.dealer == case["expect"]["next_dealer"]
    assert game.turn == case["expect"]["first_player"]
