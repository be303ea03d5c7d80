"""How a game starts: its arguments checked, and the first words of its state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.core.rng import python_game_key
from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules

EPISODES = ("match", "round")
FIRST_DEALERS = ("any", "high_card", "low_card", "rotation")


def checked_seed(seed: int) -> int:
    """The seed, a whole number of 64 bits."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) < 1 << 64:
        raise UserError(f"seed={seed!r} is not allowed: a whole number from 0 to 2^64 - 1")
    return int(seed)


def checked_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number from ``least`` on, to ``most`` where given."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if whole and least <= int(value) and (most is None or int(value) <= most):
        return int(value)
    upper = "on" if most is None else f"to {most}"
    raise UserError(f"{name}={value!r} is not allowed: a whole number from {least} {upper}")


def listed(name: str, numbers: Any) -> list[int]:
    """An argument that must be a list."""
    if isinstance(numbers, str) or not isinstance(numbers, Iterable):
        raise UserError(f"{name}={numbers!r} is not allowed: a list of whole numbers")
    return list(numbers)


def checked_match(match: int) -> int:
    """The number of a match under a seed."""
    if isinstance(match, bool) or not isinstance(match, int | np.integer) or not 0 <= int(match) < 1 << 24:
        raise UserError(f"match={match!r} is not allowed: a whole number from 0 to 2^24 - 1")
    return int(match)


def first_state(rules: Rules, players: int, seed: int, episode: str, match: int) -> npt.NDArray[np.uint64]:
    """Words of a game that has not begun: uint64 ``[words, 1]``."""
    state = np.zeros((layout.state_words(players), 1), dtype=np.uint64)
    state[int(layout.RULES0), 0], state[int(layout.RULES1), 0] = rules.packed
    state[int(layout.KEY), 0] = python_game_key(seed)
    state[int(layout.COUNT), 0] = match << int(layout.MATCH_NO[1])
    seats = players | FIRST_DEALERS.index(rules.first_dealer) << int(layout.FIRST_DEALER[1])
    state[int(layout.SEATS), 0] = seats | (episode == "round") << int(layout.ROUND_EPISODE[1])
    return state


def begin(
    state: npt.NDArray[np.uint64],
    rules: Rules,
    players: int,
    dealer: int | None,
    lives: Sequence[int] | None,
    out: Sequence[int],
) -> None:
    """Check the start and begin the match."""
    from thirtyone_env.core import entry  # here, so that a batch does not wait for its compiling

    gone = set(out)
    if any(seat not in range(players) for seat in gone):
        raise UserError(f"out={list(out)}: seats are 0 to {players - 1}")
    if players - len(gone) < 2:
        raise UserError(f"out={list(out)}: at least two of {players} seats must be in")
    if dealer is not None and (dealer not in range(players) or dealer in gone):
        raise UserError(f"dealer={dealer} must be a seat that is in: 0 to {players - 1} without {sorted(gone)}")
    if lives is None and not gone:
        entry.begin(state, 0, 15 if dealer is None else dealer)
        return
    tokens = _checked_lives(rules, players, lives, gone)
    seats = sum(1 << s for s in range(players) if s not in gone)
    county = sum(1 << s for s in range(players) if s not in gone and tokens[s] == 0 and rules.county)
    state[int(layout.LIVES), 0] = sum(t << 7 * s for s, t in enumerate(tokens))
    state[int(layout.SEATS), 0] |= np.uint64(sum(1 << s for s in gone) << int(layout.OUT[1]))
    state[int(layout.SEATS), 0] |= np.uint64(county << int(layout.ON_COUNTY[1]))
    entry.begin(state, seats, 15 if dealer is None else dealer)


def _checked_lives(rules: Rules, players: int, lives: Sequence[int] | None, gone: set[int]) -> list[int]:
    if rules.lives is None:
        if lives is not None:
            raise UserError("lives are of no use to a pot game")
        return [0] * players
    tokens = [rules.lives] * players if lives is None else list(lives)
    if len(tokens) != players:
        raise UserError(f"lives={tokens}: one number for each of the {players} seats is needed")
    for seat, count in enumerate(tokens):
        least = 0 if rules.county or seat in gone else 1
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not least <= count <= 9:
            raise UserError(f"lives={tokens}: seat {seat} may have {least} to 9 tokens, not {count}")
    return [0 if seat in gone else int(count) for seat, count in enumerate(tokens)]
