"""The beginning of a match: tokens, seats and the first dealer."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, get, jit, lowest, nth_bit, popcount, put, put_of
from thirtyone_env.core.layout import (
    CARD_BITS,
    DEAL_NO,
    DEALER,
    FIRST_DEALER,
    KEY,
    KNOCKER,
    LAST0,
    LAST1,
    LIVES,
    LIVES_OF,
    MATCH_NO,
    MATCH_SEATS,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    ON_COUNTY,
    OUT,
    PLACE,
    POT,
    RULES0,
    RULES1,
    START_LIVES,
    TOP,
    WINNER,
)
from thirtyone_env.core.layout import DRAWN as DRAWN_CARD
from thirtyone_env.core.rng import STREAM_DEALER, below, random_word
from thirtyone_env.core.rounds import seats_in, start_deal
from thirtyone_env.core.worth import rule, suit_of

_ROTATION = U(3)
_LOW_CARD = U2


@jit
def begin_match(S, g, dealer):
    """Start a match with fresh tokens for all seats. ``dealer`` 15: chosen as the rules say (RULES section 2)."""
    put(S, g, OUT, U0)
    put(S, g, ON_COUNTY, U0)
    seats = seats_in(S, g)
    S[LIVES, g] = U0
    for seat in range(9):
        if U(seat) < get(S, g, NUM_SEATS):
            put_of(S, g, LIVES_OF, U(seat), rule(S[RULES1, g], START_LIVES))
    begin_with(S, g, seats, first_dealer(S, g, seats) if dealer == NONE_SEAT else dealer)


@jit
def begin_with(S, g, seats, dealer):
    """Start a match of the given seats; their tokens and the county are set already."""
    put(S, g, MATCH_SEATS, seats)
    put(S, g, POT, U0)
    put(S, g, DEAL_NO, U0)
    put(S, g, DEALER, dealer)
    put(S, g, KNOCKER, NONE_SEAT)
    put(S, g, TOP, NONE_CARD)
    put(S, g, DRAWN_CARD, NONE_CARD)
    S[PLACE, g] = U0
    put(S, g, WINNER, NONE_SEAT)
    S[LAST0, g] = ~U0
    S[LAST1, g] = U0
    start_deal(S, g)


@jit
def first_dealer(S, g, seats):
    """First dealer: a seat by the game's stream, a cut for the highest or lowest card, or the next seat each match."""
    way = get(S, g, FIRST_DEALER)
    match = get(S, g, MATCH_NO)
    if way == _ROTATION:
        return nth_bit(seats, match % popcount(seats))
    counter = match << U(10)
    if way == U0:
        return nth_bit(seats, below(random_word(S[KEY, g], counter, STREAM_DEALER), popcount(seats)))
    left = seats
    while popcount(left) > U1:
        left, counter = _cut(S, g, left, counter, way == _LOW_CARD)
    return lowest(left)


@jit
def _cut(S, g, seats, counter, low):
    """Each seat draws a card; those with the best rank stay in the draw. Aces are high."""
    deck = S[RULES0, g] & CARD_BITS
    best_seats, best = U0, U0
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        card = nth_bit(deck, below(random_word(S[KEY, g], counter, STREAM_DEALER), popcount(deck)))
        counter = counter + U1
        deck = deck & ~(U1 << card)
        rank = card - U(13) * suit_of(card)
        score = U(14) - rank if low else rank + U1
        if score > best:
            best, best_seats = score, U0
        if score == best:
            best_seats = best_seats | bit
    return best_seats, counter


@jit
def next_match(S, g):
    """Start the next match of a game that repeats."""
    put(S, g, MATCH_NO, get(S, g, MATCH_NO) + U1)
    begin_match(S, g, NONE_SEAT)


