"""The game tree of one round, grown node by node with a stack of states (for games small enough).

A node is a decision of a seat, a card of chance, or an end. The children of a node stand side by side, and after it; so
going through the nodes forwards is going down the tree, and backwards up. The root is the first card of the deal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from thirtyone_env.core.bits import U0, U1, U, get, jit, lowest
from thirtyone_env.core.deal import chance_to_move, give
from thirtyone_env.core.layout import NUM_SEATS, TURN
from thirtyone_env.core.legal import legal_actions
from thirtyone_env.core.moves import act
from thirtyone_env.core.pay import round_reward
from thirtyone_env.core.rounds import end_round
from thirtyone_env.core.tree_chance import chance_weights
from thirtyone_env.core.tree_seen import NO_ACTION, see
from thirtyone_env.core.view import write_view

CHANCE = -1  # kinds of nodes; a decision's kind is its seat
TERMINAL = -2
# Places in the counters.
STACKED, NODES, SETS, ENDS, CHANCES, DECISIONS = range(6)
COUNTERS = 6
# What `grow` answers: all grown, more to do, or which arrays are too small.
DONE, MORE, NODES_FULL, TRIE_FULL, STACK_FULL, SETS_FULL, ENDS_FULL = range(7)
ROOM = 64  # more than a node has children


class Stack(NamedTuple):
    """Nodes still to be expanded.

    Attributes:
        states: their states, uint64 ``[words, depth]``.
        node: their numbers, int64 ``[depth]``.
        seen: trie node of each seat, int32 ``[depth + 1, seats]``; the last row is of the node being expanded.
        state: the state of the node being expanded, uint64 ``[words, 1]``.
        weights: room for the weights of 52 cards, float64.
        counters: int64 ``[COUNTERS]``.
        ordered: whether hands are dealt in ascending order.
    """

    states: Any
    node: Any
    seen: Any
    state: Any
    weights: Any
    counters: Any
    ordered: Any


class Nodes(NamedTuple):
    """The tree. Where these arrays are empty the nodes are only counted.

    Attributes:
        kind: seat that decides, `CHANCE` or `TERMINAL`; int8 ``[nodes]``.
        first, number: first child and number of children; int32, uint8 ``[nodes]``.
        label: action or card that leads here; uint8 ``[nodes]``.
        prob: chance of the card that leads here, 1 after an action; float64 ``[nodes]``.
        index: information set of a decision, row of ``pay`` of an end, -1 of chance; int32 ``[nodes]``.
        pay: what each seat gets at an end; float64 ``[ends, seats]``.
    """

    kind: Any
    first: Any
    number: Any
    label: Any
    prob: Any
    index: Any
    pay: Any


class Sets(NamedTuple):
    """The information sets.

    Attributes:
        of_seen: set of a trie node, -1 for none; int32 ``[trie nodes]``.
        seat: who decides; int8 ``[sets]``.
        mask: legal actions; uint64 ``[sets]``.
        views: what the seat's view says there, uint64 ``[sets, 32]``; empty where not wanted.
    """

    of_seen: Any
    seat: Any
    mask: Any
    views: Any


@jit
def _room(stack, nodes, trie, sets):
    """`MORE` where one more node can be expanded, else what is too small."""
    count = stack.counters
    keep = len(nodes.kind) > 0
    new = ROOM * 4 * stack.seen.shape[1]
    if keep and count[NODES] + ROOM > len(nodes.kind):
        return NODES_FULL
    if 2 * (trie.count[0] + new) > len(trie.keys) or trie.count[0] + new >= len(sets.of_seen):
        return TRIE_FULL
    if count[STACKED] + ROOM > len(stack.node):
        return STACK_FULL
    if count[SETS] + ROOM > len(sets.seat):
        return SETS_FULL
    if keep and count[ENDS] + ROOM > len(nodes.pay):
        return ENDS_FULL
    return MORE


@jit
def grow(stack, nodes, trie, sets, budget):
    """Expand up to ``budget`` nodes."""
    count = stack.counters
    for _ in range(budget):
        if count[STACKED] == 0:
            return DONE
        room = _room(stack, nodes, trie, sets)
        if room != MORE:
            return room
        begin = count[NODES]
        node = _take(stack)
        if chance_to_move(stack.state, U0):
            _chance(stack, nodes, trie, sets)
        else:
            _decision(stack, nodes, trie, sets)
        if len(nodes.kind) > 0:
            nodes.first[node] = begin
            nodes.number[node] = count[NODES] - begin
    return DONE if count[STACKED] == 0 else MORE


@jit
def _take(stack):
    """Take the node on the top of the stack to be expanded."""
    row = stack.counters[STACKED] - 1
    stack.counters[STACKED] = row
    for word in range(stack.states.shape[0]):
        stack.state[word, 0] = stack.states[word, row]
    for seat in range(stack.seen.shape[1]):
        stack.seen[-1, seat] = stack.seen[row, seat]
    return stack.node[row]


@jit
def _copy(stack):
    """Copy what is being expanded to the top of the stack, as the next child. Returns its row."""
    row = stack.counters[STACKED]
    for word in range(stack.states.shape[0]):
        stack.states[word, row] = stack.state[word, 0]
    for seat in range(stack.seen.shape[1]):
        stack.seen[row, seat] = stack.seen[-1, seat]
    return row


@jit
def _chance(stack, nodes, trie, sets):
    total = chance_weights(stack.state, U0, stack.ordered, stack.weights)
    for card in range(52):
        weight = stack.weights[card]
        if weight > 0.0:
            row = _copy(stack)
            reason = give(stack.states, U(row), U(card))
            _child(stack, nodes, trie, sets, row, reason, NO_ACTION, card, weight / total)


@jit
def _decision(stack, nodes, trie, sets):
    mask = legal_actions(stack.state, U0)
    while mask != U0:
        action = lowest(mask)
        mask = mask & (mask - U1)
        row = _copy(stack)
        reason = act(stack.states, U(row), action)
        _child(stack, nodes, trie, sets, row, reason, action, int(action), 1.0)


@jit
def _child(stack, nodes, trie, sets, row, reason, action, label, prob):
    """Enter the child whose state lies in ``row``; one that is not an end stays on the stack."""
    count = stack.counters
    node = count[NODES]
    count[NODES] += 1
    if len(nodes.kind) > 0:
        nodes.label[node] = label
        nodes.prob[node] = prob
    if reason != U0:
        _end(stack, nodes, row, reason, node)
        return
    see(stack.states, U(row), stack.state, trie, stack.seen, row, action)
    stack.node[row] = node
    count[STACKED] += 1
    kind, index = CHANCE, -1
    if chance_to_move(stack.states, U(row)):
        count[CHANCES] += 1
    else:
        count[DECISIONS] += 1
        kind = int(get(stack.states, U(row), TURN))
        index = _set_of(stack, sets, row, kind)
    if len(nodes.kind) > 0:
        nodes.kind[node] = kind
        nodes.index[node] = index


@jit
def _end(stack, nodes, row, reason, node):
    end = stack.counters[ENDS]
    stack.counters[ENDS] += 1
    if len(nodes.kind) == 0:
        return
    end_round(stack.states, U(row), reason)
    nodes.kind[node] = TERMINAL
    nodes.index[node] = end
    for seat in range(int(get(stack.states, U(row), NUM_SEATS))):
        nodes.pay[end, seat] = round_reward(stack.states, U(row), U(seat), U0)


@jit
def _set_of(stack, sets, row, seat):
    """Number of the information set of the decision in ``row``; a new one is noted."""
    seen = stack.seen[row, seat]
    if sets.of_seen[seen] == -1:
        new = stack.counters[SETS]
        stack.counters[SETS] += 1
        sets.of_seen[seen] = new
        sets.seat[new] = seat
        sets.mask[new] = legal_actions(stack.states, U(row))
        if len(sets.views) > 0:
            write_view(stack.states, U(row), U(seat), sets.views, new)
    return int(sets.of_seen[seen])
