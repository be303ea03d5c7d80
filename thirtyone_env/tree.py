"""Game trees of one round: counted, or kept as arrays to be solved or written to a file.

A game is small enough where its rules have few cards, a turn limit and no reshuffle (`Rules.preset("mini_4x2")`). Hands
are dealt in ascending order unless ``ordered=False``: each set of hands comes as often as in a plain deal, by one way
instead of one for each order of its cards. The values of the game are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import tree_entry
from thirtyone_env.core.layout import VIEW_WORDS
from thirtyone_env.core.tree import (
    CHANCE,
    CHANCES,
    COUNTERS,
    DECISIONS,
    DONE,
    ENDS,
    ENDS_FULL,
    MORE,
    NODES,
    NODES_FULL,
    ROOM,
    SETS,
    SETS_FULL,
    STACK_FULL,
    STACKED,
    TERMINAL,
    TRIE_FULL,
)
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules

__all__ = ["CHANCE", "TERMINAL", "Tree", "TreeCounts", "build_tree", "count_tree"]

Array = npt.NDArray[Any]
Progress = Callable[[int], None]
_BUDGET = 100_000  # nodes between two looks at the progress and at Ctrl-C
_DEFAULT_LIMIT = 30_000_000
_DEPTH = 16 * ROOM + 24  # nodes waiting; off a power of two, where columns of a state would share cache lines


@dataclass(frozen=True)
class TreeCounts:
    """Size of a game tree.

    Attributes:
        decisions, chances, terminals: nodes of each kind.
        sets: information sets of each seat.
    """

    decisions: int
    chances: int
    terminals: int
    sets: tuple[int, ...]

    @property
    def nodes(self) -> int:
        """All nodes."""
        return self.decisions + self.chances + self.terminals

    @property
    def information_sets(self) -> int:
        """Information sets of all seats."""
        return sum(self.sets)


@dataclass(frozen=True)
class Tree:
    """A game tree of one round. Node 0 is the root; children have higher numbers than their parents.

    Attributes:
        rules, players, dealer: the game.
        kind: seat that decides, `CHANCE` or `TERMINAL`; int8 ``[nodes]``.
        first, number: first child and number of children; int32, uint8 ``[nodes]``. The children of a decision are in
            the order of the ids of its legal actions.
        label: action or card id that leads here; uint8 ``[nodes]``.
        prob: chance of the card that leads here, 1 after an action; float64 ``[nodes]``.
        index: information set of a decision, row of ``pay`` of an end, -1 of chance; int32 ``[nodes]``.
        pay: reward of each seat at an end; float64 ``[ends, seats]``.
        set_seat, set_mask: who decides in an information set, and the legal actions; int8, uint64 ``[sets]``.
        views: what the seat's view says in an information set, uint64 ``[sets, 32]``; None where not asked for.
        counts: the size.
    """

    rules: Rules
    players: int
    dealer: int
    kind: Array
    first: Array
    number: Array
    label: Array
    prob: Array
    index: Array
    pay: Array
    set_seat: Array
    set_mask: Array
    views: Array | None
    counts: TreeCounts


def count_tree(
    rules: Rules | str | Mapping[str, Any],
    players: int = 2,
    dealer: int | None = None,
    *,
    ordered: bool = True,
    limit: int = _DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> TreeCounts:
    """Count a round's tree without keeping it.

    Args:
        rules: rules, a preset's name or a mapping of options.
        players: seats, all with the tokens of the rules' start.
        dealer: seat that deals; the last one by default, so that seat 0 plays first.
        ordered: whether hands are dealt in ascending order.
        limit: most nodes; a larger tree is refused.
        progress: called now and then with the number of nodes so far.

    Raises:
        UserError: an argument is wrong, or the tree is larger than ``limit``.
    """
    return _grow(rules, players, dealer, ordered, limit, progress, keep=False, views=False).counts


def build_tree(
    rules: Rules | str | Mapping[str, Any],
    players: int = 2,
    dealer: int | None = None,
    *,
    ordered: bool = True,
    views: bool = False,
    limit: int = _DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> Tree:
    """A round's tree as arrays; about 25 bytes a node. Arguments and errors as for `count_tree`.

    Args:
        views: keep the view of each information set (256 bytes each), so that policies can be asked.
    """
    return _grow(rules, players, dealer, ordered, limit, progress, keep=True, views=views)


class _Growing:
    """The arrays of a tree while it grows; each is made larger when it is full."""

    def __init__(self, game: Game, ordered: bool, keep: bool, views: bool) -> None:
        words, seats = game.state.shape[0], game.players
        self.seats, self.ordered, self.keep = seats, ordered, keep
        self.states = np.zeros((words, _DEPTH), dtype=np.uint64)
        self.node = np.zeros(_DEPTH, dtype=np.int64)
        self.seen = np.zeros((_DEPTH + 1, seats), dtype=np.int32)
        self.state = np.zeros((words, 1), dtype=np.uint64)
        self.weights = np.zeros(52, dtype=np.float64)
        self.counters = np.zeros(COUNTERS, dtype=np.int64)
        n = 4096 if keep else 0
        self.kind, self.first, self.number, self.label, self.prob, self.index = (
            np.zeros(n, dtype=dtype) for dtype in (np.int8, np.int32, np.uint8, np.uint8, np.float64, np.int32)
        )
        self.pay = np.zeros((n, seats), dtype=np.float64)
        size = 1 << 14
        self.keys, self.words = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.uint64)
        self.values, self.trie = np.zeros(size, dtype=np.int32), np.zeros(1, dtype=np.int64)
        self.of_seen = np.full(size, -1, dtype=np.int32)
        self.set_seat, self.set_mask = np.zeros(1024, dtype=np.int8), np.zeros(1024, dtype=np.uint64)
        self.views = np.zeros((1024 if views else 0, VIEW_WORDS), dtype=np.uint64)
        self._root(game)

    def _root(self, game: Game) -> None:
        self.states[:, 0] = game.state[:, 0]
        for place in (STACKED, NODES, CHANCES):
            self.counters[place] = 1
        if self.keep:
            self.kind[0], self.index[0], self.prob[0] = CHANCE, -1, 1.0

    def step(self, budget: int) -> int:
        """Expand up to ``budget`` nodes."""
        return int(tree_entry.grow(
            self.states, self.node, self.seen, self.state, self.weights, self.counters, self.ordered,
            self.kind, self.first, self.number, self.label, self.prob, self.index, self.pay,
            self.keys, self.words, self.values, self.trie, self.of_seen,
            self.set_seat, self.set_mask, self.views, budget,
        ))  # fmt: skip

    def enlarge(self, what: int) -> None:
        """Make room where ``what`` says that there is none."""
        if what == NODES_FULL:
            for name in ("kind", "first", "number", "label", "prob", "index"):
                self._double(name)
        elif what == ENDS_FULL:
            self._double("pay")
        elif what == SETS_FULL:
            for name in ("set_seat", "set_mask", "views"):
                self._double(name)
        elif what == TRIE_FULL:
            self._enlarge_trie()
        elif what == STACK_FULL:
            self.states = np.concatenate([self.states, np.zeros_like(self.states)], axis=1)
            self.node = np.concatenate([self.node, np.zeros_like(self.node)])
            self.seen = np.concatenate([self.seen, np.zeros_like(self.seen)])

    def _double(self, name: str) -> None:
        array = getattr(self, name)
        setattr(self, name, np.concatenate([array, np.zeros_like(array)]))

    def _enlarge_trie(self) -> None:
        old = (self.keys, self.words, self.values)
        size = 2 * len(self.keys)
        self.keys, self.words = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.uint64)
        self.values = np.zeros(size, dtype=np.int32)
        tree_entry.rehash(*old, self.keys, self.words, self.values, self.trie)
        self.of_seen = np.concatenate([self.of_seen, np.full_like(self.of_seen, -1)])

    def counts(self) -> TreeCounts:
        """The size so far."""
        seats = self.set_seat[: self.counters[SETS]]
        return TreeCounts(
            int(self.counters[DECISIONS]), int(self.counters[CHANCES]), int(self.counters[ENDS]),
            tuple(int((seats == seat).sum()) for seat in range(self.seats)),
        )  # fmt: skip


def _grow(
    rules: Rules | str | Mapping[str, Any],
    players: int,
    dealer: int | None,
    ordered: bool,
    limit: int,
    progress: Progress | None,
    keep: bool,
    views: bool,
) -> Tree:
    deals = players - 1 if dealer is None else dealer
    game = Game(rules, players, dealer=deals, episode="round", chance="manual")
    growing = _Growing(game, ordered, keep, views)
    status = MORE
    while status != DONE:
        status = growing.step(_BUDGET)
        if growing.counters[NODES] > limit:
            raise UserError(
                f"the tree has more than {limit} nodes: give fewer cards, a lower max_turns, stock_out show, "
                "or a higher limit"
            )
        if status == MORE and progress is not None:
            progress(int(growing.counters[NODES]))
        growing.enlarge(status)
    return _finished(game, deals, growing)


def _finished(game: Game, dealer: int, growing: _Growing) -> Tree:
    nodes, sets = int(growing.counters[NODES]), int(growing.counters[SETS])
    kept = nodes if growing.keep else 0
    return Tree(
        game.rules, game.players, dealer,
        growing.kind[:kept], growing.first[:kept], growing.number[:kept], growing.label[:kept], growing.prob[:kept],
        growing.index[:kept], growing.pay[: growing.counters[ENDS] if growing.keep else 0],
        growing.set_seat[:sets], growing.set_mask[:sets],
        growing.views[:sets] if len(growing.views) else None,
        growing.counts(),
    )  # fmt: skip
