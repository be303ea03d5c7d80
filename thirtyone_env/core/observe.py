"""Numbers for a network, from a view: one row of int8, written without allocating anything.

What each column means stands in `thirtyone_env.observation_table`, block by block, in the order of this file. Seats
are counted from the viewer: place 0 is the viewer, place 1 the next seat clockwise, and so on.
"""

from __future__ import annotations

import numpy as np

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, popcount
from thirtyone_env.core.columns import card_flags, flags, number, numbers
from thirtyone_env.core.glance import (
    best_kept,
    bit_or_none,
    counts_by_suit,
    forbidden,
    highest_byte,
    last_turns,
    lifting_cards,
    of,
    packed_totals,
    reaches_target,
    suit_total,
    unseen_cards,
    whole_hand,
)
from thirtyone_env.core.layout import (
    A_PASS,
    ACES,
    ALL_OUT,
    CARD_BITS,
    COUNTY,
    DEALER,
    DECLARE_RULE,
    DRAWN,
    DRAWS_OF,
    DUMMY_HAND,
    EARLY_KNOCK,
    EFFECT,
    EXCHANGE,
    EXCHANGED,
    FIRST_KNOCK,
    HAND_SIZE,
    KNOCK_MIN,
    KNOCK_PENALTY,
    KNOCKER,
    KNOCKER_ON_31,
    KNOCKER_TIE,
    LAP_STAND,
    LAPS_LEFT,
    LIVES_OF,
    MATCH_SEATS,
    MAX_DEALS,
    MAX_TURNS,
    NATURAL,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    ON_COUNTY,
    ONLY_AMOUNT,
    OUT,
    PACKET,
    PASS_RENEWS,
    PASSES,
    PHASE,
    RETURN_TAKEN,
    ROUND_EPISODE,
    SETTLEMENT,
    SETUP,
    SIMULTANEOUS,
    START_LIVES,
    STOCK_OUT,
    TABLE,
    TAKEN,
    TARGET,
    TIE_LOWEST,
    TIEBREAK,
    TOP,
    TRANSFER,
    TRIPLE,
    TURN,
    TURN_NO,
    TURNED,
    UPCARD_SWAP,
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
    V_THROWN,
    VF_DEAL_NO,
    VF_ME,
    VF_PILE_COUNT,
    VF_STOCK_COUNT,
    WAS_RESHUFFLED,
)
from thirtyone_env.core.throws import card_total, counts_triple, kept_after, two_best
from thirtyone_env.core.worth import rule, suit_totals, worth

_CAP = U(127)
_DECK = U(52)
_PHASES = 9
_ALL_SEATS = U(0x1FF)
_NINTHS = U(0x0040201008040201)  # the first bit of each of seven sets of nine
_GATHER = U(0x0101010101010100)  # a multiplication that brings those bits together, from bit 56 on
_KNOWN, _THROWN = U(V_KNOWN), U(V_THROWN)


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

    Nearly free of branches and loops: a wrongly guessed branch costs as much as twenty columns.

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
def _choice(value):
    """Flags of an option: one for each value but the first, which has none."""
    return (U1 << value) >> U1


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
    flags(out, line, at, U0, _DECK)
    if allowed == U0:
        return at + _DECK
    hand, rules1 = V[row, V_HAND], V[row, V_RULES1]
    by_worth = counts_triple(hand, rules1)
    best, second, suit = two_best(totals)
    while allowed != U0:
        card = lowest(allowed)
        allowed = allowed & (allowed - U1)
        kept = worth(hand & ~(U1 << card), rules1) if by_worth else U2 * kept_after(card, best, second, suit)
        number(out, line, at + card, kept)
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
    at = numbers(out, line, at, value | (shown << U(8)) | (top << U(16)) | (packed_totals(totals) << U(40)), U(9))
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
    word = (U1 << of(status, PHASE)) & U((1 << _PHASES) - 1)
    word = word | ((legal & U(15)) | ((legal >> A_PASS) << U(4))) << U(9)
    word = word | (U(legal != U0) << U(20)) | (of(status, TAKEN) << U(21))
    word = word | (U(forbidden(V, row) & V[row, V_HAND] != U0) << U(22))
    word = word | (U(of(status, KNOCKER) != NONE_SEAT) << U(23))
    at = flags(out, line, at, word, U(24))
    turns, deal = of(status, TURN_NO), of(counts, VF_DEAL_NO)
    word = of(status, LAPS_LEFT) | (_capped(turns) << U(8))
    word = word | (_left(rule(V[row, V_RULES1], MAX_TURNS), turns) << U(16)) | (_capped(deal) << U(24))
    word = word | (_left(of(V[row, V_RULES0], MAX_DEALS), deal) << U(32)) | (of(counts, VF_STOCK_COUNT) << U(40))
    at = numbers(out, line, at, word | (of(counts, VF_PILE_COUNT) << U(48)) | (of(status, PASSES) << U(56)), U(8))
    word = of(status, EXCHANGED) | (of(status, SETUP) << U(8)) | (of(seats, WAS_RESHUFFLED) << U(16))
    word = word | (of(seats, TURNED) << U(24)) | ((of(seats, NUM_SEATS) - popcount(of(seats, OUT))) << U(32))
    return numbers(out, line, at, word | (of(seats, ROUND_EPISODE) << U(40)), U(6))


@jit
def _left(most, done):
    """What is left of a limit, up to 127; 127 where there is none."""
    return _CAP if most == U0 else _capped(most - min(most, done))


