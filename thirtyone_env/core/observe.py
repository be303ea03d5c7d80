"""Numbers for a network, from a view: one row of int8, written without allocating anything.

What each column means stands in `thirtyone_env.observation_table`, block by block, in the order of this file. Seats
are counted from the viewer: place 0 is the viewer, place 1 the next seat clockwise, and so on.
"""

from __future__ import annotations

import numpy as np

from thirtyone_env.core.bits import U0, U1, U2, U, gather, jit, lowest, popcount, spread
from thirtyone_env.core.columns import card_flags, flags, kept_columns, number, numbers
from thirtyone_env.core.glance import (
    best_kept,
    bit_or_none,
    counts_by_suit,
    forbidden,
    last_turns,
    lifting_cards,
    of,
    reaches_target,
    suit_total,
    unseen_cards,
    whole_hand,
)
from thirtyone_env.core.lanes import SUIT_BITS, bytes_of
from thirtyone_env.core.layout import (
    CARD_BITS,
    DEALER,
    DRAWN,
    DRAWS_OF,
    EXCHANGED,
    HAND_SIZE,
    KNOCKER,
    KNOCKER_TIE,
    LAPS_LEFT,
    LIVES_OF,
    MATCH_SEATS,
    MAX_DEALS,
    MAX_TURNS,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    OUT,
    PASSES,
    PHASE,
    ROUND_EPISODE,
    TABLE,
    TAKEN,
    TOP,
    TURN,
    TURN_NO,
    V_COUNTS,
    V_DRAWS,
    V_EXTRA,
    V_HAND,
    V_KNOWN,
    V_LEGAL,
    V_LIVES,
    V_PILE,
    V_RESHUFFLED,
    V_RULES0,
    V_RULES1,
    V_SEATS,
    V_STATUS,
    VF_DEAL_NO,
    VF_ME,
    VF_STOCK_COUNT,
    WAS_RESHUFFLED,
)
from thirtyone_env.core.place_columns import COLUMNS, EACH_SET, four_places, word_of_place
from thirtyone_env.core.throws import card_total, counts_triple, two_best
from thirtyone_env.core.worth import rule, suit_totals, worth

_CAP = U(127)
_DECK = U(52)
_PHASES = 9
_ALL_SEATS = U(0x1FF)
_NO_DISCARDS = U(0x7F0000000000000F)
_PLACE = U(COLUMNS)


@jit
def encode(V, out, masks, seats):
    """Write the numbers of each view of ``V`` (uint64 ``[rows, 32]``) to ``out`` and its legal actions to ``masks``.

    ``out`` is int8 ``[rows, d]`` and ``masks`` int8 ``[rows, 63]``; either may have no rows, then it is left out.
    """
    for row in range(V.shape[0]):
        if row < out.shape[0]:
            write_observation(V, row, out, row, seats)
        if row < masks.shape[0]:
            write_mask(V[row, V_LEGAL], masks, row)


@jit
def write_mask(mask, out, row):
    """Write a mask of legal actions to ``out[row]`` (int8 ``[rows, 63]``)."""
    for i in range(out.shape[1]):
        out[row, i] = (mask >> U(i)) & U1


@jit
def write_observation(V, row, out, out_row, seats):
    """Write the numbers of the view ``V[row]`` to ``out[out_row]``; returns the number of columns written.

    Nearly free of branches and loops: a wrongly guessed branch costs as much as twenty columns. The parts write more
    columns than are theirs, from left to right, so that what follows puts right what was written too much.

    Args:
        V: views, uint64 ``[rows, 32]``.
        out: int8 ``[out_rows, d]`` with ``d`` of `observation_table.size(seats)`, or more: what follows is left alone.
        seats: places for seats (int), at least two and at least the game's seats. Places of absent seats become zero.
    """
    line = U(out_row)
    may_go = U0
    if popcount(V[row, V_HAND]) > whole_hand(V, row):
        may_go = V[row, V_HAND] & ~forbidden(V, row)
    totals = suit_totals(V[row, V_HAND])
    at = _card_sets(V, row, out, line)
    at = _kept_by_throw(V, row, out, line, at, may_go, totals)
    at = _at_a_glance(V, row, out, line, at, may_go, totals)
    at = _table(V, row, out, line, at)
    at = _rules(V, row, out, line, at)
    at = _seats(V, row, out, line, at, seats)
    return np.int64(_known(V, row, out, line, at, seats))


