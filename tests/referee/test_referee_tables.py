"""Hand-worked positions for what the case files do not reach: widow, pool, dummy, up-card, own turn, draw, limits."""

from collections.abc import Iterable
from typing import Any

import pytest

from . import RefereeGame, settle, worth
from .presets import preset


def dealt(options: dict[str, Any], cards: str, players: int = 2, **more: Any) -> RefereeGame:
    """A game with these cards dealt in order, the last seat dealing, so that seat 0 gets the first card."""
    game = RefereeGame(options, players, dealer=players - 1, **more)
    give(game, cards.split())
    return game


def give(game: RefereeGame, cards: Iterable[str]) -> None:
    for card in cards:
        game.give(card)


def play(game: RefereeGame, *actions: str) -> None:
    """Play actions; one that is a card is chance's."""
    for action in actions:
        if len(action) == 2:
            game.give(action)
        else:
            game.play(action)


def result(game: RefereeGame) -> dict[str, Any]:
    assert game.last_round is not None
    return game.last_round


PLAIN = "KS QH 9S 5H 2D 3C"  # seat 0: 19, seat 1: 15


# RULES 10: Bicycle


def test_bicycle_knock_on_the_first_turn_shows_at_once() -> None:
    game = dealt(preset("bicycle"), f"{PLAIN} 7D 8D 2C")
    assert game.pool == ["2C", "7D", "8D"]
    assert game.legal_actions() == ["knock", "pass", "take_pool 0", "take_pool 1", "take_pool 2"]
    play(game, "knock")
    assert game.over
    assert result(game)["pot_winners"] == [0]
    assert (game.winner, game.placings) == (0, [1, 2])
    assert game.rewards_match == game.rewards_lives == [1.0, -1.0]


def test_bicycle_later_knock_gives_the_others_a_turn() -> None:
    game = dealt(preset("bicycle"), f"{PLAIN} 7D 8D 2C")
    play(game, "pass", "knock")
    assert game.turn == 0
    assert "knock" not in game.legal_actions()
    play(game, "take_pool 0")
    assert game.legal_actions() == ["discard 2D", "discard 9S", "discard KS"]
    play(game, "discard 2D")
    assert result(game)["reason"] == "knock"
    assert game.pool == ["2D", "7D", "8D"]


def test_bicycle_31_may_be_claimed_after_the_exchange_or_let_go() -> None:
    cards = "KS QH AS 5H 2D 3C QS 8D 2C"
    game = dealt(preset("bicycle"), cards)
    play(game, "take_pool 2", "discard 2D")
    assert (game.turn, game.legal_actions()) == (0, ["declare", "pass"])
    play(game, "declare")
    assert (result(game)["reason"], result(game)["pot_winners"]) == ("declared", [0])
    game = dealt(preset("bicycle"), cards)
    play(game, "take_pool 2", "discard 2D", "pass", "pass")
    assert "declare" not in game.legal_actions()


def test_three_share_the_pot_less_one() -> None:
    game = dealt(preset("bicycle"), "KS KH 2H 9S 9H 3D 4D 5D 7D TC TD 2C", players=3)
    play(game, "knock")
    assert result(game)["pot_winners"] == [0, 1]
    assert game.rewards_lives == pytest.approx([0.25, 0.25, -0.5])
    assert (game.winner, game.placings) == (None, [1, 1, 3])


def test_tiebreak_compares_the_scoring_suit_only() -> None:
    tie = settle(preset("bicycle"), [["KS", "8S", "AD"], ["KH", "5H", "3H"]], 0, [], [0, 0])
    assert tie["values"] == [18, 18]
    assert tie["pot_winners"] == [0]
    with pytest.raises(ValueError, match="tie-break"):
        settle(preset("bicycle"), [18, 18], 0, [], [0, 0])


def test_any_number_of_cards_but_none_that_was_put_down() -> None:
    game = dealt(preset("bicycle", pool_exchange="any"), f"{PLAIN} 7D 8D 2C")
    play(game, "take_pool 1", "discard KS")
    assert game.pool == ["2C", "8D", "KS"]
    assert game.legal_actions() == ["pass", "take_pool 0", "take_pool 1"]
    play(game, "take_pool 1", "discard 9S", "take_pool 0", "discard 2D")
    assert game.legal_actions() == ["pass"]
    play(game, "pass")
    assert game.turn == 1


