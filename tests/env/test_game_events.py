"""The event log and what a seat has seen of it: perfect recall, own cards only, nothing twice."""

from __future__ import annotations

import random
import re

import pytest

from tests.env.game_walks import PRESETS, random_table, walk
from tests.env.stacking import laid_out, play
from thirtyone_env import Game, Rules
from thirtyone_env.cards import CARDS, set_to_cards
from thirtyone_env.core import entry

HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}
CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")


def table(**options: object) -> Game:
    return laid_out(Rules(**options), 3, HANDS, up="AS", stock="5H 6H 7H 8H 9D")


def test_the_log_of_a_round_line_by_line() -> None:
    game = play(table(), "draw_stock", "discard 2C", "draw_discard", "discard 9H", "knock", "-", "-")
    assert [event.text for event in game.events] == [
        "seat 2 deals",
        "seat 0 holds 2C 3D 4H",
        "seat 1 holds 9H QS KS",
        "seat 2 holds 8C TD JD",
        "up-card AS",
        "seat 0: draw_stock",
        "seat 0 draws 5H",
        "seat 0: discard 2C",
        "seat 1: draw_discard 2C",
        "seat 1: discard 9H",
        "seat 2: knock",
        "seat 0: draw_stock",
        "seat 0 draws 6H",
        "seat 0: discard 6H",
        "seat 1: draw_stock",
        "seat 1 draws 7H",
        "seat 1: discard 7H",
        "round ends (knock); hands 0:3D 4H 5H 1:2C QS KS 2:8C TD JD; lost [1, 0, 0]; lives [2, 3, 3]",
    ]


def test_a_seat_sees_its_own_hand_and_draws_and_what_lies_open() -> None:
    game = play(table(), "draw_stock", "discard 2C", "draw_discard", "discard 9H")
    assert game.information_state(1) == (
        "seat 2 deals",
        "seat 1 holds 9H QS KS",
        "up-card AS",
        "seat 0: draw_stock",
        "seat 0: discard 2C",
        "seat 1: draw_discard 2C",
        "seat 1: discard 9H",
    )
    assert "seat 0 draws 5H" in game.information_state(0)


def test_a_reshuffle_is_seen_by_all() -> None:
    rules = Rules(cards=("2C", "3D", "4H", "KS", "QS", "9H", "5C", "6D", "7H"), stock_out="reshuffle")
    game = laid_out(rules, 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="5C", stock="6D 7H", seed=3)
    play(game, "-", "-", "draw_stock")
    for seat in range(2):
        assert "the discards are shuffled and become the stock" in game.information_state(seat)


def test_a_dummy_taken_is_seen_by_its_taker_and_the_hand_left_by_all() -> None:
    game = laid_out(Rules(dummy_hand=True), 3, HANDS, extra="5H 6D 9S", up="2S")
    play(game, "swap_dummy")
    assert game.information_state(0)[-1] == "seat 0: swap_dummy takes 6D 5H 9S leaves 2C 3D 4H"
    assert game.information_state(1)[-1] == "seat 0: swap_dummy leaves 2C 3D 4H"


def test_an_open_swap_of_all_is_seen_by_all_but_a_packet_only_by_the_dealer() -> None:
    rules = Rules.preset("schwimmen")
    game = laid_out(rules, 3, {0: "7C 8D 9H", 1: "KS QS 9D", 2: "7D 8H 9C"}, extra="AS KH QD")
    play(game, "swap_all", "swap_all")
    assert game.information_state(1)[-2:] == (
        "seat 2: swap_all leaves 9C 7D 8H",
        "seat 0: swap_all takes 9C 7D 8H leaves 7C 8D 9H",
    )
    assert "takes QD KH AS" in " ".join(game.information_state(2))
    assert "takes QD KH AS" not in " ".join(game.information_state(0))


