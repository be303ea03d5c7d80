"""RULES section 3, the turn: draw from either pile, then throw one card."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules

HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}


def table(up: str = "AS", stock: str = "5H 6H 7H 8H", **options: object) -> Game:
    return laid_out(Rules(**options), 3, HANDS, up=up, stock=stock)


def test_section_3_draw_the_top_of_the_stock_then_throw_one() -> None:
    game = play(table(), "draw_stock")
    assert game.drawn == "5H"
    assert game.legal_actions() == ["discard 2C", "discard 3D", "discard 4H", "discard 5H"]
    play(game, "discard 2C")
    assert (game.hands[0], game.top, game.turn) == (["3D", "4H", "5H"], "2C", 1)


def test_section_3_draw_the_top_of_the_discard_then_throw_one() -> None:
    game = play(table(), "draw_discard")
    assert game.drawn == "AS"
    assert (game.top, game.discard_count) == (None, 0), "while a taken discard is in hand there is no top"
    play(game, "discard 4H")
    assert (game.hands[0], game.top, game.discard_count) == (["2C", "3D", "AS"], "4H", 1)


def test_section_3_what_lies_under_the_top_cannot_be_taken() -> None:
    game = play(table(), "draw_stock", "discard 2C", "draw_stock", "discard 9H", "draw_discard")
    assert game.drawn == "9H"
    assert game.discard_count == 2
    assert game.top is None


def test_section_3_the_stock_card_just_drawn_may_be_thrown() -> None:
    game = play(table(), "draw_stock", "discard 5H")
    assert (game.hands[0], game.top) == (["2C", "3D", "4H"], "5H")


def test_section_3_return_taken_discard_false_bans_that_very_card_in_that_turn() -> None:
    game = play(table(return_taken_discard=False), "draw_discard")
    assert "discard AS" not in game.legal_actions()
    with pytest.raises(IllegalAction, match="AS was just taken and must be kept this turn"):
        game.play("discard AS")


def test_section_3_return_taken_discard_false_lets_it_go_next_turn() -> None:
    game = play(table(return_taken_discard=False), "draw_discard", "discard 2C", "-", "-", "draw_stock", "discard AS")
    assert game.top == "AS"
    assert game.hands[0] == ["3D", "4H", "7H"]


def test_section_3_return_taken_discard_true_allows_it() -> None:
    game = play(table(return_taken_discard=True), "draw_discard", "discard AS")
    assert (game.hands[0], game.top) == (["2C", "3D", "4H"], "AS")


def test_section_3_once_a_card_is_drawn_there_is_no_knock() -> None:
    for draw in ("draw_stock", "draw_discard"):
        game = play(table(), draw)
        assert "knock" not in game.legal_actions()
        with pytest.raises(IllegalAction, match="a card must be thrown now"):
            game.play("knock")


def test_section_3_final_lap_stand_false_makes_everyone_draw() -> None:
    game = play(table(final_lap_stand=False), "knock")
    assert game.legal_actions() == ["draw_stock", "draw_discard"]


def test_section_3_final_lap_stand_true_lets_a_seat_keep_its_cards() -> None:
    game = table(final_lap_stand=True)
    assert "pass" not in game.legal_actions(), "only after a knock"
    play(game, "knock")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "pass"]
    play(game, "pass")
    assert (game.turn, game.hands[1]) == (2, ["9H", "QS", "KS"])
    play(game, "-")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.knocker) == ("knock", 0)


@pytest.mark.parametrize("preset", ["pagat", "party", "standard", "kids", "wikipedia_fast"])
def test_section_3_exactly_three_cards_at_the_end_of_every_turn(preset: str) -> None:
    game = Game(preset, 4, seed=11)
    turns = 0
    while not game.over and turns < 300:
        drawn = game.phase == "discard"
        assert [len(hand) for s, hand in enumerate(game.hands) if s not in game.out] == [
            4 if drawn and s == game.turn else 3 for s in range(4) if s not in game.out
        ]
        game.play(game.legal_actions()[(7 * turns) % len(game.legal_actions())])
        turns += 1
    assert turns > 50
