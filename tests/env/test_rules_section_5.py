"""RULES section 5, thirty-one: showing it, by force or choice, and what it costs the others."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules
from thirtyone_env.settlement import RoundResult

# Seat 0 needs the ace or queen of spades; nobody else has anything.
HANDS = {0: "AS KS 9H", 1: "2C 3D 4H", 2: "5D 6C 7H"}


def table(stock: str = "QS 8C 8D 9C 9D 2H 3H", up: str = "2S", **options: object) -> Game:
    return laid_out(Rules(**options), 3, HANDS, up=up, stock=stock)


def ended(game: Game) -> RoundResult:
    assert game.last_round is not None
    return game.last_round


# --- declare ---------------------------------------------------------------------------------------------------------


def test_section_5_declare_auto_ends_the_round_the_moment_it_is_drawn() -> None:
    result = ended(play(table(declare="auto"), "draw_stock"))
    assert (result.reason, result.declared, result.lost) == ("declared", (0,), (0, 1, 1))
    assert result.hands[0] == ("QS", "KS", "AS")


def test_section_5_declare_auto_from_the_discard_pile() -> None:
    result = ended(play(table(up="QS", stock="2S", declare="auto"), "draw_discard"))
    assert (result.reason, result.declared, result.values[0]) == ("declared", (0,), 31)


def test_section_5_declare_claim_may_be_shown_right_after_the_draw() -> None:
    game = play(table(declare="claim"), "draw_stock")
    assert "declare" in game.legal_actions()
    result = ended(play(game, "declare"))
    assert (result.reason, result.declared, result.lost) == ("declared", (0,), (0, 1, 1))


def test_section_5_declare_claim_missed_is_gone_and_only_a_hand_of_31() -> None:
    game = play(table(declare="claim"), "draw_stock", "discard 9H", "-", "-")
    assert game.turn == 0
    assert "declare" not in game.legal_actions()
    with pytest.raises(IllegalAction, match="no 31 that may be shown now"):
        game.play("declare")
    play(game, "draw_stock")
    assert "declare" not in game.legal_actions(), "the 31 must hold the card just drawn"
    play(game, f"discard {game.drawn}", "knock", "-", "-")
    result = ended(game)
    assert (result.reason, result.declared, result.values[0], result.lost) == ("knock", (), 31, (0, 2, 0))


def test_section_5_declare_claim_gone_but_remade_with_another_draw() -> None:
    """Seat 0 throws the queen, draws the jack: a new 31 with the card just drawn may be claimed."""
    game = play(table(stock="QS 8C 8D JS", declare="claim"), "draw_stock", "discard QS", "-", "-", "draw_stock")
    assert "declare" in game.legal_actions()


def test_section_5_declare_hold_on_a_later_turn_before_drawing() -> None:
    game = play(table(declare="hold"), "draw_stock", "discard 9H", "-", "-")
    assert "declare" in game.legal_actions()
    assert ended(play(game, "declare")).declared == (0,)


def test_section_5_declare_hold_on_a_later_turn_after_drawing() -> None:
    game = play(table(declare="hold"), "draw_stock", "discard 9H", "-", "-", "draw_stock")
    assert "declare" in game.legal_actions()
    result = ended(play(game, "declare"))
    assert (result.declared, result.hands[0]) == ((0,), ("QS", "KS", "AS"))


def test_section_5_declare_hold_a_held_31_is_an_ordinary_hand_at_the_showdown() -> None:
    game = play(table(declare="hold"), "draw_stock", "discard 9H", "knock", "-", "-")
    result = ended(game)
    assert (result.reason, result.declared, result.values[0]) == ("knock", (), 31)
    assert result.lost == (0, 2, 0)


# --- the card left over ----------------------------------------------------------------------------------------------


def taken_ten(declare: str, back: bool = False) -> Game:
    """Seat 0 already holds a 31 under claim or hold and takes a discard that does not belong to it."""
    rules = Rules(declare=declare, natural_31="own_turn", return_taken_discard=back)
    return laid_out(rules, 3, {0: "AS KS QS", 1: "2C 3D 4H", 2: "5D 6C 7H"}, up="2H", stock="8C 8D 9C")


def test_section_5_a_taken_discard_can_not_be_the_card_left_over() -> None:
    game = play(taken_ten("hold"), "draw_discard")
    assert "declare" not in game.legal_actions()


def test_section_5_a_taken_discard_may_be_left_over_where_it_may_be_thrown_back() -> None:
    game = play(taken_ten("hold", back=True), "draw_discard")
    assert "declare" in game.legal_actions()
    assert ended(play(game, "declare")).hands[0] == ("QS", "KS", "AS")


def test_section_5_a_stock_card_may_be_left_over_under_hold() -> None:
    assert "declare" in play(taken_ten("hold"), "draw_stock").legal_actions()


def test_section_5_a_taken_discard_that_belongs_to_the_31_may_be_shown() -> None:
    rules = Rules(declare="hold", natural_31="own_turn")
    game = laid_out(rules, 2, {0: "AS KS QS", 1: "2C 3D 4H"}, up="JS")
    play(game, "draw_discard")
    result = ended(play(game, "declare"))
    assert "JS" in result.hands[0]
    assert result.values[0] == 31


# --- a dealt 31 ------------------------------------------------------------------------------------------------------


def dealt(declare: str, natural: str, players: int = 3) -> Game:
    hands = {0: "2C 3D 4H", 1: "AS KS QS", 2: "5D 6C 7H"}
    return laid_out(Rules(declare=declare, natural_31=natural), players, hands, up="2S", stock="8C 8D 9C 9D 2H")


@pytest.mark.parametrize("declare", ["auto", "claim", "hold"])
def test_section_5_natural_31_at_once_is_shown_at_the_deal_whatever_declare_says(declare: str) -> None:
    result = ended(dealt(declare, "at_once"))
    assert (result.reason, result.declared, result.knocker, result.lost) == ("natural", (1,), None, (1, 0, 1))


def test_section_5_natural_31_own_turn_with_auto_is_shown_at_the_start_of_the_holders_turn() -> None:
    game = dealt("auto", "own_turn")
    assert (game.last_round, game.turn) == (None, 0)
    result = ended(play(game, "-"))
    assert (result.reason, result.declared, result.lost) == ("natural", (1,), (1, 0, 1))


def test_section_5_natural_31_own_turn_after_a_knock_is_still_shown() -> None:
    game = play(dealt("auto", "own_turn"), "knock")
    result = ended(game)
    assert (result.reason, result.declared, result.knocker) == ("natural", (1,), 0)


@pytest.mark.parametrize("declare", ["claim", "hold"])
def test_section_5_natural_31_own_turn_is_offered_on_the_first_turn(declare: str) -> None:
    game = play(dealt(declare, "own_turn"), "-")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock", "declare"]
    result = ended(play(game, "declare"))
    assert (result.reason, result.declared, result.lost) == ("natural", (1,), (1, 0, 1))


def test_section_5_natural_31_own_turn_under_claim_is_gone_when_the_turn_passes() -> None:
    game = play(dealt("claim", "own_turn"), "-", "-", "-", "-")
    assert game.turn == 1
    assert "declare" not in game.legal_actions()


def test_section_5_natural_31_own_turn_under_claim_after_a_draw_needs_the_card_drawn() -> None:
    game = play(dealt("claim", "own_turn"), "-", "draw_stock")
    assert "declare" not in game.legal_actions()


def test_section_5_natural_31_own_turn_under_hold_may_wait() -> None:
    game = play(dealt("hold", "own_turn"), "-", "-", "-", "-")
    assert "declare" in game.legal_actions()


def test_section_5_no_seat_is_asked_out_of_turn() -> None:
    game = dealt("claim", "own_turn")
    assert "declare" not in game.legal_actions()
    assert int(game.view(1)[5]) == 0


# --- what it costs ---------------------------------------------------------------------------------------------------


def test_section_5_declare_effect_others_lose_takes_one_from_everyone_else() -> None:
    result = Rules(declare_effect="others_lose").settle([31, 20, 2, 30.5], declared=[0])
    assert result.lost == (0, 1, 1, 1)


def test_section_5_declare_effect_lowest_loses_only_ends_the_hand() -> None:
    rules = Rules(declare_effect="lowest_loses")
    assert rules.settle([31, 20, 2, 30], declared=[0]).lost == (0, 0, 1, 0)
    assert rules.settle([31, 2, 2, 30], declared=[0], knocker=1).lost == (0, 1, 1, 0), "no penalty for the knocker"
    assert rules.replace(tie_lowest="none_lose").settle([31, 2, 2, 30], declared=[0]).lost == (0, 0, 0, 0)


def test_section_5_declare_effect_takes_pot() -> None:
    result = Rules.preset("bicycle").settle([["AS", "KS", "QS"], ["2C", "3D", "4H"], ["5D", "6C", "7H"]], declared=[0])
    assert (result.pot_winners, result.winner, result.lost) == ((0,), 0, (0, 0, 0))


@pytest.mark.parametrize(("declared", "lost"), [([0], (0, 1, 1, 1)), ([0, 2], (0, 1, 0, 1)), ([0, 1, 2], (0, 0, 0, 1))])
def test_section_5_simultaneous_31_1(declared: list[int], lost: tuple[int, ...]) -> None:
    values = [31 if seat in declared else 10 for seat in range(4)]
    assert Rules(simultaneous_31=1).settle(values, declared=declared, reason="natural").lost == lost


@pytest.mark.parametrize(("declared", "lost"), [([0], (0, 1, 1, 1)), ([0, 2], (0, 2, 0, 2)), ([0, 1, 2], (0, 0, 0, 2))])
def test_section_5_simultaneous_31_2(declared: list[int], lost: tuple[int, ...]) -> None:
    values = [31 if seat in declared else 10 for seat in range(4)]
    assert Rules(simultaneous_31=2).settle(values, declared=declared, reason="natural").lost == lost


@pytest.mark.parametrize(("preset", "loss"), [("kids", 1), ("standard", 2)])
def test_section_5_up_to_four_dealt_31s_cost_no_holder_anything(preset: str, loss: int) -> None:
    hands = {0: "AC KC QC", 1: "AD KD QD", 2: "AH KH QH", 3: "AS KS QS", 4: "2C 3D 4H"}
    result = ended(laid_out(preset, 5, hands, up="2S"))
    assert (result.declared, result.lost) == ((0, 1, 2, 3), (0, 0, 0, 0, loss))


def test_section_5_everybody_dealt_31_costs_nothing() -> None:
    result = ended(laid_out("standard", 2, {0: "AC KC QC", 1: "AD KD QD"}, up="2S"))
    assert (result.declared, result.lost, result.lives_after) == ((0, 1), (0, 0), (3, 3))


def in_the_lap(**options: object) -> RoundResult:
    """Seat 2 knocks, seat 0 draws a 31 in the final lap; seat 1 was still to come."""
    game = table(stock="9C 8C QS", **options)
    return ended(play(game, "-", "-", "knock", "draw_stock"))


def test_section_5_31_in_the_final_lap_ends_the_hand_at_once_and_the_knocker_loses_too() -> None:
    result = in_the_lap(declare="auto")
    assert (result.reason, result.knocker, result.declared, result.lost) == ("declared", 2, (0,), (0, 1, 1))


def test_section_5_knocker_on_31_1() -> None:
    assert in_the_lap(knocker_on_31=1).lost == (0, 1, 1)


def test_section_5_knocker_on_31_2() -> None:
    assert in_the_lap(knocker_on_31=2).lost == (0, 1, 2)


def test_section_5_knocker_on_31_2_only_where_somebody_knocked() -> None:
    assert Rules(knocker_on_31=2).settle([31, 5, 6], declared=[0]).lost == (0, 1, 1)


def test_section_5_knocking_with_31_and_showing_it_later_is_not_possible() -> None:
    rules = Rules(declare="hold", natural_31="own_turn")
    game = laid_out(rules, 2, {0: "AS KS QS", 1: "2C 3D 4H"}, up="2S", stock="8C")
    play(game, "knock", "-")
    result = ended(game)
    assert (result.reason, result.declared, result.values[0], result.lost) == ("knock", (), 31, (0, 1))
    with pytest.raises(ValueError, match="cannot both knock and show"):
        rules.settle([31, 10], knocker=0, declared=[0])


def test_section_5_an_unshown_31_is_an_ordinary_loser_when_another_is_shown() -> None:
    rules = Rules(declare="hold", natural_31="own_turn")
    game = laid_out(rules, 3, {0: "AS KS QS", 1: "AD KD QD", 2: "5D 6C 7H"}, up="2S", stock="8C")
    result = ended(play(game, "-", "declare"))
    assert (result.declared, result.lost) == ((1,), (1, 0, 1))


def test_section_5_with_two_players_a_31_held_back_costs_a_knocker_two() -> None:
    """Showing takes one; an opponent who knocks against a 31 that is held back loses two."""
    rules = Rules.preset("pagat")
    assert rules.settle([31, 21], declared=[0]).lost == (0, 1)
    assert rules.settle([31, 21], knocker=1).lost == (0, 2)
