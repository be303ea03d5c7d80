"""Brute force over `Game` for the tests of mini games: every card and every action, with nothing but the public API."""

from __future__ import annotations

from collections.abc import Iterator

from thirtyone_env import Game, Rules
from thirtyone_env.actions import action_id
from thirtyone_env.cards import card_id


def round_of(rules: Rules | str, players: int = 2) -> Game:
    """A round before its first card; seat 0 plays first."""
    return Game(rules, players, dealer=players - 1, episode="round", chance="manual")


def ascending(game: Game) -> list[str]:
    """Cards that chance may give where hands are dealt in ascending order (after some there is none left to go on)."""
    cards = game.possible_cards()
    if game.phase != "deal":
        return cards
    dealt = sum(len(hand) for hand in game.hands)
    size, players = game.rules.hand_size, game.players
    if dealt >= size * players:
        return cards
    held = game.hands[(game.dealer + 1 + dealt % players) % players] if dealt else []
    return [card for card in cards if not held or card_id(card) > max(map(card_id, held))]


def children(game: Game, ordered: bool = True) -> Iterator[tuple[int, Game]]:
    """Each card or action that may come next, as its id, and the game after it."""
    if game.needs_card:
        for card in ascending(game) if ordered else game.possible_cards():
            after = game.clone()
            after.give(card)
            yield card_id(card), after
        return
    for action in game.legal_actions():
        after = game.clone()
        after.play(action)
        yield action_id(action), after


class Count:
    """Nodes of a tree by kind, and the information sets of each seat by the text of what the seat has seen."""

    def __init__(self, rules: Rules | str, players: int = 2) -> None:
        self.decisions = self.chances = self.terminals = 0
        self.sets: list[set[tuple[str, ...]]] = [set() for _ in range(players)]
        self._visit(round_of(rules, players))

    def _visit(self, game: Game) -> int:
        """Count a node and all below it; returns its ends. A deal that cannot be completed has none and is no node."""
        if game.over:
            self.terminals += 1
            return 1
        ends = sum(self._visit(after) for _, after in children(game))
        if game.needs_card:
            self.chances += ends > 0
        else:
            self.decisions += 1
            assert game.turn is not None
            self.sets[game.turn].add(game.information_state(game.turn))
        return ends
