"""What holds in every state and after every round, as codes: what a soak looks at after each move.

Nothing here is used to play. A code of 0 says that all is well; `BROKEN_NAMES` tells the others in words.
"""

from __future__ import annotations

from thirtyone_env.core import pay
from thirtyone_env.core.bits import U0, U1, U, get, get_of, jit, popcount
from thirtyone_env.core.layout import (
    A_DISCARD,
    A_PASS,
    CARD_BITS,
    COUNTY,
    EXTRA,
    GAINED,
    HAND_SIZE,
    KNOCKER,
    KNOWN,
    LIVES_OF,
    MATCH_SEATS,
    MAX_TURNS,
    NONE_CARD,
    NONE_SEAT,
    NUM_SEATS,
    ON_COUNTY,
    OUT,
    PH_DISCARD,
    PH_OVER,
    PH_PACKET,
    PH_POOL,
    PH_TURN,
    PH_UPCARD,
    PHASE,
    PILE,
    PLACE_OF,
    POT,
    REPLAYED,
    RESHUFFLED,
    RULES0,
    RULES1,
    SETTLEMENT,
    STOCK,
    STOCK_OUT,
    SUDDEN_DEATH,
    TABLE,
    TOP,
    TRANSFER,
    TRUNCATED,
    TURN,
    TURN_NO,
    WINNER,
)
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.worth import rule

BROKEN_NAMES = (
    "all is well",
    "a card lies in two places or in none",
    "a hand has a wrong number of cards",
    "a card is known to be in a hand and is in none",
    "the top of the discard pile is not in it",
    "a seat that is out is to move",
    "no action is legal, or one that cannot be",
    "more turns were played than the limit allows",
    "a seat that is out holds a token or is on the county",
    "the rewards of a round do not sum to zero",
    "tokens came from nowhere or went astray",
    "a match ended without one winner, or was cut off with one",
    "placings leave a gap",
    "the rewards of a match do not sum to zero",
)
OK = U0
CARDS, HANDS, KNOWS, TOP_CARD, TO_MOVE, LEGAL, LIMIT, SEATS_OUT = U1, U(2), U(3), U(4), U(5), U(6), U(7), U(8)
ROUND_SUM, TOKENS, ENDING, PLACINGS, MATCH_SUM = U(9), U(10), U(11), U(12), U(13)
_CLOSE = 1e-9
_POT_GAME = U(2)
_SHOW = U(3)
_OTHERS = (U(15) | (U(127) << A_PASS))  # the actions that are not "discard <card>"


@jit
def broken_state(S, g, legal):
    """Code of the first thing that is wrong with a state in which a seat is to move; ``legal`` is its mask."""
    hands, sizes = _all_hands(S, g)
    stock, pile, extra = S[STOCK, g], S[PILE, g], S[EXTRA, g]
    deck = S[RULES0, g] & CARD_BITS
    together = popcount(stock) + popcount(pile) + popcount(extra) + sizes
    if (stock | pile | extra | hands) != deck or together != popcount(deck):
        return CARDS
    seats = seats_in(S, g)
    seat = get(S, g, TURN)
    if (seats >> seat) & U1 == U0:
        return TO_MOVE
    rules1 = S[RULES1, g]
    phase = get(S, g, PHASE)
    size = rule(rules1, HAND_SIZE)
    one_more = U(phase == PH_DISCARD or phase == PH_POOL)
    hand = S[hand_word(seat), g]
    if sizes != size * popcount(seats) + one_more or popcount(hand) != size + one_more:
        return HANDS
    stock_table = rule(rules1, TABLE) == U0
    if stock_table and (S[KNOWN, g] & ~hands != U0 or S[RESHUFFLED, g] & ~(stock | hands) != U0):
        return KNOWS
    top = get(S, g, TOP)
    if top != NONE_CARD and (pile >> top) & U1 == U0:
        return TOP_CARD
    may_act = phase == PH_TURN or phase == PH_UPCARD or phase == PH_PACKET or one_more != U0
    if not may_act or legal == U0 or legal & ~(_OTHERS | (hand << A_DISCARD)) != U0:
        return LEGAL
    most = rule(rules1, MAX_TURNS)
    no_lap = get(S, g, KNOCKER) == NONE_SEAT or rule(rules1, STOCK_OUT) == _SHOW
    return LIMIT if most != U0 and no_lap and get(S, g, TURN_NO) >= most else OK


