"""Chance's moves: the deal, the stock card drawn, the pool renewed (RULES sections 2, 6 and 11)."""

from __future__ import annotations

from thirtyone_env.core.bits import (
    U0,
    U1,
    U2,
    U,
    get,
    get_of,
    jit,
    lowest,
    next_seat,
    nth_bit,
    nth_bit_alone,
    popcount,
    put,
    put_of,
)
from thirtyone_env.core.layout import (
    ACES,
    CARD_BITS,
    COUNT,
    DEALER,
    DECLARE_RULE,
    DECLARED,
    DRAW_NO,
    DRAWN,
    DRAWS,
    DRAWS_OF,
    DUMMY_HAND,
    EXCHANGED,
    EXTRA,
    HAND_SIZE,
    KEY,
    KNOCKER,
    KNOWN,
    LAPS_LEFT,
    NATURAL,
    NONE_CARD,
    NONE_SEAT,
    PACKET,
    PASSES,
    PH_DEAL,
    PH_DISCARD,
    PH_DRAW,
    PH_PACKET,
    PH_RENEW,
    PH_TURN,
    PH_UPCARD,
    PHASE,
    PILE,
    R_DECLARED,
    R_FEUER,
    R_NATURAL,
    RESHUFFLED,
    RULES0,
    RULES1,
    SEAT_WORDS,
    SETUP,
    STOCK,
    TABLE,
    TAKEN,
    THROWN,
    TOP,
    TURN,
    TURN_NO,
    TURNED,
    UPCARD_SWAP,
    WAS_RESHUFFLED,
)
from thirtyone_env.core.rng import STREAM_CARDS, below, card_word, stream_base, word_of
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.worth import is_target, is_three_aces, rule, showable


@jit
def chance_to_move(S, g):
    """Whether a card must be given."""
    return get(S, g, PHASE) <= PH_RENEW


@jit
def possible_cards(S, g):
    """Set of the cards that chance may give, each equally likely."""
    if get(S, g, PHASE) == PH_DEAL and get(S, g, DRAW_NO) == U0:
        return S[RULES0, g] & CARD_BITS
    return S[STOCK, g]


@jit
def give(S, g, card):
    """Chance gives ``card``. Returns why the round ends by it (``R_*``), or 0; `rounds.end_round` then settles."""
    phase = get(S, g, PHASE)
    if phase == PH_DEAL and get(S, g, DRAW_NO) == U0:
        clear_table(S, g)
    put(S, g, DRAW_NO, get(S, g, DRAW_NO) + U1)
    bit = U1 << card
    S[STOCK, g] = S[STOCK, g] & ~bit
    if phase == PH_DRAW:
        return _give_drawn(S, g, card)
    if phase == PH_DEAL:
        return _give_dealt(S, g, card)
    S[EXTRA, g] = S[EXTRA, g] | bit
    if popcount(S[EXTRA, g]) == U(3):
        put(S, g, PHASE, PH_TURN)
    return U0


@jit
def draw_card(S, g):
    """The card that the game's own stream gives next."""
    cards = possible_cards(S, g)
    return nth_bit(cards, below(card_word(S, g), popcount(cards)))


@jit
def deal_all(S, g):
    """The whole deal from the game's own stream: card for card what `give` of each `draw_card` does, but faster."""
    clear_table(S, g)
    rules1 = S[RULES1, g]
    seats = seats_in(S, g)
    base = stream_base(S[KEY, g], STREAM_CARDS)
    counter = S[COUNT, g]
    stock = S[STOCK, g]
    left = popcount(stock)
    seat = get(S, g, TURN)
    to_hands = rule(rules1, HAND_SIZE) * popcount(seats)
    pool = rule(rules1, TABLE) != U0
    extra = U(3) if pool or rule(rules1, DUMMY_HAND) != U0 else U0
    cards = to_hands + extra + (U0 if pool else U1)
    bit = U0
    for dealt in range(cards):
        bit = nth_bit_alone(stock, below(word_of(base, counter), left))
        stock = stock ^ bit
        left = left - U1
        counter = counter + U1
        if U(dealt) < to_hands:
            row = hand_word(seat)
            S[row, g] = S[row, g] | bit
            seat = next_seat(seat, seats)
        elif U(dealt) < to_hands + extra:
            S[EXTRA, g] = S[EXTRA, g] | bit
    S[STOCK, g] = stock
    S[COUNT, g] = counter
    put(S, g, TURN, seat)
    if not pool:
        S[PILE, g] = bit
        put(S, g, TOP, lowest(bit))
    return _start_play(S, g, rules1, seats)