@jit
def _capped(value):
    """A number cut off at 127."""
    return min(value, _CAP)


@jit
def _card_sets(V, row, out, line):
    at = flags(out, line, U0, V[row, V_HAND], _DECK)
    at = flags(out, line, at, _own_drawn(V, row), _DECK)
    at = flags(out, line, at, bit_or_none(of(V[row, V_STATUS], TOP)), _DECK)
    at = flags(out, line, at, V[row, V_PILE], _DECK)
    at = flags(out, line, at, V[row, V_EXTRA], _DECK)
    return flags(out, line, at, V[row, V_RESHUFFLED], _DECK)


@jit
def _kept_by_throw(V, row, out, line, at, allowed, totals):
    """52 columns: what the hand is worth after throwing each card that may go."""
    hand, rules1 = V[row, V_HAND], V[row, V_RULES1]
    best, second, suit = two_best(totals)
    kept_columns(out, line, at, allowed, SUIT_BITS << (U(13) * suit), U2 * best, U2 * second)
    if counts_triple(hand, rules1):
        while allowed != U0:
            card = lowest(allowed)
            allowed = allowed & (allowed - U1)
            number(out, line, at + card, worth(hand & ~(U1 << card), rules1))
    return at + _DECK


@jit
def _own_drawn(V, row):
    """The card just drawn where it is in the viewer's hand."""
    return bit_or_none(of(V[row, V_STATUS], DRAWN)) & V[row, V_HAND]


@jit
def _at_a_glance(V, row, out, line, at, may_go, totals):
    """What a player works out by looking: worths, what the top card would do, which unseen cards would help."""
    rules1 = V[row, V_RULES1]
    hand = V[row, V_HAND]
    kept, value, totals = best_kept(hand, totals, may_go, rules1)
    shown = U(kept != U0 and reaches_target(kept, value, rules1))
    top = _with_top(V, row, kept, value, totals)
    at = numbers(out, line, at, value | (shown << U(8)) | (top << U(16)) | (bytes_of(totals) << U(40)), U(9))
    number(out, line, at - U1, suit_total(totals, 3))
    unseen = unseen_cards(V, row)
    better, target = lifting_cards(kept, value, totals, rules1)
    helps = counts_by_suit(better & unseen)
    return numbers(out, line, at, helps | (popcount(target & unseen) << U(32)) | (popcount(unseen) << U(40)), U(6))


@jit
def _with_top(V, row, kept, value, totals):
    """Three bytes: worth with the top card and another thrown, whether that is more, and whether it is the target."""
    top = of(V[row, V_STATUS], TOP)
    if top == NONE_CARD or kept == U0:
        return U0
    rules1 = V[row, V_RULES1]
    best, then, _ = best_kept(kept | (U1 << top), totals + card_total(top), kept, rules1)
    return then | (U(then > value) << U(8)) | (U(reaches_target(best, then, rules1)) << U(16))


