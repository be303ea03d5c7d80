"""RULES section 4, knocking: when one may, what follows, and what no source allows."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules, UserError

HANDS = {0: "KS QS 9H", 1: "2C 3D 4H", 2: "JD TD 8C", 3: "5C 6D 7H"}


def table(players: int = 3, **options: object) -> Game:
    hands = {seat: HANDS[seat] for seat in range(players)}
    return laid_out(Rules(**options), players, hands, up="2S", stock="5H 6H 8H 9C 2H 3H 2D 4C")


def test_section_4_a_knock_takes_the_place_of_drawing() -> None:
    game = table()
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock"]
    play(game, "knock")
    assert (game.knocker, game.turn, game.hands[0]) == (0, 1, ["9H", "QS", "KS"])
    assert game.stock_count == 52 - 9 - 1


def test_section_4_first_turn_knock_allowed() -> None:
    assert "knock" in table(first_turn_knock="allowed").legal_actions()


def test_section_4_first_turn_knock_banned_first_turn_bans_the_first_seat_only() -> None:
    game = table(first_turn_knock="banned_first_turn")
    assert "knock" not in game.legal_actions()
    with pytest.raises(IllegalAction, match="nobody may knock on the first turn"):
        game.play("knock")
    assert "knock" in play(game, "-").legal_actions()


def test_section_4_first_turn_knock_banned_first_lap_bans_everyone_once() -> None:
    game = table(first_turn_knock="banned_first_lap")
    for _ in range(3):
        assert "knock" not in game.legal_actions()
        with pytest.raises(IllegalAction, match="nobody may knock in the first lap"):
            game.play("knock")
        play(game, "-")
    assert game.turn == 0
    assert "knock" in game.legal_actions()


def test_section_4_first_turn_knock_banned_first_lap_counts_the_seats_that_are_in() -> None:
    rules = Rules(first_turn_knock="banned_first_lap")
    game = laid_out(rules, 4, {0: "2C 3D 4H", 2: "2S 3S 4D"}, out=[1, 3], dealer=2, up="9C", stock="5H 6H")
    play(game, "-", "-")
    assert "knock" in game.legal_actions()


@pytest.mark.parametrize(
    ("least", "hand", "allowed"),
    [
        (0, "2C 3D 4H", True), (17, "9S 7S 2D", False), (17, "9S 8S 2D", True), (19, "9S 8S 2D", False),
        (19, "TS 9S 2D", True), (21, "KS QS 9H", False), (21, "AS KS 9H", True), (31, "AS KS 9S", False),
        (21, "7S 7H 7D", False),
    ],
)
def test_section_4_knock_min_is_compared_with_the_hands_worth(least: int, hand: str, allowed: bool) -> None:
    game = laid_out(Rules(knock_min=least), 2, {0: hand, 1: "2H 3C 4D"}, up="2S")
    assert ("knock" in game.legal_actions()) == allowed
    if not allowed:
        with pytest.raises(IllegalAction, match=f"a knock needs a worth of {least}"):
            game.play("knock")


def test_section_4_knock_min_0_lets_anyone_knock() -> None:
    assert "knock" in laid_out(Rules(knock_min=0), 2, {0: "2C 2D 2H"}, up="3S").legal_actions()


@pytest.mark.parametrize(("rule", "passes"), [("off", False), ("30", True), ("30.5", True)])
def test_section_4_knock_min_counts_a_triple_as_the_options_in_force_do(rule: str, passes: bool) -> None:
    game = laid_out(Rules(knock_min=21, three_of_a_kind=rule), 2, {0: "7S 7H 7D", 1: "2H 3C 4D"}, up="2S")
    assert ("knock" in game.legal_actions()) == passes


def test_section_4_knock_min_31_needs_a_31_kept_back() -> None:
    rules = Rules(knock_min=31, natural_31="own_turn", declare="claim")
    game = laid_out(rules, 2, {0: "AS KS QS", 1: "2H 3C 4D"}, up="2S")
    assert "knock" in game.legal_actions()


def test_section_4_second_knock_false_nobody_else_may_knock() -> None:
    game = table(second_knock=False)
    play(game, "knock")
    for _ in range(2):
        assert "knock" not in game.legal_actions()
        with pytest.raises(IllegalAction, match="seat 0 has knocked already"):
            game.play("knock")
        play(game, "-")
    assert game.round_count == 1


def test_section_4_second_knock_true_is_refused() -> None:
    with pytest.raises(UserError, match="second_knock=True is not allowed: false"):
        Rules(second_knock=True)


@pytest.mark.parametrize("players", range(2, 10))
def test_section_4_pains_e2_final_lap_is_one_turn_each_ending_at_the_knockers_right(players: int) -> None:
    rules = Rules(declare="claim", natural_31="own_turn")
    for knocker in range(players):
        game = play(Game(rules, players, seed=players, dealer=players - 1), *["-"] * knocker, "knock")
        turns = []
        while game.last_round is None:
            turns.append(game.turn)
            play(game, "-")
        assert turns == [(knocker + step) % players for step in range(1, players)]
        assert (game.last_round.reason, game.last_round.knocker) == ("knock", knocker)


def test_section_4_the_final_lap_skips_seats_that_are_out() -> None:
    game = laid_out(Rules(), 4, {0: "KS QS 9H", 2: "2C 3D 4H", 3: "5C 6D 7H"}, out=[1], up="2S", stock="5H 6H 8H")
    turns = []
    play(game, "knock")
    while game.last_round is None:
        turns.append(game.turn)
        play(game, "-")
    assert turns == [2, 3]


def test_section_4_early_knock_shows_now_false_gives_the_last_turns() -> None:
    game = laid_out("bicycle", 2, {0: "KS QS 9H", 1: "2C 3D 4H"}, extra="5C 6C 7D")
    game = laid_out(game.rules.replace(early_knock_shows_now=False), 2, {0: "KS QS 9H"}, extra="5C 6C 7D")
    play(game, "knock")
    assert (game.last_round, game.turn) == (None, 1)


def test_section_4_early_knock_shows_now_true_shows_at_once_on_the_first_turn() -> None:
    game = laid_out("bicycle", 3, {0: "KS QS 9H", 1: "2C 3D 4H", 2: "5D 6D 9C"}, extra="5C 6C 7D")
    play(game, "knock")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.knocker, game.last_round.pot_winners) == ("knock", 0, (0,))


def test_section_4_early_knock_shows_now_true_only_on_the_first_turn_of_the_deal() -> None:
    game = laid_out("bicycle", 3, {0: "KS QS 9H", 1: "2C 3D 4H", 2: "5D 6D 9C"}, extra="5C 6C 7D")
    play(game, "pass", "knock")
    assert (game.last_round, game.knocker, game.turn) == (None, 1, 2)


def test_section_4_early_knock_shows_now_true_at_a_stock_table_too() -> None:
    game = play(table(early_knock_shows_now=True), "knock")
    assert game.last_round is not None
    assert game.last_round.values == (20, 4, 20)
    assert game.last_round.lost == (0, 1, 0)
