"""A game tree as text in Gambit's extensive-form format (``.efg``), which OpenSpiel and Gambit read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.cards import CARDS
from thirtyone_env.tree import CHANCE, TERMINAL, Tree


def to_efg(tree: Tree) -> str:
    """The tree as the text of an EFG file, nodes in the order of depth-first search.

    Information sets are numbered from 1 for each player, in the order of the tree's numbers.
    """
    return "\n".join(efg_lines(tree)) + "\n"


def efg_lines(tree: Tree) -> Iterator[str]:
    """The lines of `to_efg`, for writing large trees to a file piece by piece."""
    names = " ".join(f'"seat {seat}"' for seat in range(tree.players))
    yield f'EFG 2 R "thirtyone {tree.rules.name}, {tree.players} players" {{ {names} }}'
    number_of_set = _numbers(tree)
    waiting = [0]
    chances = 0
    while waiting:
        node = waiting.pop()
        kind, index, first = int(tree.kind[node]), int(tree.index[node]), int(tree.first[node])
        children = range(first, first + int(tree.number[node]))
        waiting.extend(reversed(children))
        if kind == TERMINAL:
            paid = " ".join(repr(float(value)) for value in tree.pay[index])
            yield f't "" {index + 1} "" {{ {paid} }}'
        elif kind == CHANCE:
            chances += 1
            cards = " ".join(f'"{CARDS[tree.label[child]]}" {float(tree.prob[child])!r}' for child in children)
            yield f'c "" {chances} "" {{ {cards} }} 0'
        else:
            actions = " ".join(f'"{ACTION_NAMES[tree.label[child]]}"' for child in children)
            yield f'p "" {kind + 1} {number_of_set[index]} "" {{ {actions} }} 0'


def _numbers(tree: Tree) -> np.ndarray:
    """Number of each information set among those of its seat, from 1."""
    numbers = np.zeros(len(tree.set_seat), dtype=np.int64)
    for seat in range(tree.players):
        mine = tree.set_seat == seat
        numbers[mine] = np.arange(1, int(mine.sum()) + 1)
    return numbers
