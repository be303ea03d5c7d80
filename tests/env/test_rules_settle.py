"""`Rules.settle` against the independent referee, and whether what it says in words is what it does."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.env.lockstep import random_rules
from tests.referee import settle as referee_settle
from thirtyone_env import Rules
from thirtyone_env.cards import CARDS

FIELDS = ("values", "lost", "gained", "lives_after", "on_county", "eliminated", "replayed", "would_lose", "pot_winners")
Round = dict[str, Any]


def random_round(rules: Rules, source: random.Random) -> Round:
    """A round's end with many ties: few different worths, few tokens; in pot games real cards."""
    n = source.randint(2, 9)
    out = sorted(source.sample(range(n), source.randint(0, n - 2)))
    seats = [seat for seat in range(n) if seat not in out]
    pot = rules.lives is None
    values: list[Any] = [None] * n
    deck = source.sample([card for card in CARDS if card[0] in "789TJQKA"], 3 * n)
    for place, seat in enumerate(seats):
        values[seat] = deck[3 * place : 3 * place + 3] if pot else source.choice((9, 10, 10, 17, 20, 30.5, 31))
    declared = [] if source.random() < 0.6 else sorted(source.sample(seats, source.randint(1, min(3, len(seats)))))
    if not pot:
        for seat in declared:
            values[seat] = 31
    others = [seat for seat in seats if seat not in declared]
    knocker = source.choice([*others, None])
    if declared:
        reason = "declared" if knocker is not None or source.random() < 0.5 else "natural"
    else:
        ways = ("stock_out", "limit", "drawn") if knocker is None else ("knock", "knock", "stock_out")
        reason = source.choice(ways)
    lives = None if pot else [0 if s in out else source.randint(0 if rules.county else 1, 3) for s in range(n)]
    return {"hands": values, "knocker": knocker, "declared": declared, "lives": lives, "out": out, "reason": reason}


@pytest.mark.parametrize("chunk", range(6))
def test_settle_agrees_with_the_referee(chunk: int) -> None:
    source = random.Random(chunk)
    compared = 0
    for _ in range(120):
        rules = random_rules(source)
        for _ in range(6):
            told = random_round(rules, source)
            mine = rules.settle(**told)
            lives = told["lives"] or [0] * len(told["hands"])
            theirs = referee_settle(rules.to_dict(), **{**told, "lives": lives})
            for name in FIELDS:
                value = getattr(mine, name)
                assert (list(value) if isinstance(value, tuple) else value) == theirs[name], (name, rules, told)
            assert bool(mine.sudden_death) == bool(theirs["sudden_death"])
            compared += 1
    assert compared == 720


def test_words_name_exactly_the_seats_that_lose_and_how_many() -> None:
    """Each seat that loses stands in the sentence of losses with its number; no other seat does."""
    source = random.Random(41)
    sentences = 0
    for _ in range(600):
        rules = random_rules(source)
        if rules.lives is None:
            continue
        told = random_round(rules, source)
        result = rules.settle(**told)
        parts = re.split(r" \(section", result.why[1])[0]
        said: dict[int, int] = {}
        for part in parts.split("; "):
            match = re.fullmatch(r"((?:seat \d+(?:, | and )?)+) loses? (one|two)(?: each)?", part)
            if match:
                for seat in re.findall(r"seat (\d+)", match[1]):
                    said[int(seat)] = 1 if match[2] == "one" else 2
        assert said == {seat: loss for seat, loss in enumerate(result.would_lose) if loss}, result.why
        sentences += bool(said)
        text = " ".join(result.why)
        assert ("void" in text) == result.replayed
        assert all(re.search(rf"seat {seat}\b.* (is|are) out", text) for seat in result.eliminated)
        assert (result.winner is not None) == ("has won" in text)
        assert re.search(r"section \d+", text), "it says by which rule"
    assert sentences > 200


# --- what tells the four sources apart (RULES section 13) ------------------------------------------------------------

CASES: list[tuple[str, Round, dict[str, tuple[int, ...]]]] = [
    ("the knocker is lowest alone", {"hands": [10, 20, 30], "knocker": 0},
     {"pagat": (2, 0, 0), "party": (2, 0, 0), "standard": (2, 0, 0), "kids": (2, 0, 0)}),
    ("the knocker ties for lowest", {"hands": [10, 10, 30], "knocker": 0},
     {"pagat": (0, 1, 0), "party": (2, 0, 0), "standard": (2, 1, 0), "kids": (0, 1, 0), "wikipedia_fast": (1, 1, 0)}),
    ("the knocker is in the middle", {"hands": [20, 10, 15, 30], "knocker": 0},
     {"pagat": (0, 1, 0, 0), "party": (0, 1, 1, 0), "standard": (0, 1, 0, 0), "kids": (0, 1, 0, 0)}),
    ("the knocker ties for highest", {"hands": [30, 30, 10], "knocker": 0},
     {"pagat": (0, 0, 1), "party": (1, 0, 0), "standard": (0, 0, 1), "kids": (0, 0, 1)}),
    ("others tie for highest", {"hands": [20, 30, 30, 10], "knocker": 0},
     {"pagat": (0, 0, 0, 1), "party": (0, 0, 0, 0), "standard": (0, 0, 0, 1), "kids": (0, 0, 0, 1)}),
    ("two dealt 31s", {"hands": [31, 31, 10], "declared": [0, 1], "reason": "natural"},
     {"pagat": (0, 0, 1), "party": (0, 0, 1), "standard": (0, 0, 2), "kids": (0, 0, 1)}),
    ("closing and being lowest", {"hands": [10, 20, 30], "knocker": 0}, {"schwimmen": (1, 0, 0)}),
]


@pytest.mark.parametrize(("told", "expected"), [pytest.param(c[1], c[2], id=c[0]) for c in CASES])
def test_section_13_what_tells_the_sources_apart(told: Round, expected: dict[str, tuple[int, ...]]) -> None:
    assert {name: Rules.preset(name).settle(**told).lost for name in expected} == expected


@pytest.mark.parametrize(
    ("preset", "after"), [("pagat", "county"), ("party", "out"), ("standard", "county"), ("kids", "out")]
)
def test_section_13_no_tokens_left_is_the_county_or_out(preset: str, after: str) -> None:
    lives = [1, 3, 3]
    result = Rules.preset(preset).settle([10, 20, 30], knocker=1, lives=lives)
    assert result.lost == (1, 0, 0)
    assert ((0 in result.on_county), (0 in result.eliminated)) == (after == "county", after == "out")


@pytest.mark.parametrize(
    ("preset", "worth"), [("pagat", 7), ("party", 30.5), ("standard", 30.5), ("kids", 7), ("schwimmen", 30.5)]
)
def test_section_13_three_of_a_kind(preset: str, worth: float) -> None:
    assert Rules.preset(preset).worth(["7S", "7H", "7D"]) == worth
