"""`tips` follows the common advice: build on a suit, feed nobody, when to knock."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from tests.agents.make_view import answer, view
from thirtyone_agents import load, play_matches
from thirtyone_env import Game, Rules

TURN = ("draw_stock", "draw_discard", "knock")


@pytest.mark.parametrize(
    ("hand", "turn_number", "expected"),
    [
        ("KS JS 2H", 0, "draw_stock"),  # 20 in the first lap of three
        ("KS 9S 3S", 2, "knock"),  # 22
        ("KS 9S 3S", 3, "draw_stock"),  # the second lap wants 24
        ("KS 9S 5S", 5, "knock"),
        ("KS 9S 5S", 6, "draw_stock"),  # then 26
        ("KS 9S 7S", 6, "knock"),
    ],
)
def test_knocks_at_22_in_the_first_lap_then_at_24_and_never_waits_past_26(
    hand: str, turn_number: int, expected: str
) -> None:
    assert answer(load("tips"), view(hand, TURN, top="2C", turn_number=turn_number)) == expected


def test_a_lap_is_as_long_as_there_are_seats_in() -> None:
    hand = "KS 9S 3S"
    assert answer(load("tips"), view(hand, TURN, top="2C", players=4, turn_number=3)) == "knock"
    assert answer(load("tips"), view(hand, TURN, top="2C", players=4, turn_number=3, out=[2])) == "draw_stock"


@pytest.mark.parametrize(
    ("name", "worth", "expected"),
    [
        ("tips", 26, "knock"),
        ("tips:safe", 26, "draw_stock"),
        ("tips:safe", 27, "knock"),
        ("tips:bold", 21, "knock"),
    ],
)
def test_on_the_last_chance_safe_waits_for_27_and_bold_knocks_at_21(
    name: str, worth: int, expected: str
) -> None:
    hand = {21: "KS 9S 2S", 26: "KS 9S 7S", 27: "KS 9S 8S"}[worth]
    assert answer(load(name), view(hand, TURN, top="2C", lives=[0, 3, 3])) == expected


def test_the_last_chance_is_the_county_or_the_last_token_without_one() -> None:
    hand = "KS 9S 2S"
    with_county, without = Rules.preset("pagat"), Rules.preset("kids")
    assert (
        answer(load("tips:bold"), view(hand, TURN, top="2C", lives=[1, 3, 3], rules=with_county))
        == "draw_stock"
    )
    assert answer(load("tips:bold"), view(hand, TURN, top="2C", lives=[1, 3, 3], rules=without)) == "knock"


def test_builds_on_two_cards_of_a_suit_worth_20() -> None:
    assert answer(load("tips"), view("KS TS 4H", TURN, top="2S")) == "draw_discard"
    assert answer(load("threshold:26"), view("KS TS 4H", TURN, top="2S")) == "draw_stock"
    assert answer(load("tips"), view("KS 9S 4H", TURN, top="2S")) == "draw_stock"
    assert answer(load("tips"), view("KS TS 4H 9D", ("throws",))) == "discard 4H"


def test_throws_the_smallest_of_equals() -> None:
    assert answer(load("tips"), view("KS TS 9H 3D", ("throws",))) == "discard 3D"


def test_does_not_feed_a_suit_that_the_next_seat_took() -> None:
    hand = "KS TS 5D 4H"
    assert answer(load("tips"), view(hand, ("throws",))) == "discard 4H"
    assert answer(load("tips"), view(hand, ("throws",), known={1: "KH"})) == "discard 5D"
    assert answer(load("tips"), view(hand, ("throws",), known={2: "KH"})) == "discard 4H"  # not the next


def test_prefers_a_suit_that_the_next_seat_threw() -> None:
    hand = "KS TS 5D 4H"
    assert answer(load("tips"), view(hand, ("throws",), thrown={1: "9D"})) == "discard 5D"


def test_feeding_does_not_matter_where_the_next_seat_has_no_turn_left() -> None:
    hand = "KS TS 5D 4H"
    assert (
        answer(load("tips"), view(hand, ("throws",), known={1: "KH"}, knocker=1, laps_left=1)) == "discard 4H"
    )
    one = view(hand, ("throws",), known={2: "KH"}, out=[1], players=4)
    assert answer(load("tips"), one) == "discard 5D"  # the next seat that is still in


def test_never_gives_up_worth_to_starve_the_next_seat() -> None:
    one = view("KH 9H 5D 4H", ("throws",), known={1: "KD"})
    assert answer(load("tips"), one) == "discard 5D"


def test_as_the_last_to_act_takes_a_card_that_gains_less() -> None:
    final: Any = {"knocker": 1, "laps_left": 1}
    gains_one, gains_two = (
        view("KS 9S 3S", TURN[:2], top="4S", **final),
        view("KS 3S 2H", TURN[:2], top="2S", **final),
    )
    assert answer(load("tips"), gains_one) == "draw_discard"
    assert answer(load("tips"), gains_two) == "draw_stock"


def test_as_the_last_to_act_asks_more_of_a_card_for_a_poor_hand() -> None:
    hand, legal = "8S 5D 2H", TURN[:2]
    assert answer(load("tips"), view(hand, legal, top="3S")) == "draw_discard"  # 8 to 11
    assert answer(load("tips"), view(hand, legal, top="3S", knocker=1, laps_left=1)) == "draw_stock"


def lives_lost(name: str, others: str, rounds: int) -> tuple[float, float]:
    """Mean lives that a policy loses less than the others do, over all seatings of the same cards; and its error."""
    one, other = load(name), load(others)
    seatings = list(itertools.product(range(3), range(rounds)))
    games = [Game("pagat", 3, seed=deal, dealer=deal % 3, episode="round") for _, deal in seatings]
    play_matches(games, [[one if s == seat else other for s in range(3)] for seat, _ in seatings], seed=1)
    lost = np.array([game.rounds[0].lost for game in games], dtype=float)
    mine = np.array([row[seat] for row, (seat, _) in zip(lost, seatings, strict=True)])
    better = ((lost.sum(axis=1) - mine) / 2 - mine).reshape(3, rounds).mean(axis=0)
    return float(better.mean()), float(better.std() / np.sqrt(rounds))


@pytest.mark.parametrize("others", ["threshold:21", "threshold:24", "random"])
def test_loses_fewer_lives_than_thresholds(others: str) -> None:
    better, error = lives_lost("tips", others, 1000)
    assert better > 2.5 * error > 0
