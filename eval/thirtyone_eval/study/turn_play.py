"""The rounds of the study `turn-value`, for compiled loops.

A round is played on without any knock. Whenever a seat could knock, the game is copied, the seat knocks in the copy,
and the copy is played to its end and settled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from thirtyone_env.core import deal, moves, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U, get, jit
from thirtyone_env.core.layout import A_KNOCK, LAST1, LOST_OF, RULES1, TURN, TURN_NO, V_LEGAL
from thirtyone_env.core.rng import GOLDEN, mix
from thirtyone_env.core.rounds import hand_word
from thirtyone_env.core.worth import worth

WORTHS = 67
# What is counted of each turn and worth.
HANDS, LOST_NOW, LOSES_NOW, LOST_LATER = 0, 1, 2, 3
COUNTS = 4
NOTHING: Any = -1
KNOCK = U1 << A_KNOCK
WHOLE = np.int64  # whole numbers that are not of one kind become floats


@jit
def lost_by(S: Any, seat: Any) -> Any:
    """Lives that the rules took from a seat in the round just settled."""
    return (S[LAST1, U0] >> (LOST_OF[1] * seat)) & LOST_OF[2]


@jit
def play_round(
    S: Any, copy: Any, V: Any, seed: Any, kind: Any, parameter: Any, before: Any, tally: Any, still_on: Any,
    turns: Any, seats: Any,
) -> None:
    """One round that has begun; arguments as for `play_rounds`. ``copy`` is where somebody knocks."""
    reason, moved, knocker = U0, U0, U0
    in_copy = False
    now = S
    farthest, asked = NOTHING, NOTHING
    while True:
        if reason != U0:
            rounds.end_round(now, U0, reason)
            reason = U0
            if not in_copy:
                count_end(S, before, tally, seats)
                return
            count_knock(S, copy, knocker, before, tally, asked // seats, turns)
            in_copy, now = False, S
        elif deal.chance_to_move(now, U0):
            reason = deal.chance_moves(now, U0)
        else:
            seat = get(now, U0, TURN)
            number = WHOLE(get(now, U0, TURN_NO))
            view.write_view(now, U0, seat, V, 0)
            may_knock = V[0, V_LEGAL] & KNOCK != U0
            if not in_copy and farthest < number // seats:
                farthest = number // seats
                if farthest > turns:
                    return
                if farthest < turns:
                    still_on[farthest] += 1
            if not in_copy and may_knock and number != asked:
                asked, knocker = number, seat
                for word in range(S.shape[0]):
                    copy[word, 0] = S[word, 0]
                in_copy, now = True, copy
                action = A_KNOCK
            else:
                if not in_copy and V[0, V_LEGAL] != KNOCK:
                    V[0, V_LEGAL] = V[0, V_LEGAL] & ~KNOCK
                moved = moved + U1
                action = policies.choose(kind, parameter, V, 0, mix(seed + moved * GOLDEN))
            reason = moves.act(now, U0, action)


@jit
def count_knock(S: Any, copy: Any, knocker: Any, before: Any, tally: Any, turn: Any, turns: Any) -> None:
    """Count the knock in the copy, for this turn and as what came later than the turn before."""
    lost = WHOLE(lost_by(copy, knocker))
    seat = WHOLE(knocker)
    if before[seat, 0] != NOTHING:
        tally[before[seat, 0], before[seat, 1], LOST_LATER] += lost
    before[seat, 0] = NOTHING
    if turn < turns:
        value = worth(S[hand_word(knocker), U0], S[RULES1, U0])
        before[seat, 0] = turn
        before[seat, 1] = value
        tally[turn, value, HANDS] += 1
        tally[turn, value, LOST_NOW] += lost
        tally[turn, value, LOSES_NOW] += min(lost, 1)


@jit
def count_end(S: Any, before: Any, tally: Any, seats: Any) -> None:
    """The round has ended without a knock: that is what came later than each seat's last turn."""
    for seat in range(seats):
        if before[seat, 0] != NOTHING:
            tally[before[seat, 0], before[seat, 1], LOST_LATER] += WHOLE(lost_by(S, U(seat)))