@jit
def _table(V, row, out, line, at):
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    legal = V[row, V_LEGAL]
    counts = V[row, V_COUNTS]
    word = ((U1 << of(status, PHASE)) & U((1 << _PHASES) - 1)) | (gather(legal, _NO_DISCARDS) << U(9))
    word = word | (U(legal != U0) << U(20)) | (of(status, TAKEN) << U(21))
    word = word | (U(forbidden(V, row) & V[row, V_HAND] != U0) << U(22))
    word = word | (U(of(status, KNOCKER) != NONE_SEAT) << U(23))
    at = flags(out, line, at, word, U(24))
    turns, deal = of(status, TURN_NO), of(counts, VF_DEAL_NO)
    word = of(status, LAPS_LEFT) | (_capped(turns) << U(8))
    word = word | (_left(rule(V[row, V_RULES1], MAX_TURNS), turns) << U(16)) | (_capped(deal) << U(24))
    word = word | (_left(of(V[row, V_RULES0], MAX_DEALS), deal) << U(32)) | (of(status, PASSES) << U(56))
    at = numbers(out, line, at, word | spread(counts >> VF_STOCK_COUNT[1], U(0x003F3F0000000000)), U(8))
    word = spread(status >> EXCHANGED[1], U(0x0101)) | spread(seats >> WAS_RESHUFFLED[1], U(0x01010000))
    word = word | ((of(seats, NUM_SEATS) - popcount(of(seats, OUT))) << U(32))
    return numbers(out, line, at, word | (of(seats, ROUND_EPISODE) << U(40)), U(6))


@jit
def _left(most, done):
    """What is left of a limit, up to 127; 127 where there is none."""
    return _CAP if most == U0 else _capped(most - min(most, done))


@jit
def _rules(V, row, out, line, at):
    rules1 = V[row, V_RULES1]
    word = popcount(V[row, V_RULES0] & CARD_BITS) | spread(rules1 >> HAND_SIZE[1], U(0x1F0F1F0300))
    at = numbers(out, line, at, word, U(5))
    options = rules1 & U((1 << 14) - 1)  # seven options, whose two binary digits are their columns
    options = options | (((U1 << rule(rules1, KNOCKER_TIE)) >> U1) << U(14))
    return flags(out, line, at, options | (((rules1 >> TABLE[1]) & U((1 << 21) - 1)) << U(17)), U(38))


@jit
def _seats(V, row, out, line, at, seats):
    """20 columns for each place."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, V_COUNTS], VF_ME)
    sets = _rotated(_seat_sets(V, row), me, players)
    lives = _turned(V[row, V_LIVES], me, players, LIVES_OF[1])
    draws = _turned(V[row, V_DRAWS], me, players, DRAWS_OF[1])
    for i in range(0, seats, 4):
        four_places(out, line, at + _PLACE * U(i), V, U(row), me, players, U(i), sets, lives, draws)
    return at + _PLACE * U(seats)


@jit
def _turned(packed, me, players, bits):
    """A word with ``bits`` for each seat, the viewer's first."""
    return (packed >> (bits * me)) | ((packed & ((U1 << (bits * me)) - U1)) << (bits * (players - me)))


@jit
def _seat_sets(V, row):
    """Seven sets of seats, nine bits each: began the match, in, on the county, to move, dealer, knocker, last turn."""
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    word = ((seats >> MATCH_SEATS[1]) & U((1 << 27) - 1)) ^ (_ALL_SEATS << U(9))  # three sets, the second those out
    word = word | (((U1 << of(status, TURN)) & _ALL_SEATS) << U(27))
    word = word | (((U1 << of(status, DEALER)) & _ALL_SEATS) << U(36))
    word = word | (((U1 << of(status, KNOCKER)) & _ALL_SEATS) << U(45))
    return word | (last_turns(V, row) << U(54))


@jit
def _rotated(sets, me, players):
    """Sets of nine bits each, turned so that bit 0 is the viewer, bit 1 the next seat clockwise, and so on."""
    up_to_last = ((U1 << (players - me)) - U1) * EACH_SET
    return ((sets >> me) & up_to_last) | ((sets << (players - me)) & ~up_to_last)


@jit
def _known(V, row, out, line, at, seats):
    """52 columns for each place but the viewer's own: the cards known to be in its hand."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, V_COUNTS], VF_ME)
    for i in range(1, seats):
        cards = word_of_place(V, row, U(V_KNOWN), me, players, U(i))
        at = flags(out, line, at, cards, _DECK) if i < seats - 1 else card_flags(out, line, at, cards)
    return at
