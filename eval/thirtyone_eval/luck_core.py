# mypy: disable-error-code="no-untyped-def"
"""Compiled: what a card changes in the lives that each seat can expect to lose (see `luck`).

The lives are guessed from all hands, which the referee sees: each seat's worth at the end lies about its hand now as it
did in simulated rounds, each seat apart from the others, and the lowest lose. At each draw from the stock the guess
with the card that came is set against its mean over all cards that could have come. The guess may be as wrong as it
likes: that difference is zero in the mean, since each card is equally likely.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from thirtyone_env.core import rounds
from thirtyone_env.core.bits import U0, U1, U2, U, get, jit, lowest, popcount
from thirtyone_env.core.lanes import SUIT_BITS
from thirtyone_env.core.layout import (
    DECLARE_RULE,
    KNOCK_PENALTY,
    KNOCKER,
    LAPS_LEFT,
    NONE_SEAT,
    RULES1,
    STOCK,
    TARGET,
    TURN,
)
from thirtyone_env.core.throws import best_throw, suit_totals, two_best
from thirtyone_env.core.worth import rule, worth

whole = np.int64  # in compiled code `int` leaves an unsigned number unsigned, and mixed with signed ones it is a float

LEVELS = 34  # whole points of worth, 0 to 33
ROWS = 3 * LEVELS  # a hand's worth, and how many of its cards make it
# What is still to come for a seat: nothing; one turn after a knock; or more, the less the higher the best hand is.
DONE, LAP, OPEN = 0, 1, 2
BEST_HANDS = (19, 22, 24, 26, 28)  # worths of the best hand at which the next class begins
SHIFTS = len(BEST_HANDS) + 1
CLASSES = OPEN + SHIFTS
DRAWS, DEALS = 0, 1  # kinds of luck
MOST_EVENTS = 512  # draws of a round that are kept for the tables
INTS = 3 + 2 * MOST_EVENTS  # rows of whole numbers to work in: hands, classes, cards by hand, and the draws kept
FLOATS = SHIFTS + 1  # rows of numbers to work in
_LITTLE = 1e-9
# Functions so large that they are compiled once and called, not inlined as the core is: a third of the time to compile.
large = njit(error_model="numpy", nogil=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@jit
def level_of(half_points):
    """A worth in whole points."""
    points = whole(half_points >> U1)
    return points if points < LEVELS else LEVELS - 1


@jit
def row_of(hand, rules1):
    """Row of the tables for a hand: its worth, and how many cards make it, which tells what one more may bring."""
    value = worth(hand, rules1)
    best, _, suit = two_best(suit_totals(hand))
    cards = U(3) if U2 * best < value else popcount((hand >> (U(13) * suit)) & SUIT_BITS)
    return level_of(value) + LEVELS * (whole(cards) - 1 if cards != U0 else 0)


@jit
def look_round(S, g, ints):
    """Row of each seat's hand and what is to come for it: rows 0 and 1 of ``ints``; -1 for a seat that is out."""
    seats = rounds.seats_in(S, g)
    knocked = get(S, g, KNOCKER) != NONE_SEAT
    for seat in range(9):
        ints[0, seat] = -1
    rest = seats
    while rest != U0:
        seat = lowest(rest)
        rest = rest & (rest - U1)
        ints[0, seat] = row_of(S[rounds.hand_word(seat), g], S[RULES1, g])
        ints[1, seat] = DONE if knocked else OPEN
    if knocked:
        at = get(S, g, TURN)
        for _ in range(whole(get(S, g, LAPS_LEFT)) - 1):
            at = rounds.next_seat(at, seats)
            ints[1, at] = LAP


@jit
def shift_of(best):
    """How far a class is from `OPEN` when the best hand is worth ``best``."""
    shift = 0
    for least in BEST_HANDS:
        shift += 1 if best >= least else 0
    return shift


@jit
def best_other(ints, drawer, count):
    """Worth of the best hand of another seat than the one that draws."""
    best = 0
    for seat in range(count):
        if seat != drawer and ints[0, seat] >= 0:
            best = max(best, ints[0, seat] % LEVELS)
    return best


@jit
def chance_of(tables, ints, seat, drawer, shift, level):
    """Chance that another seat than the one that draws ends with ``level`` at least; 1 for a seat that is out."""
    if seat == drawer or ints[0, seat] < 0:
        return 1.0
    kind = ints[1, seat]
    return tables[kind + shift if kind == OPEN else kind, ints[0, seat], level]