@jit
def chance_moves(S, g):
    """Chance's next move from the game's own stream: a whole deal, or one card. Returns as `give` does."""
    if get(S, g, PHASE) == PH_DEAL and get(S, g, DRAW_NO) == U0:
        return deal_all(S, g)
    return give(S, g, draw_card(S, g))


@jit
def clear_table(S, g):
    """All cards back into the stock."""
    S[STOCK, g] = S[RULES0, g] & CARD_BITS
    S[PILE, g] = U0
    S[EXTRA, g] = U0
    S[KNOWN, g] = U0
    S[RESHUFFLED, g] = U0
    S[DRAWS, g] = U0
    for row in range(16, S.shape[0]):
        S[row, g] = U0
    put(S, g, DECLARED, U0)
    put(S, g, TOP, NONE_CARD)
    put(S, g, DRAWN, NONE_CARD)
    put(S, g, TAKEN, U0)
    put(S, g, KNOCKER, NONE_SEAT)
    put(S, g, LAPS_LEFT, U0)
    put(S, g, PASSES, U0)
    put(S, g, EXCHANGED, U0)
    put(S, g, SETUP, U0)
    put(S, g, WAS_RESHUFFLED, U0)
    put(S, g, TURNED, U0)


@jit
def _give_drawn(S, g, card):
    seat = get(S, g, TURN)
    row = hand_word(seat)
    S[row, g] = S[row, g] | (U1 << card)
    put(S, g, DRAWN, card)
    put(S, g, TAKEN, U0)
    put(S, g, PHASE, PH_DISCARD)
    draws = get_of(S, g, DRAWS_OF, seat)
    if draws < U(63):
        put_of(S, g, DRAWS_OF, seat, draws + U1)
    return show_if_forced(S, g)


@jit
def _give_dealt(S, g, card):
    """One card at a time, clockwise from the dealer's left; then a dummy, packet, pool or widow; then the up-card."""
    bit = U1 << card
    seats = seats_in(S, g)
    rules1 = S[RULES1, g]
    dealt = get(S, g, DRAW_NO)
    to_hands = rule(rules1, HAND_SIZE) * popcount(seats)
    if dealt <= to_hands:
        seat = get(S, g, TURN)
        S[hand_word(seat), g] = S[hand_word(seat), g] | bit
        put(S, g, TURN, next_seat(seat, seats))
        return U0
    pool = rule(rules1, TABLE) != U0
    extra = U(3) if pool or rule(rules1, DUMMY_HAND) != U0 else U0
    if dealt <= to_hands + extra:
        S[EXTRA, g] = S[EXTRA, g] | bit
        if pool and dealt == to_hands + extra:
            return _start_play(S, g, rules1, seats)
        return U0
    S[PILE, g] = bit
    put(S, g, TOP, card)
    return _start_play(S, g, rules1, seats)


@jit
def _start_play(S, g, rules1, seats):
    dealer = get(S, g, DEALER)
    if rule(rules1, PACKET) != U0:
        put(S, g, TURN, dealer)
        put(S, g, PHASE, PH_PACKET)
        return U0
    return after_packet(S, g)


