"""What is to be played: settings, and blocks of whole deals that are played at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from thirtyone_env.rules import Rules
from thirtyone_eval.config import TournamentConfig, variant_name
from thirtyone_eval.outcomes import Games
from thirtyone_eval.seating import seatings
from thirtyone_eval.tables import all_tables, random_tables, uses_all

BLOCK_GAMES = 1500
BLOCK_MATCHES = 240
COMPILED = ("random", "threshold", "tips")  # kinds of policies that play in compiled code


@dataclass(frozen=True)
class Setting:
    """A variant at a table size.

    Attributes:
        number: of the setting, from 0.
        rules_name: as the config names the rules: a preset, or a mapping of options.
        rules: the rules.
        players: seats.
        measure: what it is ranked by: ``lives`` or ``wins``.
        every_table: whether each deal is played at every table of the pool.
        tables: tables of a deal.
        games: games of a deal.
    """

    number: int
    rules_name: Any
    rules: Rules
    players: int
    measure: str
    every_table: bool
    tables: int
    games: int

    @property
    def title(self) -> str:
        """Such as ``pagat, 3 players``."""
        return f"{variant_name(self.rules_name)}, {self.players} players"


@dataclass(frozen=True)
class Block:
    """Whole deals of one setting."""

    setting: int
    deals: range


def settings_of(config: TournamentConfig) -> list[Setting]:
    """Every variant at every table size."""
    found: list[Setting] = []
    pool = len(config.policies)
    for name, (_, rules) in zip(config.rules, config.variants(), strict=True):
        for players in config.players:
            every = uses_all(pool, players, config.tables, config.max_tables)
            tables = len(all_tables(pool, players) if every else random_tables(pool, players, config.seed, 0))
            games = tables * len(seatings(players, config.mirror))
            found.append(Setting(len(found), name, rules, players, measure_of(config, rules), every, tables, games))
    return found


def measure_of(config: TournamentConfig, rules: Rules) -> str:
    """What a variant is ranked by."""
    if config.rank_by != "auto":
        return config.rank_by
    pot = rules.settlement == "highest_takes_pot"
    return "wins" if pot or config.episode == "match" else "lives"


def asks(config: TournamentConfig) -> bool:
    """Whether a policy is asked from Python."""
    return any(name.partition(":")[0] not in COMPILED for name in config.policies)


def takes_luck_out(config: TournamentConfig) -> bool:
    """Whether luck is measured in each game."""
    return asks(config) if config.control_variate == "auto" else config.control_variate


def blocks(config: TournamentConfig, settings: list[Setting], deals: range) -> Iterator[Block]:
    """All blocks over some deals, setting by setting, each of about `BLOCK_GAMES` games.

    Whole matches in which policies are asked from Python take long, so that blocks of them are smaller: progress shows
    and a kill costs less.
    """
    games = BLOCK_GAMES if not asks(config) or config.episode == "round" else min(BLOCK_GAMES, BLOCK_MATCHES)
    for setting in settings:
        size = max(1, games // setting.games)
        for start in range(deals.start, deals.stop, size):
            yield Block(setting.number, range(start, min(start + size, deals.stop)))


def games_of(config: TournamentConfig, setting: Setting, block: Block) -> Games:
    """The games of a block: deal by deal, table by table, seating by seating."""
    pool = len(config.policies)
    rows = []
    for deal in block.deals:
        every = setting.every_table
        tables = all_tables(pool, setting.players) if every else random_tables(pool, setting.players, config.seed, deal)
        orders = np.array(seatings(setting.players, config.mirror, deal))
        rows.append(np.array(tables)[:, orders].reshape(-1, setting.players))
    return Games(np.repeat(np.array(block.deals), setting.games), np.concatenate(rows))
