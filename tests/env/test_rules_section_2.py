"""RULES section 2: players, the deal, the first dealer, the deal moving on, and the dealer's up-card."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules, UserError
from thirtyone_env.cards import CARDS, set_to_ids
from thirtyone_env.core.rng import STREAM_DEALER, python_game_key

STOCK_PRESETS = ("pagat", "party", "standard", "kids", "wikipedia_fast")
DEALER_STREAM = int(STREAM_DEALER)


@pytest.mark.parametrize("preset", Rules.presets()[:7])
@pytest.mark.parametrize("players", range(2, 10))
def test_section_2_players_2_to_9_under_every_preset(preset: str, players: int) -> None:
    game = Game(preset, players, seed=3)
    for _ in range(40):
        if not game.over:
            game.play(game.legal_actions()[0])
    assert len(game.hands) == players


@pytest.mark.parametrize("players", [0, 1, 10, -2, 2.0, True, "3"])
def test_section_2_other_numbers_of_players_are_refused(players: object) -> None:
    whole = type(players) is int
    text = f"{players} players: allowed are 2 to 9" if whole else f"players={players!r} is not .* 2 to 9"
    with pytest.raises(UserError, match=text):
        Game("pagat", players)


@pytest.mark.parametrize("players", range(2, 10))
def test_section_2_deal_is_one_card_at_a_time_from_the_dealers_left(players: int) -> None:
    for dealer in range(players):
        game = Game("pagat", players, dealer=dealer, chance="manual")
        given = []
        for card in CARDS[1 : 3 * players + 2]:
            given.append(card)
            game.give(card)
        order = [(dealer + step) % players for step in range(1, players + 1)]
        for place, seat in enumerate(order):
            assert game.hands[seat] == [given[place], given[place + players], given[place + 2 * players]]
        assert game.top == given[3 * players], "the next card starts the discard pile"
        assert game.discard_count == 1
        assert game.stock_count == 52 - 3 * players - 1
        assert game.turn == order[0], "left of the dealer plays first"


def test_section_2_seats_that_are_out_get_no_cards_and_no_turn() -> None:
    game = Game("pagat", 5, seed=1, dealer=0, out=[1, 3])
    assert [len(hand) for hand in game.hands] == [3, 0, 3, 0, 3]
    assert game.turn == 2
    assert play(game, "-").turn == 4


def first_dealer(way: str, players: int, seed: int) -> int:
    """The dealer before the first card; a dealt 31 would move the deal on at once."""
    return Game(Rules(first_dealer=way), players, seed=seed, chance="manual").dealer


def test_section_2_first_dealer_any_is_a_seat_by_lot() -> None:
    dealers = [first_dealer("any", 5, seed) for seed in range(300)]
    assert set(dealers) == set(range(5))
    assert all(dealers.count(seat) > 30 for seat in range(5))


@pytest.mark.parametrize("players", [2, 4, 9])
def test_section_2_first_dealer_high_card_is_the_highest_cut(players: int) -> None:
    for seed in range(150):
        assert first_dealer("high_card", players, seed) == cut_by_hand(seed, players, low=False)


@pytest.mark.parametrize("players", [2, 4, 9])
def test_section_2_first_dealer_low_card_is_the_lowest_cut(players: int) -> None:
    for seed in range(150):
        assert first_dealer("low_card", players, seed) == cut_by_hand(seed, players, low=True)


def test_section_2_first_dealer_rotation_is_the_next_seat_each_match() -> None:
    rules = Rules(first_dealer="rotation")
    dealers = [Game(rules, 4, seed=1, match=match, chance="manual").dealer for match in range(9)]
    assert dealers == [0, 1, 2, 3, 0, 1, 2, 3, 0]


def test_section_2_a_named_first_dealer_deals_whatever_the_rule() -> None:
    for way in ("any", "high_card", "low_card", "rotation"):
        rules = Rules(first_dealer=way)
        assert [Game(rules, 4, dealer=seat, chance="manual").dealer for seat in range(4)] == [0, 1, 2, 3]


def mixed(word: int) -> int:
    """The finaliser of SplitMix64."""
    full = (1 << 64) - 1
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & full
    word = (word ^ word >> 27) * 0x94D049BB133111EB & full
    return word ^ word >> 31


def cut_by_hand(seed: int, players: int, low: bool) -> int:
    """Each seat cuts a card, those with the best rank (the ace high) cut again, until one is left."""
    key, count, left = python_game_key(seed), 0, list(range(players))
    while len(left) > 1:
        pack, ranks = set_to_ids((1 << 52) - 1), []
        for _ in left:
            word = mixed(mixed(key ^ DEALER_STREAM) + (count + 1) * 0x9E3779B97F4A7C15 & (1 << 64) - 1)
            ranks.append(pack.pop((word >> 32) * len(pack) >> 32) % 13)
            count += 1
        best = min(ranks) if low else max(ranks)
        left = [seat for seat, rank in zip(left, ranks, strict=True) if rank == best]
    return left[0]


@pytest.mark.parametrize("players", range(2, 10))
def test_section_2_pains_e2_the_deal_moves_one_seat_clockwise(players: int) -> None:
    """As long as nobody is out, which with nine lives takes a while."""
    rules = Rules.preset("pagat", lives=9, natural_31="own_turn")
    game = Game(rules, players, seed=players, dealer=players - 1)
    for round_number in range(max(4, players + 1)):
        assert game.dealer == (players - 1 + round_number) % players
        assert game.turn == (game.dealer + 1) % players
        assert not game.out
        play(game, "knock", *["-"] * (players - 1))
        assert game.round_count == round_number + 1


@pytest.mark.parametrize("players", range(3, 10))
def test_section_2_pains_e2_dealer_or_next_dealer_goes_out(players: int) -> None:
    """The deal goes to the first seat still in from the old dealer's; the first still in to his left plays."""
    for dealer in range(players):
        for dying in range(players):
            game = one_goes_out(players, dealer, dying)
            clockwise = [(dealer + step) % players for step in range(1, players + 1)]
            left = [seat for seat in clockwise if seat != dying]
            assert game.out == [dying]
            assert (game.dealer, game.turn) == (left[0], left[1])


