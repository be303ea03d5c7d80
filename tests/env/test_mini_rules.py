"""The mini games' own rules: small packs, the turn limit, everyone showing when the stock is out."""

from __future__ import annotations

import pytest

from thirtyone_env import Game, Rules, observation
from thirtyone_env.errors import UserError

MINIS = [name for name in Rules.presets() if name.startswith("mini_")]


def test_minis_are_listed_after_the_main_presets() -> None:
    names = Rules.presets()
    assert names[:7] == ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen")
    assert list(names[7:]) == MINIS
    assert {"mini_5x1", "mini_3x2", "mini_4x2", "mini_4x2_limit3", "mini_4x2_limit4"} <= set(MINIS)


@pytest.mark.parametrize("name", MINIS)
def test_mini_is_a_game_for_two_with_a_limit_and_no_reshuffle(name: str) -> None:
    rules = Rules.preset(name)
    assert rules.name == name
    assert rules.check_players(2) == 2
    assert rules.stock_out == "show"
    assert 2 <= rules.max_turns <= 4
    assert rules.cards is not None
    assert Rules.of(rules.to_dict()) == rules


def play(name: str, cards: str, actions: list[str], **changes: object) -> Game:
    """A round of two, seat 0 first, with these cards of chance in turn."""
    game = Game(Rules.preset(name, **changes), 2, dealer=1, episode="round", chance="manual")
    coming = cards.split()
    for action in [*actions, None]:
        while game.needs_card:
            game.give(coming.pop(0))
        if action is not None:
            game.play(action)
    assert not coming
    return game


def test_section_6_show_ends_the_round_with_the_turn_that_uses_up_the_stock() -> None:
    game = play("mini_3x2", "9C TC 9D TD AC AD", ["draw_stock", "discard AD"])
    assert game.over
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.knocker) == ("stock_out", None)


def test_section_6_show_ends_a_final_lap_too_and_the_knocker_rules_hold() -> None:
    three = Game(Rules.preset("mini_4x2", max_turns=9), 3, dealer=2, episode="round", chance="manual")
    for card in ["8C", "9C", "TC", "8D", "9D", "TD", "AC"]:
        three.give(card)
    three.play("knock")
    three.play("draw_stock")
    three.give("AD")
    three.play("discard 9C")
    assert three.over  # seat 2 has no turn: the stock is out
    assert three.last_round is not None
    assert (three.last_round.reason, three.last_round.knocker) == ("stock_out", 0)
    assert three.last_round.lost == (2, 0, 0)


def test_section_12_limit_ends_a_final_lap_under_show() -> None:
    game = play("mini_5x1", "7C TC 8C", ["draw_discard", "discard 7C", "knock"])
    assert game.over
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.knocker) == ("limit", 1)
    assert game.last_round.lost == (1, 0)
    assert "the most turns of a deal were played after seat 1 had knocked" in game.last_round.why[0]


@pytest.mark.parametrize("stock_out", ["play_on", "draw", "reshuffle"])
def test_section_12_limit_leaves_a_final_lap_elsewhere(stock_out: str) -> None:
    game = play("mini_5x1", "7C TC 8C", ["draw_discard", "discard 7C", "knock"], stock_out=stock_out)
    assert not game.over
    assert game.turn == 0


def test_section_5_target_of_a_mini_may_be_shown() -> None:
    game = play("mini_3x2_target", "9C 9D TC TD AC", ["draw_discard"])
    assert game.legal_actions() == ["declare", "discard 9C", "discard TC"]
    game.play("declare")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.lost) == ("declared", (0, 1))


def test_section_5_dealt_target_is_shown_at_once() -> None:
    game = play("mini_3x2_target", "TC 9C AC 9D TD", [])
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.declared) == ("natural", (0,))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hand_size": 4}, "hand_size=4 is not allowed: 3, 2, 1"),
        ({"hand_size": 1, "three_of_a_kind": "30"}, "hand_size=1 needs three_of_a_kind off"),
        ({"cards": ["7C", "7C", "8C"]}, "7C occurs twice"),
        ({"stock_out": "shows"}, "stock_out='shows' is not allowed: reshuffle, play_on, draw, show"),
        ({"max_turns": -1}, "max_turns=-1 is not allowed: a whole number from 0 to 1023"),
    ],
)
def test_wrong_option_of_a_small_game_is_refused_by_name(changes: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        Rules.preset("mini_5x1", **changes)


def test_too_many_players_for_the_pack_are_refused() -> None:
    with pytest.raises(UserError, match="4 players need 6 cards, but only 5 are in play"):
        Game("mini_5x1", 4)


def test_section_6_observations_tell_show_from_every_other_value() -> None:
    column = {block.name: block.start for block in observation.index_table(2)}
    seen = {}
    for stock_out in ("reshuffle", "play_on", "draw", "show"):
        game = Game(Rules.preset("mini_5x1", stock_out=stock_out), 2, seed=1, dealer=1)
        row = observation.encode(game.view(0))
        assert row[column["below_knocker_loses"]] == 0
        seen[stock_out] = (int(row[column["stock_out_play_on"]]), int(row[column["stock_out_draw"]]))
    assert seen == {"reshuffle": (0, 0), "play_on": (1, 0), "draw": (0, 1), "show": (1, 1)}
