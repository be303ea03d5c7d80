"""What each seat has seen, as nodes of a trie: the ground of information sets with perfect recall.

A node's parent is what the seat had seen before; the word between them says what came. Both are compared in full, so
two histories share a node only where they look the same to the seat.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from thirtyone_env.core.bits import U0, U1, U, get, jit
from thirtyone_env.core.layout import (
    EXTRA,
    NUM_SEATS,
    PH_DEAL,
    PH_PACKET,
    PHASE,
    RULES1,
    TABLE,
    TOP,
    TURNED,
)
from thirtyone_env.core.rounds import hand_word
from thirtyone_env.core.worth import rule

NO_ACTION = U(63)
_SAW_ACTION = U(1) << U(56)
_SAW_HAND = U(2) << U(56)
_SAW_OPEN = U(3) << U(56)
_SAW_TOP = U(4) << U(56)
_GOLDEN = U(0x9E3779B97F4A7C15)


class Trie(NamedTuple):
    """A hash table of nodes, linear probing: node ``values[i]`` hangs below ``keys[i]`` (-1: free) by ``words[i]``.

    Shapes: int32 ``[2^k]``, uint64 ``[2^k]``, int32 ``[2^k]``, and ``count`` int64 ``[1]``, the nodes below the root 0.
    """

    keys: Any
    words: Any
    values: Any
    count: Any


@jit
def _place(trie, parent, word):
    """Where the node below ``parent`` by ``word`` is, or the free place for it."""
    mask = U(len(trie.keys) - 1)
    place = (word ^ (U(parent + 1) * _GOLDEN)) * _GOLDEN
    place = (place ^ (place >> U(29))) & mask
    while trie.keys[place] != -1 and (trie.keys[place] != parent or trie.words[place] != word):
        place = (place + U1) & mask
    return place


@jit
def saw(trie, parent, word):
    """The node below ``parent`` by ``word``; made where it is new."""
    place = _place(trie, parent, word)
    if trie.keys[place] == -1:
        trie.count[0] += 1
        trie.keys[place] = parent
        trie.words[place] = word
        trie.values[place] = trie.count[0]
    return trie.values[place]


@jit
def rehash(old, new):
    """Copy a trie's table into a larger one, whose keys are all -1."""
    for i in range(len(old.keys)):
        if old.keys[i] != -1:
            place = _place(new, old.keys[i], old.words[i])
            new.keys[place] = old.keys[i]
            new.words[place] = old.words[i]
            new.values[place] = old.values[i]


@jit
def see(S, g, P, trie, seen, row, action):
    """Move the trie nodes ``seen[row]`` of all seats on by what they see between the state ``P`` and game ``g``.

    Everyone sees the action (`NO_ACTION` for chance), the pool or the dummy once it lies open, and the up-card; each
    seat sees its own hand. Of the deal a seat sees what it was dealt, and not in which order.
    """
    if get(S, g, PHASE) == PH_DEAL:
        return
    dealt = get(P, U0, PHASE) == PH_DEAL
    lies_open = _open(S, g)
    for i in range(int(get(S, g, NUM_SEATS))):
        node = seen[row, i]
        if action != NO_ACTION:
            node = saw(trie, node, _SAW_ACTION | action)
        hand = S[hand_word(U(i)), g]
        if dealt or hand != P[hand_word(U(i)), 0]:
            node = saw(trie, node, _SAW_HAND | hand)
        if dealt or lies_open != _open(P, U0):
            node = saw(trie, node, _SAW_OPEN | lies_open)
        if dealt:
            node = saw(trie, node, _SAW_TOP | get(S, g, TOP))
        seen[row, i] = node


@jit
def _open(S, g):
    """The pool, or the dummy once it lies open. The top of a pile is no news: it was the up-card, or thrown by name."""
    if rule(S[RULES1, g], TABLE) != U0:
        return U0 if get(S, g, PHASE) == PH_PACKET else S[EXTRA, g]
    return S[EXTRA, g] if get(S, g, TURNED) != U0 else U0