def one_goes_out(players: int, dealer: int, dying: int) -> Game:
    """A round in which one seat has one token, no county and the lowest hand, and another seat knocks."""
    lives = [1 if seat == dying else 3 for seat in range(players)]
    others = [seat for seat in range(players) if seat != dying]
    hands = dict(zip(others, ("9C", "9D", "9H", "9S", "TC", "TD", "TH", "TS"), strict=False))
    rules = Rules.preset("kids", declare="claim", natural_31="own_turn")  # no dealt 31 ends the next round unseen
    game = laid_out(rules, players, {dying: "2S 3H 4C", **hands}, dealer=dealer, lives=lives, up="5D", seed=9)
    if game.turn == dying:
        play(game, "-")
    return play(game, "knock", *["-"] * (players - 1))


def test_section_2_a_replayed_hand_keeps_its_dealer() -> None:
    rules = Rules.preset("pagat", knocker_tie="all_lose", all_out="replay")
    game = laid_out(rules, 2, {0: "2C 3D 4H", 1: "4C 3S 2D"}, dealer=1, lives=[0, 0], up="5S", seed=2)
    play(game, "knock", "-")
    assert game.last_round is not None
    assert game.last_round.replayed
    assert (game.dealer, game.deal_number, game.lives, game.on_county) == (1, 1, [0, 0], [0, 1])


def test_section_2_a_drawn_round_moves_the_deal_on() -> None:
    rules = Rules(cards=CARDS[:9], stock_out="draw")
    game = Game(rules, 2, seed=4, dealer=0)
    play(game, "-", "-")
    assert game.last_round is not None
    assert game.last_round.reason == "drawn"
    assert game.last_round.lost == (0, 0)
    assert game.dealer == 1


