"""The exact distribution of all 22,100 hands (PAINS E1), against published tables and a scorer of six lines."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from statistics import mean, median

import pytest

from thirtyone_env import Rules
from thirtyone_env.cards import CARDS

HANDS = list(combinations(CARDS, 3))
PLAIN = {
    2: 4, 3: 28, 4: 76, 5: 196, 6: 316, 7: 532, 8: 724, 9: 1040, 10: 5732, 11: 2652, 12: 1104, 13: 1264, 14: 1112,
    15: 1132, 16: 980, 17: 996, 18: 844, 19: 856, 20: 1168, 21: 712, 22: 96, 23: 104, 24: 88, 25: 80, 26: 64, 27: 60,
    28: 44, 29: 40, 30: 32, 31: 24,
}
WITH_TRIPLES = {**PLAIN, 2: 0, 3: 24, 4: 72, 5: 192, 6: 312, 7: 528, 8: 720, 9: 1036, 10: 5716, 11: 2648, 30.5: 52}


def six_line_scorer(hand: tuple[str, ...], triple: float | None) -> float:
    if triple and len({card[0] for card in hand}) == 1:
        return triple
    suits: Counter[str] = Counter()
    for rank, suit in hand:
        suits[suit] += 11 if rank == "A" else 10 if rank in "TJQK" else int(rank)
    return max(suits.values())


@pytest.mark.parametrize(("option", "table"), [("off", PLAIN), ("30.5", WITH_TRIPLES)])
def test_pains_e1_section_1_histogram_of_all_hands_is_exact(option: str, table: dict[float, int]) -> None:
    rules = Rules(three_of_a_kind=option)
    assert Counter(map(rules.worth, HANDS)) == {value: count for value, count in table.items() if count}
    assert sum(table.values()) == len(HANDS) == 22_100


@pytest.mark.parametrize(("option", "triple"), [("off", None), ("30", 30), ("30.5", 30.5)])
def test_pains_e1_section_1_every_hand_agrees_with_a_scorer_of_six_lines(option: str, triple: float | None) -> None:
    worth = Rules(three_of_a_kind=option).worth
    assert [hand for hand in HANDS if worth(hand) != six_line_scorer(hand, triple)] == []


def test_section_1_mean_median_and_tails_of_the_dealt_hand() -> None:
    plain = list(map(Rules().worth, HANDS))
    assert round(mean(plain), 4) == 13.0880
    assert median(plain) == 11
    assert sum(value >= 21 for value in plain) / len(plain) == pytest.approx(0.0608, abs=5e-5)
    assert sum(value <= 10 for value in plain) / len(plain) == pytest.approx(0.391, abs=5e-4)
    assert round(mean(map(Rules(three_of_a_kind="30.5").worth, HANDS)), 4) == 13.1425
