"""A view is what follows from what lies open: kept here once more by hand, move by move, for every seat."""

from __future__ import annotations

import random

import pytest

from tests.env.game_walks import PRESETS, move, random_table
from tests.env.stacking import laid_out, play
from thirtyone_env import Game, Rules
from thirtyone_env.cards import set_to_cards
from thirtyone_env.core import layout
from thirtyone_env.decode import seat_field

PLAYING = ("turn", "discard", "draw", "upcard", "pool", "packet")


class Watcher:
    """What anyone at the table can see, kept from the moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.clear()

    def clear(self) -> None:
        """A new deal."""
        seats = range(self.game.players)
        self.known: list[set[str]] = [set() for _ in seats]
        self.thrown: list[set[str]] = [set() for _ in seats]
        self.draws = [0 for _ in seats]
        self.pile: set[str] = set()
        self.shuffled: set[str] = set()
        self.dummy: set[str] = set()

    def before(self, action: str) -> None:
        """Take note of an action that is about to be played."""
        game, seat = self.game, self.game.turn
        assert seat is not None
        hand, top, pool = set(game.hands[seat]), game.top, game.pool
        if action == "draw_stock" and game.stock_count == 0:
            self.shuffled = self.pile - {str(top)}
            self.pile = {str(top)}
            self.draws = [0] * game.players
        elif action in ("draw_discard", "swap_upcard"):
            self.known[seat].add(str(top))
            self.pile.discard(str(top))
        elif action.startswith("discard"):
            self.throws(seat, {action[8:]}, to_pile=game.rules.table == "stock_discard")
        elif action.startswith("take_pool"):
            self.known[seat].add(pool[int(action[-1])])
        elif action == "swap_dummy":
            self.dummy, self.known[seat], self.draws[seat] = hand, set(), 0
            self.shuffled -= hand
        elif action == "swap_all" and game.phase == "turn":
            self.throws(seat, hand, to_pile=False)
            self.known[seat] = set(pool)

    def throws(self, seat: int, cards: set[str], to_pile: bool) -> None:
        self.thrown[seat] |= cards
        self.known[seat] -= cards
        self.shuffled -= cards
        if to_pile:
            self.pile |= cards

    def compare(self) -> None:
        game = self.game
        stock = game.rules.table == "stock_discard"
        for viewer in range(game.players):
            view = [int(word) for word in game.view(viewer)]
            mine = set(game.hands[viewer])
            assert set(set_to_cards(view[layout.V_HAND])) == mine
            for seat in range(game.players):
                assert set(set_to_cards(view[layout.V_KNOWN + seat])) == self.known[seat]
                assert set(set_to_cards(view[layout.V_THROWN + seat])) == self.thrown[seat]
            if stock:
                assert set(set_to_cards(view[layout.V_PILE])) == self.pile
                assert set(set_to_cards(view[layout.V_RESHUFFLED])) == self.shuffled - mine
                assert set(set_to_cards(view[layout.V_EXTRA])) == self.dummy
                draws = view[layout.V_DRAWS]
                assert [draws >> int(layout.DRAWS_OF[1]) * s & 63 for s in range(game.players)] == self.draws
            else:
                assert set_to_cards(view[layout.V_EXTRA]) == game.pool
            self.compare_numbers(view, viewer)

    def compare_numbers(self, view: list[int], viewer: int) -> None:
        game = self.game
        status = view[layout.V_STATUS]

        def read(place: tuple[object, ...]) -> int:
            return status >> int(place[1]) & int(place[2])  # type: ignore[call-overload]  # numpy numbers

        assert read(layout.DEALER) == game.dealer
        assert read(layout.KNOCKER) == (15 if game.knocker is None else game.knocker)
        assert read(layout.TURN_NO) == game.turn_number
        counts = view[layout.V_COUNTS]
        assert (counts & 15, counts >> 4 & 63, counts >> 10 & 63) == (viewer, game.stock_count, game.discard_count)
        assert counts >> 16 & (1 << 20) - 1 == game.deal_number
        assert view[layout.V_LEGAL] == (game.mask if viewer == game.turn else 0)
        lives = [seat_field(game.state, layout.LIVES_OF, seat) for seat in range(game.players)]
        assert [view[layout.V_LIVES] >> 7 * seat & 127 for seat in range(game.players)] == lives
        assert (view[layout.V_RULES0], view[layout.V_RULES1]) == tuple(int(word) for word in game.rules.packed)


def watch(game: Game, source: random.Random, most: int) -> tuple[int, int]:
    """Walk a game and compare after every move. Returns the comparisons, and those after a reshuffle."""
    watcher, compared, after_reshuffle = Watcher(game), 0, 0
    for _ in range(most):
        if game.over:
            break
        if game.phase == "deal":
            watcher.clear()
        if game.phase in PLAYING and game.rules.table == "stock_discard" and not watcher.pile and game.top:
            watcher.pile = {game.top}
        if game.phase in PLAYING:
            watcher.compare()
            compared += 1
            after_reshuffle += bool(watcher.shuffled)
        if game.phase == "draw":
            watcher.draws[drawer(game)] += 1
        if game.turn is None:
            move(game, source)
            continue
        action = source.choice([name for name in game.legal_actions() if name != "knock"] or ["knock"])
        watcher.before(action)
        game.play(action)
    return compared, after_reshuffle


def drawer(game: Game) -> int:
    """Seat for which chance draws: the field of the turn, which `Game.turn` hides while a card is awaited."""
    return int(game.state[int(layout.TURN[0]), 0]) >> int(layout.TURN[1]) & int(layout.TURN[2])


@pytest.mark.parametrize("preset", PRESETS)
def test_views_follow_from_what_lies_open(preset: str) -> None:
    source = random.Random(3)
    total = shuffled = 0
    for players in (2, 5, 9):
        rules = Rules.preset(preset)
        options = {"max_turns": 90, "max_deals": 6}
        if rules.table == "stock_discard":
            options |= {"stock_out": "reshuffle", "declare": "hold", "dummy_hand": True, "dealer_upcard_swap": True}
        compared = watch(Game(rules.replace(**options), players, dealer=0, chance="manual"), source, 500)
        total += compared[0]
        shuffled += compared[1]
    assert total > 60
    assert shuffled > 40 or rules.table != "stock_discard"


def test_views_follow_from_what_lies_open_at_any_table() -> None:
    source = random.Random(4)
    assert sum(watch(random_table(source, chance="manual"), source, 150)[0] for _ in range(60)) > 1_000


def test_a_hand_left_for_the_dummy_after_a_reshuffle_has_been_seen() -> None:
    """Its cards lie open: they are no longer among those that were shuffled back and not seen since."""
    rules = Rules(cards=[c + s for c in "9TJQKA" for s in "CD"], dummy_hand=True, declare="hold", natural_31="own_turn")
    game = laid_out(rules, 2, {0: "9C 9D TC", 1: "JC JD QC"}, extra="KC KD AC", up="TD", stock="QD AD", seed=3)
    play(game, "-", "-", "draw_stock")
    drawn = str(game.drawn)
    assert drawn in set_to_cards(int(game.view(1)[layout.V_RESHUFFLED]))
    play(game, f"discard {next(card for card in game.hands[0] if card != drawn)}", "draw_discard", "discard JC")
    play(game, "swap_dummy")
    assert drawn in (game.dummy or [])
    assert drawn not in set_to_cards(int(game.view(1)[layout.V_RESHUFFLED]))
