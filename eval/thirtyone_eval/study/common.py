"""What several studies share: rules and policies checked, tables of state, groups of deals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_agents.registry import load
from thirtyone_env.core import layout
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import FIRST_DEALERS, checked_whole
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import is_compiled
from thirtyone_eval.intervals import Estimate

Words = npt.NDArray[np.uint64]
GROUPS = 50  # of deals; intervals come from how the groups scatter
MOST_DEALS = 10**9
Moved = Callable[[int], Any]  # is told how much was done since it was last told


def unheard(done: int) -> None:
    """Where nobody wants to know how far the work has come."""


def compiled_policy(name: str) -> CompiledPolicy:
    """The policy of a name, if compiled code can play it.

    Raises:
        UserError: it is no policy, or is asked from Python.
    """
    policy = load(name, allow_code=True)
    if not is_compiled(policy):
        raise UserError(f"{name} is not compiled: studies of millions of rounds take random, threshold:K and tips")
    return policy


def with_lives(name: str, study: str) -> Rules:
    """The rules of a preset in which lives are lost.

    Raises:
        UserError: there is no such preset, or it is played for a pot.
    """
    rules = Rules.preset(name)
    if rules.settlement == "highest_takes_pot":
        raise UserError(f"{name} is played for a pot, and {study} counts lives: choose one with lives, such as pagat")
    return rules


def checked_deals(deals: int, least: int = 2 * GROUPS) -> int:
    """A number of deals: enough to make groups of."""
    return checked_whole("deals", deals, least, MOST_DEALS)


def checked_players(rules: Rules, players: Sequence[int]) -> list[int]:
    """Numbers of players that the rules allow, each once, in order.

    Raises:
        UserError: none is given, or one is not allowed.
    """
    if not players:
        raise UserError("players: at least one number is needed, such as 4")
    return [rules.check_players(one) for one in sorted(set(players))]


def state_table(rules: Rules, players: int, episode: str) -> Words:
    """Words of a state that hold the rules and the seats; the rest is zero: uint64 ``[words]``."""
    table = np.zeros(layout.state_words(players), dtype=np.uint64)
    table[int(layout.RULES0)], table[int(layout.RULES1)] = rules.packed
    dealer = FIRST_DEALERS.index(rules.first_dealer) << int(layout.FIRST_DEALER[1])
    table[int(layout.SEATS)] = players | dealer | (episode == "round") << int(layout.ROUND_EPISODE[1])
    return table


def chunks(lo: int, hi: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of at most ``size`` that cover lo to hi, so that progress shows and Ctrl-C is heard."""
    for start in range(lo, hi, size):
        yield start, min(hi, start + size)


def group_edges(deals: int) -> list[int]:
    """Where each of the `GROUPS` groups of deals begins, and the end of the last."""
    return [deals * i // GROUPS for i in range(GROUPS + 1)]


def worth_text(half_points: int) -> float:
    """A worth in points."""
    return half_points / 2


def in_words(one: Estimate, digits: int) -> str:
    """An estimate in a sentence: its mean and interval."""
    return f"{one.mean:.{digits}f} ({one.low:.{digits}f} to {one.high:.{digits}f})"
