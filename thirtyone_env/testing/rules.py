"""`check_rules`: what must hold under any rules."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from thirtyone_env.game import Game
from thirtyone_env.rules import Rules
from thirtyone_env.testing import copies, knowledge, table
from thirtyone_env.testing.plays import MakeGame, Setting, choose, positions


@dataclass(frozen=True)
class RulesReport:
    """How much was checked.

    Attributes:
        games, positions, rounds: played in all.
        exchanges: positions seen again with two hidden cards exchanged.
    """

    games: int
    positions: int
    rounds: int
    exchanges: int


def check_rules(
    rules: Rules | str | Mapping[str, Any],
    players: int = 2,
    *,
    games: int = 20,
    moves: int = 150,
    seed: int = 0,
    make: MakeGame = Game,
) -> RulesReport:
    """Play random games and check what must hold in each position and at the end of each round.

    Cards are conserved; masks are honest (each legal action can be played, any other is refused and changes nothing,
    only the seat to move has a mask); rewards sum to zero and keep their bounds; what a seat sees does not depend on
    cards hidden from it; the text of what it has seen forgets nothing and tells all that it knows; games depend on
    their seed alone; clones, copies, pickles, undo and records go on as the original.

    Args:
        rules: rules, a preset's name or a mapping of options.
        players: seats.
        games: games to play.
        moves: cards and actions of each game, at most.
        seed: of the random play.
        make: `Game`, or a class like it to be checked instead.

    Raises:
        AssertionError: something does not hold; the text says what, and how to see it again.
        UserError: the rules or the number of players are wrong.
    """
    chosen = Rules.of(rules)
    chosen.check_players(players)
    setting = Setting(chosen, players, games, moves, seed, make)
    seen = knowledge.Seen(setting)
    count = rounds = exchanges = 0
    for number in range(games):
        source = random.Random(number)
        settled = 0
        for game in positions(setting, number):
            count += 1
            table.check_cards(setting, game)
            table.check_views(setting, game)
            seen.check(game, source)
            if source.random() < 0.2:
                table.check_mask(setting, game)
                exchanges += knowledge.check_hidden(setting, game, source)
            if source.random() < 0.05:
                copies.check_copies(setting, game, source)
            for result in game.rounds[settled:]:
                table.check_round(setting, game, result)
            settled = game.round_count
        rounds += settled
        seen.forget()
        copies.check_record(setting, game)
    for number in range(min(games, 5)):
        copies.check_seed(setting, number, choose)
    return RulesReport(games, count, rounds, exchanges)
