"""The end of a round and of a match, and the beginning of the next deal."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, U, get, get_of, jit, lowest, next_seat, popcount, put, put_of
from thirtyone_env.core.layout import (
    ALL_OUT,
    COUNTY,
    DEAL_NO,
    DEALER,
    DECLARED,
    DRAW_NO,
    ELIMINATED,
    GAINED,
    HAND,
    KNOCKER,
    LAST0,
    LAST1,
    LAST_KNOCKER,
    LIVES_OF,
    LOST_OF,
    MAX_DEALS,
    NONE_SEAT,
    NUM_SEATS,
    ON_COUNTY,
    OUT,
    PAID_SHIFT,
    PH_DEAL,
    PH_OVER,
    PHASE,
    PLACE_OF,
    POT,
    R_DECLARED,
    R_DRAWN,
    R_FEUER,
    R_NATURAL,
    REASON,
    RECEIVER,
    REPLAYED,
    ROUND_EPISODE,
    ROUND_SEATS,
    RULES1,
    SEAT_WORDS,
    SETTLEMENT,
    SUDDEN_DEATH,
    TIEBREAK,
    TRANSFER,
    TRUNCATED,
    TURN,
    TURN_NO,
    VALUE_OF,
    WINNER,
)
from thirtyone_env.core.lives import amount, chances, goes_out, tokens_given
from thirtyone_env.core.settle import losers
from thirtyone_env.core.worth import rule, tiebreak_key, worth

_TIE_BITS = U(13)


@jit
def seats_in(S, g):
    """Set of the seats that are still in."""
    return ((U1 << get(S, g, NUM_SEATS)) - U1) & ~get(S, g, OUT)


@jit
def hand_word(seat):
    """Row of a seat's hand."""
    return HAND + SEAT_WORDS * seat


@jit
def end_round(S, g, reason):
    """Settle the round, and either end the match or turn to the next deal. DECLARED holds who showed."""
    declared = get(S, g, DECLARED)
    rules1 = S[RULES1, g]
    seats = seats_in(S, g)
    knocker_seat = get(S, g, KNOCKER)
    knocker = U0 if knocker_seat == NONE_SEAT else U1 << knocker_seat
    low, high, below = compare_hands(S, g, rules1, seats, knocker_seat)
    S[LAST1, g] = U0
    put(S, g, REASON, reason)
    put(S, g, LAST_KNOCKER, knocker_seat)
    put(S, g, DECLARED, declared)
    put(S, g, RECEIVER, NONE_SEAT)
    put(S, g, ROUND_SEATS, seats)
    put(S, g, ELIMINATED, U0)
    if rule(rules1, SETTLEMENT) == U2:
        shown = reason == R_DECLARED or reason == R_NATURAL or reason == R_FEUER
        drawn = reason == R_DRAWN
        _pay_pot(S, g, seats, declared if shown else (U0 if drawn else high))
        return
    one, two, receiver = losers(rules1, reason, seats, knocker, declared, low, high, below)
    _take_lives(S, g, rules1, seats, one, two, receiver)
    _next(S, g)


@jit
def compare_hands(S, g, rules1, seats, knocker_seat):
    """Write the hands' worths; sets of seats with the lowest and the highest hand and of those below the knocker."""
    tie_rule = rule(rules1, TIEBREAK)
    knocked = worth(S[hand_word(knocker_seat), g], rules1) if knocker_seat != NONE_SEAT else U0
    S[LAST0, g] = ~U0
    low, high, below = U0, U0, U0
    best, worst = U0, ~U0
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        seat = lowest(bit)
        hand = S[hand_word(seat), g]
        value = worth(hand, rules1)
        put_of(S, g, VALUE_OF, seat, value)
        if value < knocked:
            below = below | bit
        rank = value << _TIE_BITS
        if tie_rule != U0:
            rank = rank | tiebreak_key(hand, value)
        if rank < worst:
            worst, low = rank, U0
        if rank == worst:
            low = low | bit
        if rank > best:
            best, high = rank, U0
        if rank == best:
            high = high | bit
    return low, high, below


@jit
def _pay_pot(S, g, seats, winners):
    """Pot games: the match is this one round; the winners share. Nobody takes the pot of a drawn round."""
    put(S, g, POT, winners)
    count = popcount(winners)
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        put_of(S, g, PLACE_OF, lowest(bit), U1 if winners & bit != U0 else count + U1)
    if count == U1:
        put(S, g, WINNER, lowest(winners))
    put(S, g, PHASE, PH_OVER)