# RULES 11: Schwimmen

SWIM = "KS QH 9S 8H 7D 7C"


def test_dealer_keeps_his_packet_or_must_take_the_other() -> None:
    game = dealt(preset("schwimmen"), f"{SWIM} TD 8D TC")
    assert (game.turn, game.legal_actions(), game.pool) == (1, ["pass", "swap_all"], [])
    play(game, "swap_all")
    assert (game.turn, game.hands[1], game.pool) == (0, ["TC", "8D", "TD"], ["7C", "8H", "QH"])
    game = dealt(preset("schwimmen"), f"{SWIM} TD 8D TC")
    play(game, "pass")
    assert (game.hands[1], game.pool) == (["7C", "8H", "QH"], ["TC", "8D", "TD"])


def test_31_in_the_second_packet_ends_the_hand_and_the_lowest_loses() -> None:
    game = dealt(preset("schwimmen"), f"{SWIM} AD KD TD")
    play(game, "swap_all")
    end = result(game)
    assert (end["reason"], end["declared"], end["lost"], end["lives_after"]) == (
        "natural",
        [1],
        [1, 0],
        [2, 3],
    )


def test_three_aces_end_the_hand_and_everyone_else_loses_one() -> None:
    game = dealt(preset("schwimmen"), "AS QH 8S AH 8H 9S 7D 7C TS AD 8D TC", players=3)
    play(game, "pass", "swap_all")
    assert game.last_round is None
    game = dealt(preset("schwimmen"), "AS QH 8S AH 8H 9S AC 7C TS AD 8D TC", players=3)
    play(game, "pass")
    end = result(game)
    assert (end["reason"], end["declared"], end["lost"]) == ("feuer", [0], [0, 1, 1])
    assert end["values"][0] == 33


def test_three_aces_made_by_an_exchange() -> None:
    game = dealt(preset("schwimmen"), "AS QH AH 8H 7D 7C AD 8D TC")
    play(game, "pass", "take_pool 2", "discard 7D")
    end = result(game)
    assert (end["reason"], end["declared"], end["lost"]) == ("feuer", [0], [0, 1])


def test_no_closing_in_the_first_lap() -> None:
    game = dealt(preset("schwimmen"), f"{SWIM} TD 8D TC")
    play(game, "pass")
    assert game.legal_actions() == ["pass", "swap_all", "take_pool 0", "take_pool 1", "take_pool 2"]
    play(game, "swap_all")
    assert "knock" not in game.legal_actions()
    play(game, "pass")
    assert "knock" in game.legal_actions()


def test_all_pass_in_a_row_brings_three_new_pool_cards() -> None:
    game = dealt(preset("schwimmen"), f"{SWIM} TD 8D TC")
    play(game, "pass", "pass", "pass")
    assert (game.needs_card, game.turn, game.pool) == (True, None, [])
    assert not {"TD", "8D", "TC"} & set(game.possible_cards())
    play(game, "KH", "KC", "9D")
    assert (game.turn, game.pool) == (0, ["KC", "9D", "KH"])
    play(game, "take_pool 0", "discard KS", "pass")
    assert not game.needs_card


def test_passes_after_closing_renew_nothing() -> None:
    game = dealt(preset("schwimmen"), f"{SWIM} TD 8D TC")
    play(game, "pass", "pass", "swap_all", "knock", "pass")
    assert result(game)["reason"] == "knock"


@pytest.mark.parametrize(("players", "left"), [(8, 5), (9, 2)])
def test_too_few_cards_to_renew(players: int, left: int) -> None:
    game = RefereeGame(preset("schwimmen", natural_31="own_turn", three_aces="same"), players)
    while game.needs_card:
        game.give(game.possible_cards()[0])
    assert game.stock_count == left
    play(game, "pass")
    first_pool, rest = game.pool, game.stock_count
    play(game, *["pass"] * players)
    if rest < 3:
        assert (result(game)["reason"], result(game)["knocker"]) == ("stock_out", None)
        return
    give(game, game.possible_cards()[:3])
    two_left = set(game._round.stock)
    play(game, *["pass"] * players)
    assert set(game.possible_cards()) == two_left | set(first_pool)


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
