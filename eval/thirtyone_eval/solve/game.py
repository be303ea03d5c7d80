"""A mini game kept whole in memory, in sequence form: to judge policies on it exactly, and to solve it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules
from thirtyone_env.tree import Progress, Tree, build_tree

Floats = npt.NDArray[np.float64]
LIMIT = 30_000_000  # nodes; a tree of that size takes some 3 GB while it is unfolded


@dataclass(frozen=True)
class MiniGame:
    """One round of a small game: its tree, and the tree in sequence form (see `kernels`).

    Attributes:
        tree: with the views of its information sets.
        offset: first sequence of each set; int64 ``[sets + 1]``. The sequences of a set stand in the order of its
            legal actions' ids; after those of all sets comes a root for each seat.
        parent: sequence that leads to a set; int32 ``[sets]``.
        likely: chance of a set if all seats play towards it; float64 ``[sets]``.
        sets: the sets of each seat, ascending; int32.
        ends: last sequence of each seat at an end; int32 ``[ends, seats]``.
        pay: reward of each seat at an end, times the chance of its cards; float64 ``[ends, seats]``.
    """

    tree: Tree
    offset: npt.NDArray[np.int64]
    parent: npt.NDArray[np.int32]
    likely: Floats
    sets: tuple[npt.NDArray[np.int32], ...]
    ends: npt.NDArray[np.int32]
    pay: Floats

    @property
    def players(self) -> int:
        """Seats."""
        return self.tree.players

    @property
    def actions(self) -> int:
        """Sequences without the roots: pairs of a set and an action."""
        return int(self.offset[-1])

    def root(self, seat: int) -> int:
        """The sequence of a seat that has done nothing yet."""
        return self.actions + seat

    def blank(self) -> Floats:
        """Zeros for all sequences, 1 for the roots; float64 ``[sequences]``."""
        plan = np.zeros(self.actions + self.players)
        plan[self.actions :] = 1.0
        return plan

    def uniform(self) -> Floats:
        """The strategy that plays each legal action equally often; float64 ``[actions]``."""
        number = np.diff(self.offset)
        return np.repeat(1.0 / number, number)


def mini_game(
    rules: Rules | str | Mapping[str, Any],
    players: int = 2,
    *,
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> MiniGame:
    """The whole tree of one round, the last seat dealing, all with the tokens of the start.

    Args:
        rules: a preset's name, `Rules`, or a mapping of options.
        players: seats.
        limit: most nodes.
        progress: called now and then with the number of nodes so far.

    Raises:
        UserError: an argument is wrong, or the game is too large or has no end.
    """
    checked = Rules.of(rules)
    checked.check_players(players)
    _check_size(checked, players, limit)
    tree = build_tree(checked, players, views=True, limit=limit, progress=progress)
    return _unfolded(tree)


def deals(rules: Rules, players: int) -> int:
    """Ways to deal the hands and the open cards, the order of cards within a hand not counted."""
    left = rules.deck_set.bit_count()
    ways = 1
    for _ in range(players):
        ways *= math.comb(left, rules.hand_size)
        left -= rules.hand_size
    if rules.table != "stock_discard" or rules.dummy_hand:
        ways *= math.comb(left, 3)
        left -= 3
    return ways * left if rules.table == "stock_discard" else ways


def _check_size(rules: Rules, players: int, limit: int) -> None:
    """Refuse, before anything is built, what is surely too large."""
    name = rules.name if rules.name != "custom" else "this game"
    ways = deals(rules, players)
    if ways > limit:
        raise UserError(
            f"{name} with {players} players has {ways:,} deals, and its tree more nodes than that; at most {limit:,} "
            "nodes are kept: take a mini preset (docs/mini_games.md), or fewer cards and smaller hands"
        )
    if rules.max_turns == 0 and rules.stock_out != "show":
        raise UserError(
            f"{name} may go on for ever (max_turns=0, stock_out={rules.stock_out}), so its tree has no end: "
            "set max_turns"
        )


def _unfolded(tree: Tree) -> MiniGame:
    from thirtyone_eval.solve import kernels

    number = np.bitwise_count(tree.set_mask).astype(np.int64)
    offset = np.concatenate([[0], np.cumsum(number)])
    sets, ends, nodes = len(tree.set_seat), len(tree.pay), len(tree.kind)
    seq = np.zeros((nodes, tree.players), dtype=np.int32)
    seq[0] = offset[-1] + np.arange(tree.players)
    reach = np.ones(nodes)
    parent, likely = np.full(sets, -1, dtype=np.int32), np.zeros(sets)
    end_seq, end_reach = np.zeros((ends, tree.players), dtype=np.int32), np.zeros(ends)
    wrong = kernels.unfold(
        tree.kind, tree.first, tree.number, tree.prob, tree.index, offset,
        seq, reach, parent, likely, end_seq, end_reach,
    )  # fmt: skip
    if wrong != -1:
        raise AssertionError(f"information set {wrong} forgets what its own seat did")
    order = np.argsort(end_seq[:, 0], kind="stable")  # neighbours in memory are asked for together
    return MiniGame(
        tree=tree,
        offset=offset,
        parent=parent,
        likely=likely,
        sets=tuple(np.flatnonzero(tree.set_seat == seat).astype(np.int32) for seat in range(tree.players)),
        ends=np.ascontiguousarray(end_seq[order]),
        pay=np.ascontiguousarray((tree.pay * end_reach[:, None])[order]),
    )