@jit
def _all_hands(S, g):
    """All cards in hands, and how many there are, counted hand by hand."""
    cards, count = U0, U0
    for i in range(9):
        if U(i) < get(S, g, NUM_SEATS):
            hand = S[hand_word(U(i)), g]
            cards = cards | hand
            count = count + popcount(hand)
    return cards, count


@jit
def all_tokens(S, g):
    """Tokens of all seats together."""
    total = U0
    for i in range(9):
        total = total + get_of(S, g, LIVES_OF, U(i))
    return total


@jit
def broken_round(S, g, before, match_sums):
    """Code of the first thing that is wrong with a round that was just settled.

    ``before``: tokens of all seats before it. ``match_sums``: float64 ``[9]``, match rewards of each seat so far, to
    which this round's are added.
    """
    total = 0.0
    for i in range(9):
        if U(i) < get(S, g, NUM_SEATS):
            total += pay.round_reward(S, g, U(i), U0)
            match_sums[i] += pay.round_reward(S, g, U(i), U1)
    if abs(total) > _CLOSE:
        return ROUND_SUM
    if rule(S[RULES1, g], SETTLEMENT) == _POT_GAME:
        return OK
    out, county = get(S, g, OUT), get(S, g, ON_COUNTY)
    if out & county != U0 or (county != U0 and rule(S[RULES1, g], COUNTY) == U0) or not _broke(S, g, out | county):
        return SEATS_OUT
    return OK if _tokens_add_up(S, g, before) else TOKENS


@jit
def _broke(S, g, seats):
    """Whether exactly these seats have no token."""
    for i in range(9):
        if U(i) < get(S, g, NUM_SEATS):
            empty = get_of(S, g, LIVES_OF, U(i)) == U0
            if empty != ((seats >> U(i)) & U1 != U0):
                return False
    return True


@jit
def _tokens_add_up(S, g, before):
    after = all_tokens(S, g)
    if get(S, g, REPLAYED) != U0 or (rule(S[RULES1, g], TRANSFER) != U0 and get(S, g, GAINED) != U0):
        return after == before
    return after <= before or get(S, g, SUDDEN_DEATH) != U0  # which hands out new tokens


@jit
def broken_end(S, g, match_sums):
    """Code of the first thing that is wrong with a match that is over. ``match_sums`` as in `broken_round`."""
    total = 0.0
    for i in range(9):
        total += match_sums[i]
    if abs(total) > _CLOSE:
        return MATCH_SUM
    pot_game = rule(S[RULES1, g], SETTLEMENT) == _POT_GAME
    winner = get(S, g, WINNER)
    cut_off = get(S, g, TRUNCATED) != U0
    if pot_game:
        fits = (winner != NONE_SEAT) == (popcount(get(S, g, POT)) == U1)
    else:
        fits = (winner == NONE_SEAT) == cut_off and (cut_off or popcount(seats_in(S, g)) == U1)
    if not fits or get(S, g, PHASE) != PH_OVER:
        return ENDING
    return OK if _places_fit(S, g) else PLACINGS


@jit
def _places_fit(S, g):
    """Whether each seat's placing is one more than the number of seats placed before it."""
    seats = get(S, g, MATCH_SEATS)
    for i in range(9):
        if (seats >> U(i)) & U1 != U0:
            before = U0
            for j in range(9):
                ahead = get_of(S, g, PLACE_OF, U(j)) < get_of(S, g, PLACE_OF, U(i))
                if (seats >> U(j)) & U1 != U0 and ahead:
                    before = before + U1
            if get_of(S, g, PLACE_OF, U(i)) != before + U1:
                return False
    return True
