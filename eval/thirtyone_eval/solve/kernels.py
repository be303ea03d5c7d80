"""Compiled loops over a mini game in sequence form.

A sequence is a seat's information set and an action taken there (or nothing yet, the root): all that the seat has done
so far. Sequences of all seats share one numbering: those of set ``i`` are ``offset[i] .. offset[i+1]``, the roots come
last. A seat's sets are numbered in the order of its play: the set in which its last action was taken has a lower
number, so a loop backwards adds up what is below a set before it comes to the set.

Importing this module loads the functions from the cache, or compiles them (a group of their own).
"""

from __future__ import annotations

from typing import Any

from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.tree import CHANCE, TERMINAL

GROUP = "solving"


@entry(
    "int64(int8[::1], int32[::1], uint8[::1], float64[::1], int32[::1], int64[::1], "
    "int32[:, ::1], float64[::1], int32[::1], float64[::1], int32[:, ::1], float64[::1])",
    group=GROUP,
)
def unfold(
    kind: Any, first: Any, number: Any, prob: Any, index: Any, offset: Any,
    seq: Any, reach: Any, parent: Any, likely: Any, end_seq: Any, end_reach: Any,
) -> int:
    """Find the last sequence of each seat at each node of a tree, and what chance alone makes of it.

    Args:
        kind, first, number, prob, index: the tree's.
        offset: first sequence of each set; int64 ``[sets + 1]``.
        seq, reach: room for each node's sequences and chance; int32 ``[nodes, seats]``, float64 ``[nodes]``; the root's
            are given.
        parent: -1 everywhere; becomes the sequence that leads to each set; int32 ``[sets]``.
        likely: 0 everywhere; becomes the chance of each set if all seats play towards it; float64 ``[sets]``.
        end_seq, end_reach: become each end's sequences and chance; int32 ``[ends, seats]``, float64 ``[ends]``.

    Returns:
        -1, or an information set that is reached by two different sequences of its own seat.
    """
    seats = seq.shape[1]
    for node in range(len(kind)):
        mover, row = kind[node], index[node]
        if mover == TERMINAL:
            end_reach[row] = reach[node]
            for seat in range(seats):
                end_seq[row, seat] = seq[node, seat]
            continue
        if mover != CHANCE:
            likely[row] += reach[node]
            if parent[row] == -1:
                parent[row] = seq[node, mover]
            elif parent[row] != seq[node, mover]:
                return int(row)
        for i in range(number[node]):
            child = first[node] + i
            reach[child] = reach[node] * prob[child]
            for seat in range(seats):
                seq[child, seat] = seq[node, seat]
            if mover != CHANCE:
                seq[child, mover] = offset[row] + i
    return -1


@entry("void(int32[:, ::1], float64[:, ::1], float64[::1], int64, float64[::1])", group=GROUP)
def pay_of_sequences(end_seq: Any, pay: Any, plan: Any, seat: Any, gain: Any) -> None:
    """What a seat gets where its play ends with each of its sequences, the others following ``plan``.

    Args:
        end_seq, pay: of each end: sequences, and rewards times the chance of the cards; ``[ends, seats]``.
        plan: how likely each sequence is as far as its own seat decides; float64 ``[sequences]``.
        seat: whose pay.
        gain: becomes the pay; float64 ``[sequences]``. All of it is set to 0 first.
    """
    gain[:] = 0.0
    seats = end_seq.shape[1]
    if seats == 2:
        other = 1 - seat
        for end in range(len(end_seq)):
            gain[end_seq[end, seat]] += pay[end, seat] * plan[end_seq[end, other]]
        return
    for end in range(len(end_seq)):
        weight = pay[end, seat]
        for other in range(seats):
            if other != seat:
                weight *= plan[end_seq[end, other]]
        gain[end_seq[end, seat]] += weight


@entry("void(int32[::1], int64[::1], int32[::1], float64[::1], float64[::1])", group=GROUP)
def follow(sets: Any, offset: Any, parent: Any, strategy: Any, plan: Any) -> None:
    """Fill in ``plan`` for one seat's ``sets`` (ascending): the product of ``strategy`` along each sequence."""
    for i in range(len(sets)):
        row = sets[i]
        for seq in range(offset[row], offset[row + 1]):
            plan[seq] = plan[parent[row]] * strategy[seq]


@entry("void(int32[::1], int64[::1], int32[::1], float64[::1], float64[::1])", group=GROUP)
def expect(sets: Any, offset: Any, parent: Any, strategy: Any, gain: Any) -> None:
    """Add what ``strategy`` gets below each set to the sequence that leads there; the root ends up with all."""
    for i in range(len(sets) - 1, -1, -1):
        row = sets[i]
        value = 0.0
        for seq in range(offset[row], offset[row + 1]):
            value += strategy[seq] * gain[seq]
        gain[parent[row]] += value


@entry("void(int32[::1], int64[::1], int32[::1], float64[::1], float64[::1])", group=GROUP)
def respond(sets: Any, offset: Any, parent: Any, gain: Any, best: Any) -> None:
    """As `expect` for the best action of each set (the first of equal ones), which ``best`` then plays for sure."""
    for i in range(len(sets) - 1, -1, -1):
        row = sets[i]
        chosen = offset[row]
        for seq in range(offset[row], offset[row + 1]):
            best[seq] = 0.0
            if gain[seq] > gain[chosen]:
                chosen = seq
        best[chosen] = 1.0
        gain[parent[row]] += gain[chosen]


@entry(
    "void(int32[::1], int64[::1], int32[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64)",
    group=GROUP,
)
def improve(
    sets: Any, offset: Any, parent: Any, gain: Any, strategy: Any, plan: Any, regret: Any, total: Any, weight: float
) -> None:
    """One seat's step of CFR+.

    Regrets are added up and cut off at 0; the play just answered goes into ``total`` with ``weight``; the next play is
    in proportion to the regrets, or even where there are none. ``strategy``, ``plan``, ``regret`` and ``total`` change.
    """
    for i in range(len(sets) - 1, -1, -1):
        row = sets[i]
        begin, end = offset[row], offset[row + 1]
        value = 0.0
        for seq in range(begin, end):
            value += strategy[seq] * gain[seq]
        gain[parent[row]] += value
        summed = 0.0
        for seq in range(begin, end):
            total[seq] += weight * plan[seq]
            regret[seq] = max(regret[seq] + gain[seq] - value, 0.0)
            summed += regret[seq]
        for seq in range(begin, end):
            strategy[seq] = regret[seq] / summed if summed > 0.0 else 1.0 / (end - begin)
    for i in range(len(sets)):
        row = sets[i]
        for seq in range(offset[row], offset[row + 1]):
            plan[seq] = plan[parent[row]] * strategy[seq]


compile_entries(GROUP, "the solver")
