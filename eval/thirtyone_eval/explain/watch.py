"""A policy plays matches, and each of its decisions is noted; other policies say what they would have done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thirtyone_agents.play import decide
from thirtyone_agents.policy import Policy, has_memory
from thirtyone_env.core.layout import V_COUNTS, VF_DEAL_NO
from thirtyone_env.errors import UserError
from thirtyone_env.keys import decision_keys
from thirtyone_env.rules import Rules
from thirtyone_env.vector import VectorGame
from thirtyone_eval.explain.features import FIELDS, Rows, Whole, features
from thirtyone_eval.study.common import Moved, unheard

AT_ONCE = 256
MATCH_OVER = 2  # of `VectorGame.ended`, and above


@dataclass(frozen=True)
class Decisions:
    """What a policy decided.

    Attributes:
        rows: int32 ``[n, fields]``, see `features.FIELDS`.
        agrees: bool ``[n, others]``: whether each other policy would have done the same.
        games: matches.
    """

    rows: Rows
    agrees: npt.NDArray[np.bool_]
    games: int

    def __getitem__(self, field: str) -> Whole:
        """A field of all rows: int64 ``[n]``."""
        return self.rows[:, FIELDS.index(field)].astype(np.int64)

    def where(self, chosen: npt.NDArray[np.bool_]) -> Decisions:
        """Those of the decisions."""
        return Decisions(self.rows[chosen], self.agrees[chosen], self.games)


def watch(
    policy: Policy, rules: Rules, players: int, against: Sequence[Policy], games: int, seed: int,
    others: Sequence[Policy] = (), moved: Moved = unheard, episode: str = "match",
) -> Decisions:
    """Let a policy play and note its decisions.

    Args:
        policy: whom to watch.
        rules: of the matches.
        players: seats.
        against: who sits in the other seats, clockwise after it and over again; empty: the policy itself, and then
            the decisions of all seats are noted.
        games: matches; the policy sits in each seat in turn.
        seed: of cards and policies.
        others: are asked about the same views with the same keys.
        moved: is told how many matches have ended since it was last told.
        episode: ``match``, or ``round``: each is one round with fresh tokens.

    Raises:
        UserError: a policy does not fit the rules, or one that remembers is among the others.
        IllegalAction: a policy answered something illegal.
    """
    for one in (policy, *against, *others):
        check = getattr(one, "check", None)
        if check is not None:
            check(rules, players)
    remembering = [one.name for one in others if has_memory(one)]
    if remembering:
        raise UserError(f"{remembering[0]} remembers, so it cannot be asked about views out of their matches")
    at_once = 1 if any(has_memory(one) for one in (policy, *against)) else AT_ONCE
    table = [policy, *against] if against else [policy] * players
    parts: list[tuple[Rows, npt.NDArray[np.bool_]]] = []
    for first in range(0, games, at_once):
        numbers = np.arange(first, min(games, first + at_once))
        parts += _play(table, rules, players, numbers, seed, others, moved, episode)
    rows = np.concatenate([part[0] for part in parts]) if parts else np.zeros((0, len(FIELDS)), dtype=np.int32)
    agrees = np.concatenate([part[1] for part in parts]) if parts else np.zeros((0, len(others)), dtype=bool)
    return Decisions(rows, agrees, games)


def _play(
    table: Sequence[Policy], rules: Rules, players: int, numbers: Whole, seed: int, others: Sequence[Policy],
    moved: Moved, episode: str,
) -> list[tuple[Rows, npt.NDArray[np.bool_]]]:
    """Play some matches side by side to their ends; features and agreement of each step's decisions."""
    for remembering in {id(one): one for one in table if has_memory(one)}.values():
        remembering.begin(1)
    seeds = decision_keys(seed, numbers, 0, 0, 0)
    batch = VectorGame(len(numbers), rules, players, seeds=seeds, checked=False, episode=episode)
    on = np.ones(len(numbers), dtype=bool)
    rest = len(table) - 1
    parts = []
    step = 0
    while on.any():
        views, seats = batch.views, batch.seats
        deals = (views[:, V_COUNTS] >> VF_DEAL_NO[1]) & VF_DEAL_NO[2]
        keys = decision_keys(batch.seeds, 0, deals, batch.decisions, seats)
        after = (seats - numbers) % players  # places clockwise after the one who is watched
        sitting = np.where(after == 0, 0, 1 + (after - 1) % rest)
        actions = batch.random_actions(step)  # for matches that are over
        asked: dict[int, list[int]] = {}
        for place, one in enumerate(table):
            asked.setdefault(id(one), []).append(place)
        for places in asked.values():
            mine = np.flatnonzero(on & np.isin(sitting, places))
            if len(mine):
                actions[mine] = decide(table[places[0]], views[mine], keys[mine])
        noted = np.flatnonzero(on & np.isin(sitting, asked[id(table[0])]))
        if len(noted):
            seen, done = views[noted], actions[noted]
            same = [other.act(seen, keys[noted]) == done for other in others]
            agrees = np.stack(same, axis=1) if same else np.zeros((len(noted), 0), dtype=bool)
            parts.append((features(seen, done, numbers[noted], players), agrees))
        batch.step(actions)
        over = on & (batch.ended >= MATCH_OVER)
        if over.any():
            moved(int(over.sum()))
        on &= ~over
        step += 1
    return parts
