"""Decks and games laid out by hand, so that a test can say which cards lie where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thirtyone_env import Game, Rules
from thirtyone_env.cards import parse_cards, set_to_cards


def stacked_deck(
    rules: Rules,
    players: int,
    dealer: int,
    hands: Mapping[int, str],
    extra: str = "",
    up: str = "",
    stock: str = "",
    out: Sequence[int] = (),
) -> list[str]:
    """A full pack, top first, that deals what is asked; cards that are not named fill the rest in the order of ids.

    Args:
        hands: cards of seats as text; the other seats get what is left.
        extra: the dummy hand, the widow, the pool or the other packet.
        up: the up-card.
        stock: the cards drawn first.
    """
    named = {card for text in (*hands.values(), extra, up, stock) for card in parse_cards(text)}
    rest = [card for card in set_to_cards(rules.deck_set) if card not in named]
    order = [s % players for s in range(dealer + 1, dealer + 1 + players) if s % players not in out]
    dealt = {seat: parse_cards(hands.get(seat, "")) for seat in order}
    for seat in order:
        dealt[seat] += [rest.pop(0) for _ in range(rules.hand_size - len(dealt[seat]))]
    deck = [dealt[seat][i] for i in range(rules.hand_size) for seat in order]
    if rules.table != "stock_discard" or rules.dummy_hand:
        cards = parse_cards(extra)
        deck += cards + [rest.pop(0) for _ in range(3 - len(cards))]
    if rules.table == "stock_discard":
        deck += parse_cards(up) or [rest.pop(0)]
    return deck + parse_cards(stock) + rest


def laid_out(
    rules: Rules | str,
    players: int,
    hands: Mapping[int, str],
    dealer: int | None = None,
    extra: str = "",
    up: str = "",
    stock: str = "",
    **arguments: Any,
) -> Game:
    """A game whose first deal is laid out; the dealer is the last seat unless said otherwise."""
    table = Rules.of(rules)
    seat = players - 1 if dealer is None else dealer
    deck = stacked_deck(table, players, seat, hands, extra, up, stock, arguments.get("out", ()))
    return Game(table, players, dealer=seat, deck=deck, **arguments)


def play(game: Game, *actions: str) -> Game:
    """Play actions; ``-`` draws from the stock and throws the card drawn."""
    for action in actions:
        if action == "-":
            game.play("draw_stock")
            game.play(f"discard {game.drawn}")
        else:
            game.play(action)
    return game
