"""Dealing the hidden cards anew, so that a view stays as it is.

Until the first reshuffle every way of dealing the unseen cards is equally likely (exactly hypergeometric). After one,
cards that were not in it are surely in hands (or the dummy), and a seat holds at most as many of the reshuffled cards
as it has drawn since; the deal is then one of those that fit, though not each with its exact chance.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, get, jit, nth_bit, popcount, put
from thirtyone_env.core.layout import (
    CARD_BITS,
    COUNT,
    DEAL_NO,
    DRAW_NO,
    DRAWN,
    DRAWS,
    DRAWS_OF,
    DUMMY_HAND,
    EXTRA,
    HAND_SIZE,
    KEY,
    KNOWN,
    LAST0,
    LAST1,
    LIVES,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    OUT,
    PH_DISCARD,
    PH_PACKET,
    PH_POOL,
    PHASE,
    PILE,
    PLACE,
    RECEIVER,
    RESHUFFLED,
    RULES0,
    RULES1,
    SEAT_WORDS,
    SEATS,
    STATUS,
    STOCK,
    TABLE,
    TAKEN,
    THROWN,
    TURN,
    TURNED,
    V_DRAWS,
    V_EXTRA,
    V_HAND,
    V_KNOWN,
    V_LIVES,
    V_PILE,
    V_RESHUFFLED,
    V_RULES0,
    V_RULES1,
    V_SEATS,
    V_STATUS,
    V_THROWN,
    VF_DEAL_NO,
    VF_ME,
    WAS_RESHUFFLED,
    WINNER,
)
from thirtyone_env.core.rng import below, mix, word_of
from thirtyone_env.core.rounds import hand_word
from thirtyone_env.core.worth import rule


@jit
def redeal(V, row, key, S, g):
    """Write to column ``g`` of ``S`` a state that fits the view ``V[row]``; ``key`` chooses it and what comes after."""
    me = (V[row, VF_ME[0]] >> VF_ME[1]) & VF_ME[2]
    _open_part(V, row, key, S, g)
    base = mix(key)
    drawn = U0  # cards drawn from the stream of this redeal
    early, late = _unseen(V, row)
    least, dummy = _least_early(V, row, S, g, me)
    # first the early cards that a seat must hold, then the rest of them, then late ones
    early, drawn = _fill(V, row, S, g, me, base, drawn, early, least, True)
    if dummy != U0:
        early, drawn = _fill_extra(S, g, base, drawn, early)
    spread, drawn = _spread(V, row, S, g, me, base, drawn, early)
    late, drawn = _fill(V, row, S, g, me, base, drawn, late | spread, U0, False)
    S[STOCK, g] = late
    _hidden_draw(S, g, me, base, drawn)


@jit
def _open_part(V, row, key, S, g):
    """All that the view tells, and nothing of what it does not."""
    S[RULES0, g] = V[row, V_RULES0]
    S[RULES1, g] = V[row, V_RULES1]
    S[KEY, g] = mix(key + U1)
    S[COUNT, g] = U0
    put(S, g, DRAW_NO, U1)
    put(S, g, DEAL_NO, (V[row, VF_DEAL_NO[0]] >> VF_DEAL_NO[1]) & VF_DEAL_NO[2])
    S[STATUS, g] = V[row, V_STATUS]
    S[SEATS, g] = V[row, V_SEATS]
    S[LIVES, g] = V[row, V_LIVES]
    S[PLACE, g] = U0
    put(S, g, WINNER, NONE_SEAT)
    S[LAST0, g] = ~U0
    S[LAST1, g] = U0
    put(S, g, RECEIVER, NONE_SEAT)
    S[PILE, g] = V[row, V_PILE]
    S[EXTRA, g] = V[row, V_EXTRA]
    S[KNOWN, g] = U0
    S[RESHUFFLED, g] = V[row, V_RESHUFFLED]
    S[DRAWS, g] = V[row, V_DRAWS]
    me = (V[row, VF_ME[0]] >> VF_ME[1]) & VF_ME[2]
    for i in range(9):
        seat = U(i)
        if seat < get(S, g, NUM_SEATS):
            known = V[row, V_KNOWN + i]
            S[KNOWN, g] = S[KNOWN, g] | known
            S[hand_word(seat), g] = V[row, V_HAND] if seat == me else known
            S[THROWN + SEAT_WORDS * seat, g] = V[row, V_THROWN + i]


@jit
def _unseen(V, row):
    """Unseen cards that are surely not in the stock ("early"), and the others."""
    seen = V[row, V_HAND] | V[row, V_PILE] | V[row, V_EXTRA]
    for i in range(9):
        seen = seen | V[row, V_KNOWN + i]
    unseen = V[row, V_RULES0] & CARD_BITS & ~seen
    if (V[row, V_SEATS] >> WAS_RESHUFFLED[1]) & U1 == U0:
        return U0, unseen
    return unseen & ~V[row, V_RESHUFFLED], unseen & V[row, V_RESHUFFLED]


@jit
def _size(S, g, seat):
    """Cards that a seat holds: a whole hand, and one more where it has drawn."""
    size = rule(S[RULES1, g], HAND_SIZE)
    phase = get(S, g, PHASE)
    if get(S, g, TURN) == seat and (phase == PH_DISCARD or phase == PH_POOL):
        return size + U1
    return size


@jit
def _missing(S, g, seat):
    """Cards still to be dealt to a seat."""
    if seat >= get(S, g, NUM_SEATS) or (get(S, g, OUT) >> seat) & U1 != U0:
        return U0
    return _size(S, g, seat) - popcount(S[hand_word(seat), g])


@jit
def _least_early(V, row, S, g, me):
    """For each seat, four bits, how many early cards it must hold; and whether a hidden hand lies in the middle."""
    least = U0
    reshuffled = get(S, g, WAS_RESHUFFLED) != U0
    for i in range(9):
        seat = U(i)
        missing = _missing(S, g, seat)
        draws = (S[DRAWS, g] >> (DRAWS_OF[1] * seat)) & DRAWS_OF[2]
        if seat != me and reshuffled and missing > draws:
            least = least | ((missing - draws) << (U(4) * seat))
    rules1 = S[RULES1, g]
    dummy = rule(rules1, TABLE) == U0 and rule(rules1, DUMMY_HAND) != U0 and get(S, g, TURNED) == U0
    return least, U1 if dummy or get(S, g, PHASE) == PH_PACKET else U0


@jit
def _deal_one(cards, base, drawn):
    return nth_bit(cards, below(word_of(base, drawn), popcount(cards)))


@jit
def _fill(V, row, S, g, me, base, drawn, cards, least, only_least):
    """Deal random cards to the seats: as many as ``least`` says, or all that are missing. Returns what is left."""
    for i in range(9):
        seat = U(i)
        count = (least >> (U(4) * seat)) & U(15) if only_least else _missing(S, g, seat)
        while count > U0 and cards != U0 and seat != me:
            bit = U1 << _deal_one(cards, base, drawn)
            drawn = drawn + U1
            cards = cards & ~bit
            S[hand_word(seat), g] = S[hand_word(seat), g] | bit
            count = count - U1
    return cards, drawn


@jit
def _fill_extra(S, g, base, drawn, early):
    """The hidden hand in the middle, from early cards where there was a reshuffle; else it waits for `_spread`."""
    while early != U0 and popcount(S[EXTRA, g]) < U(3):
        bit = U1 << _deal_one(early, base, drawn)
        drawn = drawn + U1
        early = early & ~bit
        S[EXTRA, g] = S[EXTRA, g] | bit
    return early, drawn


@jit
def _spread(V, row, S, g, me, base, drawn, early):
    """Deal the early cards that are left to random free places in hands; returns those that found none."""
    while early != U0:
        free = U0
        for i in range(9):
            if U(i) != me:
                free = free + _missing(S, g, U(i))
        if free == U0:
            return early, drawn
        place = below(word_of(base, drawn), free)
        drawn = drawn + U1
        bit = U1 << _deal_one(early, base, drawn)
        drawn = drawn + U1
        early = early & ~bit
        for i in range(9):
            count = _missing(S, g, U(i)) if U(i) != me else U0
            if place < count:
                S[hand_word(U(i)), g] = S[hand_word(U(i)), g] | bit
                break
            place = place - count
    return early, drawn


@jit
def _hidden_draw(S, g, me, base, drawn):
    """The hidden hand of a deal without reshuffle, and the hidden card that another seat has just drawn."""
    rules1 = S[RULES1, g]
    dummy = rule(rules1, TABLE) == U0 and rule(rules1, DUMMY_HAND) != U0 and get(S, g, TURNED) == U0
    while (dummy or get(S, g, PHASE) == PH_PACKET) and popcount(S[EXTRA, g]) < U(3):
        bit = U1 << _deal_one(S[STOCK, g], base, drawn)
        drawn = drawn + U1
        S[STOCK, g] = S[STOCK, g] & ~bit
        S[EXTRA, g] = S[EXTRA, g] | bit
    turn = get(S, g, TURN)
    if get(S, g, PHASE) == PH_DISCARD and turn != me and get(S, g, TAKEN) == U0 and get(S, g, DRAWN) == NONE_CARD:
        hidden = S[hand_word(turn), g] & ~S[KNOWN, g]
        put(S, g, DRAWN, _deal_one(hidden, base, drawn))
