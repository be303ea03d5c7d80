"""No seat can see what is hidden: swap hidden cards and everything that a seat is shown stays bit-equal (PAINS C)."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.env.game_walks import PRESETS, random_table, walk
from thirtyone_env import Game, Rules, observation, render
from thirtyone_env.cards import set_to_ids
from thirtyone_env.core import layout
from thirtyone_env.decode import field

EXTRA, STOCK = int(layout.EXTRA), int(layout.STOCK)


def hand_word(seat: int) -> int:
    return int(layout.HAND) + 2 * seat


def word(game: Game, number: int) -> int:
    return int(game._state[number, 0])


def hidden_places(game: Game, viewer: int) -> dict[int, int]:
    """Words of the state that hold cards whose place a seat does not know, with those cards."""
    known = word(game, int(layout.KNOWN))
    places = {hand_word(s): word(game, hand_word(s)) & ~known for s in range(game.players) if s != viewer}
    places[STOCK] = word(game, STOCK)
    closed = game.phase == "packet" or (game.rules.table == "stock_discard" and not field(game._state, layout.TURNED))
    if closed:
        places[EXTRA] = word(game, EXTRA)
    return {place: cards for place, cards in places.items() if cards}


def swapped(game: Game, viewer: int, source: random.Random) -> Game | None:
    """The game with two hidden cards of different places exchanged; None where there are no two.

    After a reshuffle everyone knows which cards went into the stock: those are exchanged among themselves only.
    """
    places = hidden_places(game, viewer)
    shuffled = word(game, int(layout.RESHUFFLED)) if game.rules.table == "stock_discard" else 0
    pairs = list(places.items())
    for _ in range(20):
        if len(pairs) < 2:
            return None
        (one, first), (two, second) = source.sample(pairs, 2)
        a, b = source.choice(set_to_ids(first)), source.choice(set_to_ids(second))
        if (shuffled >> a & 1) == (shuffled >> b & 1):
            return exchange(game, one, a, two, b)
    return None


def exchange(game: Game, one: int, a: int, two: int, b: int) -> Game:
    copy = game.clone()
    both = np.uint64(1 << a | 1 << b)
    copy._state[one, 0] ^= both
    copy._state[two, 0] ^= both
    drawn = field(game._state, layout.DRAWN)
    if drawn in (a, b) and not field(game._state, layout.TAKEN):
        at, shift, mask = (int(x) for x in layout.DRAWN)
        cleared = int(copy._state[at, 0]) & ~(mask << shift)
        copy._state[at, 0] = np.uint64(cleared | (a + b - drawn) << shift)
    return copy


def shown(game: Game, viewer: int) -> dict[str, Any]:
    """Everything that a seat is shown."""
    view = game.view(viewer)
    return {
        "view": view.tobytes(),
        "observation": observation.encode(view).tobytes(),
        "observation for nine": observation.encode(view, seats=9).tobytes(),
        "mask": observation.action_masks(view).tobytes(),
        "text": observation.describe(view),
        "rendering": render.ansi(render.scene_of_game(game, viewer)),
    }


def check_swaps(game: Game, source: random.Random, covered: Counter[tuple[str, str]]) -> None:
    for viewer in range(game.players):
        if viewer in game.out:
            continue
        before = shown(game, viewer)
        for _ in range(3):
            other = swapped(game, viewer, source)
            if other is None:
                continue
            assert other.state.tobytes() != game.state.tobytes()
            after = shown(other, viewer)
            different = [name for name in before if before[name] != after[name]]
            assert not different, f"{different} of seat {viewer} shows what is hidden: {game.phase}, {game.rules!r}"
            covered[game.rules.table, game.phase] += 1


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("manual", [False, True])
def test_pains_c1_hidden_cards_change_nothing_that_a_seat_is_shown(preset: str, manual: bool) -> None:
    covered: Counter[tuple[str, str]] = Counter()
    for players in range(2, 10):
        source = random.Random(players)
        game = Game(preset, players, **({"chance": "manual"} if manual else {"seed": players}))
        for step, _ in enumerate(walk(game, source, 80)):
            if step % 16 == players or game.over:
                check_swaps(game, source, covered)
    assert sum(covered.values()) > 150


def renewal() -> Game:
    """Schwimmen where all have passed and chance is about to lay out a new pool."""
    game = Game("schwimmen", 3, dealer=0, chance="manual")
    for card in ("7C", "8D", "9H", "7D", "8H", "9S", "7H", "8S", "9C", "KC", "QD", "JH"):
        game.give(card)
    for _ in range(4):
        game.play("pass")
    return game


def test_pains_c1_hidden_cards_change_nothing_at_any_table_in_any_phase() -> None:
    covered: Counter[tuple[str, str]] = Counter()
    source = random.Random(77)
    for number in range(160):
        game = random_table(source, chance="manual" if number % 2 else "seed")
        for step, _ in enumerate(walk(game, source, 120)):
            rare = covered[game.rules.table, game.phase] < 20
            if rare or step % 24 == number % 24:
                check_swaps(game, source, covered)
    renewed = renewal()
    check_swaps(renewed, source, covered)
    assert renewed.phase == "renew"
    phases = {
        "stock_discard": ("deal", "draw", "turn", "discard", "upcard"),
        "widow": ("deal", "turn", "pool"),
        "pool": ("deal", "turn", "pool", "packet", "renew"),
    }
    assert all(covered[table, phase] >= 3 for table, names in phases.items() for phase in names), covered


def test_pains_c1_hidden_cards_do_not_change_the_picture() -> None:
    source = random.Random(3)
    for preset in ("pagat", "bicycle", "schwimmen"):
        game = Game(preset, 4, seed=6)
        list(walk(game, source, 9))
        viewer = 1
        other = swapped(game, viewer, source)
        assert other is not None
        pictures = [render.rgb_array(render.scene_of_game(g, viewer)) for g in (game, other)]
        assert np.array_equal(*pictures)


def test_what_a_seat_may_know_does_change_what_it_is_shown() -> None:
    """The tests above can fail: its own hand and the open cards show in every form."""
    source = random.Random(4)
    for preset in PRESETS:
        game = Game(preset, 3, seed=9)
        list(walk(game, source, 6))
        unknown = [word(game, hand_word(seat)) & ~word(game, int(layout.KNOWN)) for seat in range(3)]
        me = max(range(3), key=lambda seat: unknown[seat].bit_count())
        other = exchange(game, hand_word(me), set_to_ids(unknown[me])[0], STOCK, set_to_ids(word(game, STOCK))[0])
        before, after = shown(game, me), shown(other, me)
        assert all(before[name] != after[name] for name in before if name != "mask")
        assert shown(game, (me + 1) % 3) == shown(other, (me + 1) % 3)


def test_pains_c2_a_seat_that_is_not_to_move_has_an_empty_mask() -> None:
    source = random.Random(6)
    for _ in range(40):
        game = random_table(source)
        for _ in walk(game, source, 40):
            for seat in range(game.players):
                mask = observation.action_masks(game.view(seat))
                legal = [i for i in range(63) if game.mask >> i & 1] if seat == game.turn else []
                assert np.flatnonzero(mask).tolist() == legal


def test_pains_c7_every_seat_can_be_shown_every_state() -> None:
    """Before the first card, in the middle of a deal, between rounds, at the end; seats that are out too."""
    source = random.Random(8)
    phases: Counter[str] = Counter()
    for _ in range(40):
        game = random_table(source, chance="manual")
        for _ in walk(game, source, 120):
            phases[game.phase] += 1
            if source.random() < 0.04 or game.over:
                for seat in range(game.players):
                    assert all(shown(game, seat).values())
                    assert render.ansi(render.scene_of_game(game, None))
    assert {"deal", "draw", "turn", "discard", "over"} <= set(phases)


# --- two deals that a seat cannot tell apart -------------------------------------------------------------------------


def seen_cards(game: Game, viewer: int) -> set[str]:
    """Every card named in what a seat has seen so far."""
    words = " ".join(game.information_state(viewer)).replace(":", " ").replace(",", " ").split()
    return {w for w in words if len(w) == 2 and w[0] in "23456789TJQKA" and w[1] in "CDHS"}


def other_deal(game: Game, viewer: int, source: random.Random) -> Game | None:
    """The same moves after a deal with two cards exchanged that the seat has not seen; None where they end it."""
    deck = [str(card) for card in game.record()["deck"]]
    seen = seen_cards(game, viewer)
    unseen = [place for place, card in enumerate(deck) if card not in seen]
    if len(unseen) < 2:
        return None
    a, b = source.sample(unseen, 2)
    deck[a], deck[b] = deck[b], deck[a]
    other = Game(game.rules, game.players, deck=deck, dealer=game.start["dealer"])
    for item in game.inputs():
        if other.round_count or not other.mask >> item.value & 1:
            return None
        other.play(item.value)
    return other if other.round_count == 0 else None


@pytest.mark.parametrize("preset", PRESETS)
def test_pains_c1_two_deals_that_differ_in_unseen_cards_look_the_same(preset: str) -> None:
    """All that a seat is shown, and its whole information state, over whole rounds played alike."""
    source = random.Random(21)
    compared = tries = 0
    while compared < 50 and tries < 600:
        tries += 1
        rules = Rules.preset(preset, declare="claim", natural_31="own_turn")
        players = source.randint(2, 6)
        deck = source.sample(set_to_ids(rules.deck_set), rules.deck_set.bit_count())
        game = Game(rules, players, deck=deck, dealer=source.randrange(players))
        for _ in range(source.randrange(24)):
            if game.turn is not None and game.round_count == 0:
                game.play(source.choice(game.legal_actions()))
        if game.round_count:
            continue
        viewer = source.randrange(players)
        other = other_deal(game, viewer, source)
        if other is None or other.state.tobytes() == game.state.tobytes():
            continue
        assert other.information_state(viewer) == game.information_state(viewer)
        assert shown(other, viewer) == shown(game, viewer)
        compared += 1
    assert compared == 50
