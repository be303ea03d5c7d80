"""RULES section 11, Schwimmen: a pool, the dealer's packet, passing round renews the pool, closing, three aces."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules, UserError
from thirtyone_env.settlement import RoundResult

SCHWIMMEN = Rules.preset("schwimmen")
PLAIN = SCHWIMMEN.replace(dealer_packet=False)
HANDS = {0: "7C 8D 9H", 1: "KS QS 9D", 2: "JD TD 8C"}


def table(pool: str = "7H 8S 9S", players: int = 3, rules: Rules = PLAIN, **options: object) -> Game:
    hands = {seat: HANDS[seat] for seat in range(players)}
    return laid_out(rules.replace(**options) if options else rules, players, hands, extra=pool, seed=6)


def ended(game: Game) -> RoundResult:
    assert game.last_round is not None
    return game.last_round


# --- the table -------------------------------------------------------------------------------------------------------


def test_section_11_table_stock_discard_has_a_pile_and_no_pool() -> None:
    game = laid_out(Rules(table="stock_discard"), 2, {}, up="2S")
    assert (game.top, game.pool) == ("2S", [])
    with pytest.raises(IllegalAction):
        game.play("take_pool 0")


def test_section_11_table_widow_never_draws_new_cards() -> None:
    game = laid_out(Rules.preset("bicycle"), 2, {0: "2C 3D 4H", 1: "5C 6D 7H"}, extra="8C 9D TH")
    play(game, "pass", "pass", "pass", "pass")
    assert game.pool == ["8C", "9D", "TH"]


def test_section_11_table_pool_offers_one_all_pass_or_close() -> None:
    game = play(table(), "pass", "pass", "take_pool 0", "discard JD")
    assert game.legal_actions() == ["knock", "pass", "swap_all", "take_pool 0", "take_pool 1", "take_pool 2"]
    assert (game.pool, game.top) == (["JD", "8S", "9S"], None)


def test_section_11_pool_exchange_one_offers_no_swap_of_all() -> None:
    assert "swap_all" not in table(pool_exchange="one").legal_actions()


def test_section_11_pool_exchange_any_goes_on_after_an_exchange() -> None:
    game = play(table(pool_exchange="any"), "take_pool 0", "discard 7C")
    assert (game.turn, game.phase) == (0, "turn")
    assert "swap_all" not in game.legal_actions()


def test_section_11_pool_exchange_one_or_all_never_two() -> None:
    game = play(table(pool_exchange="one_or_all"), "take_pool 0", "discard 7C")
    assert game.turn == 1, "after one card the turn is over"
    play(game, "swap_all")
    assert (game.hands[1], game.pool, game.turn) == (["7C", "8S", "9S"], ["9D", "QS", "KS"], 2)


def test_section_11_the_card_put_down_may_not_be_the_one_taken() -> None:
    game = play(table(), "take_pool 0")
    assert game.legal_actions() == ["discard 7C", "discard 8D", "discard 9H"]


# --- all pass --------------------------------------------------------------------------------------------------------


def test_section_11_all_pass_renews_false_leaves_the_pool() -> None:
    game = play(table(all_pass_renews=False), "pass", "pass", "pass", "pass")
    assert game.pool == ["7H", "8S", "9S"]


def test_section_11_all_pass_renews_true_lays_out_three_new_cards() -> None:
    game = play(table(all_pass_renews=True), "pass", "pass")
    assert (game.pool, game.stock_count) == (["7H", "8S", "9S"], 32 - 12)
    play(game, "pass")
    assert len(game.pool) == 3
    assert not set(game.pool) & {"7H", "8S", "9S"}
    assert (game.stock_count, game.turn) == (17, 0)


def test_section_11_all_pass_renews_true_only_when_all_passed_in_a_row() -> None:
    game = play(table(all_pass_renews=True), "pass", "pass", "take_pool 0", "discard JD", "pass", "pass")
    assert game.stock_count == 20, "seat 2 exchanged, so the count began anew"
    assert play(game, "pass").stock_count == 17


def test_section_11_all_pass_renews_true_but_not_after_someone_has_closed() -> None:
    game = play(table(all_pass_renews=True), "pass", "pass", "take_pool 0", "discard JD", "knock", "pass", "pass")
    assert (ended(game).reason, ended(game).knocker) == ("knock", 0)


@pytest.mark.parametrize(("players", "left"), [(8, 5), (9, 2)])
def test_section_11_all_pass_renews_true_with_too_few_cards(players: int, left: int) -> None:
    """Eight players leave five cards: the old pool is shuffled back. Nine leave two: everyone shows."""
    rules = PLAIN.replace(natural_31="own_turn", declare="claim", max_turns=0)
    game = next(g for g in (Game(rules, players, seed=s, dealer=0) for s in range(50)) if not g.round_count)
    assert game.stock_count == left
    first = set(game.pool)
    play(game, *["pass"] * players)
    if players == 9:
        assert (ended(game).reason, ended(game).knocker) == ("stock_out", None)
        return
    second = set(game.pool)
    assert (game.stock_count, len(second), first & second) == (2, 3, set())
    play(game, *["pass"] * players)
    third = set(game.pool)
    assert not third & second, "the three open ones stay out of the shuffle"
    assert len(third & first) >= 1, "those put aside before came back"
    assert (game.stock_count, game.discard_count) == (2, 3)


# --- the packet ------------------------------------------------------------------------------------------------------

PACKETS = {0: "7C 8D 9H", 1: "KS QS 9D", 2: "7D 8H 9C"}


def packet() -> Game:
    return laid_out(SCHWIMMEN, 3, PACKETS, extra="AS KH QD", seed=6)


def test_section_11_dealer_packet_false_the_pool_lies_open_at_once() -> None:
    game = table(dealer_packet=False)
    assert (game.phase, game.turn, game.pool) == ("turn", 0, ["7H", "8S", "9S"])


def test_section_11_dealer_packet_true_the_dealer_keeps_his() -> None:
    game = packet()
    assert (game.phase, game.turn, game.legal_actions(), game.pool) == ("packet", 2, ["pass", "swap_all"], [])
    play(game, "pass")
    assert (game.hands[2], game.pool, game.turn) == (["9C", "7D", "8H"], ["QD", "KH", "AS"], 0)


def test_section_11_dealer_packet_true_or_must_take_the_other_unseen() -> None:
    game = packet()
    assert int(game.view(2)[8]) == 0, "he has not seen it"
    play(game, "swap_all")
    assert (game.hands[2], game.pool, game.turn) == (["QD", "KH", "AS"], ["9C", "7D", "8H"], 0)


def test_section_11_dealer_packet_true_is_not_a_turn() -> None:
    assert play(packet(), "pass").turn_number == 0


def test_section_11_dealer_packet_true_a_31_of_the_dealer_counts_after_his_choice() -> None:
    game = laid_out(SCHWIMMEN, 3, {2: "AH KH QH", 0: "7C 8D 9H"}, extra="7S 8S 9D", seed=6)
    assert game.phase == "packet", "not before the choice"
    result = ended(play(game, "pass"))
    assert (result.reason, result.declared) == ("natural", (2,))


def test_section_11_dealer_packet_true_all_dealt_31s_wait_for_the_choice() -> None:
    game = laid_out(SCHWIMMEN, 3, {0: "AH KH QH", 2: "7C 8D 9H"}, extra="AS KS QS", seed=6)
    result = ended(play(game, "swap_all"))
    assert (result.reason, result.declared) == ("natural", (0, 2))


def test_section_11_dealer_packet_true_three_aces_count_after_the_choice() -> None:
    game = laid_out(SCHWIMMEN, 3, {2: "7C 8D 9H", 0: "7S 8S 9D"}, extra="AS AH AD", seed=6)
    result = ended(play(game, "swap_all"))
    assert (result.reason, result.declared, result.lost) == ("feuer", (2,), (1, 1, 0))


# --- closing, the end ------------------------------------------------------------------------------------------------


def test_section_11_closing_is_forbidden_in_the_first_lap() -> None:
    game = table()
    for _ in range(3):
        with pytest.raises(IllegalAction, match="first lap"):
            game.play("knock")
        play(game, "pass" if game.turn != 2 else "swap_all")
    assert "knock" in game.legal_actions()


def test_section_11_after_closing_one_more_turn_each_and_no_penalty() -> None:
    game = play(table(), "swap_all", "pass", "pass", "knock")
    assert game.legal_actions() == ["pass", "swap_all", "take_pool 0", "take_pool 1", "take_pool 2"]
    result = ended(play(game, "pass", "pass"))
    assert (result.knocker, result.values, result.lost) == (0, (17, 20, 20), (1, 0, 0))


def test_section_11_all_who_tie_for_lowest_lose_one() -> None:
    assert SCHWIMMEN.settle([17, 17, 20], knocker=0).lost == (1, 1, 0)


def test_section_11_swimming_is_the_county() -> None:
    assert SCHWIMMEN.settle([17, 19, 20], knocker=0, lives=[1, 1, 1]).on_county == (0,)


def test_section_11_a_31_ends_the_hand_and_the_lowest_loses_one() -> None:
    game = laid_out(PLAIN, 3, {0: "KS QS 7D", 1: "8C 9D 7H", 2: "JD TD 8D"}, extra="AS 8S 9S", seed=6)
    result = ended(play(game, "take_pool 2", "discard 7D"))
    assert (result.reason, result.declared, result.lost) == ("declared", (0,), (0, 1, 0))


def test_section_11_three_aces_feuer_end_the_hand_and_everyone_else_loses_one() -> None:
    game = laid_out(PLAIN, 3, {0: "AC AD 7S", 1: "8C 9D 7H", 2: "JD TD 8D"}, extra="AS 8S 9S", seed=6)
    result = ended(play(game, "take_pool 2", "discard 7S"))
    assert (result.reason, result.declared, result.values[0], result.lost) == ("feuer", (0,), 33, (0, 1, 1))


def test_section_11_three_aces_feuer_dealt_end_the_hand_at_once() -> None:
    result = ended(laid_out(PLAIN, 3, {1: "AC AD AS", 0: "AH KH QH"}, extra="7S 8S 9S", seed=6))
    assert (result.reason, result.declared, result.lost) == ("feuer", (1,), (1, 0, 1))


def test_section_11_three_aces_feuer_by_taking_all_three() -> None:
    game = laid_out(PLAIN, 2, {0: "7C 8D 9H", 1: "8C 9D 7H"}, extra="AC AD AS", seed=6)
    assert ended(play(game, "swap_all")).reason == "feuer"


def test_section_11_three_aces_feuer_costs_one_whatever_the_31_rules_say() -> None:
    rules = SCHWIMMEN.replace(knocker_on_31=2, simultaneous_31=2)
    assert rules.settle([33, 10, 20], declared=[0], knocker=1, reason="feuer").lost == (0, 1, 1)


def test_section_11_three_aces_feuer_needs_the_pool_table_and_triples() -> None:
    for options in ({"table": "stock_discard", "three_of_a_kind": "30.5"}, {"table": "pool", "three_of_a_kind": "off"}):
        with pytest.raises(UserError, match="three_aces='feuer' needs table pool and three_of_a_kind"):
            Rules(three_aces="feuer", **options)


def test_section_11_triples_are_30_5() -> None:
    assert SCHWIMMEN.worth(["7S", "7H", "7D"]) == 30.5


def test_section_11_nine_players_leave_two_cards_over() -> None:
    assert SCHWIMMEN.check_players(9) == 9