@pytest.mark.parametrize("chunk", range(3))
def test_information_states_only_grow_perfect_recall(chunk: int) -> None:
    """What a seat knew before stays the beginning of what it knows: nothing is forgotten or told otherwise."""
    source = random.Random(chunk)
    for _ in range(10):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        known = [game.information_state(seat) for seat in range(game.players)]
        for step, _ in enumerate(walk(game, source, 70)):
            if step % 6 and not game.over:
                continue
            for seat in range(game.players):
                now = game.information_state(seat)
                assert now[: len(known[seat])] == known[seat]
                known[seat] = now


@pytest.mark.parametrize("preset", PRESETS)
def test_a_seats_cards_follow_from_what_it_has_seen(preset: str) -> None:
    """Its hand, with all that it has drawn, taken and thrown, is in its own information state, card for card."""
    source = random.Random(5)
    for players in (2, 4, 7):
        game = Game(preset, players, seed=players, chance="manual")
        for _ in walk(game, source, 60):
            if game.phase == "deal" or game.over:
                continue
            for seat in range(players):
                told = set(CARD.findall(" ".join(game.information_state(seat))))
                assert set(game.hands[seat]) <= told


def test_draws_are_seen_by_the_drawer_alone_in_random_games() -> None:
    source = random.Random(9)
    for _ in range(25):
        game = random_table(source)
        list(walk(game, source, 50))
        for event in game.events:
            if event.kind in ("drew", "dealt"):
                assert event.seen_by == (event.seat,)
                assert event.hidden == ""
                for seat in range(game.players):
                    assert (event.for_seat(seat) == event.text) == (seat == event.seat)
            if event.kind in ("deal", "open", "reshuffle", "round", "over"):
                assert event.seen_by is None


def test_every_round_is_told_once_with_its_result() -> None:
    source = random.Random(10)
    for _ in range(25):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        list(walk(game, source, 400))
        told = [event.result for event in game.events if event.kind == "round"]
        assert told == game.rounds
        assert sum(event.kind == "over" for event in game.events) == int(game.over)
        deals = sum(event.kind == "deal" for event in game.events)
        assert deals - len(told) in ((0,) if game.over else (0, 1))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_cards_make_the_same_events_however_chance_came(preset: str) -> None:
    """From a seed, given card by card, and from a scripted pack."""
    source = random.Random(11)
    rules = Rules.preset(preset, declare="claim", natural_31="own_turn")
    own = Game(rules, 3, seed=2, dealer=1)
    by_hand = Game(rules, 3, seed=2, dealer=1, chance="manual")
    given = give_its_own_cards(by_hand)
    actions = []
    for _ in range(14):
        actions.append(source.choice([name for name in own.legal_actions() if name not in ("knock", "declare")]))
        own.play(actions[-1])
        by_hand.play(actions[-1])
        given += give_its_own_cards(by_hand)
    pack = given + [card for card in set_to_cards(rules.deck_set) if card not in given]
    scripted = play(Game(rules, 3, deck=pack, dealer=1), *actions)
    assert own.round_count == 0
    texts = [[event.text for event in game.events] for game in (own, by_hand, scripted)]
    assert texts[0] == texts[1] == texts[2]
    assert len(texts[0]) > 14


def give_its_own_cards(game: Game) -> list[str]:
    """Give a game the cards that its own stream would give; returns them."""
    given = []
    while game.needs_card:
        given.append(CARDS[entry.next_card(game.state)])
        game.give(given[-1])
    return given


@pytest.mark.parametrize("preset", ["mini_5x1", "mini_3x2"])
def test_what_a_seat_has_seen_decides_all_that_it_is_shown(preset: str) -> None:
    """In small games histories often look alike to a seat: then its view, with its legal actions, is the same."""
    source = random.Random(12)
    views: dict[tuple[int, tuple[str, ...]], bytes] = {}
    met_again = 0
    for _ in range(250):
        game = Game(preset, 2, dealer=0, seed=source.randrange(1 << 40), episode="round")
        while not game.over:
            for seat in range(2):
                view = game.view(seat).tobytes()
                before = views.setdefault((seat, game.information_state(seat)), view)
                assert before == view
                met_again += before is not view
            game.play(source.choice(game.legal_actions()))
    assert met_again > 300
    assert len(views) > 100
