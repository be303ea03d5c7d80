"""The surface of `Game` and `Rules.settle` that others build on: what goes in, what comes out, and every refusal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.env.stacking import laid_out, play, stacked_deck
from thirtyone_env import Game, IllegalAction, Rules, UserError
from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, action_id, mask_to_names
from thirtyone_env.cards import CARDS, card_id, card_text, parse_cards, pretty, set_to_cards

HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}


def table(**options: object) -> Game:
    return laid_out(Rules(**options), 3, HANDS, up="AS", stock="5H 6H 7H 8H")


# --- starting --------------------------------------------------------------------------------------------------------


def test_rules_may_be_rules_a_name_or_a_mapping() -> None:
    games = [Game(rules, 3, seed=1) for rules in (Rules.preset("pagat"), "pagat", {"preset": "pagat"})]
    assert len({game.state.tobytes() for game in games}) == 1


def test_without_a_seed_a_fresh_one_is_taken_and_told() -> None:
    game, other = Game("pagat", 3), Game("pagat", 3)
    assert game.seed != other.seed
    assert Game("pagat", 3, seed=game.seed).state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": 1}, "1 players: allowed are 2 to 9"),
        ({"players": 10}, "10 players: allowed are 2 to 9"),
        ({"seed": -1}, "seed=-1 is not allowed: a whole number from 0 to 2\\^64 - 1"),
        ({"seed": 1.5}, "seed=1.5 is not allowed"),
        ({"seed": True}, "seed=True is not allowed"),
        ({"seed": 1 << 64}, "seed=.* is not allowed"),
        ({"match": -1}, "match=-1 is not allowed"),
        ({"dealer": 3}, "dealer=3 must be a seat that is in: 0 to 2"),
        ({"dealer": 1, "out": [1]}, "dealer=1 must be a seat that is in"),
        ({"out": [3]}, "out=\\[3\\]: seats are 0 to 2"),
        ({"out": [0, 1]}, "at least two of 3 seats must be in"),
        ({"lives": [3, 3]}, "lives=\\[3, 3\\]: one number for each of the 3 seats"),
        ({"lives": [3, 10, 3]}, "seat 1 may have 0 to 9 tokens, not 10"),
        ({"lives": [3, -1, 3]}, "seat 1 may have 0 to 9 tokens, not -1"),
        ({"lives": [3, 1.5, 3]}, "seat 1 may have 0 to 9 tokens, not 1.5"),
        ({"lives": 3}, "lives=3 is not allowed: a list of whole numbers"),
        ({"out": "12"}, "out='12' is not allowed: a list of whole numbers"),
        ({"episode": "game"}, "episode='game' is not allowed: match or round"),
        ({"chance": "dice"}, "chance='dice' is not allowed: seed or manual"),
        ({"deck": ["2C"]}, "deck must be the full pack of 52 cards, top first: missing 3C"),
        ({"deck": [*CARDS[:-1], "2C"]}, "the card 2C occurs twice"),
        ({"deck": "2C 3C"}, "deck must be a list of cards"),
        ({"deck": list(CARDS), "chance": "manual"}, "contradict each other"),
        ({"rules": "pagatt"}, "did you mean pagat"),
        ({"rules": 5}, "rules must be Rules"),
        ({"rules": "bicycle", "lives": [1, 1, 1]}, "lives are of no use to a pot game"),
        ({"rules": "schwimmen", "deck": list(CARDS)}, "not in the pack: 2C"),
    ],
)
def test_a_wrong_argument_is_refused_by_name_with_what_is_allowed(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        Game(**{"rules": "pagat", "players": 3, **arguments})


def test_lives_and_out_start_a_match_that_is_far_gone() -> None:
    game = Game("pagat", 4, seed=1, dealer=0, lives=[2, 0, 3, 1], out=[3])
    assert (game.lives, game.on_county, game.out) == ([2, 0, 3, 0], [1], [3])


# --- playing ---------------------------------------------------------------------------------------------------------


def test_names_and_ids_are_the_same_action() -> None:
    for name in ("draw_discard", action_id("draw_discard"), "  Draw_Discard ", np.int64(1)):
        game = table()
        game.play(name)  # type: ignore[arg-type]  # the wrong type is the point
        assert game.drawn == "AS"
    game.play("discard 2c")
    assert game.top == "2C"


@pytest.mark.parametrize("wrong", ["fold", "discard", "discard 1X", "", "take_pool 3", 63, -1, 1000, 1.0, None, [1]])
def test_an_action_that_does_not_exist_is_refused_with_those_that_do(wrong: str | int) -> None:
    game = table()
    before = game.state.tobytes()
    with pytest.raises(UserError):
        game.play(wrong)
    assert game.state.tobytes() == before
    assert game.inputs() == []


def test_an_illegal_action_names_itself_the_rule_and_the_legal_ones() -> None:
    with pytest.raises(IllegalAction) as error:
        table(first_turn_knock="banned_first_turn").play("knock")
    assert str(error.value) == (
        "'knock' is not legal for seat 0: nobody may knock on the first turn (RULES section 4, first_turn_knock); "
        "legal are draw_stock, draw_discard"
    )


def test_no_action_is_legal_when_the_match_is_over_or_a_card_is_awaited() -> None:
    over = play(laid_out("bicycle", 2, {}, extra="2C 3D 4H"), "knock")
    with pytest.raises(IllegalAction, match="the match is over"):
        over.play("pass")
    with pytest.raises(IllegalAction, match="a card must be given first"):
        Game("pagat", 2, chance="manual").play("draw_stock")


def test_manual_chance_asks_for_each_card() -> None:
    game = Game("pagat", 2, dealer=1, chance="manual")
    assert (game.needs_card, game.turn, game.legal_actions(), game.phase) == (True, None, [], "deal")
    assert game.possible_cards() == list(CARDS)
    for card in ("2C", "KS", "3D", "QS", "4H", "9H", "AS"):
        game.give(card)
    assert game.hands == [["2C", "3D", "4H"], ["9H", "QS", "KS"]]
    assert (game.top, game.turn, game.possible_cards()) == ("AS", 0, [])
    game.play("draw_stock")
    assert game.phase == "draw"
    with pytest.raises(UserError, match="the card 2C cannot be given: possible are 3C"):
        game.give("2C")
    game.give(card_id("7H"))
    assert (game.drawn, game.phase) == ("7H", "discard")
    with pytest.raises(UserError, match="no card is wanted now"):
        game.give("8H")


def test_cards_cannot_be_given_where_they_come_by_themselves() -> None:
    with pytest.raises(UserError, match="needs chance='manual'"):
        table().give("2C")


def test_a_deck_serves_the_first_deal_and_a_seed_the_later_ones() -> None:
    rules = Rules.preset("kids")
    deck = stacked_deck(rules, 3, 2, HANDS, up="AS", stock="5H 6H")
    game = play(Game(rules, 3, deck=deck, dealer=2, seed=3), "knock", "-", "-")
    assert (game.round_count, game.needs_card) == (1, False)
    assert game.turn is not None


def test_a_deck_without_a_seed_waits_for_the_next_pack() -> None:
    game = play(table(), "knock", "-", "-")
    assert (game.needs_card, game.turn, game.phase, game.round_count) == (True, None, "deal", 1)
    with pytest.raises(UserError, match="deck must be the full pack"):
        game.deal(["2C"])
    game.deal(stacked_deck(game.rules, 3, game.dealer, {0: "AS KS QH"}, up="2C"))
    assert (game.hands[0], game.top, game.turn) == (["QH", "KS", "AS"], "2C", 1)
    with pytest.raises(UserError, match="no deal is waited for"):
        game.deal(list(CARDS))


# --- what is on the table --------------------------------------------------------------------------------------------


def test_what_a_game_tells_of_the_table() -> None:
    game = table()
    assert (game.players, game.episode, game.chance, game.phase, game.over) == (3, "match", "seed", "turn", False)
    assert game.hands == [["2C", "3D", "4H"], ["9H", "QS", "KS"], ["8C", "TD", "JD"]]
    assert (game.top, game.stock_count, game.discard_count, game.pool, game.dummy) == ("AS", 42, 1, [], None)
    assert (game.lives, game.on_county, game.out) == ([3, 3, 3], [], [])
    assert (game.knocker, game.dealer, game.winner, game.turn, game.drawn) == (None, 2, None, 0, None)
    assert (game.turn_number, game.deal_number, game.round_count, game.rounds, game.last_round) == (0, 0, 0, [], None)
    assert (game.placings, game.pot_winners, game.truncated, game.needs_card) == ([None] * 3, [], False, False)
    assert game.mask == sum(1 << action_id(name) for name in game.legal_actions())
    assert mask_to_names(game.mask) == game.legal_actions() == ["draw_stock", "draw_discard", "knock"]


def test_what_a_game_hands_out_cannot_change_it() -> None:
    game = table()
    before = game.state.tobytes()
    game.state[:] = 0
    game.hands[0].clear()
    game.lives[0] = 9
    game.view(0)[:] = 0
    game.legal_actions().clear()
    assert game.state.tobytes() == before
    assert game.legal_actions() == ["draw_stock", "draw_discard", "knock"]


def test_a_view_is_32_words_and_a_wrong_seat_is_refused() -> None:
    game = table()
    view = game.view(1)
    assert (view.shape, view.dtype) == ((32,), np.uint64)
    rows = np.zeros((2, 32), dtype=np.uint64)
    game.write_view(1, rows, 1)
    assert rows[1].tobytes() == view.tobytes()
    assert not rows[0].any()
    for seat in (-1, 3):
        with pytest.raises(UserError, match=f"seat {seat} is not in this game: 0 to 2"):
            game.view(seat)
        with pytest.raises(UserError, match="is not in this game"):
            game.information_state(seat)


def test_last_round_tells_how_it_ended_and_why() -> None:
    result = play(table(), "knock", "-", "-").last_round
    assert result is not None
    assert (result.reason, result.knocker, result.declared, result.dealer, result.deal) == ("knock", 0, (), 2, 0)
    assert (result.values, result.lost, result.lives_after) == ((4, 20, 20), (2, 0, 0), (1, 3, 3))
    assert result.hands == (("2C", "3D", "4H"), ("9H", "QS", "KS"), ("8C", "TD", "JD"))
    assert result.rewards_lives == (-2, 1, 1)
    assert result.why[0] == "seat 0 knocked and everyone had one more turn"
    assert result.why[1].startswith("seat 0 loses two (section 7: the knocker")
    assert "knock_penalty 2" in result.why[1]


def test_an_episode_of_one_round_ends_with_it() -> None:
    game = play(laid_out(Rules(), 3, HANDS, up="AS", stock="5H 6H", episode="round"), "knock", "-", "-")
    assert (game.over, game.turn, game.winner, game.round_count) == (True, None, None, 1)
    assert game.last_round is not None
    assert game.last_round.rewards_match == game.last_round.rewards_lives == (-2, 1, 1)


def test_rewards_of_a_match_are_paid_when_seats_go_out_and_to_the_winner() -> None:
    game = laid_out("kids", 3, {0: "AS KS 2C", 1: "2D 3H 4C", 2: "2H 3C 4D"}, lives=[3, 1, 1], up="QS")
    result = play(game, "draw_discard").last_round
    assert result is not None
    assert result.rewards_match == (1, -0.5, -0.5)
    assert result.rewards_lives == (1, -0.5, -0.5)


def test_undo_takes_back_one_input_and_what_chance_did_after_it() -> None:
    game = Game("kids", 3, seed=3)
    before = game.state.tobytes()
    game.play("draw_stock")
    game.undo()
    assert game.state.tobytes() == before
    with pytest.raises(UserError, match="nothing to undo"):
        game.undo()


# --- settle ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"hands": [10]}, "1 hands given; a table has 2 to 17 seats"),
        ({"hands": [10] * 18}, "18 hands given"),
        ({"knocker": 3}, "knocker: seat 3 is not at this table; allowed are 0 to 2"),
        ({"declared": [7]}, "declared: seat 7 is not at this table"),
        ({"out": [5]}, "out: seat 5 is not at this table"),
        ({"hands": [10, 20, None], "knocker": 0}, "seat 2 is in and must show a hand"),
        ({"out": [2]}, "seat 2 is out and has no hand; give None"),
        ({"hands": [10, 20, None], "out": [2], "knocker": 2}, "seat 2 is out and can neither knock nor show"),
        ({"hands": [10, None, None], "out": [1, 2]}, "2 of 3 seats are out; at least two must be in"),
        ({"knocker": 1, "declared": [1]}, "seat 1 cannot both knock and show 31"),
        ({"reason": "boredom"}, "reason 'boredom' is unknown; allowed are knock, declared"),
        ({"reason": "natural"}, "reason 'natural' does not go with declared=\\[\\]"),
        ({"reason": "knock"}, "reason 'knock' needs a knocker"),
        ({"lives": [3, 3]}, "2 lives given for 3 seats"),
        ({"lives": [3, -1, 3]}, "seat 1 cannot have -1 tokens"),
        ({"hands": [1, 20, 30]}, "seat 0: a worth of 1 is impossible; allowed are 2 to 33 in halves"),
        ({"hands": [10.25, 20, 30]}, "a worth of 10.25 is impossible"),
        ({"hands": ["AS KS QS", 20, 30]}, "seat 0: give a list of cards"),
        ({"hands": [["AS", "KS"], 20, 30]}, "a hand has 3 cards, not 2"),
        ({"hands": [["AS", "KS", "QS", "JS"], 20, 30]}, "a hand has 3 cards, not 4"),
        ({"hands": [["AS", "KS", "QS"], ["AS", "2C", "3C"], 30]}, "the card AS is in the hands of seats 0 and 1"),
        ({"hands": [["AS", "AS", "QS"], 20, 30]}, "the card AS occurs twice"),
        ({"hands": [["1S", "KS", "QS"], 20, 30]}, "'1S' is not a card"),
    ],
)
def test_settle_refuses_what_does_not_fit_together(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        Rules().settle(**{"hands": [10, 20, 30], **arguments})  # type: ignore[arg-type]  # the wrong type is the point


def test_settle_serves_a_table_of_seventeen() -> None:
    result = Rules().settle([10.0 + seat for seat in range(17)], knocker=16)
    assert result.lost == (1, *[0] * 16)


def test_settle_asks_no_hands_of_those_who_did_not_show() -> None:
    result = Rules().settle([31, None, None], declared=[0])
    assert (result.values, result.lost) == ((31, None, None), (0, 1, 1))


# --- names -----------------------------------------------------------------------------------------------------------


def test_actions_are_63_with_fixed_ids() -> None:
    assert (len(ACTION_NAMES), NUM_ACTIONS) == (63, 63)
    assert [action_id(n) for n in ("draw_stock", "draw_discard", "knock", "declare", "pass")] == [0, 1, 2, 3, 56]
    assert [action_id(n) for n in ("swap_dummy", "swap_all", "swap_upcard", "take_pool 2")] == [57, 58, 59, 62]
    assert [action_id(f"discard {card}") for card in CARDS] == list(range(4, 56))
    assert [action_id(name) for name in ACTION_NAMES] == list(range(63))


def test_cards_are_written_as_rank_and_suit() -> None:
    assert (CARDS[0], CARDS[12], CARDS[13], CARDS[51]) == ("2C", "AC", "2D", "AS")
    assert [card_id(text) for text in ("7H", "7h", " 7♥", "10H", "TH", "AS")] == [31, 31, 31, 34, 34, 51]
    assert (card_text(34), pretty("TH"), pretty(51)) == ("TH", "10♥", "A♠")
    assert parse_cards("KS 8s,5♠") == ["KS", "8S", "5S"]
    assert set_to_cards(1 << 51 | 1) == ["2C", "AS"]
    for wrong in ("1S", "ZZ", "", "7"):
        with pytest.raises(UserError, match=f"'{wrong}' is not a card"):
            card_id(wrong)
    with pytest.raises(UserError, match="outside 0 to 51"):
        card_id(52)
    with pytest.raises(UserError, match=r"7\.5 is not a card"):
        card_id(7.5)  # type: ignore[arg-type]  # the wrong type is the point


def test_a_game_shows_what_it_is() -> None:
    game = Game("pagat", 3, seed=3, dealer=0)
    assert repr(game) == f"<Game pagat, 3 players, seed=3, seat {game.turn} to move, rounds: 0>"
    assert "waits for a card" in repr(Game("pagat", 3, chance="manual"))


def test_what_is_no_number_or_hand_is_shown_as_it_was_given() -> None:
    rules = Rules()
    with pytest.raises(UserError, match="players='4' is not allowed: a whole number from 2 to 9"):
        Game("pagat", "4")
    with pytest.raises(UserError, match="knocker: '1' is no seat; allowed are the whole numbers 0 to 1"):
        rules.settle([10, 20], knocker="1")
    with pytest.raises(UserError, match="None is no hand: give a list of 3 cards"):
        rules.worth(None)
    with pytest.raises(UserError, match="10 or T for the ten"):
        rules.worth(["1S", "2S", "3S"])
