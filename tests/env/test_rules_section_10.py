"""RULES section 10, Bicycle's Thirty-One: a widow of three open cards, no stock, the highest hand takes the pot."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules
from thirtyone_env.settlement import RoundResult

BICYCLE = Rules.preset("bicycle")
HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}


def table(widow: str = "5H 6D 9S", **options: object) -> Game:
    return laid_out(BICYCLE.replace(**options) if options else BICYCLE, 3, HANDS, extra=widow)


def ended(game: Game) -> RoundResult:
    assert game.last_round is not None
    return game.last_round


def test_section_10_table_widow_has_three_open_cards_and_neither_stock_nor_discard_pile() -> None:
    game = table()
    assert (game.pool, game.top) == (["6D", "5H", "9S"], None)
    assert game.legal_actions() == ["knock", "pass", "take_pool 0", "take_pool 1", "take_pool 2"]
    for action in ("draw_stock", "draw_discard"):
        with pytest.raises(IllegalAction, match="widow table"):
            game.play(action)


def test_section_10_on_a_turn_one_may_pass() -> None:
    game = play(table(), "pass")
    assert (game.turn, game.hands[0], game.pool) == (1, ["2C", "3D", "4H"], ["6D", "5H", "9S"])


def test_section_10_pool_exchange_one_changes_one_card() -> None:
    game = play(table(pool_exchange="one"), "take_pool 2")
    assert game.drawn == "9S"
    assert game.legal_actions() == ["discard 2C", "discard 3D", "discard 4H"], "the card taken must be kept"
    play(game, "discard 3D")
    assert (game.hands[0], game.pool, game.turn) == (["2C", "4H", "9S"], ["3D", "6D", "5H"], 1)


def test_section_10_pool_exchange_any_may_change_more_and_then_passes() -> None:
    game = play(table(pool_exchange="any"), "take_pool 2", "discard 3D")
    assert game.turn == 0
    assert game.legal_actions() == ["pass", "take_pool 1", "take_pool 2"], "3D, put down this turn, may not come back"
    play(game, "take_pool 1", "discard 2C", "take_pool 2", "discard 4H")
    assert (game.hands[0], game.pool) == (["6D", "5H", "9S"], ["2C", "3D", "4H"])
    assert game.legal_actions() == ["pass"], "no card is left to take"
    play(game, "pass")
    assert game.turn == 1


def test_section_10_pool_exchange_any_a_card_put_down_may_be_taken_next_turn() -> None:
    game = play(table(pool_exchange="any"), "take_pool 2", "discard 3D", "pass", "pass", "pass")
    assert game.turn == 0
    assert "take_pool 0" in game.legal_actions()


def test_section_10_pool_exchange_any_no_knock_after_an_exchange() -> None:
    game = play(table(pool_exchange="any"), "take_pool 2", "discard 3D")
    assert "knock" not in game.legal_actions()


def test_section_10_a_knock_gives_the_others_one_more_turn_and_the_highest_takes_the_pot() -> None:
    game = play(table(), "pass", "knock", "take_pool 0", "discard 8C", "pass")
    result = ended(game)
    assert (result.reason, result.knocker, result.values) == ("knock", 1, (4, 20, 26))
    assert (result.pot_winners, result.winner, game.over, game.winner) == ((2,), 2, True, 2)
    assert game.placings == [2, 2, 1]


def test_section_10_settlement_highest_takes_pot_pays_by_the_pot() -> None:
    result = ended(play(table(), "knock"))
    assert result.pot_winners == (1,)
    assert result.rewards_match == result.rewards_lives == (-0.5, 1, -0.5)


def test_section_10_settlement_highest_takes_pot_a_shared_pot_is_split() -> None:
    rules = BICYCLE.replace(tiebreak="none")
    game = laid_out(rules, 4, {0: "KS QS 2C", 1: "KD QD 3C", 2: "4C 5D 6H", 3: "4D 5H 6C"}, extra="7H 8C 9S")
    result = ended(play(game, "knock"))
    assert (result.pot_winners, result.winner) == ((0, 1), None)
    assert result.rewards_match == pytest.approx((1 / 3, 1 / 3, -1 / 3, -1 / 3))
    assert game.placings == [1, 1, 3, 3]


def test_section_10_tiebreak_highest_card_compares_only_the_scoring_suit() -> None:
    """26 each by K-Q-6 and Q-9-7; and 20 each, where the ace of another suit does not count."""
    game = laid_out(BICYCLE, 2, {0: "QD 9D 7D", 1: "KS QS 6S"}, extra="2C 3D 4H")
    assert ended(play(game, "knock")).pot_winners == (1,)
    game = laid_out(BICYCLE, 2, {0: "KD TD 8C", 1: "QS JS AH"}, extra="2C 3D 4H")
    assert ended(play(game, "knock")).pot_winners == (0,)


def test_section_10_tiebreak_highest_card_level_card_for_card_shares_the_pot() -> None:
    game = laid_out(BICYCLE, 2, {0: "KD TD 8C", 1: "KS TS 2H"}, extra="2C 3D 4H")
    assert ended(play(game, "knock")).pot_winners == (0, 1)


def test_section_10_three_of_a_kind_is_nothing() -> None:
    assert BICYCLE.worth(["7S", "7H", "7D"]) == 7


def test_section_10_declare_effect_takes_pot_a_31_may_be_shown_at_once() -> None:
    hands = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}
    game = play(laid_out(BICYCLE, 3, hands, extra="AS 6D 9C"), "pass", "take_pool 2", "discard 9H")
    assert game.legal_actions() == ["declare", "pass"]
    result = ended(play(game, "declare"))
    assert (result.reason, result.declared, result.pot_winners) == ("declared", (1,), (1,))


def test_section_10_declare_effect_takes_pot_a_claim_missed_is_a_hand_of_31() -> None:
    game = laid_out(BICYCLE, 3, HANDS, extra="AS 6D 9C")
    play(game, "pass", "take_pool 2", "discard 9H", "pass")
    assert game.turn == 2
    play(game, "pass", "pass")
    assert "declare" not in game.legal_actions()
    result = ended(play(game, "knock", "pass", "pass"))
    assert (result.reason, result.values[1], result.pot_winners) == ("knock", 31, (1,))


def test_section_10_declare_effect_takes_pot_dealt_31s_share_it() -> None:
    game = laid_out(BICYCLE, 3, {0: "AS KS QS", 2: "AD KD QD"}, extra="2C 3D 4H")
    assert (ended(game).reason, ended(game).pot_winners) == ("natural", (0, 2))


def test_section_10_early_knock_shows_now_before_anyone_has_exchanged() -> None:
    result = ended(play(table(), "knock"))
    assert (result.reason, result.knocker, result.values, result.pot_winners) == ("knock", 0, (4, 20, 20), (1,))


def test_section_10_lowest_cut_deals_and_the_deal_passes_left() -> None:
    assert BICYCLE.first_dealer == "low_card"
    assert [Game(BICYCLE, 3, dealer=d, seed=1).turn for d in range(3)] == [1, 2, 0]
