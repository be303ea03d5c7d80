"""Numbers for a network, from a view: one row of int8, written without allocating anything.

What each column means stands in `thirtyone_env.observation_table`, block by block, in the order of this file. Seats
are counted from the viewer: place 0 is the viewer, place 1 the next seat clockwise, and so on.
"""

from __future__ import annotations

import numpy as np

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest, popcount
from thirtyone_env.core.glance import (
    best_kept,
    bit_or_none,
    forbidden,
    has_last_turn,
    lifting_cards,
    of,
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
from thirtyone_env.core.throws import counts_triple, kept_after, suit_totals, two_best
from thirtyone_env.core.worth import SUIT_BITS, rule, worth

_CAP = U(127)
_PLAIN_ACTIONS = 11  # the actions that are not "discard <card>"


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

    Args:
        V: views, uint64 ``[rows, 32]``.
        out: int8 ``[out_rows, d]`` with ``d`` of `observation_table.size(seats)`.
        seats: places for seats (int); at least the game's seats. The places of absent seats stay zero.
    """
    for i in range(out.shape[1]):
        out[out_row, i] = 0
    at = _card_sets(V, row, out, out_row)
    at = _at_a_glance(V, row, out, out_row, at)
    at = _table(V, row, out, out_row, at)
    at = _rules(V, row, out, out_row, at)
    at = _seats(V, row, out, out_row, at, seats)
    return _known(V, row, out, out_row, at, seats)


@jit
def _number(out, row, at, value):
    """One column with a number, cut off at 127."""
    out[row, at] = np.int8(value if value < _CAP else _CAP)
    return at + 1


@jit
def _one_hot(out, row, at, value, values):
    """``values`` columns of which the one at ``value`` is 1."""
    if value < U(values):
        out[row, at + np.int64(value)] = 1
    return at + values


@jit
def _choice(out, row, at, value, values):
    """A column for each value of an option but the first (which is all zeros)."""
    if value != U0:
        out[row, at + np.int64(value) - 1] = 1
    return at + values - 1


@jit
def _cards(out, row, at, cards):
    """52 columns, 1 for each card of the set."""
    rest = cards & CARD_BITS
    while rest != U0:
        out[row, at + np.int64(lowest(rest))] = 1
        rest = rest & (rest - U1)
    return at + 52


@jit
def _card_sets(V, row, out, out_row):
    status = V[row, V_STATUS]
    at = _cards(out, out_row, 0, V[row, V_HAND])
    at = _cards(out, out_row, at, _own_drawn(V, row))
    at = _cards(out, out_row, at, bit_or_none(of(status, TOP)))
    at = _cards(out, out_row, at, V[row, V_PILE])
    at = _cards(out, out_row, at, V[row, V_EXTRA])
    at = _cards(out, out_row, at, V[row, V_RESHUFFLED])
    hand = V[row, V_HAND]
    if popcount(hand) <= whole_hand(V, row):
        return at + 52
    return _kept_by_throw(out, out_row, at, hand, hand & ~forbidden(V, row), V[row, V_RULES1])


@jit
def _kept_by_throw(out, out_row, at, hand, allowed, rules1):
    """52 columns: what the hand is worth after throwing each card that may go."""
    by_worth = counts_triple(hand, rules1)
    best, second, suit = two_best(suit_totals(hand))
    while allowed != U0:
        card = lowest(allowed)
        allowed = allowed & (allowed - U1)
        kept = worth(hand & ~(U1 << card), rules1) if by_worth else U2 * kept_after(card, best, second, suit)
        _number(out, out_row, at + np.int64(card), kept)
    return at + 52


@jit
def _own_drawn(V, row):
    """The card just drawn where it is in the viewer's hand."""
    return bit_or_none(of(V[row, V_STATUS], DRAWN)) & V[row, V_HAND]


@jit
def _at_a_glance(V, row, out, out_row, at):
    """What a player works out by looking: worths, what the top card would do, which unseen cards would help."""
    rules1 = V[row, V_RULES1]
    hand = V[row, V_HAND]
    full = popcount(hand) > whole_hand(V, row)
    kept, value = best_kept(hand, hand & ~forbidden(V, row) if full else U0, rules1)
    top = bit_or_none(of(V[row, V_STATUS], TOP))
    at = _number(out, out_row, at, value)
    at = _number(out, out_row, at, U1 if kept != U0 and reaches_target(kept, value, rules1) else U0)
    at = _with_top(out, out_row, at, kept, top, value, rules1)
    totals = suit_totals(kept)
    for suit in range(4):
        at = _number(out, out_row, at, suit_total(totals, suit))
    unseen = unseen_cards(V, row)
    better, target = lifting_cards(kept, value, totals, rules1)
    for suit in range(4):
        ranks = SUIT_BITS << (U(13) * U(suit))
        at = _number(out, out_row, at, popcount(better & unseen & ranks))
    at = _number(out, out_row, at, popcount(target & unseen))
    return _number(out, out_row, at, popcount(unseen))


@jit
def _with_top(out, out_row, at, kept, top, value, rules1):
    """Worth with the top card and one other thrown, whether that is more, and whether it is the target."""
    if top == U0 or kept == U0:
        return at + 3
    best, then = best_kept(kept | top, kept, rules1)
    at = _number(out, out_row, at, then)
    at = _number(out, out_row, at, U1 if then > value else U0)
    return _number(out, out_row, at, U1 if reaches_target(best, then, rules1) else U0)


@jit
def _table(V, row, out, out_row, at):
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    legal = V[row, V_LEGAL]
    deal = (V[row, VF_DEAL_NO[0]] >> VF_DEAL_NO[1]) & VF_DEAL_NO[2]
    counts = V[row, VF_ME[0]]
    at = _one_hot(out, out_row, at, of(status, PHASE), 9)
    plain = (legal & U(15)) | ((legal >> A_PASS) << U(4))
    for i in range(_PLAIN_ACTIONS):
        at = _number(out, out_row, at, (plain >> U(i)) & U1)
    at = _number(out, out_row, at, U1 if legal != U0 else U0)
    at = _number(out, out_row, at, of(status, TAKEN))
    at = _number(out, out_row, at, U1 if forbidden(V, row) & V[row, V_HAND] != U0 else U0)
    at = _number(out, out_row, at, U0 if of(status, KNOCKER) == NONE_SEAT else U1)
    at = _number(out, out_row, at, of(status, LAPS_LEFT))
    at = _number(out, out_row, at, of(status, TURN_NO))
    at = _number(out, out_row, at, _left(rule(V[row, V_RULES1], MAX_TURNS), of(status, TURN_NO)))
    at = _number(out, out_row, at, deal)
    at = _number(out, out_row, at, _left(of(V[row, V_RULES0], MAX_DEALS), deal))
    at = _number(out, out_row, at, of(counts, VF_STOCK_COUNT))
    at = _number(out, out_row, at, of(counts, VF_PILE_COUNT))
    at = _number(out, out_row, at, of(status, PASSES))
    at = _number(out, out_row, at, of(status, EXCHANGED))
    at = _number(out, out_row, at, of(status, SETUP))
    at = _number(out, out_row, at, of(seats, WAS_RESHUFFLED))
    at = _number(out, out_row, at, of(seats, TURNED))
    at = _number(out, out_row, at, of(seats, NUM_SEATS) - popcount(of(seats, OUT)))
    return _number(out, out_row, at, of(seats, ROUND_EPISODE))


@jit
def _left(most, done):
    """What is left of a limit; 127 where there is none."""
    if most == U0:
        return _CAP
    return most - done if most > done else U0


@jit
def _rules(V, row, out, out_row, at):
    rules1 = V[row, V_RULES1]
    at = _number(out, out_row, at, popcount(V[row, V_RULES0] & CARD_BITS))
    at = _number(out, out_row, at, rule(rules1, HAND_SIZE))
    at = _number(out, out_row, at, rule(rules1, TARGET))
    at = _number(out, out_row, at, rule(rules1, START_LIVES))
    at = _number(out, out_row, at, rule(rules1, KNOCK_MIN))
    at = _choice(out, out_row, at, rule(rules1, TRIPLE), 3)
    at = _choice(out, out_row, at, rule(rules1, ACES), 3)
    at = _choice(out, out_row, at, rule(rules1, FIRST_KNOCK), 3)
    at = _choice(out, out_row, at, rule(rules1, DECLARE_RULE), 3)
    at = _choice(out, out_row, at, rule(rules1, EFFECT), 3)
    at = _number(out, out_row, at, rule(rules1, STOCK_OUT) & U1)  # play_on 1, draw 2, show 3: two binary digits
    at = _number(out, out_row, at, rule(rules1, STOCK_OUT) >> U1)
    at = _choice(out, out_row, at, rule(rules1, SETTLEMENT), 3)
    at = _choice(out, out_row, at, rule(rules1, KNOCKER_TIE), 4)
    at = _choice(out, out_row, at, rule(rules1, TABLE), 3)
    at = _choice(out, out_row, at, rule(rules1, EXCHANGE), 3)
    return _flags(rules1, out, out_row, at)


@jit
def _flags(rules1, out, out_row, at):
    at = _number(out, out_row, at, rule(rules1, UPCARD_SWAP))
    at = _number(out, out_row, at, rule(rules1, DUMMY_HAND))
    at = _number(out, out_row, at, rule(rules1, RETURN_TAKEN))
    at = _number(out, out_row, at, rule(rules1, LAP_STAND))
    at = _number(out, out_row, at, rule(rules1, EARLY_KNOCK))
    at = _number(out, out_row, at, rule(rules1, NATURAL))
    at = _number(out, out_row, at, rule(rules1, SIMULTANEOUS))
    at = _number(out, out_row, at, rule(rules1, KNOCKER_ON_31))
    at = _number(out, out_row, at, rule(rules1, TIE_LOWEST))
    at = _number(out, out_row, at, rule(rules1, KNOCK_PENALTY))
    at = _number(out, out_row, at, rule(rules1, ONLY_AMOUNT))
    at = _number(out, out_row, at, rule(rules1, TRANSFER))
    at = _number(out, out_row, at, rule(rules1, TIEBREAK))
    at = _number(out, out_row, at, rule(rules1, COUNTY))
    at = _number(out, out_row, at, rule(rules1, ALL_OUT))
    at = _number(out, out_row, at, rule(rules1, PASS_RENEWS))
    return _number(out, out_row, at, rule(rules1, PACKET))


@jit
def _seats(V, row, out, out_row, at, seats):
    """``SEAT_COLUMNS`` columns for each place."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, VF_ME[0]], VF_ME)
    for place in range(seats):
        if U(place) < players:
            seat = me + U(place)
            _one_seat(V, row, out, out_row, at, seat - players if seat >= players else seat)
        at = at + 20
    return at


@jit
def _one_seat(V, row, out, out_row, at, seat):
    status = V[row, V_STATUS]
    seats = V[row, V_SEATS]
    known = V[row, V_KNOWN + np.int64(seat)]
    thrown = V[row, V_THROWN + np.int64(seat)]
    lives = (V[row, V_LIVES] >> (LIVES_OF[1] * seat)) & LIVES_OF[2]
    at = _number(out, out_row, at, U1)
    at = _number(out, out_row, at, (of(seats, MATCH_SEATS) >> seat) & U1)
    at = _number(out, out_row, at, U1 - ((of(seats, OUT) >> seat) & U1))
    at = _number(out, out_row, at, lives)
    at = _number(out, out_row, at, (of(seats, ON_COUNTY) >> seat) & U1)
    at = _number(out, out_row, at, U1 if of(status, TURN) == seat else U0)
    at = _number(out, out_row, at, U1 if of(status, DEALER) == seat else U0)
    at = _number(out, out_row, at, U1 if of(status, KNOCKER) == seat else U0)
    at = _number(out, out_row, at, has_last_turn(V, row, seat))
    at = _number(out, out_row, at, popcount(known))
    at = _number(out, out_row, at, (V[row, V_DRAWS] >> (DRAWS_OF[1] * seat)) & DRAWS_OF[2])
    totals = suit_totals(known)
    best = U0
    for suit in range(4):
        points = suit_total(totals, suit)
        best = points if points > best else best
        _number(out, out_row, at + 1 + suit, points)
        _number(out, out_row, at + 5 + suit, popcount(thrown & (SUIT_BITS << (U(13) * U(suit)))))
    _number(out, out_row, at, best)


@jit
def _known(V, row, out, out_row, at, seats):
    """52 columns for each place but the viewer's own: the cards known to be in its hand."""
    players = of(V[row, V_SEATS], NUM_SEATS)
    me = of(V[row, VF_ME[0]], VF_ME)
    for place in range(1, seats):
        if U(place) < players:
            seat = me + U(place)
            seat = seat - players if seat >= players else seat
            _cards(out, out_row, at, V[row, V_KNOWN + np.int64(seat)])
        at = at + 52
    return at
