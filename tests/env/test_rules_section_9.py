"""RULES section 9, the dummy hand: a spare hand for which a seat may change its own, unseen, once a round."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules

HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}


def table(dummy: str = "5H 6D 9S", **options: object) -> Game:
    rules = Rules(dummy_hand=True, **options)
    return laid_out(rules, 3, HANDS, extra=dummy, up="2S", stock="5C 6C 7C 8D", seed=1)


def test_section_9_dummy_hand_false_there_is_none() -> None:
    game = laid_out(Rules(dummy_hand=False), 3, HANDS, up="2S")
    assert "swap_dummy" not in game.legal_actions()


def test_section_9_dummy_hand_true_takes_the_place_of_draw_and_discard() -> None:
    game = table()
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock", "swap_dummy"]
    play(game, "swap_dummy")
    assert (game.turn, game.turn_number, game.hands[0]) == (1, 1, ["6D", "5H", "9S"])


def test_section_9_dummy_hand_true_the_hand_left_behind_is_turned_up() -> None:
    game = table()
    assert game.dummy is None
    play(game, "swap_dummy")
    assert game.dummy == ["2C", "3D", "4H"]
    for seat in range(3):
        assert int(game.view(seat)[8]).bit_count() == 3, "everyone sees it"


def test_section_9_dummy_hand_true_nobody_may_take_it_again_that_round() -> None:
    game = play(table(), "swap_dummy")
    for _ in range(4):
        assert "swap_dummy" not in game.legal_actions()
        with pytest.raises(IllegalAction, match="no dummy hand to take"):
            game.play("swap_dummy")
        play(game, "-")


def test_section_9_dummy_hand_true_a_new_one_lies_face_down_next_round() -> None:
    game = play(table(), "swap_dummy", "knock", "-", "-")
    assert game.round_count == 1
    assert game.dummy is None
    assert "swap_dummy" in game.legal_actions()


def test_section_9_dummy_hand_true_may_be_taken_in_the_final_lap() -> None:
    game = play(table(), "knock")
    assert "swap_dummy" in game.legal_actions()
    play(game, "swap_dummy", "-")
    assert game.last_round is not None
    assert game.last_round.hands[1] == ("6D", "5H", "9S")
    assert game.last_round.reason == "knock"


@pytest.mark.parametrize("declare", ["auto", "claim", "hold"])
def test_section_9_dummy_hand_true_a_31_in_it_is_shown_at_once(declare: str) -> None:
    game = play(table("AS TS JS", declare=declare), "swap_dummy")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.declared, game.last_round.lost) == ("declared", (0,), (0, 1, 1))


def test_section_9_dummy_hand_true_counts_as_the_first_turn_for_the_knock_ban() -> None:
    game = table(first_turn_knock="banned_first_turn")
    assert "knock" not in game.legal_actions()
    assert "knock" in play(game, "swap_dummy").legal_actions()


def test_section_9_dummy_hand_true_is_not_part_of_the_stock() -> None:
    assert table().stock_count == 52 - 9 - 3 - 1


def test_section_9_dummy_hand_true_not_after_a_draw() -> None:
    game = play(table(), "draw_stock")
    assert "swap_dummy" not in game.legal_actions()
