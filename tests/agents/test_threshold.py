"""`threshold:K` does what its line of help says, in every phase that a rule can bring."""

from __future__ import annotations

import pytest

from tests.agents.make_view import answer, view
from thirtyone_agents import load
from thirtyone_env import Rules

TURN = ("draw_stock", "draw_discard", "knock")


def test_knocks_from_k_and_not_below() -> None:
    hand = "KS 8S 2H"  # 18
    for level, expected in (("17", "knock"), ("18", "knock"), ("18.5", "draw_stock"), ("19", "draw_stock")):
        assert answer(load(f"threshold:{level}"), view(hand, TURN, top="2C")) == expected


def test_three_of_a_kind_counts_as_its_worth_where_the_rules_say_so() -> None:
    hand = "7C 7D 7H"
    party = Rules.preset("party")  # 30.5
    assert answer(load("threshold:30"), view(hand, TURN, top="2C", rules=party)) == "knock"
    assert answer(load("threshold:31"), view(hand, TURN, top="2C", rules=party)) == "draw_stock"
    assert (
        answer(load("threshold:8"), view(hand, TURN, top="2C", rules=Rules.preset("pagat"))) == "draw_stock"
    )


def test_plays_on_where_a_knock_is_not_allowed() -> None:
    assert (
        answer(load("threshold:15"), view("KS QS 5S", ("draw_stock", "draw_discard"), top="2C"))
        == "draw_stock"
    )


@pytest.mark.parametrize(
    ("top", "expected"),
    [
        ("2S", "draw_stock"),  # 18 to 20 is two more, not more than two
        ("3S", "draw_discard"),  # 21
        ("9H", "draw_stock"),  # hearts would be 11
        ("TH", "draw_stock"),
    ],
)
def test_takes_the_top_card_if_it_gains_more_than_two_points(top: str, expected: str) -> None:
    assert answer(load("threshold:25"), view("KS 8S 2H", TURN, top=top)) == expected


def test_a_top_card_that_makes_three_of_a_kind_is_worth_taking() -> None:
    rules = Rules.preset("party")
    one = view("7C 7D KS", TURN, top="7H", rules=rules)
    assert answer(load("threshold:25"), one) == "draw_discard"
    assert answer(load("threshold:25"), view("7C 7D KS", TURN, top="7H")) == "draw_stock"


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("KS 8S 2H 5S", "discard 2H"),
        ("KS 8S 5S 2S", "discard 2S"),
        ("KS KD 3H 2C", "discard 2C"),  # each of three keeps 10: the lowest id of them
        ("9C 9D 2H AS", "discard 9C"),
        (
            "AS KS QS JS",
            "discard JS",
        ),  # all four leave 30 or 31: JS leaves 31, as does QS and KS; J is lowest
    ],
)
def test_throws_what_leaves_most_and_of_equals_the_lowest_card(hand: str, expected: str) -> None:
    assert answer(load("threshold:21"), view(hand, ("throws",))) == expected


def test_throws_to_keep_three_of_a_kind() -> None:
    hand = "7C 7D AS 7H"
    assert answer(load("threshold:21"), view(hand, ("throws",), rules=Rules.preset("party"))) == "discard AS"
    assert answer(load("threshold:21"), view(hand, ("throws",))) == "discard 7C"


def test_throws_only_what_may_go() -> None:
    one = view("KS 8S 2H 5D", ("discard KS", "discard 8S", "discard 2H"))
    assert answer(load("threshold:21"), one) == "discard 2H"
    two = view("KS 8S 5D 2H", ("discard KS", "discard 8S", "discard 5D"))
    assert answer(load("threshold:21"), two) == "discard 5D"


def test_shows_31_whenever_it_may() -> None:
    assert answer(load("threshold:31"), view("AS KS QS 2H", ("throws", "declare"))) == "declare"
    assert answer(load("threshold:33"), view("AS KS QS", (*TURN, "declare"), top="2C")) == "declare"


def test_without_a_stock_takes_a_discard_that_helps_and_else_passes() -> None:
    legal = ("draw_discard", "pass")
    assert answer(load("threshold:25"), view("KS 8S 2H", legal, top="5S")) == "draw_discard"
    assert answer(load("threshold:25"), view("KS 8S 2H", legal, top="5D")) == "pass"


def test_in_a_final_lap_where_it_may_stand_it_draws_since_a_draw_cannot_hurt() -> None:
    legal = ("draw_stock", "draw_discard", "pass")
    assert (
        answer(load("threshold:21"), view("KS 8S 2H", legal, top="5D", knocker=2, laps_left=2))
        == "draw_stock"
    )


def test_changes_the_up_card_if_that_gains_anything() -> None:
    legal = ("swap_upcard", "pass")
    assert answer(load("threshold:21"), view("KS 8S 2H", legal, top="2S", phase="upcard")) == "swap_upcard"
    assert answer(load("threshold:21"), view("KS 8S 2H", legal, top="7H", phase="upcard")) == "pass"


def test_changes_a_bad_hand_for_the_dummy() -> None:
    rules = Rules.preset("standard", dummy_hand=True)
    legal = ("draw_stock", "draw_discard", "swap_dummy")
    assert answer(load("threshold:21"), view("8S 5D 2H", legal, top="3C", rules=rules)) == "swap_dummy"
    assert answer(load("threshold:21"), view("9S 5D 2H", legal, top="3C", rules=rules)) == "draw_stock"


POOL = ("swap_all", "pass", "take_pool 0", "take_pool 1", "take_pool 2", "knock")


@pytest.mark.parametrize(
    ("hand", "pool", "expected"),
    [
        ("KS 8S 7H", "7C 8D 9S", "take_pool 2"),
        ("KS 8S 7H", "7C JS 9S", "take_pool 2"),  # in the order of ids: 7C, 9S, JS
        ("KS 8S 7H", "8C TC QC", "swap_all"),
        ("KS 8S 7H", "7C 8D 9H", "pass"),
        ("KS QS 7H", "7C 8D AS", "take_pool 2"),
    ],
)
def test_pool_takes_what_improves_most_and_else_passes(hand: str, pool: str, expected: str) -> None:
    one = view(hand, POOL, pool=pool, rules=Rules.preset("schwimmen"))
    assert answer(load("threshold:25"), one) == expected


def test_pool_closes_from_k() -> None:
    one = view("KS QS 7H", POOL, pool="7C 8D AS", rules=Rules.preset("schwimmen"))
    assert answer(load("threshold:20"), one) == "knock"


def test_the_dealer_gives_a_poor_packet_away() -> None:
    rules = Rules.preset("schwimmen")
    legal = ("swap_all", "pass")
    assert answer(load("threshold:25"), view("7S 8D 9H", legal, phase="packet", rules=rules)) == "swap_all"
    assert answer(load("threshold:25"), view("7S 9S KH", legal, phase="packet", rules=rules)) == "pass"
