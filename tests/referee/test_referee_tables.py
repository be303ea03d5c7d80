"""Hand-worked positions with stock and pile: dummy, up-card, own turn, claims, draw, limits, the match."""

from typing import Any

from . import settle, worth
from .hands_on import PLAIN, dealt, play, result
from .presets import preset

# RULES 9 and 2: dummy hand and the dealer's up-card


def test_dummy_with_31_is_shown_at_once_even_where_31_is_claimed() -> None:
    game = dealt(preset("pagat", dummy_hand=True), f"{PLAIN} AD KD TD 4C")
    play(game, "swap_dummy")
    assert (result(game)["reason"], result(game)["declared"]) == ("declared", [0])


def test_dummy_swap_counts_as_the_first_turn_for_the_knock_ban() -> None:
    game = dealt(preset("standard", dummy_hand=True), f"{PLAIN} AD KD 2H 4C")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "swap_dummy"]
    play(game, "swap_dummy")
    assert game.dummy_up == ["2D", "9S", "KS"]
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock"]


def test_dealers_swap_that_makes_31_is_shown_at_once() -> None:
    game = dealt(preset("pagat", dealer_upcard_swap=True), "KS QH 9S AH 2D 3C KH")
    assert (game.turn, game.legal_actions()) == (1, ["pass", "swap_upcard"])
    play(game, "swap_upcard")
    assert game.top is None
    assert game.legal_actions() == ["discard 3C", "discard QH", "discard AH"]
    play(game, "discard 3C")
    assert (result(game)["reason"], result(game)["declared"]) == ("declared", [1])


def test_dealer_may_leave_the_upcard() -> None:
    game = dealt(preset("pagat", dealer_upcard_swap=True), f"{PLAIN} KH")
    play(game, "pass")
    assert (game.turn, game.top, game.turn_number) == (0, "KH", 0)


# RULES 5: thirty-one on one's own turn, claims, holding


def test_own_turn_auto_shows_at_the_start_of_the_first_own_turn() -> None:
    game = dealt(preset("kids", natural_31="own_turn"), "KS AH 9S KH 2D QH 4C")
    assert game.turn == 0
    play(game, "draw_stock", "3C", "discard 3C")
    assert (result(game)["reason"], result(game)["declared"]) == ("natural", [1])


def test_own_turn_claim_at_the_start_is_a_natural() -> None:
    game = dealt(preset("pagat", natural_31="own_turn"), "KS AH 9S KH 2D QH 4C")
    play(game, "draw_discard", "discard 2D")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock", "declare"]
    play(game, "declare")
    assert result(game)["reason"] == "natural"


def test_a_claim_must_hold_the_card_just_drawn() -> None:
    game = dealt(preset("pagat", natural_31="own_turn"), "AS 2H KS 5H QS 3C 4C")
    play(game, "draw_stock", "5D")
    assert "declare" not in game.legal_actions()
    play(game, "discard 5D", "draw_stock", "6D", "discard 6D", "draw_stock", "JS")
    assert game.legal_actions()[0] == "declare"
    play(game, "declare")
    assert result(game)["reason"] == "declared"
    assert game.turn is None


def test_held_31_may_be_shown_after_drawing_with_the_drawn_card_left_over() -> None:
    game = dealt(
        preset("pagat", declare="hold", natural_31="own_turn", lives=1, county=False), "AS 2H KS 5H QS 3C 4C"
    )
    play(game, "draw_stock", "5D", "declare")
    assert (result(game)["reason"], game.top, game.hands[0]) == ("declared", "5D", ["QS", "KS", "AS"])


def test_a_taken_discard_may_not_be_the_card_left_over() -> None:
    options = preset("pagat", declare="hold", natural_31="own_turn", lives=1, county=False)
    game = dealt(options, "AS 2H KS 5H QS 3C 4C")
    play(game, "draw_discard")
    assert "declare" not in game.legal_actions()
    game = dealt({**options, "return_taken_discard": True}, "AS 2H KS 5H QS 3C 4C")
    play(game, "draw_discard")
    assert "declare" in game.legal_actions()


def test_lowest_card_is_left_over_where_two_could_be() -> None:
    options = preset("pagat", declare="hold", natural_31="own_turn", lives=1, county=False)
    game = dealt(options, "AS 2H KS 5H QS 3C 4C")
    play(game, "draw_stock", "TS", "declare")
    assert game.top == "TS"


# RULES 4 and 6: laps, stock, limits


def test_final_lap_stand_keeps_three_cards() -> None:
    game = dealt(preset("wikipedia_fast"), f"{PLAIN} 4C")
    play(game, "knock")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "pass"]
    play(game, "pass")
    assert result(game)["values"] == [19, 15]


def small_pack(stock_out: str, **changes: Any) -> dict[str, Any]:
    pack = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H"]
    return preset("pagat", cards=pack, stock_out=stock_out, **changes)


def test_draw_ends_the_round_after_the_turn_of_the_last_card_and_the_deal_moves_on() -> None:
    game = dealt(small_pack("draw"), "2C 3C 4C 5C 2D 3D 4D")
    play(game, "draw_stock", "5D", "discard 5D", "draw_stock", "2H")
    assert game.last_round is None
    play(game, "discard 2H")
    assert (result(game)["reason"], result(game)["lost"]) == ("drawn", [0, 0])
    assert (game.dealer, game.deal_number) == (0, 1)