# --- the dealer's up-card ------------------------------------------------------------------------------------------

SWAP = Rules.preset("standard", dealer_upcard_swap=True)


def test_section_2_dealer_upcard_swap_false_starts_with_the_first_turn() -> None:
    game = laid_out(Rules.preset("standard", dealer_upcard_swap=False), 3, {2: "2C 3D 4H"}, up="AS")
    assert (game.phase, game.turn) == ("turn", 0)
    with pytest.raises(IllegalAction, match="dealer_upcard_swap"):
        game.play("swap_upcard")


def test_section_2_dealer_upcard_swap_true_asks_the_dealer_once_before_the_first_turn() -> None:
    game = laid_out(SWAP, 3, {2: "2C 3D 4H"}, up="AS")
    assert (game.phase, game.turn, game.legal_actions()) == ("upcard", 2, ["pass", "swap_upcard"])
    play(game, "swap_upcard")
    assert game.legal_actions() == ["discard 2C", "discard 3D", "discard 4H"], "never the up-card itself"
    assert game.top is None
    play(game, "discard 3D")
    assert (game.top, game.turn, game.phase, game.turn_number) == ("3D", 0, "turn", 0), "the swap is not a turn"
    assert game.hands[2] == ["2C", "4H", "AS"]


def test_section_2_dealer_upcard_swap_may_be_left() -> None:
    game = play(laid_out(SWAP, 3, {2: "2C 3D 4H"}, up="AS"), "pass")
    assert (game.top, game.turn, game.hands[2]) == ("AS", 0, ["2C", "3D", "4H"])


def test_section_2_dealer_upcard_swap_keeps_the_first_turn_ban_on_the_first_seat() -> None:
    game = play(laid_out(SWAP, 3, {2: "2C 3D 4H"}, up="AS"), "pass")
    assert "knock" not in game.legal_actions()


def test_section_2_dealer_upcard_swap_not_the_up_card_even_where_taken_cards_may_go_back() -> None:
    rules = SWAP.replace(return_taken_discard=True)
    game = play(laid_out(rules, 3, {2: "2C 3D 4H"}, up="AS"), "swap_upcard")
    assert "discard AS" not in game.legal_actions()


def test_section_2_dealer_upcard_swap_comes_after_dealt_31s() -> None:
    game = laid_out(SWAP, 3, {0: "AH KH QH", 2: "KS QS 4H"}, up="AS")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.declared) == ("natural", (0,))


@pytest.mark.parametrize("declare", ["auto", "claim", "hold"])
def test_section_2_dealer_upcard_swap_to_31_is_shown_at_once(declare: str) -> None:
    game = laid_out(SWAP.replace(declare=declare), 3, {2: "KS QS 4H"}, up="AS")
    play(game, "swap_upcard")
    assert game.last_round is None, "not before a card is given up"
    play(game, "discard 4H")
    assert game.last_round is not None
    assert (game.last_round.reason, game.last_round.declared) == ("declared", (2,))
    assert game.last_round.lost == (1, 1, 0)


def test_section_2_dummy_hand_false_deals_none() -> None:
    game = laid_out(Rules.preset("standard", dummy_hand=False), 2, {}, up="5C")
    assert game.stock_count == 52 - 6 - 1
    with pytest.raises(IllegalAction, match="there is no dummy hand to take"):
        game.play("swap_dummy")


def test_section_2_dummy_hand_true_is_dealt_after_the_hands_and_before_the_up_card() -> None:
    rules = Rules.preset("standard", dummy_hand=True)
    game = Game(rules, 2, dealer=1, chance="manual")
    for card in CARDS[:10]:
        game.give(card)
    assert game.hands == [["2C", "4C", "6C"], ["3C", "5C", "7C"]]
    assert game.dummy is None, "face down"
    assert (game.top, game.stock_count) == (CARDS[9], 52 - 10)
    game.play("swap_dummy")
    assert game.hands[0] == ["8C", "9C", "TC"]
