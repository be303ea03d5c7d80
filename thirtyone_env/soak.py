"""A soak: very many random actions of one variant, every invariant looked at after each of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.decode import field
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_keys
from thirtyone_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

_GAMES = 32  # of each number of players
_ROUNDS = 200  # of each game between two looks at the clock


@dataclass(frozen=True)
class Soaked:
    """What was played without a fault.

    Attributes:
        actions, rounds, matches, cut_off: how many (``cut_off``: matches ended by ``max_deals``).
        longest: actions of the longest round.
        reasons: rounds by why they ended.
        seconds: it took, the compiling left out.
    """

    rules: str
    players: tuple[int, ...]
    seed: int
    actions: int
    rounds: int
    matches: int
    cut_off: int
    longest: int
    reasons: dict[str, int]
    seconds: float


class BrokenInvariant(RuntimeError):
    """Something that always holds did not. The text names it, and the game and match in which it was found."""


def numbers_of_players(rules: Rules) -> list[int]:
    """The numbers of players for which the rules have cards enough."""
    possible = []
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        try:
            possible.append(rules.check_players(players))
        except UserError:
            continue
    return possible


def soak(
    rules: Rules | str, actions: int, seed: int = 0, told: Callable[[int], None] = lambda played: None
) -> Soaked:
    """Play at least so many random actions, with all numbers of players side by side.

    In every other game a knock is an eighth as likely as elsewhere, so that long rounds are played too.

    Args:
        rules: a variant.
        actions: at least so many are played.
        seed: makes the games; each can be played again with ``Game(rules, players, seed=...)``.
        told: called now and then with the actions played so far.

    Raises:
        BrokenInvariant: the rules core broke one of its promises.
    """
    from thirtyone_env.core import invariants, soak_entry

    rules = Rules.of(rules)
    numbers = numbers_of_players(rules)
    players = [number for number in numbers for _ in range(_GAMES)]
    seeds = decision_keys(seed, np.arange(len(players), dtype=np.uint64), 0, 0, 0)
    states = _states(rules, players, seeds)
    counts = np.zeros(soak_entry.COUNTS, dtype=np.uint64)
    sums = np.zeros((len(players), MAX_PLAYERS), dtype=np.float64)
    broken = np.zeros(2, dtype=np.uint64)
    started = time.perf_counter()
    while counts[soak_entry.ACTIONS] < actions:
        soak_entry.soak(states, 0, len(players), _ROUNDS, seeds, counts, sums, broken)
        if broken[soak_entry.CODE]:
            game = int(broken[soak_entry.GAME])
            what = invariants.BROKEN_NAMES[int(broken[soak_entry.CODE])]
            raise BrokenInvariant(f"{what}: {players[game]} players, {_place(states[:, game : game + 1], seeds[game])}")
        told(int(counts[soak_entry.ACTIONS]))
    return Soaked(
        rules=rules.name, players=tuple(numbers), seed=seed,
        actions=int(counts[soak_entry.ACTIONS]), rounds=int(counts[soak_entry.ROUNDS]),
        matches=int(counts[soak_entry.MATCHES]), cut_off=int(counts[soak_entry.CUT_OFF]),
        longest=int(counts[soak_entry.LONGEST]),
        reasons={name: int(counts[soak_entry.REASONS + i]) for i, name in enumerate(layout.REASON_NAMES) if name},
        seconds=time.perf_counter() - started,
    )


def _states(rules: Rules, players: list[int], seeds: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Games that begin: uint64 ``[words, games]``."""
    states = np.zeros((layout.state_words(max(players)), len(players)), dtype=np.uint64)
    for game, (number, seed) in enumerate(zip(players, seeds, strict=True)):
        words = Game(rules, number, seed=int(seed), chance="manual").state
        states[: len(words), game] = words[:, 0]
    return states


def _place(state: npt.NDArray[np.uint64], seed: np.uint64) -> str:
    return f"seed {int(seed)}, match {field(state, layout.MATCH_NO)}, deal {field(state, layout.DEAL_NO)}"
