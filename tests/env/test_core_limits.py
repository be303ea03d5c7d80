"""RULES section 12, the engine's own: a round and a match always end; small packs, hands and targets."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, Rules, UserError


def reasons(game: Game) -> list[str]:
    return [result.reason for result in game.rounds]


@pytest.mark.parametrize("most", [1, 2, 5, 17, 200])
def test_section_12_max_turns_everyone_shows_with_no_knocker(most: int) -> None:
    rules = Rules(max_turns=most, declare="hold", natural_31="own_turn")
    game = Game(rules, 3, seed=most, dealer=0)
    turns = 0
    while not game.round_count:
        assert game.turn_number == turns
        play(game, "-")
        turns += 1
    assert turns == most
    result = game.last_round
    assert result is not None
    assert (result.reason, result.knocker) == ("limit", None)
    assert sum(result.lost) >= 1


def test_section_12_max_turns_0_is_no_limit() -> None:
    rules = Rules(max_turns=0, declare="hold", natural_31="own_turn")
    game = Game(rules, 2, seed=1)
    for _ in range(1500):
        play(game, "-")
    assert (game.round_count, game.turn_number) == (0, 1500)


@pytest.mark.parametrize("at", range(1, 4))
def test_section_12_max_turns_never_cuts_a_final_lap_short(at: int) -> None:
    """The limit of three turns would fall into the lap of a knock on turn ``at``."""
    game = laid_out(Rules(max_turns=3), 4, {0: "2C 3D 4H", 1: "5C 6D 7H", 2: "KS QS 9H", 3: "JD TD 8C"}, up="2S",
                    stock="2D 3H 4C 5H 6S")
    play(game, *["-"] * (at - 1), "knock", "-", "-")
    assert game.last_round is None
    play(game, "-")
    assert reasons(game) == ["knock"]


def test_section_12_max_turns_at_a_pool_table() -> None:
    game = laid_out(Rules.preset("schwimmen", max_turns=4, dealer_packet=False), 3, {0: "7C 8D 9H"}, extra="7H 8S 9D")
    play(game, "pass", "pass", "take_pool 0", "discard 7C" if "7C" in game.hands[2] else f"discard {game.hands[2][0]}")
    assert game.last_round is None
    play(game, "pass")
    assert reasons(game) == ["limit"]


def test_section_12_stock_out_show_lets_max_turns_end_a_final_lap() -> None:
    """So that a small game has no more turns than its limit."""
    rules = Rules(max_turns=2, stock_out="show")
    game = laid_out(rules, 3, {0: "2C 3D 4H", 1: "5C 6D 7H", 2: "KS QS 9H"}, up="2S", stock="2D 3H 4C")
    play(game, "knock", "-")
    assert game.last_round is not None
    assert game.last_round.knocker == 0


@pytest.mark.parametrize("most", [1, 2, 7])
def test_section_12_max_deals_truncates_the_match(most: int) -> None:
    rules = Rules.preset("pagat", max_deals=most, lives=9, natural_31="own_turn")
    game = Game(rules, 3, seed=5)
    while not game.over:
        play(game, "knock", "-", "-")
    assert (game.round_count, game.truncated, game.winner) == (most, True, None)


def test_section_12_max_deals_0_is_no_limit() -> None:
    """A party game of draws without end goes on past the largest limit there is."""
    rules = Rules.preset("party", max_deals=0, max_turns=1)
    game = Game(rules, 2, seed=5)
    while game.round_count < 4200 and not game.over:
        game.play("draw_stock")
        if game.phase == "discard":
            game.play(game.legal_actions()[0])
    assert game.over or game.round_count == 4200
    assert not game.truncated


def test_section_12_max_deals_counts_void_deals() -> None:
    rules = Rules.preset("pagat", knocker_tie="all_lose", max_deals=1)
    game = laid_out(rules, 2, {0: "9S 2H 3D", 1: "9H 2D 3C"}, lives=[0, 0], up="5S", stock="4D")
    play(game, "knock", "-")
    assert (game.over, game.truncated, game.out) == (True, True, [])
    assert game.placings == [1, 1]


def test_section_12_max_deals_placings_by_tokens_and_the_survivors_share_what_was_paid() -> None:
    rules = Rules.preset("kids", max_deals=1)
    hands = {0: "2C 3D 4H", 1: "AS KS 9H", 2: "AD KD 9C", 3: "AH TH 9D"}
    game = laid_out(rules, 4, hands, lives=[1, 3, 2, 3], up="2S", stock="2D 3H 4C 5C")
    play(game, "-", "knock", "-", "-", "-")
    result = game.last_round
    assert result is not None
    assert (game.truncated, game.placings, game.out) == (True, [4, 1, 3, 1], [0])
    assert result.rewards_match == pytest.approx((-1 / 3, 1 / 9, 1 / 9, 1 / 9))
    assert sum(result.rewards_match) == pytest.approx(0)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_section_12_hand_size(size: int) -> None:
    rules = Rules(hand_size=size, target=31 if size == 3 else 21 if size == 2 else 11)
    game = Game(rules, 3, seed=2)
    assert [len(hand) for hand in game.hands] == [size] * 3
    with pytest.raises(UserError, match=f"a hand has {size} cards, not 4"):
        rules.worth(["2C", "3C", "4C", "5C"])


@pytest.mark.parametrize(
    ("target", "hand", "drawn", "offered"),
    [
        (20, "KS 4D", "QS", True), (20, "AS 4D", "KS", False), (11, "9S 4D", "2S", True), (11, "9S 4D", "3S", False),
        (5, "2S 9D", "3S", True), (2, "5S", "2D", True), (2, "5S", "3D", False), (31, "AS KD", "KS", False),
        (30, "KS QS 2D", "JS", True),
    ],
)
def test_section_12_target_is_exactly_the_worth_that_may_be_shown(
    target: int, hand: str, drawn: str, offered: bool
) -> None:
    rules = Rules(hand_size=len(hand.split()), target=target, declare="claim", natural_31="own_turn")
    game = play(laid_out(rules, 2, {0: hand}, up="5C", stock=drawn), "draw_stock")
    assert ("declare" in game.legal_actions()) == offered


def test_section_12_a_small_pack_is_the_whole_game() -> None:
    rules = Rules(cards=["2C", "3C", "4C", "5C", "6C"], hand_size=1, target=11)
    game = Game(rules, 2, seed=1, dealer=0)
    assert game.stock_count == 2
    seen = {card for hand in game.hands for card in hand} | {game.top}
    assert seen <= {"2C", "3C", "4C", "5C", "6C"}
    with pytest.raises(UserError, match="4 players need 6 cards, but only 5 are in play"):
        Game(rules, 4)


def test_section_12_too_few_cards_are_refused() -> None:
    with pytest.raises(UserError, match="9 players need 32 cards, but only 27 are in play"):
        Rules(cards=[c + s for c in "23456789T" for s in "CDH"], dummy_hand=True).check_players(9)
    with pytest.raises(UserError, match="too few for a game"):
        Rules(cards=["2C"])