@large
def draw_luck(S, g, card, tables, ints, floats, luck, count):
    """Add to ``luck`` what a draw of ``card`` changed in the lives that each seat can expect to lose.

    ``S`` is the state before the card comes, in which the seat to move has called for one. It is thought to throw what
    it needs least. The guess is linear in the chances of the hand that it then has, so their difference from the mean
    over all cards (`_spread_cards`) stands in their place.
    """
    look_round(S, g, ints)
    drawer = whole(get(S, g, TURN))
    used = _spread_cards(S, g, card, tables, ints, floats, luck, drawer, count)
    knocked = get(S, g, KNOCKER) != NONE_SEAT
    knocker = whole(get(S, g, KNOCKER)) if knocked else -1
    for shift in range(SHIFTS):
        if (used >> shift) & 1 != 0:
            if knocked:
                _guess_knocker(S, g, tables, ints, floats[shift], luck, drawer, knocker, count)
            _guess(tables, ints, floats[shift], floats[SHIFTS], luck, shift, drawer, knocker, count)


@large
def _spread_cards(S, g, card, tables, ints, floats, luck, drawer, count):
    """Chances of the drawer's hand after the card that came, less their mean: a row of ``floats`` a shift, and which.

    A card that makes 31 ends the round at once: the others lose a life.
    """
    rules1 = S[RULES1, g]
    hand = S[rounds.hand_word(U(drawer)), g]
    for row in range(ROWS):
        ints[2, row] = 0
    came = _row_with(hand, card, rules1)
    rest = S[STOCK, g]
    while rest != U0:
        ints[2, _row_with(hand, lowest(rest), rules1)] += 1
        rest = rest & (rest - U1)
    share = 1.0 / float(popcount(S[STOCK, g]))
    shown = whole(rule(rules1, TARGET)) if rule(rules1, DECLARE_RULE) != U2 else LEVELS
    knocked = get(S, g, KNOCKER) != NONE_SEAT
    others = best_other(ints, drawer, count)
    used = 0
    for row in range(ROWS):
        if ints[2, row] > 0:
            weight = (1.0 if row == came else 0.0) - share * ints[2, row]
            level = row % LEVELS
            if level == shown:
                for seat in range(count):
                    if seat != drawer and ints[0, seat] >= 0:
                        luck[seat] += weight
            else:
                shift = 0 if knocked else shift_of(max(others, level))
                if (used >> shift) & 1 == 0:
                    used |= 1 << shift
                    for at in range(LEVELS + 1):
                        floats[shift, at] = 0.0
                kind = DONE if knocked else OPEN + shift
                for at in range(LEVELS + 1):
                    floats[shift, at] += weight * tables[kind, row, at]
    ints[0, drawer] = came
    return used


@jit
def _row_with(hand, card, rules1):
    cards = hand | (U1 << card)
    thrown = best_throw(cards, cards, rules1)[1]
    return row_of(cards & ~(U1 << thrown), rules1)


@large
def _guess(tables, ints, drawn, before, luck, shift, drawer, knocker, count):
    """Add each seat's chance to be among the lowest; ``drawn``: for the drawer's hand, to end so high at least."""
    for level in range(LEVELS):
        here = 1.0
        for seat in range(count):  # chance that every other seat before this one ends as high as this level
            before[seat] = here
            here *= chance_of(tables, ints, seat, drawer, shift, level)
        luck[drawer] += (drawn[level] - drawn[level + 1]) * here
        after = drawn[level]
        for back in range(count):
            seat = count - 1 - back
            if seat != drawer and ints[0, seat] >= 0:
                mine = chance_of(tables, ints, seat, drawer, shift, level)
                if seat != knocker:
                    above = chance_of(tables, ints, seat, drawer, shift, level + 1)
                    luck[seat] += (mine - above) * before[seat] * after
                after *= mine
        if here < _LITTLE:
            break


@large
def _guess_knocker(S, g, tables, ints, drawn, luck, drawer, knocker, count):
    """A knocker loses only where it is lowest alone, and then perhaps two."""
    above = ints[0, knocker] % LEVELS + 1
    alone = (1.0 + float(rule(S[RULES1, g], KNOCK_PENALTY))) * drawn[above]
    for seat in range(count):
        if seat != knocker:
            alone *= chance_of(tables, ints, seat, drawer, 0, above)
    luck[knocker] += alone


@large
def deal_luck(S, g, hopes, luck, count):
    """Add what the dealt hands are worth to each seat, against the mean of the others': zero over the seats.

    ``hopes``: float64 ``[ROWS]``, the lives that such a dealt hand loses, less their mean over all hands.
    """
    seats = rounds.seats_in(S, g)
    others = float(popcount(seats)) - 1.0
    total = 0.0
    for seat in range(count):
        if (seats >> U(seat)) & U1 != U0:
            total += hopes[row_of(S[rounds.hand_word(U(seat)), g], S[RULES1, g])]
    for seat in range(count):
        if (seats >> U(seat)) & U1 != U0:
            mine = hopes[row_of(S[rounds.hand_word(U(seat)), g], S[RULES1, g])]
            luck[count + seat] += mine - (total - mine) / others
