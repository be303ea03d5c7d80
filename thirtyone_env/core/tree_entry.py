"""The compiled functions by which Python grows game trees.

Importing this module loads them from the cache, or compiles them (a group of their own: few users need trees).
"""

from __future__ import annotations

from thirtyone_env.core import tree, tree_chance, tree_seen
from thirtyone_env.core.bits import U0
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "trees"


@entry("float64(uint64[:, ::1], boolean, float64[::1])", group=GROUP)
def chance_weights(S, ordered, out):
    """Weights of the cards that chance may give in game 0, float64 ``[52]``, and their sum; see `tree_chance`."""
    return tree_chance.chance_weights(S, U0, ordered, out)


@entry(
    "int64(uint64[:, ::1], int64[::1], int32[:, ::1], uint64[:, ::1], float64[::1], int64[::1], boolean, "
    "int8[::1], int32[::1], uint8[::1], uint8[::1], float64[::1], int32[::1], float64[:, ::1], "
    "int32[::1], uint64[::1], int32[::1], int64[::1], int32[::1], int8[::1], uint64[::1], uint64[:, ::1], int64)",
    group=GROUP,
)
def grow(states, node, seen, state, weights, counters, ordered, kind, first, number, label, prob, index, pay,
         keys, words, values, count, of_seen, seat, mask, views, budget):
    """Expand up to ``budget`` nodes; the arrays are those of `Stack`, `Nodes`, `Trie` and `Sets`."""
    stack = tree.Stack(states, node, seen, state, weights, counters, ordered)
    nodes = tree.Nodes(kind, first, number, label, prob, index, pay)
    trie = tree_seen.Trie(keys, words, values, count)
    return tree.grow(stack, nodes, trie, tree.Sets(of_seen, seat, mask, views), budget)


@entry("void(int32[::1], uint64[::1], int32[::1], int32[::1], uint64[::1], int32[::1], int64[::1])", group=GROUP)
def rehash(old_keys, old_words, old_values, keys, words, values, count):
    """Copy the table of a trie into a larger one, whose keys are all -1."""
    old = tree_seen.Trie(old_keys, old_words, old_values, count)
    tree_seen.rehash(old, tree_seen.Trie(keys, words, values, count))


compile_entries(GROUP, "the game trees")
