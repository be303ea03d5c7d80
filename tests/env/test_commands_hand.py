"""`thirtyone hand`: RULES section 1 at the command line."""

from __future__ import annotations

import json

import pytest

from tests.env.run_command import run
from thirtyone_env import Rules
from thirtyone_env.hand_count import SUIT_NAMES, count_hand, split_cards


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        (["KS 8S 5S"], "23 in spades: K♠ 8♠ 5♠"),
        (["QC", "9H", "8H"], "17 in hearts: 9♥ 8♥"),
        (["A♣ 6♥ 4♥"], "11 in clubs: A♣"),
        (["jc,7h,4s"], "10 in clubs: J♣"),
        (["AS10SKS"], "31 in spades: A♠ 10♠ K♠"),
        (["KC QD 5S"], "10 in clubs or diamonds: K♣ or Q♦"),
        (["7H 7D 7S"], "7 in diamonds or hearts or spades: 7♦ or 7♥ or 7♠"),
    ],
)
def test_section_1_hand_is_counted_and_the_suit_named(cards: list[str], line: str) -> None:
    assert run("hand", *cards) == (0, line + "\n", "")


def test_section_1_preset_that_counts_three_of_a_kind() -> None:
    assert run("hand", "7H 7D 7S", "--rules", "party").out == "30.5, three of a kind: 7♥ 7♦ 7♠\n"


def test_json_has_worth_suit_and_cards_that_counted() -> None:
    data = json.loads(run("hand", "QC 9H 8H", "--json").out)
    assert data == {
        "cards": ["QC", "9H", "8H"], "worth": 17.0, "suits": ["hearts"], "counting": ["9H", "8H"], "rules": "pagat",
    }


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["KS KS 3D"], "the card KS occurs twice"),
        (["KS 3D QS 4D"], "a hand has 3 cards, not 4"),
        (["KS 3D"], "a hand has 3 cards, not 2"),
        (["KS 1S 3D"], "'1S' is not a card: write a rank of"),
        (["KS 3D 4X"], "'4X' is not a card"),
        (["2S 3S 4S", "--rules", "schwimmen"], "2S 3S 4S: not in this game's pack"),
        (["KS 8S 5S", "--rules", "pagta"], "did you mean pagat?"),
    ],
)
def test_bad_hand_gets_one_line_and_exit_code_2(words: list[str], part: str) -> None:
    done = run("hand", *words)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert part in done.err


def test_section_1_the_cards_that_count_make_the_worth_over_a_sample_of_hands() -> None:
    rules = Rules.preset("pagat")
    deck = [rank + suit for suit in SUIT_NAMES for rank in "A59TK"]
    points = {"A": 11, "5": 5, "9": 9, "T": 10, "K": 10}
    for first in range(18):
        for second in range(first + 1, 19):
            hand = [deck[first], deck[second], deck[19]]
            count = count_hand(rules, hand)
            assert count.counting, hand
            for suit, cards in count.counting.items():
                assert {card[1] for card in cards} == {suit}
                assert sum(points[card[0]] for card in cards) == count.worth


def test_cards_without_spaces_are_split() -> None:
    assert split_cards("10h9h2c") == ["TH", "9H", "2C"]
