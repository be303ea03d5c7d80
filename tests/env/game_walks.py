"""Random games of every kind, walked move by move, for tests of what always holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.env.lockstep import pick, random_rules, random_start
from thirtyone_env import Game, Rules
from thirtyone_env.cards import CARDS
from thirtyone_env.core import layout
from thirtyone_env.decode import field

PRESETS = Rules.presets()[:7]
SMALL = (
    Rules(cards=CARDS[:9], hand_size=1, target=11, three_of_a_kind="off", max_turns=12, max_deals=20),
    Rules(cards=[c + s for c in "9TJQKA" for s in "CDHS"], stock_out="play_on", max_turns=40, max_deals=20),
    Rules(cards=[c + s for c in "9TJQKA" for s in "CDHS"], stock_out="draw", dummy_hand=True, max_deals=20),
    Rules(cards=[c + s for c in "23456789" for s in "CDH"], hand_size=2, target=15, stock_out="show", max_deals=20),
)


def players_at_most(rules: Rules) -> int:
    """Most players for whom the pack is large enough; two at least."""
    most = 2
    while most < 9:
        try:
            rules.check_players(most + 1)
        except ValueError:
            break
        most += 1
    return most


def random_table(source: random.Random, **arguments: Any) -> Game:
    """A game of a preset, a small pack or a random mix of options, with any number of players and any start."""
    kind = source.random()
    if kind < 0.45:
        limits = {"max_turns": source.choice((30, 200)), "max_deals": source.choice((5, 60))}
        rules = Rules.preset(source.choice(PRESETS), **limits)
    elif kind < 0.55:
        rules = source.choice(SMALL)
    else:
        rules = random_rules(source)
    players = source.randint(2, players_at_most(rules))
    dealer = source.randrange(players)
    lives, out = random_start(rules, players, dealer, source)
    given = {"dealer": dealer, "lives": lives, "out": out, "episode": source.choice(("match", "match", "round"))}
    if arguments.get("chance") != "manual":
        given["seed"] = source.randrange(1 << 60)
    return Game(rules, players, **{**given, **arguments})


def move(game: Game, source: random.Random) -> str:
    """One random move of a seat or of chance; returns what it was."""
    if game.needs_card:
        card = source.choice(game.possible_cards())
        game.give(card)
        return f"give {card}"
    action = pick(game, source, 0.6)
    game.play(action)
    return action


def walk(game: Game, source: random.Random, most: int = 10_000) -> Iterator[str]:
    """Random moves to the end, at most so many; yields after each."""
    for _ in range(most):
        if game.over:
            return
        yield move(game, source)


def snapshot(game: Game) -> tuple[Any, ...]:
    """All that a game shows, so that two can be compared."""
    return (
        game.state.tobytes(), game.turn, game.mask, game.needs_card, game.over, game.round_count, game.hands, game.top,
        game.lives, game.on_county, game.out, game.dealer, game.knocker, game.winner, game.placings, game.last_round,
    )


def cards_on_table(game: Game) -> list[int]:
    """The sets of cards that lie in the places of a table: stock, pile, extra (dummy, pool, packet) and hands."""
    state = game.state
    words = [int(state[int(word), 0]) for word in (layout.STOCK, layout.PILE, layout.EXTRA)]
    return words + [int(state[int(layout.HAND) + 2 * seat, 0]) for seat in range(game.players)]


def nothing_dealt_yet(game: Game) -> bool:
    """Before the first card of a match no card is anywhere."""
    return game.phase == "deal" and game.round_count == 0 and field(game.state, layout.DRAW_NO) == 0


def burn_global_generators() -> None:
    """Draw from the generators that everyone shares, and seed them anew; games must not notice."""
    random.seed(random.randrange(1 << 30))
    np.random.seed(np.random.randint(1 << 30))  # noqa: NPY002  # the shared generator is what is meant
