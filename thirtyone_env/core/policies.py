"""The baselines as one compiled function over a row of views.

A compiled policy is a kind and a parameter, both ``uint64``, and a branch here: never a function passed in, since every
new combination of functions would be a compile. Nothing but the view and the key decides.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, jit, lowest, nth_bit, popcount
from thirtyone_env.core.layout import (
    A_DECLARE,
    A_DISCARD,
    A_DRAW_DISCARD,
    A_DRAW_STOCK,
    A_KNOCK,
    A_PASS,
    A_SWAP_ALL,
    A_SWAP_DUMMY,
    A_SWAP_UPCARD,
    A_TAKE_POOL,
    CARD_BITS,
    NONE_CARD,
    PH_PACKET,
    PH_TURN,
    PH_UPCARD,
    PHASE,
    TABLE,
    TOP,
    V_EXTRA,
    V_HAND,
    V_LEGAL,
    V_RULES0,
    V_RULES1,
    V_STATUS,
)
from thirtyone_env.core.rng import STREAM_POLICY, below, mix
from thirtyone_env.core.throws import best_throw
from thirtyone_env.core.tips import tips_discard, tips_level, tips_takes
from thirtyone_env.core.worth import rule, worth

RANDOM, THRESHOLD, TIPS = U(0), U(1), U(2)
KIND_NAMES = ("random", "threshold", "tips")

MARGIN = U(4)  # the top card is taken if it betters the hand by more than two points
DUMMY_BELOW = U(18)  # a hand below 9 draws up to 12.6 on the average; an unseen one is worth 13.1
PACKET_BELOW_52 = U(26)  # an unseen packet is worth 13.1 on the average, and 15.7 from 32 cards
PACKET_BELOW_32 = U(32)


@jit
def is_legal(legal, action):
    """Whether a mask has an action."""
    return (legal >> action) & U1 != U0


@jit
def status(V, row, field):
    """Value of a field of the table in a view."""
    return (V[row, V_STATUS] >> field[1]) & field[2]


@jit
def choose(kind, parameter, V, row, key):
    """Action of a compiled policy for the view ``V[row]``; 64 for a view without legal actions.

    Args:
        kind: `RANDOM`, `THRESHOLD` or `TIPS`.
        parameter: `THRESHOLD`: the knock level in half points. `TIPS`: see `core.tips`. Otherwise unused.
        V: views, uint64 ``[rows, 32]``.
        row: which of them.
        key: the decision's key; only `RANDOM` reads it.
    """
    legal = V[row, V_LEGAL]
    if kind == RANDOM or legal & (legal - U1) == U0:
        return random_legal(legal, key)
    if is_legal(legal, A_DECLARE):
        return A_DECLARE
    phase = status(V, row, PHASE)
    thrown = (legal >> A_DISCARD) & CARD_BITS
    if thrown != U0:
        return A_DISCARD + _thrown_card(kind, V, row, thrown)
    if phase == PH_TURN:
        if rule(V[row, V_RULES1], TABLE) == U0:
            return _stock_turn(kind, parameter, V, row, legal)
        return _pool_turn(kind, parameter, V, row, legal)
    return _setup_choice(V, row, phase)


@jit
def random_legal(legal, key):
    """A legal action, each equally likely over the keys; 64 if there is none."""
    if legal == U0:
        return U(64)
    return nth_bit(legal, below(mix(key ^ STREAM_POLICY), popcount(legal)))


@jit
def _thrown_card(kind, V, row, thrown):
    if kind == TIPS:
        return tips_discard(V, row, thrown)
    return best_throw(V[row, V_HAND], thrown, V[row, V_RULES1])[1]


@jit
def _level(kind, parameter, V, row):
    return parameter if kind == THRESHOLD else tips_level(parameter, V, row)


@jit
def with_top(V, row):
    """Worth of the hand after taking the top card and the best throw of another; 0 without a top card."""
    top = status(V, row, TOP)
    if top == NONE_CARD:
        return U0
    hand = V[row, V_HAND]
    return best_throw(hand | (U1 << top), hand, V[row, V_RULES1])[0]


@jit
def _stock_turn(kind, parameter, V, row, legal):
    """Knock at the level; take the top card if it helps enough; else the stock; with no stock pass."""
    present = worth(V[row, V_HAND], V[row, V_RULES1])
    if is_legal(legal, A_KNOCK) and present >= _level(kind, parameter, V, row):
        return A_KNOCK
    if is_legal(legal, A_DRAW_DISCARD) and _takes_top(kind, V, row, present):
        return A_DRAW_DISCARD
    if is_legal(legal, A_SWAP_DUMMY) and present < DUMMY_BELOW:
        return A_SWAP_DUMMY
    if is_legal(legal, A_DRAW_STOCK):
        return A_DRAW_STOCK
    return A_PASS if is_legal(legal, A_PASS) else lowest(legal)


@jit
def _takes_top(kind, V, row, present):
    after = with_top(V, row)
    return tips_takes(V, row, present, after) if kind == TIPS else after > present + MARGIN


@jit
def _pool_turn(kind, parameter, V, row, legal):
    """Close at the level; else the exchange that improves most, one card before three; else pass."""
    rules1 = V[row, V_RULES1]
    hand = V[row, V_HAND]
    pool = V[row, V_EXTRA]
    present = worth(hand, rules1)
    if is_legal(legal, A_KNOCK) and present >= _level(kind, parameter, V, row):
        return A_KNOCK
    most, choice = present, A_PASS
    action = A_TAKE_POOL
    rest = pool
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        if is_legal(legal, action):
            after = best_throw(hand | bit, hand, rules1)[0]
            if after > most:
                most, choice = after, action
        action = action + U1
    if is_legal(legal, A_SWAP_ALL) and worth(pool, rules1) > most:
        return A_SWAP_ALL
    return choice


@jit
def _setup_choice(V, row, phase):
    """The dealer's choice before the first turn: the up-card, or the other packet."""
    present = worth(V[row, V_HAND], V[row, V_RULES1])
    if phase == PH_UPCARD:
        return A_SWAP_UPCARD if with_top(V, row) > present else A_PASS
    if phase == PH_PACKET:
        small = popcount(V[row, V_RULES0] & CARD_BITS) < U(52)
        return A_SWAP_ALL if present < (PACKET_BELOW_32 if small else PACKET_BELOW_52) else A_PASS
    return lowest(V[row, V_LEGAL])


@jit
def choose_all(kind, parameter, V, keys, actions):
    """`choose` for every row: ``actions[i]`` from ``V[i]`` and ``keys[i]``, uint64 ``[n]`` both."""
    for row in range(V.shape[0]):
        actions[row] = choose(kind, parameter, V, row, keys[row])