@jit
def after_packet(S, g):
    """Dealt 31s (and three aces) are shown; then the dealer's up-card, or the first turn."""
    rules1 = S[RULES1, g]
    seats = seats_in(S, g)
    fire = _dealt(S, g, seats, rules1, True) if rule(rules1, ACES) == U2 else U0
    if fire != U0:
        put(S, g, DECLARED, fire)
        return R_FEUER
    if rule(rules1, NATURAL) == U0:
        shown = _dealt(S, g, seats, rules1, False)
        if shown != U0:
            put(S, g, DECLARED, shown)
            return R_NATURAL
    if rule(rules1, UPCARD_SWAP) != U0:
        put(S, g, TURN, get(S, g, DEALER))
        put(S, g, PHASE, PH_UPCARD)
        return U0
    return first_turn(S, g)


@jit
def _dealt(S, g, seats, rules1, aces):
    """Seats that were dealt three aces, or the worth that may be shown."""
    result = U0
    rest = seats
    while rest != U0:
        bit = rest & (~rest + U1)
        rest = rest ^ bit
        hand = S[hand_word(lowest(bit)), g]
        if is_three_aces(hand) if aces else is_target(hand, rules1):
            result = result | bit
    return result


@jit
def first_turn(S, g):
    """The seat left of the dealer begins."""
    put(S, g, TURN, next_seat(get(S, g, DEALER), seats_in(S, g)))
    return start_turn(S, g)


@jit
def start_turn(S, g):
    """A seat's turn begins; under ``own_turn`` with ``auto`` a dealt 31 is shown. Returns why the round ends, or 0."""
    put(S, g, PHASE, PH_TURN)
    rules1 = S[RULES1, g]
    if rule(rules1, NATURAL) != U0 and rule(rules1, DECLARE_RULE) == U0:
        seat = get(S, g, TURN)
        first = get(S, g, TURN_NO) < popcount(seats_in(S, g))
        if first and is_target(S[hand_word(seat), g], rules1):
            put(S, g, DECLARED, U1 << seat)
            return R_NATURAL
    return U0


@jit
def show_if_forced(S, g):
    """Under ``auto`` a 31 made by the draw ends the round at once (RULES section 5). Returns why it ends, or 0."""
    rules1 = S[RULES1, g]
    if rule(rules1, DECLARE_RULE) != U0:
        return U0
    seat = get(S, g, TURN)
    taken = get(S, g, TAKEN) != U0
    over = showable(S[hand_word(seat), g], U1 << get(S, g, DRAWN), taken, False, rules1)
    if over == U0:
        return U0
    show(S, g, over)
    return R_DECLARED


@jit
def show(S, g, over):
    """The seat to move shows the worth that may be shown; the card left over (a set, maybe empty) goes to the pile."""
    seat = get(S, g, TURN)
    if over != U0:
        put_down(S, g, seat, over)
    put(S, g, DECLARED, U1 << seat)


@jit
def put_down(S, g, seat, bit):
    """Move a card from a hand to the top of the discard pile."""
    row = hand_word(seat)
    S[row, g] = S[row, g] & ~bit
    S[THROWN + SEAT_WORDS * seat, g] = S[THROWN + SEAT_WORDS * seat, g] | bit
    S[PILE, g] = S[PILE, g] | bit
    S[KNOWN, g] = S[KNOWN, g] & ~bit
    S[RESHUFFLED, g] = S[RESHUFFLED, g] & ~bit
    put(S, g, TOP, lowest(bit))
    put(S, g, DRAWN, NONE_CARD)
    put(S, g, TAKEN, U0)


@jit
def reshuffle(S, g):
    """All discards but the top become the stock (RULES section 6)."""
    top = U1 << get(S, g, TOP)
    S[STOCK, g] = S[PILE, g] & ~top
    S[RESHUFFLED, g] = S[STOCK, g]
    S[PILE, g] = top
    S[DRAWS, g] = U0
    put(S, g, WAS_RESHUFFLED, U1)


