"""A seat's moves at the table with a stock and a discard pile (RULES sections 3 to 6 and 9).

Each move returns a code: 0 where play goes on, `TURN_ENDS` where the seat's turn is over, or why the round ends
(``R_*``). The round is settled in one place, `moves.play`, which also keeps the compiled code small.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, get, jit, next_seat, popcount, put, put_of
from thirtyone_env.core.deal import first_turn, put_down, reshuffle, show, show_if_forced, start_turn
from thirtyone_env.core.layout import (
    A_DECLARE,
    A_DISCARD,
    A_DRAW_DISCARD,
    A_DRAW_STOCK,
    A_KNOCK,
    A_PASS,
    A_SWAP_UPCARD,
    DECLARE_RULE,
    DRAWN,
    DRAWS_OF,
    EARLY_KNOCK,
    EXCHANGED,
    EXTRA,
    KNOCKER,
    KNOWN,
    LAPS_LEFT,
    MAX_TURNS,
    NONE_CARD,
    NONE_SEAT,
    PH_DISCARD,
    PH_DRAW,
    PHASE,
    PILE,
    R_DECLARED,
    R_DRAWN,
    R_KNOCK,
    R_LIMIT,
    R_NATURAL,
    R_STOCK_OUT,
    RESHUFFLED,
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
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.worth import is_target, rule, showable

TURN_ENDS = U(8)
_HOLD = U(2)
_PLAY_ON = U1
_DRAW = U(2)
_SHOW = U(3)


@jit
def turn_action(S, g, action):
    """What a seat does at the start of its turn."""
    if action == A_DRAW_STOCK:
        if S[STOCK, g] == U0:
            reshuffle(S, g)
        put(S, g, PHASE, PH_DRAW)
        return U0
    if action == A_DRAW_DISCARD:
        return take_top(S, g)
    if action == A_KNOCK:
        return knock(S, g)
    if action == A_PASS:
        return pass_turn(S, g)
    if action == A_DECLARE:
        return declare(S, g)
    return swap_dummy(S, g)


@jit
def take_top(S, g):
    """Take the top of the discard pile. It is known to all that the seat holds it."""
    seat = get(S, g, TURN)
    card = get(S, g, TOP)
    bit = U1 << card
    S[hand_word(seat), g] = S[hand_word(seat), g] | bit
    S[PILE, g] = S[PILE, g] & ~bit
    S[KNOWN, g] = S[KNOWN, g] | bit
    put(S, g, TOP, NONE_CARD)
    put(S, g, DRAWN, card)
    put(S, g, TAKEN, U1)
    put(S, g, PHASE, PH_DISCARD)
    if get(S, g, SETUP) != U0:
        return U0
    return show_if_forced(S, g)


@jit
def discard_action(S, g, action):
    """After a draw: throw a card, or show."""
    if action == A_DECLARE:
        return declare(S, g)
    seat = get(S, g, TURN)
    put_down(S, g, seat, U1 << (action - A_DISCARD))
    if get(S, g, SETUP) != U0:
        return _upcard_changed(S, g, seat)
    return TURN_ENDS


@jit
def declare(S, g):
    """Show the worth that may be shown (RULES section 5)."""
    rules1 = S[RULES1, g]
    seat = get(S, g, TURN)
    drawn = get(S, g, DRAWN)
    if drawn == NONE_CARD:
        first = get(S, g, TURN_NO) < popcount(seats_in(S, g)) and get(S, g, EXCHANGED) == U0
        show(S, g, U0)
        return R_NATURAL if first else R_DECLARED
    hold = rule(rules1, DECLARE_RULE) == _HOLD
    over = showable(S[hand_word(seat), g], U1 << drawn, get(S, g, TAKEN) != U0, hold, rules1)
    show(S, g, over)
    return R_DECLARED


@jit
def knock(S, g):
    """Knock: everyone else has one more turn (RULES section 4)."""
    rules1 = S[RULES1, g]
    first = get(S, g, TURN_NO) == U0
    put(S, g, KNOCKER, get(S, g, TURN))
    put(S, g, LAPS_LEFT, popcount(seats_in(S, g)))
    if first and rule(rules1, EARLY_KNOCK) != U0:
        return R_KNOCK
    return TURN_ENDS


@jit
def pass_turn(S, g):
    """Leave the discard when there is no stock, or stand in the final lap (RULES sections 3 and 6)."""
    rules1 = S[RULES1, g]
    stock_table = rule(rules1, TABLE) == U0
    if stock_table and S[STOCK, g] == U0 and rule(rules1, STOCK_OUT) == _PLAY_ON:
        return R_STOCK_OUT
    return TURN_ENDS


@jit
def end_turn(S, g):
    """A turn has ended: perhaps the round too, else the next seat moves. Returns why the round ends, or 0."""
    rules1 = S[RULES1, g]
    turns = get(S, g, TURN_NO) + U1
    put(S, g, TURN_NO, turns if turns < U(65535) else U(65535))
    seats = seats_in(S, g)
    if get(S, g, KNOCKER) != NONE_SEAT:
        left = get(S, g, LAPS_LEFT) - U1
        put(S, g, LAPS_LEFT, left)
        if left == U0:
            return R_KNOCK
    if get(S, g, KNOCKER) == NONE_SEAT or rule(rules1, STOCK_OUT) == _SHOW:
        reason = _cut_off(S, g, rules1, turns)
        if reason != U0:
            return reason
    put(S, g, TURN, next_seat(get(S, g, TURN), seats))
    return start_turn(S, g)


@jit
def _cut_off(S, g, rules1, turns):
    """Whether want of stock or the turn limit ends the round (RULES sections 6 and 12)."""
    if S[STOCK, g] == U0 and rule(rules1, TABLE) == U0:
        stock_out = rule(rules1, STOCK_OUT)
        if stock_out == _DRAW:
            return R_DRAWN
        if stock_out == _SHOW:
            return R_STOCK_OUT
    most = rule(rules1, MAX_TURNS)
    return R_LIMIT if most != U0 and turns >= most else U0


@jit
def swap_dummy(S, g):
    """Change the whole hand for the dummy, unseen; the hand left behind lies open (RULES section 9)."""
    seat = get(S, g, TURN)
    row = hand_word(seat)
    old = S[row, g]
    S[row, g] = S[EXTRA, g]
    S[EXTRA, g] = old
    S[KNOWN, g] = S[KNOWN, g] & ~old
    S[RESHUFFLED, g] = S[RESHUFFLED, g] & ~old
    put_of(S, g, DRAWS_OF, seat, U0)
    put(S, g, TURNED, U1)
    rules1 = S[RULES1, g]
    if is_target(S[row, g], rules1):
        show(S, g, U0)
        return R_DECLARED
    return TURN_ENDS


@jit
def upcard_action(S, g, action):
    """The dealer's choice before the first turn: change a card for the up-card, or leave it (RULES section 2)."""
    if action == A_SWAP_UPCARD:
        put(S, g, SETUP, U1)
        return take_top(S, g)
    return first_turn(S, g)


@jit
def _upcard_changed(S, g, seat):
    put(S, g, SETUP, U0)
    if is_target(S[hand_word(seat), g], S[RULES1, g]):
        show(S, g, U0)
        return R_DECLARED
    return first_turn(S, g)