@jit
def _take_lives(S, g, rules1, seats, one, two, receiver):
    county = rule(rules1, COUNTY)
    out = U0
    rest = one | two
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        seat = lowest(bit)
        tokens = get_of(S, g, LIVES_OF, seat)
        loss = amount(bit, one, two)
        paid = tokens_given(chances(tokens, county), loss)
        S[LAST1, g] = S[LAST1, g] | ((loss | (paid << PAID_SHIFT)) << (LOST_OF[1] * seat))
        if goes_out(tokens, loss, county):
            out = out | bit
    if out != U0 and out == seats:
        _everyone_out(S, g, rules1, seats, county)
        return
    _pay(S, g, rules1, one, two, out, receiver)
    if out != U0:
        _send_out(S, g, seats, out)


@jit
def _everyone_out(S, g, rules1, seats, county):
    """All who are left would go out at once (RULES section 8)."""
    if rule(rules1, ALL_OUT) == U0:
        put(S, g, REPLAYED, U1)
        return
    put(S, g, SUDDEN_DEATH, U1)
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        put_of(S, g, LIVES_OF, lowest(bit), U1 - county)
    if county != U0:
        put(S, g, ON_COUNTY, seats)


@jit
def _pay(S, g, rules1, one, two, out, receiver):
    """Take the tokens; put on the county whoever has none left and is not out; hand them on where that is the rule."""
    given = U0
    on_county = get(S, g, ON_COUNTY) & ~out
    rest = one | two
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        seat = lowest(bit)
        tokens = get_of(S, g, LIVES_OF, seat)
        leaves = tokens_given(tokens, amount(bit, one, two))
        given = given + leaves
        put_of(S, g, LIVES_OF, seat, tokens - leaves)
        if tokens == leaves and out & bit == U0:
            on_county = on_county | bit
    if rule(rules1, TRANSFER) != U0 and receiver != U0 and given != U0:
        seat = lowest(receiver)
        put_of(S, g, LIVES_OF, seat, get_of(S, g, LIVES_OF, seat) + given)
        put(S, g, RECEIVER, seat)
        put(S, g, GAINED, given)
        on_county = on_county & ~receiver
    put(S, g, ON_COUNTY, on_county)


@jit
def _send_out(S, g, seats, out):
    """Seats that go out in one round share a placing; the last one in has won."""
    left = seats & ~out
    place = popcount(left) + U1
    put(S, g, OUT, get(S, g, OUT) | out)
    put(S, g, ELIMINATED, out)
    rest = out
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        put_of(S, g, PLACE_OF, lowest(bit), place)
    if place == U2:
        put_of(S, g, PLACE_OF, lowest(left), U1)
        put(S, g, WINNER, lowest(left))


@jit
def _next(S, g):
    """After a settled round: the match is over, or the deal moves on."""
    if get(S, g, WINNER) != NONE_SEAT or get(S, g, ROUND_EPISODE) != U0:
        put(S, g, PHASE, PH_OVER)
        return
    most = (S[MAX_DEALS[0], g] >> MAX_DEALS[1]) & MAX_DEALS[2]
    if most != U0 and get(S, g, DEAL_NO) + U1 >= most:
        _truncate(S, g)
        return
    seats = seats_in(S, g)
    if get(S, g, REPLAYED) == U0:
        put(S, g, DEALER, next_seat(get(S, g, DEALER), seats))
    put(S, g, DEAL_NO, get(S, g, DEAL_NO) + U1)
    start_deal(S, g)


@jit
def start_deal(S, g):
    """Ask chance for the first card of a deal. The old hands and the result stay until it comes."""
    put(S, g, DRAW_NO, U0)
    put(S, g, TURN_NO, U0)
    put(S, g, PHASE, PH_DEAL)
    put(S, g, TURN, next_seat(get(S, g, DEALER), seats_in(S, g)))


@jit
def _truncate(S, g):
    """The most deals of a match are played: placings by tokens, ahead of all who are out."""
    seats = seats_in(S, g)
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        mine = get_of(S, g, LIVES_OF, lowest(bit))
        place = U1
        others = seats
        while others != U0:
            other = others & (~others + U1)
            others = others ^ other
            if get_of(S, g, LIVES_OF, lowest(other)) > mine:
                place = place + U1
        put_of(S, g, PLACE_OF, lowest(bit), place)
    put(S, g, TRUNCATED, U1)
    put(S, g, PHASE, PH_OVER)