@jit
def _rules(V, row, out, line, at):
    rules1 = V[row, V_RULES1]
    word = popcount(V[row, V_RULES0] & CARD_BITS) | (rule(rules1, HAND_SIZE) << U(8))
    word = word | (rule(rules1, TARGET) << U(16)) | (rule(rules1, START_LIVES) << U(24))
    at = numbers(out, line, at, word | (rule(rules1, KNOCK_MIN) << U(32)), U(5))
    return flags(out, line, at, _options(rules1) | (_yes_or_no(rules1) << U(21)), U(38))


@jit
def _options(rules1):
    """21 flags of the options with three and four values."""
    word = _choice(rule(rules1, TRIPLE)) | (_choice(rule(rules1, ACES)) << U(2))
    word = word | (_choice(rule(rules1, FIRST_KNOCK)) << U(4)) | (_choice(rule(rules1, DECLARE_RULE)) << U(6))
    word = word | (_choice(rule(rules1, EFFECT)) << U(8))
    word = word | (rule(rules1, STOCK_OUT) << U(10))  # play_on 1, draw 2, show 3: two binary digits
    word = word | (_choice(rule(rules1, SETTLEMENT)) << U(12)) | (_choice(rule(rules1, KNOCKER_TIE)) << U(14))
    return word | (_choice(rule(rules1, TABLE)) << U(17)) | (_choice(rule(rules1, EXCHANGE)) << U(19))


@jit
def _yes_or_no(rules1):
    """17 flags of the options with two values."""
    word = rule(rules1, UPCARD_SWAP) | (rule(rules1, DUMMY_HAND) << U1) | (rule(rules1, RETURN_TAKEN) << U2)
    word = word | (rule(rules1, LAP_STAND) << U(3)) | (rule(rules1, EARLY_KNOCK) << U(4))
    word = word | (rule(rules1, NATURAL) << U(5)) | (rule(rules1, SIMULTANEOUS) << U(6))
    word = word | (rule(rules1, KNOCKER_ON_31) << U(7)) | (rule(rules1, TIE_LOWEST) << U(8))
    word = word | (rule(rules1, KNOCK_PENALTY) << U(9)) | (rule(rules1, ONLY_AMOUNT) << U(10))
    word = word | (rule(rules1, TRANSFER) << U(11)) | (rule(rules1, TIEBREAK) << U(12))
    word = word | (rule(rules1, COUNTY) << U(13)) | (rule(rules1, ALL_OUT) << U(14))
    return word | (rule(rules1, PASS_RENEWS) << U(15)) | (rule(rules1, PACKET) << U(16))


@jit
def _seats(V, row, out, line, at, seats):
    """20 columns for each place."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, V_COUNTS], VF_ME)
    sets = _rotated(_seat_sets(V, row), me, players)
    for i in range(seats):
        place = U(i)
        if place < players:
            seat = me + place
            marks = (((sets >> place) & _NINTHS) * _GATHER) >> U(56)
            at = _one_seat(V, row, out, line, at, seat - players if seat >= players else seat, marks)
        else:
            at = flags(out, line, at, U0, U(20))
    return at


@jit
def _seat_sets(V, row):
    """Seven sets of seats, nine bits each: began the match, in, on the county, to move, dealer, knocker, last turn."""
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    inside = ~of(seats, OUT) & _ALL_SEATS
    word = of(seats, MATCH_SEATS) | (inside << U(9)) | (of(seats, ON_COUNTY) << U(18))
    word = word | (((U1 << of(status, TURN)) & _ALL_SEATS) << U(27))
    word = word | (((U1 << of(status, DEALER)) & _ALL_SEATS) << U(36))
    word = word | (((U1 << of(status, KNOCKER)) & _ALL_SEATS) << U(45))
    return word | (last_turns(V, row) << U(54))


@jit
def _rotated(sets, me, players):
    """Sets of nine bits each, turned so that bit 0 is the viewer, bit 1 the next seat clockwise, and so on."""
    up_to_last = ((U1 << (players - me)) - U1) * _NINTHS
    return ((sets >> me) & up_to_last) | ((sets << (players - me)) & ~up_to_last)


@jit
def _one_seat(V, row, out, line, at, seat, marks):
    """``marks``: a bit for each set of `_seat_sets` that the seat is in."""
    flags(out, line, at, U1 | ((marks & U(3)) << U1) | ((marks & U(124)) << U2), U(20))
    number(out, line, at + U(3), (V[row, V_LIVES] >> (LIVES_OF[1] * seat)) & LIVES_OF[2])
    number(out, line, at + U(10), (V[row, V_DRAWS] >> (DRAWS_OF[1] * seat)) & DRAWS_OF[2])
    numbers(out, line, at + U(16), counts_by_suit(V[row, _THROWN + seat]), U(4))
    known = V[row, _KNOWN + seat]
    if known != U0:
        points = packed_totals(suit_totals(known))
        number(out, line, at + U(9), popcount(known))
        number(out, line, at + U(11), highest_byte(points))
        for i in range(4):
            number(out, line, at + U(12) + U(i), (points >> (U(8) * U(i))) & U(255))
    return at + U(20)


@jit
def _known(V, row, out, line, at, seats):
    """52 columns for each place but the viewer's own: the cards known to be in its hand."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, V_COUNTS], VF_ME)
    for i in range(1, seats):
        place = U(i)
        seat = me + place
        seat = seat - players if seat >= players else seat
        at = card_flags(out, line, at, V[row, _KNOWN + seat] if place < players else U0)
    return at
