"""A seat's moves at the tables with open cards: Bicycle's widow, Schwimmen's pool (RULES sections 10 and 11)."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, get, jit, nth_bit, popcount, put
from thirtyone_env.core.deal import after_packet, show
from thirtyone_env.core.layout import (
    A_DECLARE,
    A_DISCARD,
    A_KNOCK,
    A_PASS,
    A_SWAP_ALL,
    A_TAKE_POOL,
    ACES,
    DECLARE_RULE,
    DRAWN,
    EXCHANGE,
    EXCHANGED,
    EXTRA,
    KNOCKER,
    KNOWN,
    NONE_CARD,
    NONE_SEAT,
    PASS_RENEWS,
    PASSES,
    PH_POOL,
    PH_RENEW,
    PH_TURN,
    PHASE,
    PILE,
    R_DECLARED,
    R_FEUER,
    R_STOCK_OUT,
    RESHUFFLED,
    RULES1,
    SEAT_WORDS,
    STOCK,
    TAKEN,
    THROWN,
    TURN,
)
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.turns import TURN_ENDS, declare, knock
from thirtyone_env.core.worth import is_target, is_three_aces, rule

_ANY = U1
_FEUER = U(2)
PUT_DOWN = RESHUFFLED  # these tables have no reshuffle: the word holds the cards put down in this turn


@jit
def pool_turn_action(S, g, action):
    """What a seat does on its turn; codes as in `turns`."""
    if action >= A_TAKE_POOL:
        return _take(S, g, action - A_TAKE_POOL)
    if action == A_SWAP_ALL:
        return _swap_all(S, g)
    if action == A_KNOCK:
        put(S, g, PASSES, U0)
        return knock(S, g)
    if action == A_DECLARE:
        return declare(S, g)
    return _pass(S, g)


@jit
def _take(S, g, index):
    seat = get(S, g, TURN)
    card = nth_bit(S[EXTRA, g], index)
    bit = U1 << card
    S[EXTRA, g] = S[EXTRA, g] & ~bit
    S[hand_word(seat), g] = S[hand_word(seat), g] | bit
    S[KNOWN, g] = S[KNOWN, g] | bit
    put(S, g, DRAWN, card)
    put(S, g, TAKEN, U1)
    put(S, g, PHASE, PH_POOL)
    return U0


@jit
def pool_discard_action(S, g, action):
    """Put a card of the hand down in the pool."""
    seat = get(S, g, TURN)
    bit = U1 << (action - A_DISCARD)
    S[hand_word(seat), g] = S[hand_word(seat), g] & ~bit
    _lay_open(S, g, seat, bit)
    put(S, g, DRAWN, NONE_CARD)
    put(S, g, TAKEN, U0)
    return _exchanged(S, g, seat)


@jit
def _swap_all(S, g):
    seat = get(S, g, TURN)
    row = hand_word(seat)
    old = S[row, g]
    S[row, g] = S[EXTRA, g]
    S[KNOWN, g] = S[KNOWN, g] | S[EXTRA, g]
    S[EXTRA, g] = U0
    _lay_open(S, g, seat, old)
    return _exchanged(S, g, seat)


@jit
def _lay_open(S, g, seat, cards):
    S[EXTRA, g] = S[EXTRA, g] | cards
    S[KNOWN, g] = S[KNOWN, g] & ~cards
    S[THROWN + SEAT_WORDS * seat, g] = S[THROWN + SEAT_WORDS * seat, g] | cards
    S[PUT_DOWN, g] = S[PUT_DOWN, g] | cards


@jit
def _exchanged(S, g, seat):
    """After an exchange: three aces and 31s that must be shown end the round; else the turn goes on or ends."""
    rules1 = S[RULES1, g]
    hand = S[hand_word(seat), g]
    put(S, g, PASSES, U0)
    put(S, g, EXCHANGED, U1)
    put(S, g, PHASE, PH_TURN)
    if rule(rules1, ACES) == _FEUER and is_three_aces(hand):
        show(S, g, U0)
        return R_FEUER
    target = is_target(hand, rules1)
    if target and rule(rules1, DECLARE_RULE) == U0:
        show(S, g, U0)
        return R_DECLARED
    if target or rule(rules1, EXCHANGE) == _ANY:
        return U0
    return _end_exchange(S, g)


@jit
def _end_exchange(S, g):
    put(S, g, EXCHANGED, U0)
    S[PUT_DOWN, g] = U0
    return TURN_ENDS


@jit
def _pass(S, g):
    """Pass, or end a turn after an exchange."""
    if get(S, g, EXCHANGED) != U0:
        return _end_exchange(S, g)
    if get(S, g, KNOCKER) == NONE_SEAT:
        put(S, g, PASSES, get(S, g, PASSES) + U1)
    return TURN_ENDS


@jit
def renew_if_all_passed(S, g):
    """When all in a row have passed the pool is put aside and three new cards are asked for (RULES section 11).

    With too few cards left those put aside before are shuffled back; still too few, and everyone shows.
    """
    if get(S, g, PASSES) < popcount(seats_in(S, g)):
        return U0
    put(S, g, PASSES, U0)
    if rule(S[RULES1, g], PASS_RENEWS) == U0:
        return U0
    if popcount(S[STOCK, g]) < U(3):
        S[STOCK, g] = S[STOCK, g] | S[PILE, g]
        S[PILE, g] = U0
    if popcount(S[STOCK, g]) < U(3):
        return R_STOCK_OUT
    S[PILE, g] = S[PILE, g] | S[EXTRA, g]
    S[EXTRA, g] = U0
    put(S, g, PHASE, PH_RENEW)
    return U0


@jit
def packet_action(S, g, action):
    """The dealer keeps his packet (pass) or must take the other; the rejected one is the pool."""
    if action != A_PASS:
        row = hand_word(get(S, g, TURN))
        old = S[row, g]
        S[row, g] = S[EXTRA, g]
        S[EXTRA, g] = old
    return after_packet(S, g)
