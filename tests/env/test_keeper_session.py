"""Whole sessions of the keeper, typed from a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.env.run_command import run
from thirtyone_env.keeper import screen
from thirtyone_env.keeper.house import House, presets
from thirtyone_env.keeper.screen import WIDTH
from thirtyone_env.keeper.texts import HELP, short_rules, who_loses

Keep = Callable[..., str]
SETUP = ["Ann Bob Cem Dee", "", "", "", ""]


@pytest.fixture
def keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keep:
    """A function that types lines into a keeper and returns what it printed."""
    path = str(tmp_path / "keeper.json")
    monkeypatch.setattr(screen, "on_terminal", lambda: True)

    def type_lines(*lines: str) -> str:
        done = run("keeper", "--file", path, stdin="\n".join(lines) + "\n")
        assert (done.code, done.err) == (0, "")
        wide = [line for line in done.out.replace("> ", "\n").splitlines() if len(line) > WIDTH]
        assert wide == []
        return one_line(done.out)

    return type_lines


def one_line(text: str) -> str:
    """The text without its line breaks, so that wrapped sentences can be looked for."""
    return " ".join(text.split())


def test_pagats_main_rules_unless_changed(keep: Keep) -> None:
    out = keep(*SETUP)
    assert "Rules: pagat ----" in out
    assert "D 1 Ann ●●● 2 Bob ●●● 3 Cem ●●● 4 Dee ●●●" in out
    assert "Ann deals, Bob plays first." in out


def test_changed_house_rules_are_shown_with_every_standing(keep: Keep) -> None:
    out = keep("Ann Bob", "", "1", "5", "5", "2", "", "welfare", "2", "ann", "bob")
    title = "Rules: pagat; changed: tokens at the start: 5, knocker ties for lowest: pays as alone"
    assert out.count(title) >= 3
    assert "D 2 Bob ●●●●●" in out


def test_wrong_answers_are_told_and_asked_again(keep: Keep) -> None:
    out = keep(
        "Ann", "Ann ann", "Ann u", "Ann 7", "Ann Bartholomew-the-Great", "Ann Bob",  # names
        "99", "", "99", "1", "12", "x3", "4", "",  # rules
        "much-too-long-a-name", "", "Zoe", "",  # county and dealer
        "Zoe", "ann", "Zoe", "h", "KS 8S", "KS KS 2D", "3X KS 2D", "32", "23", "KS 8S 5S",  # a round
    )  # fmt: skip
    for part in (
        "! 1 name; 2 to 17 can play",
        "! 'Ann' is there twice",
        "! 'u' is a key",
        "! '7' is a key or a number",
        "has more than 14 letters",
        "! '99' is not there; write a number from 1 to 6",
        "! lives=12 is not allowed: a whole number",
        "! 'x3' is no number",
        "! 'Zoe' is nobody here; there are Ann and Bob",
        "! a hand has 3 cards, not 2",
        "! the card KS occurs twice",
        "! '3X' is not a card",
        "! no hand is worth 32; a worth is a whole number from 2 to 31",
        "23 in spades: K♠ 8♠ 5♠",
    ):
        assert part in out, part


def test_just_who_was_lowest(keep: Keep) -> None:
    out = keep(*SETUP, "bob", "cem dee")
    assert "Bob knocked and everyone had one more turn. Cem and Dee lose one (section 7: the lowest hand" in out
    assert "1 Ann ●●● D 2 Bob ●●● 3 Cem ●● 4 Dee ●●" in out


def test_hands_as_cards_and_as_worths_with_a_step_back(keep: Keep) -> None:
    out = keep(*SETUP, "2", "h", "KS8S5S", "K♠ 2♦ 3♦", "9", "b", "14", "12", "13")
    assert "! KS is in Ann's hand already" in out
    assert "Bob loses two" not in out
    assert "Cem loses one" in out


def test_section_5_a_shown_31_asks_for_no_hands(keep: Keep) -> None:
    out = keep(*SETUP, "31", "ann cem", "bob", "31", "dee", "31 ann")
    assert "Ann and Cem showed a dealt 31 (section 5, natural_31). Bob and Dee lose one" in out
    assert "Dee showed 31 after Bob had knocked (section 5). Ann, Bob and Cem lose one" in out
    assert "Ann showed 31 (section 5). Bob, Cem and Dee lose one" in out
    assert "hand?" not in out


def test_section_5_after_a_knock_only_one_can_show_31_and_not_the_knocker(keep: Keep) -> None:
    out = keep(*SETUP, "bob", "31", "ann cem", "bob", "ann")
    assert "! after a knock only one can show 31" in out
    assert "! 'bob' is nobody here; there are Ann, Cem and Dee" in out


def test_section_6_nobody_knocked(keep: Keep) -> None:
    out = keep(*SETUP, "-", "ann bob")
    assert "The stock was used up and everyone showed (section 6, stock_out). Ann and Bob lose one" in out


def test_section_6_drawn_round_asks_nothing(keep: Keep) -> None:
    out = keep("Ann Bob", "wikipedia_fast", "", "", "", "-")
    assert "nobody had knocked: the round is drawn (section 6, stock_out draw). Nobody loses a life." in out
    assert "D 2 Bob ●●●" in out


def test_section_8_replayed_hand_keeps_tokens_and_dealer(keep: Keep) -> None:
    out = keep("Ann Bob", "kids", "1", "1", "", "", "-", "all")
    assert "Everyone left would go out: the hand is void and dealt again (section 8, all_out replay)." in out
    assert out.count("D 1 Ann ● 2 Bob ●") == 2


def test_county_by_the_tables_name_then_out_then_a_winner_and_a_new_game(keep: Keep) -> None:
    out = keep("Ann Bob", "", "1", "1", "", "the bus", "", "ann", "bob", "bob", "bob", "foo", "n")
    assert "Bob: no token left, on the bus (section 8)." in out
    assert "2 Bob on the bus" in out
    assert "Bob is out (section 8). Ann has won." in out
    assert "1 Ann has won 2 Bob out" in out
    assert "! the game is over: n, s, u, c or q" in out
    assert "A new game. The earlier one is kept: u goes back to it." in out
    assert "Round 1: who knocked?" in out.partition("A new game")[2]


def test_undo_goes_back_through_rounds_and_into_the_earlier_game(keep: Keep) -> None:
    out = keep("Ann Bob", "", "", "", "", "u", "ann", "bob", "u", "n", "n", "n", "y", "ann", "bob", "u", "u", "q")
    assert "! there is nothing to undo" in out
    assert out.count("Undone: the last round.") == 2
    assert "This game is not over. A new one? (y, n)" in out
    assert "Undone: the new game. This is the earlier one." in out


def test_correcting_an_earlier_round(keep: Keep) -> None:
    out = keep(*SETUP, "c", "ann", "bob", "cem", "dee", "c", "7", "1", "ann", "ann")
    assert "! there is no round to correct" in out
    assert "1 Ann knocked: Bob -1 2 Cem knocked: Dee -1 Which round? (1 to 2)" in out
    assert "! '7' is no number from 1 to 2" in out
    assert "1 Ann ● 2 Bob ●●● D 3 Cem ●●● 4 Dee ●●" in out


def test_correction_that_later_rounds_do_not_fit_asks_before_it_drops_them(keep: Keep) -> None:
    game = ["Ann Bob Cem", "kids", "1", "1", "", "", "ann", "cem", "ann", "bob"]
    out = keep(*game, "c", "1", "cem", "bob", "n", "c", "1", "cem", "bob", "y")
    assert out.count("! What came after round 1 does not fit: Bob is not in this round Drop all after it? (y, n)") == 2
    assert out.count("Ann has won.") == 3  # after the round, in the question, in the question again
    assert "1 Ann ● 2 Bob out D 3 Cem ●" in out


def test_player_who_leaves_between_rounds(keep: Keep) -> None:
    out = keep(*SETUP, "l", "ann", "cem", "ann", "bob")
    assert "Ann leaves and counts as out; the tokens go to nobody." in out
    assert "1 Ann has left D 2 Bob ●●● 3 Cem ●●● 4 Dee ●●●" in out
    assert "! 'ann' is nobody here; there are Bob, Cem and Dee" in out


def test_party_asks_who_was_highest_and_below_the_knocker(keep: Keep) -> None:
    out = keep("Ann Bob Cem", "party", "", "", "ann", "bob", "cem", "bob", "ann cem", "cem", "cem", "ann", "bob", "-")
    assert "Cem loses one (section 7: every hand below the knocker's loses one" in out
    assert "Bob receives 1 (section 7, life_transfer to_winner)." in out
    assert "Nobody loses a life (section 7, below_knocker_loses)." in out
    assert "Ann and Bob lose one" in out
    assert out.count("Who was below") == 2
    assert "Ann loses two (section 7: nobody is below the knocker, who loses two)" in out


def test_schwimmen_31_and_three_aces(keep: Keep) -> None:
    out = keep("Ann Bob Cem", "schwimmen", "", "", "", "31", "ann", "ann", "bob", "3a", "cem", "ann", "3a", "bob")
    assert "! Ann showed 31 and was not lowest" in out
    assert "Bob loses one (section 5: a shown 31 ends the hand and the lowest loses" in out
    assert "Cem showed three aces (section 1, three_aces feuer). Ann and Bob lose one" in out
    assert "Bob showed three aces (section 1, three_aces feuer). Ann and Cem lose one" in out


def test_rules_table_and_keys_are_one_key_away_at_any_question(keep: Keep) -> None:
    out = keep("?", *SETUP[:2], "t", *SETUP[2:], "bob", "t", "r", "?", "x", "q")
    assert out.count("Who loses what knocker others") == 2
    assert out.count("the knocker alone is 2 0") == 2
    assert "Rules: pagat Aim: the most points in one suit." in out
    assert out.count("u undo the last entry") == 2
    assert "Left." in out
    assert "Saved in" in out


def test_name_by_its_first_letters_must_mean_one(keep: Keep) -> None:
    out = keep("Anna Annette Bob", "", "", "", "", "ann", "anne", "b")
    assert "! 'ann' may be Anna and Annette: write more letters" in out
    assert "Annette knocked and everyone had one more turn. Bob loses one" in out


def test_seventeen_names_fit_the_screen(keep: Keep) -> None:
    names = [f"Player-{number:02}-xyz" for number in range(17)]
    out = keep(" ".join(names), "party", "1", "9", "", "", "17", " ".join(str(n) for n in (1,)), "2 3")
    assert "17 Player-16-xyz ●●●●●●●●●" in out


@pytest.mark.parametrize("preset", presets())
def test_texts_fit_40_columns(preset: str) -> None:
    house = House(preset)
    assert all(len(line) <= WIDTH for line in who_loses(house))
    assert len(short_rules(house)) >= 6
    assert "who loses what" in HELP


def test_without_a_terminal_lines_are_whole_and_the_way_back_is_a_command(tmp_path: Path) -> None:
    path = str(tmp_path / "a long name of a folder, to be seen whole" / "k1.json")
    out = run("keeper", "--file", path, stdin="Ann Bob\n").out
    assert f"Saved in {path}. To go on: thirtyone keeper --file '{path}'" in out.splitlines()[-1]


def test_where_nothing_was_typed_nothing_is_said_to_be_saved(tmp_path: Path) -> None:
    path = tmp_path / "k1.json"
    out = run("keeper", "--file", str(path)).out
    assert "nothing is saved" in out
    assert "Saved" not in out
    assert not path.exists()


def test_one_name_is_one_name(tmp_path: Path) -> None:
    assert "! 1 name; 2 to 17 can play" in run("keeper", "--file", str(tmp_path / "k"), stdin="Ann\n").out
