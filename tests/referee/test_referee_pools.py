"""Hand-worked positions at the open tables: Bicycle's widow and Schwimmen's pool."""

import pytest

from . import RefereeGame, settle
from .hands_on import PLAIN, dealt, give, play, result
from .presets import preset

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
