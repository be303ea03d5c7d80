"""What a seat may know, as `VIEW_WORDS` words (the only window on a game)."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U, get, jit, popcount
from thirtyone_env.core.layout import (
    DEAL_NO,
    DRAWN,
    DRAWS,
    EXTRA,
    KNOWN,
    LIVES,
    NONE_CARD,
    NUM_SEATS,
    PH_PACKET,
    PHASE,
    PILE,
    RESHUFFLED,
    RULES0,
    RULES1,
    SEAT_WORDS,
    SEATS,
    STATUS,
    STOCK,
    TABLE,
    TAKEN,
    THROWN,
    TURN,
    TURNED,
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
    VIEW_WORDS,
)
from thirtyone_env.core.legal import legal_actions
from thirtyone_env.core.rounds import hand_word
from thirtyone_env.core.worth import rule


@jit
def write_view(S, g, seat, V, row):
    """Write the view of a seat to ``V[row]``: uint64 ``[rows, VIEW_WORDS]``.

    The mask of legal actions is empty for a seat that is not to move, and so is the card just drawn, unless everyone
    saw it taken. A dummy hand is shown once it lies open, the second packet not at all.
    """
    legal = legal_actions(S, g) if get(S, g, TURN) == seat else U0
    for word in range(VIEW_WORDS):
        V[row, word] = U0
    V[row, V_RULES0] = S[RULES0, g]
    V[row, V_RULES1] = S[RULES1, g]
    V[row, V_STATUS] = S[STATUS, g]
    if legal == U0 and get(S, g, TAKEN) == U0:
        shift = DRAWN[1]
        V[row, V_STATUS] = V[row, V_STATUS] | (NONE_CARD << shift)
    V[row, V_SEATS] = S[SEATS, g]
    V[row, V_LIVES] = S[LIVES, g]
    V[row, V_LEGAL] = legal
    V[row, V_HAND] = S[hand_word(seat), g]
    V[row, V_PILE] = S[PILE, g]
    V[row, V_EXTRA] = _open_extra(S, g)
    V[row, V_RESHUFFLED] = S[RESHUFFLED, g] & ~S[hand_word(seat), g]
    V[row, V_DRAWS] = S[DRAWS, g]
    stock = popcount(S[STOCK, g])
    piled = popcount(S[PILE, g])
    V[row, V_COUNTS] = seat | (stock << U(4)) | (piled << U(10)) | (get(S, g, DEAL_NO) << U(16))
    seats = get(S, g, NUM_SEATS)
    for i in range(9):
        other = U(i)
        if other < seats:
            V[row, V_KNOWN + i] = S[KNOWN, g] & S[hand_word(other), g]
            V[row, V_THROWN + i] = S[THROWN + SEAT_WORDS * other, g]


@jit
def _open_extra(S, g):
    if rule(S[RULES1, g], TABLE) != U0:
        return U0 if get(S, g, PHASE) == PH_PACKET else S[EXTRA, g]
    return S[EXTRA, g] if get(S, g, TURNED) != U0 else U0


