"""What the two environments share: options that both check, and what they pay for a round."""

from __future__ import annotations

import numpy as np

from thirtyone_env.core import entry, layout
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import EPISODES
from thirtyone_env.rules import Rules

SCHEMES = ("lives", "match")  # rows of what the core pays


def scheme_of(rules: Rules, episode: str, reward: str | None) -> str:
    """The reward scheme of an environment, checked against its rules and its episode.

    None is ``match`` for a match, ``lives`` for a round, and the pot's share (``match``) in pot games.

    Raises:
        UserError: there is no such scheme or episode, or they do not go together.
    """
    if episode not in EPISODES:
        raise UserError(f"episode={episode!r}: allowed are {', '.join(EPISODES)}")
    if reward is not None and reward not in SCHEMES:
        raise UserError(f"reward={reward!r}: allowed are None, {', '.join(SCHEMES)}")
    if rules.settlement == "highest_takes_pot":
        if reward == "lives":
            raise UserError("reward='lives': a pot game has no lives; allowed are None and match (the pot's share)")
        return "match"
    if episode == "round" and reward == "match":
        raise UserError("reward='match' with episode='round': a round has no match to win; allowed are None and lives")
    return reward or ("lives" if episode == "round" else "match")


def round_rewards(raw: bytes, players: int, scheme: str) -> list[float]:
    """Reward of each seat for a settled round.

    Args:
        raw: bytes of the state right after the round was settled.
        players: seats of the game.
        scheme: ``lives`` or ``match``.
    """
    state = np.frombuffer(raw, dtype=np.uint64).reshape(-1, 1).copy()
    paid = np.empty((2, layout.MAX_SEATS), dtype=np.float64)
    entry.rewards(state, paid)
    rewards: list[float] = paid[SCHEMES.index(scheme), :players].tolist()
    return rewards


def checked_places(seats: int | None, players: int) -> int:
    """Places for seats in an observation: ``players`` where ``seats`` is None.

    Raises:
        UserError: fewer than the players, or more than 9.
    """
    if seats is None:
        return players
    if isinstance(seats, bool) or not isinstance(seats, int) or not players <= seats <= layout.MAX_SEATS:
        raise UserError(f"seats={seats!r}: allowed are None, or {players} (the players) to {layout.MAX_SEATS}")
    return seats