def test_draw_after_a_knock_the_lap_goes_on_and_a_pass_does_not_end_it() -> None:
    pack = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "3H", "4H"]
    game = dealt(preset("pagat", cards=pack, stock_out="draw"), "2C 3C 4C 5C 2D 3D 4D 5D 2H 3H", players=3)
    play(game, "knock", "draw_stock", "4H", "discard 4H")
    assert (game.turn, game.legal_actions()) == (2, ["draw_discard", "pass"])
    play(game, "pass")
    assert result(game)["reason"] == "knock"


def test_play_on_refusal_in_the_final_lap_shows_all_hands_even_with_stand() -> None:
    pack = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "3H", "4H"]
    options = preset("pagat", cards=pack, final_lap_stand=True)
    game = dealt(options, "2C 3C 4C 5C 2D 3D 4D 5D 2H 3H", players=3)
    play(game, "draw_stock", "4H", "discard 4H", "knock", "pass")
    assert (result(game)["reason"], result(game)["knocker"]) == ("stock_out", 1)


def test_limit_shows_all_hands_without_a_knocker() -> None:
    game = dealt(preset("pagat", max_turns=2), f"{PLAIN} 4C")
    play(game, "draw_stock", "4D", "discard 4D", "draw_stock", "6D", "discard 6D")
    assert (result(game)["reason"], result(game)["lost"]) == ("limit", [0, 1])


def test_limit_never_cuts_a_final_lap_short() -> None:
    game = dealt(preset("pagat", max_turns=2), f"{PLAIN} 4C")
    play(game, "draw_stock", "4D", "discard 4D", "knock")
    assert game.turn == 0
    play(game, "draw_stock", "6D", "discard 6D")
    assert (result(game)["reason"], result(game)["lost"]) == ("knock", [0, 2])


def test_a_draw_comes_before_the_limit() -> None:
    game = dealt(small_pack("draw", max_turns=2), "2C 3C 4C 5C 2D 3D 4D")
    play(game, "draw_stock", "5D", "discard 5D", "draw_stock", "2H", "discard 2H")
    assert result(game)["reason"] == "drawn"


# RULES 8: the match


def test_a_replayed_hand_keeps_its_dealer_and_pays_nothing() -> None:
    game = dealt(preset("wikipedia_fast", max_deals=2), "KS KH 5D 5C 2C 2D 4C", lives=[0, 0])
    play(game, "knock", "pass")
    end = result(game)
    assert (end["replayed"], end["lost"], end["would_lose"]) == (True, [0, 0], [1, 1])
    assert (game.dealer, game.deal_number, game.rewards_lives) == (1, 1, [0, 0])


def test_sudden_death_goes_on_with_one_chance_each() -> None:
    game = dealt(
        preset("standard", first_turn_knock="allowed", county=False), "KS KH 5D 5C 2C 2D 4C", lives=[2, 1]
    )
    play(game, "knock", "draw_stock", "3D", "discard 3D")
    end = result(game)
    assert (end["lost"], end["sudden_death"], end["lives_after"], end["eliminated"]) == (
        [2, 1],
        True,
        [1, 1],
        [],
    )
    assert (game.dealer, game.over, game.rewards_lives) == (0, False, [-1, 1])


def test_seats_out_in_one_round_share_a_placing() -> None:
    game = dealt(preset("kids"), "KS QH JD 9S 5H 3C 2D 3S 2C 4C", players=3, lives=[3, 1, 1])
    play(game, "knock", "draw_stock", "TH", "discard 5H", "draw_stock", "7D", "discard 7D")
    assert result(game)["lost"] == [0, 0, 1]
    assert game.rewards_match == [0, 0, -0.5]
    assert game.dealer == 0
    game = dealt(preset("kids"), "AS QH JD AD 5H 3C KS 3S 2C QS", players=3, lives=[3, 1, 1])
    play(game, "draw_discard")
    assert (game.over, game.winner, game.placings, game.out) == (True, 0, [1, 2, 2], [1, 2])
    assert game.rewards_match == [1, -0.5, -0.5]


def test_deal_limit_truncates_and_the_survivors_share() -> None:
    game = dealt(preset("kids", max_deals=1), "KS QH JD 9S 5H 3C 2D 3S 2C 4C", players=3, lives=[3, 1, 1])
    play(game, "knock", "draw_stock", "TH", "discard 5H", "draw_stock", "7D", "discard 7D")
    assert (game.over, game.truncated, game.winner, game.placings) == (True, True, None, [1, 2, 3])
    assert game.rewards_match == [0.25, 0.25, -0.5]


def test_lives_scheme_is_the_change_less_the_mean_of_the_others() -> None:
    game = dealt(preset("party"), "AS QH JD AD 5H 3C KS 3S 2C QS", players=3, episode="round")
    play(game, "draw_discard")
    assert result(game)["gained"] == [2, 0, 0]
    assert game.rewards_lives == game.rewards_match == [3.0, -1.5, -1.5]


def test_party_without_a_knocker_is_drawn() -> None:
    end = settle(preset("party"), [20, 15, 3], None, [], [3, 3, 3], reason="limit")
    assert end["lost"] == [0, 0, 0]


def test_soft_ace_changes_no_worth() -> None:
    hard, soft = preset("pagat"), preset("pagat", ace="one_or_eleven")
    assert worth(["AS", "AD", "AH"], soft) == worth(["AS", "AD", "AH"], hard) == 11
    assert worth(["AS", "KS", "QS"], soft) == 31
