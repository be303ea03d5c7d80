"""RULES section 6: what happens when the stock is used up, each rule from a small pack that runs out (PAINS E6)."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules
from thirtyone_env.settlement import RoundResult

PACK = ("2C", "3D", "4H", "KS", "QS", "9H", "5C", "6D", "7H")  # two hands, the up-card 5C and a stock of 6D 7H


def table(stock_out: str, pack: tuple[str, ...] = PACK, **options: object) -> Game:
    rules = Rules(cards=pack, stock_out=stock_out, **options)
    return laid_out(rules, 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="5C", stock="6D 7H", seed=3)


def ended(game: Game) -> RoundResult:
    assert game.last_round is not None
    return game.last_round


def test_section_6_stock_out_play_on_the_discard_may_be_taken_and_must_be_kept() -> None:
    game = play(table("play_on"), "-", "-")
    assert game.stock_count == 0
    assert game.legal_actions() == ["draw_discard", "knock", "pass"]
    with pytest.raises(IllegalAction, match="the stock is used up"):
        game.play("draw_stock")
    play(game, "draw_discard")
    assert game.legal_actions() == ["discard 2C", "discard 3D", "discard 4H"]
    play(game, "discard 2C")
    assert (game.top, game.turn, game.last_round) == ("2C", 1, None)


def test_section_6_stock_out_play_on_the_first_who_does_not_want_it_makes_everyone_show() -> None:
    result = ended(play(table("play_on"), "-", "-", "pass"))
    assert (result.reason, result.knocker, result.lost) == ("stock_out", None, (1, 0))


def test_section_6_stock_out_play_on_ties_all_lose_one_as_there_is_no_knocker() -> None:
    assert Rules.preset("pagat").settle([17, 17, 20], reason="stock_out").lost == (1, 1, 0)


def test_section_6_stock_out_play_on_a_knock_stays_possible_and_saves_who_ties() -> None:
    rules = Rules(cards=PACK, stock_out="play_on", knocker_tie="safe")
    game = laid_out(rules, 2, {0: "KS 2C 4H", 1: "QS 3D 9H"}, up="5C", stock="6D 7H", seed=3)
    play(game, "-", "-", "knock")
    assert game.legal_actions() == ["draw_discard", "pass"]
    result = ended(play(game, "pass"))
    assert (result.reason, result.knocker, result.values) == ("stock_out", 0, (10, 10))
    assert result.lost == (0, 1), "the knocker ties for lowest and is safe"


def test_section_6_stock_out_play_on_a_refusal_in_a_final_lap_shows_all_with_the_knocker_rules() -> None:
    rules = Rules(cards=(*PACK, "8C", "9D", "TC"), stock_out="play_on")
    hands = {0: "KS QS 9H", 1: "2C 3D 4H", 2: "8C 9D TC"}
    game = laid_out(rules, 3, hands, up="5C", stock="6D 7H", seed=3)
    play(game, "-", "-")
    assert (game.turn, game.stock_count) == (2, 0)
    play(game, "knock", "pass")
    result = ended(game)
    assert (result.reason, result.knocker, result.lost) == ("stock_out", 2, (0, 1, 0)), "seat 1 never had its turn"


def test_section_6_stock_out_reshuffle_all_discards_but_the_top_at_the_next_need() -> None:
    game = play(table("reshuffle"), "-", "-")
    assert (game.stock_count, game.discard_count, game.top) == (0, 3, "7H")
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock"]
    play(game, "draw_stock")
    assert game.drawn in ("5C", "6D")
    assert (game.stock_count, game.discard_count, game.top) == (1, 1, "7H")


def test_section_6_stock_out_reshuffle_happens_just_before_the_draw_not_earlier() -> None:
    game = play(table("reshuffle"), "-", "-")
    assert game.discard_count == 3
    play(game, "draw_discard", "discard 2C")
    assert (game.stock_count, game.discard_count) == (0, 3), "taking the discard needs no shuffle"


@pytest.mark.parametrize("players", range(2, 10))
def test_section_6_stock_out_reshuffle_is_always_possible_with_a_full_pack(players: int) -> None:
    """Stock and pile together hold 52 - 3n cards at the start of every turn (25 for nine players)."""
    rules = Rules.preset("kids", max_turns=0, declare="hold")
    game = Game(rules, players, seed=players)
    for _ in range(120):
        if game.round_count:
            break
        assert game.stock_count + game.discard_count == 52 - 3 * players
        assert "draw_stock" in game.legal_actions()
        play(game, "-")


def test_section_6_stock_out_draw_ends_the_round_when_the_turn_of_the_last_card_ends() -> None:
    game = play(table("draw"), "-", "draw_stock")
    assert (game.stock_count, game.last_round) == (0, None), "the turn in which it was drawn goes on"
    result = ended(play(game, "discard 7H"))
    assert (result.reason, result.lost, result.lives_after) == ("drawn", (0, 0), (3, 3))


def test_section_6_stock_out_draw_a_31_made_with_the_last_card_still_counts() -> None:
    pack = ("2C", "3D", "4H", "KS", "QS", "9H", "5C", "6D", "AS")
    rules = Rules(cards=pack, stock_out="draw")
    game = laid_out(rules, 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="5C", stock="6D AS", seed=3)
    result = ended(play(game, "-", "draw_stock"))
    assert (result.reason, result.declared, result.lost) == ("declared", (1,), (1, 0))


def test_section_6_stock_out_draw_after_a_knock_the_lap_goes_on_with_discard_or_pass() -> None:
    rules = Rules(cards=(*PACK, "8C", "9D", "TC"), stock_out="draw")
    hands = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "8C 9D TC"}
    game = laid_out(rules, 3, hands, up="5C", stock="6D 7H", seed=3)
    play(game, "knock", "-", "-")
    assert ended(game).reason == "knock", "the lap was over with the last stock card"
    game = laid_out(rules, 3, hands, up="5C", stock="6D 7H", seed=3)
    play(game, "-", "knock", "-")
    assert (game.turn, game.stock_count) == (0, 0)
    assert game.legal_actions() == ["draw_discard", "pass"]
    result = ended(play(game, "pass"))
    assert (result.reason, result.knocker) == ("knock", 1)


def test_section_6_stock_out_draw_a_pass_does_not_end_the_lap() -> None:
    rules = Rules(cards=(*PACK, "8C", "9D", "TC", "8D", "9C", "TD"), stock_out="draw")
    hands = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "8C 9D TC", 3: "8D 9C TD"}
    game = laid_out(rules, 4, hands, up="5C", stock="6D 7H", seed=3)
    play(game, "-", "knock", "-")
    assert (game.turn, game.stock_count) == (3, 0)
    play(game, "pass")
    assert (game.turn, game.last_round) == (0, None)
    assert ended(play(game, "draw_discard", "discard 2C")).reason == "knock"


def test_section_6_stock_out_show_everyone_shows_at_the_end_of_the_last_cards_turn() -> None:
    result = ended(play(table("show"), "-", "-"))
    assert (result.reason, result.knocker, result.lost) == ("stock_out", None, (1, 0))
