"""Playing a block of games: the one place where a tournament meets the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.policy import Policy
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import deal_seed, is_compiled, play_compiled, with_luck
from thirtyone_eval.asking import Desk, Table, play_tables
from thirtyone_eval.forfeits import forfeited
from thirtyone_eval.outcomes import Games, Outcomes, end_of
from thirtyone_eval.records import actions_text


def play_block(
    rules: Rules,
    players: int,
    episode: str,
    seed: int,
    games: Games,
    policies: Sequence[Policy],
    desk: Desk | None = None,
    luck: bool = False,
) -> Outcomes:
    """Play games: in compiled code where only compiled policies sit; else each policy is asked about many at once.

    An outcome depends on its deal and seats, the seed and the policies alone, not on the rest of the block: cards come
    from (seed, deal), a policy's randomness from (seed, deal, round, decision, seat).

    Args:
        rules: of all games.
        players: seats of each.
        episode: ``round`` or ``match``.
        seed: of the tournament.
        games: deals, and who sits where.
        policies: all policies; ``games.seats`` holds numbers of them.
        desk: asks the policies; one that lives longer than a block knows who hangs.
        luck: whether to measure the luck of each seat.
    """
    fast: npt.NDArray[np.bool_] = np.array([is_compiled(policy) for policy in policies])[games.seats].min(axis=1)
    if fast.all():
        return play_compiled(rules, players, episode, seed, games, policies, luck)
    given = Desk() if desk is None else desk
    asked = Games(games.deals[~fast], games.seats[~fast])
    slow = play_asking(rules, players, episode, seed, asked, policies, given)
    if luck:
        slow = with_luck(rules, players, episode, seed, asked, slow)
    if not fast.any():
        return slow
    quick = play_compiled(rules, players, episode, seed, Games(games.deals[fast], games.seats[fast]), policies, luck)
    return _merged(fast, quick, slow)


def play_asking(
    rules: Rules,
    players: int,
    episode: str,
    seed: int,
    games: Games,
    policies: Sequence[Policy],
    desk: Desk,
) -> Outcomes:
    """Play games side by side, asking each policy; arguments as for `play_block`."""
    tables = []
    for deal, row in zip(games.deals.tolist(), games.seats.tolist(), strict=True):
        game = Game(rules, players, seed=deal_seed(seed, deal), episode=episode)
        tables.append(Table(game, [policies[number] for number in row], deal))
    play_tables(tables, seed, desk)
    ends = [end_of(one.game) if one.fault is None else forfeited(one.game, one.fault[0]) for one in tables]
    forfeits = [one.forfeit(row) for row, one in enumerate(tables)]
    return Outcomes(
        lost=np.array([end.lost for end in ends]),
        played=np.array([end.played for end in ends]),
        places=np.array([end.places for end in ends]),
        dealers=np.array([end.first_dealer for end in ends]),
        rounds=np.array([end.rounds for end in ends]),
        actions=[actions_text(one.game) for one in tables],
        forfeits=[one for one in forfeits if one is not None],
    )


def _merged(fast: npt.NDArray[np.bool_], quick: Outcomes, slow: Outcomes) -> Outcomes:
    """Outcomes of which those with ``fast`` are the quick ones and the others the slow ones, in order."""
    order = np.argsort(np.concatenate([np.flatnonzero(fast), np.flatnonzero(~fast)]))
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(quick, name), getattr(slow, name)])[order]
        for name in ("lost", "played", "places", "dealers", "rounds")
    }
    if quick.luck is not None and slow.luck is not None:
        joined["luck"] = np.concatenate([quick.luck, slow.luck])[order]
    texts = [*quick.actions, *slow.actions]
    rows = np.flatnonzero(~fast)
    forfeits = [replace(one, game=int(rows[one.game])) for one in slow.forfeits]
    return Outcomes(**joined, actions=[texts[place] for place in order], forfeits=forfeits)
