"""How often chance gives each card in a game tree; plain, or with hands dealt in ascending order.

In ascending order every set of hands comes as often as in a plain deal, but in one way instead of one for each order of
its cards; so the tree is smaller and its values are the same.
"""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U, get, jit, lowest, popcount
from thirtyone_env.core.deal import possible_cards
from thirtyone_env.core.layout import (
    CARD_BITS,
    DRAW_NO,
    DUMMY_HAND,
    EXTRA,
    HAND_SIZE,
    PH_DEAL,
    PHASE,
    RULES0,
    RULES1,
    STOCK,
    TABLE,
    TURN,
)
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_env.core.worth import rule

_MIDDLE = U(9)  # stands for the dummy, packet, pool or widow among the holders of dealt cards


@jit
def chance_weights(S, g, ordered, out):
    """How often chance gives each card: weights in ``out``, float64 ``[52]``. Returns their sum.

    Plain, each possible card weighs 1. Under ``ordered`` a card of a hand (or of a dummy, packet or pool) weighs the
    number of ways in which the deal can go on when each holder's later cards must have higher ids.
    """
    cards = possible_cards(S, g)
    total = 0.0
    for card in range(52):
        weight = 0.0
        if (cards >> U(card)) & U1 != U0:
            weight = _ways(S, g, U(card)) if ordered and get(S, g, PHASE) == PH_DEAL else 1.0
        out[card] = weight
        total += weight
    return total


@jit
def _ways(S, g, card):
    """Ways to complete an ascending deal once ``card`` is given now; 0 where it may not come now.

    Each holder takes its later cards from those above its highest. These sets lie within each other, so the holder with
    the highest card chooses first, and the others among what it leaves.
    """
    dealt = get(S, g, DRAW_NO)
    size = rule(S[RULES1, g], HAND_SIZE)
    seats = seats_in(S, g)
    to_hands = size * popcount(seats)
    extra = U(3) if rule(S[RULES1, g], TABLE) != U0 or rule(S[RULES1, g], DUMMY_HAND) != U0 else U0
    if dealt >= to_hands + extra:
        return 1.0
    receiver = get(S, g, TURN) if dealt < to_hands else _MIDDLE
    fresh = dealt == U0
    if not fresh and _cards_of(S, g, receiver) >> card != U0:
        return 0.0
    stock = (S[RULES0, g] & CARD_BITS if fresh else S[STOCK, g]) & ~(U1 << card)
    return _completions(S, g, seats, size, extra, stock, receiver, card, fresh)


@jit
def _completions(S, g, seats, size, extra, stock, receiver, card, fresh):
    ways = 1.0
    chosen = U0
    holders = seats | (U1 << _MIDDLE if extra != U0 else U0)
    while holders != U0:
        best, top = U0, U0
        rest = holders
        while rest != U0:  # of the holders left the one with the highest card
            holder = lowest(rest)
            rest = rest & (rest - U1)
            above = _above(S, g, holder, receiver, card, fresh)
            if above >= top:
                best, top = holder, above
        holders = holders & ~(U1 << best)
        held = U0 if fresh else popcount(_cards_of(S, g, best))
        held = held + (U1 if best == receiver else U0)
        need = (extra if best == _MIDDLE else size) - held
        there = popcount(stock >> top)
        ways = ways * _choose(there - chosen if there > chosen else U0, need)
        chosen = chosen + need
    return ways


@jit
def _above(S, g, holder, receiver, card, fresh):
    """Lowest card id that the holder may still be dealt."""
    if holder == receiver:
        return card + U1
    if fresh:
        return U0
    cards = _cards_of(S, g, holder)
    top = U0
    while cards >> top != U0:
        top = top + U1
    return top


@jit
def _cards_of(S, g, holder):
    return S[EXTRA, g] if holder == _MIDDLE else S[hand_word(holder), g]


@jit
def _choose(n, k):
    """Ways to choose ``k`` of ``n``, for k up to 3."""
    ways = 1.0
    for i in range(3):
        if U(i) < k:
            ways = ways * (float(n) - float(i)) / (float(i) + 1.0) if n > U(i) else 0.0
    return ways
