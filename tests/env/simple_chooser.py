"""A player without chance for golden games: takes what helps at once, knocks from 25 on, later with less."""

from __future__ import annotations

from thirtyone_env import Game

KNOCK_FROM = 25


def choose(game: Game) -> str:
    """An action of the seat to move, the same for the same hands."""
    legal = game.legal_actions()
    assert game.turn is not None
    hand = game.hands[game.turn]
    if "declare" in legal:
        return "declare"
    throws = [action for action in legal if action.startswith("discard ")]
    if throws:
        return max(throws, key=lambda action: _without(game, hand, action[8:]))
    worth = game.rules.worth(hand)
    if "knock" in legal and worth >= KNOCK_FROM - game.turn_number // game.players:
        return "knock"
    if "draw_discard" in legal and game.top is not None and _best(game, hand, game.top) > worth:
        return "draw_discard"
    better = [a for a in legal if a.startswith("take_pool") and _best(game, hand, game.pool[int(a[-1])]) > worth]
    if better:
        return max(better, key=lambda action: _best(game, hand, game.pool[int(action[-1])]))
    if "swap_all" in legal and game.pool and game.rules.worth(game.pool) > worth:
        return "swap_all"
    order = ("draw_stock", "pass", "draw_discard")
    return next((action for action in order if action in legal), legal[0])


def _without(game: Game, cards: list[str], thrown: str) -> tuple[float, int]:
    kept = [card for card in cards if card != thrown]
    return game.rules.worth(kept), -cards.index(thrown)


def _best(game: Game, hand: list[str], taken: str) -> float:
    """Best worth after changing one card of a hand for the one taken."""
    return max(game.rules.worth([taken, *(card for card in hand if card != thrown)]) for thrown in hand)


def play_on(game: Game, rounds: int) -> Game:
    """Play until so many rounds are settled, or the match is over."""
    while not game.over and game.round_count < rounds:
        game.play(choose(game))
    return game
