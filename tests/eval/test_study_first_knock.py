"""A knock on the dealt hand: the compiled deals against a plain program, and the totals against the published ones."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from thirtyone_env import Rules
from thirtyone_env.core.rng import python_game_key
from thirtyone_env.errors import UserError
from thirtyone_env.keys import mix
from thirtyone_eval.study.first_knock import first_knock, play

# Chance to survive, any hand, by players and the knocker's seat, as another program found it at as many deals.
TOTALS = {
    2: [0.3265, 0.2459],
    3: [0.4832, 0.4168, 0.3285],
    4: [0.5754, 0.5306, 0.4744, 0.4053],
    5: [0.6388, 0.6060, 0.5649, 0.5167, 0.4598],
    6: [0.6854, 0.6600, 0.6290, 0.5925, 0.5513, 0.5018],
}
CLOSE = 0.0015
WORTH = Rules(three_of_a_kind="30.5").worth
GOLDEN = 0x9E3779B97F4A7C15


def shuffled(seed: int, deal: int, count: int) -> list[int]:
    """The first cards of a deal: the core's generator, read as its documentation has it."""
    base = mix(python_game_key(seed, deal))
    pack = list(range(52))
    return [
        pack.pop((mix(base + (number + 1) * GOLDEN) >> 32) * len(pack) >> 32) for number in range(count)
    ]


def worst(hand: list[int]) -> int:
    """Place of the card whose removal leaves the best average over the 49 cards that could come for it."""
    averages = []
    for place in range(3):
        kept = [card for number, card in enumerate(hand) if number != place]
        averages.append(sum(WORTH([*kept, card]) for card in range(52) if card not in hand))
    return averages.index(max(averages))


def turn(hand: list[int], pile: list[int], stock: list[int]) -> None:
    place = worst(hand)
    for source in (pile, stock):
        other = [*hand]
        other[place] = source[-1]
        if WORTH(other) > WORTH(hand):
            source.pop()
            pile.append(hand[place])
            hand[:] = other
            return
    pile.append(stock.pop())


def survives(cards: list[int], players: int, knocker: int) -> tuple[float, bool]:
    """The knocker's worth and whether it is not alone in last place."""
    hands = [[cards[i * players + seat] for i in range(3)] for seat in range(players)]
    pile, stock = [cards[3 * players]], cards[:3 * players:-1]
    for seat in range(knocker):
        turn(hands[seat], pile, stock)
    for step in range(1, players):
        turn(hands[(knocker + step) % players], pile, stock)
    worths = [WORTH(hand) for hand in hands]
    return worths[knocker], sum(worth <= worths[knocker] for worth in worths) > 1


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_compiled_deals_are_those_of_a_plain_program(players: int) -> None:
    deals = 30
    expected = np.zeros((players, 67, 2), dtype=np.int64)
    for deal in range(deals):
        cards = shuffled(5, deal, 5 * players - 1)
        for knocker in range(players):
            worth, good = survives([*cards], players, knocker)
            expected[knocker, int(2 * worth)] += 1, good
    assert np.array_equal(play(players, deals, seed=5), expected)


def test_published_totals_by_seat() -> None:
    deals = 100_000
    for players, totals in TOTALS.items():
        held, survived = play(players, deals, seed=2).sum(axis=1).T
        assert held.tolist() == [deals] * players
        assert np.abs(survived / deals - totals).max() < CLOSE + 4 * (0.25 / deals) ** 0.5


@pytest.mark.slow
def test_published_totals_by_seat_at_four_million_deals() -> None:
    found = first_knock(deals=4_000_000, seed=1)
    for row in found.part("totals").rows:
        assert abs(row["survives"].mean - TOTALS[row["players"]][row["seat"]]) < CLOSE
        assert row["survives"].half_width < 0.0006


def test_the_tables_hold_together() -> None:
    found = first_knock([3], deals=20_000, seed=3)
    totals, by_worth, levels = (found.part(name).rows for name in ("totals", "by-worth", "levels"))
    for seat in range(3):
        rows = [row for row in by_worth if row["seat"] == seat]
        assert sum(row["hands"] for row in rows) == 20_000
        mean = sum(row["hands"] * row["survives"].mean for row in rows) / 20_000
        assert mean == pytest.approx(totals[seat]["survives"].mean)
        level = levels[seat]["75_%"]
        assert level.low <= level.mean <= level.high
        assert all(row["survives"].low < 0.75 for row in rows if row["worth"] < level.low)
        assert next(row for row in rows if row["worth"] == level.mean)["survives"].mean >= 0.75


def test_a_deal_does_not_depend_on_how_many_are_played() -> None:
    first, more = play(4, 100, seed=9), play(4, 300, seed=9)
    assert (more >= first).all()
    assert np.array_equal(play(4, 100, seed=9), first)
    assert not np.array_equal(play(4, 100, seed=10), first)


def test_numbers_that_cannot_be_are_refused() -> None:
    for players in ([1], [10], []):
        with pytest.raises(UserError, match="players="):
            first_knock(players)
    with pytest.raises(UserError, match="deals=5 is not allowed"):
        first_knock([2], deals=5)


def test_the_average_of_a_removal_can_be_compared_by_sums_over_all_third_cards() -> None:
    """What the compiled code leaves out is the same for all three cards: the hand as it is."""
    for hand in list(combinations(range(0, 52, 7), 3))[:20]:
        sums = []
        for place in range(3):
            kept = [card for number, card in enumerate(hand) if number != place]
            sums.append(sum(WORTH([*kept, card]) for card in range(52) if card not in kept))
        assert sums.index(max(sums)) == worst([*hand])
