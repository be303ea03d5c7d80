"""Which actions are legal, as a mask of one word."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, get, jit, popcount
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
    DECLARE_RULE,
    DRAWN,
    DUMMY_HAND,
    EXCHANGE,
    EXCHANGED,
    EXTRA,
    FIRST_KNOCK,
    KNOCK_MIN,
    KNOCKER,
    LAP_STAND,
    NATURAL,
    NONE_CARD,
    NONE_SEAT,
    PH_DISCARD,
    PH_OVER,
    PH_PACKET,
    PH_POOL,
    PH_RENEW,
    PH_TURN,
    PHASE,
    PILE,
    RETURN_TAKEN,
    RULES1,
    SETUP,
    STOCK,
    STOCK_OUT,
    TABLE,
    TAKEN,
    TOP,
    TURN,
    TURN_NO,
    TURNED,
)
from thirtyone_env.core.pool import PUT_DOWN
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.worth import is_target, rule, showable, worth

_DISCARDS = A_DISCARD
_RESHUFFLE = U0
_PLAY_ON = U1
_DRAW = U(2)


@jit
def bit_of(action):
    """Mask with one action."""
    return U1 << action


@jit
def legal_actions(S, g):
    """Mask of the legal actions of the seat to move; 0 where chance moves or the match is over."""
    phase = get(S, g, PHASE)
    if phase == PH_DISCARD:
        return _after_draw(S, g)
    if phase == PH_TURN:
        return _at_turn(S, g)
    if phase <= PH_RENEW or phase == PH_OVER:
        return U0
    if phase == PH_POOL:
        hand = S[hand_word(get(S, g, TURN)), g]
        return (hand & ~(U1 << get(S, g, DRAWN))) << _DISCARDS
    if phase == PH_PACKET:
        return bit_of(A_SWAP_ALL) | bit_of(A_PASS)
    return bit_of(A_SWAP_UPCARD) | bit_of(A_PASS)


@jit
def _after_draw(S, g):
    rules1 = S[RULES1, g]
    hand = S[hand_word(get(S, g, TURN)), g]
    drawn = U1 << get(S, g, DRAWN)
    taken = get(S, g, TAKEN) != U0
    setup = get(S, g, SETUP) != U0
    thrown = hand
    if taken and (setup or rule(rules1, RETURN_TAKEN) == U0):
        thrown = hand & ~drawn
    mask = thrown << _DISCARDS
    declare = rule(rules1, DECLARE_RULE)
    if declare != U0 and not setup and showable(hand, drawn, taken, declare == U(2), rules1) != U0:
        mask = mask | bit_of(A_DECLARE)
    return mask


@jit
def _at_turn(S, g):
    rules1 = S[RULES1, g]
    if rule(rules1, TABLE) != U0:
        return _at_pool_turn(S, g, rules1)
    knocked = get(S, g, KNOCKER) != NONE_SEAT
    stock_out = rule(rules1, STOCK_OUT)
    mask = bit_of(A_DRAW_DISCARD) if get(S, g, TOP) != NONE_CARD else U0
    if S[STOCK, g] != U0:
        mask = mask | bit_of(A_DRAW_STOCK)
    elif stock_out == _RESHUFFLE:
        if popcount(S[PILE, g]) > U1:
            mask = mask | bit_of(A_DRAW_STOCK)
    elif stock_out == _PLAY_ON or knocked:
        mask = mask | bit_of(A_PASS)
    if knocked and rule(rules1, LAP_STAND) != U0:
        mask = mask | bit_of(A_PASS)
    if not knocked and may_knock(S, g, rules1):
        mask = mask | bit_of(A_KNOCK)
    if rule(rules1, DUMMY_HAND) != U0 and get(S, g, TURNED) == U0:
        mask = mask | bit_of(A_SWAP_DUMMY)
    return mask | _declare_at_turn(S, g, rules1)


@jit
def may_knock(S, g, rules1):
    """Whether the first-turn rule and the minimum allow a knock (RULES section 4)."""
    first = rule(rules1, FIRST_KNOCK)
    turns = get(S, g, TURN_NO)
    if first == U1 and turns == U0:
        return False
    if first == U(2) and turns < popcount(seats_in(S, g)):
        return False
    least = rule(rules1, KNOCK_MIN)
    return least == U0 or worth(S[hand_word(get(S, g, TURN)), g], rules1) >= U(2) * least


@jit
def _declare_at_turn(S, g, rules1):
    """Before a draw: a 31 held back (``hold``), or a dealt one on the first turn (``own_turn``)."""
    declare = rule(rules1, DECLARE_RULE)
    if declare == U0:
        return U0
    own_first = rule(rules1, NATURAL) != U0 and get(S, g, TURN_NO) < popcount(seats_in(S, g))
    if declare != U(2) and not own_first:
        return U0
    if is_target(S[hand_word(get(S, g, TURN)), g], rules1):
        return bit_of(A_DECLARE)
    return U0


@jit
def _at_pool_turn(S, g, rules1):
    exchange = rule(rules1, EXCHANGE)
    exchanged = get(S, g, EXCHANGED) != U0
    mask = bit_of(A_PASS)
    if exchange == U1 or not exchanged:
        mask = mask | _takes(S, g)
    if exchanged:
        shows = is_target(S[hand_word(get(S, g, TURN)), g], rules1)
        return mask | bit_of(A_DECLARE) if shows and rule(rules1, DECLARE_RULE) != U0 else mask
    if exchange == U(2):
        mask = mask | bit_of(A_SWAP_ALL)
    if get(S, g, KNOCKER) == NONE_SEAT and may_knock(S, g, rules1):
        mask = mask | bit_of(A_KNOCK)
    return mask | _declare_at_turn(S, g, rules1)


@jit
def _takes(S, g):
    """``take_pool i`` for the cards of the pool that were not put down in this turn."""
    mask = U0
    index = U0
    rest = S[EXTRA, g]
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        if S[PUT_DOWN, g] & bit == U0:
            mask = mask | bit_of(A_TAKE_POOL + index)
        index = index + U1
    return mask
