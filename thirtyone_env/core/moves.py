"""Playing an action, and chance's reply: the two ways a state moves on."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, get, jit
from thirtyone_env.core.layout import PH_DISCARD, PH_POOL, PH_TURN, PH_UPCARD, PHASE, RULES1, TABLE
from thirtyone_env.core.pool import packet_action, pool_discard_action, pool_turn_action, renew_if_all_passed
from thirtyone_env.core.turns import TURN_ENDS, discard_action, end_turn, turn_action, upcard_action
from thirtyone_env.core.worth import rule


@jit
def act(S, g, action):
    """Play a legal action. Returns why the round ends (``R_*``), or 0; `rounds.end_round` then settles it."""
    pool = rule(S[RULES1, g], TABLE) != U0
    code = _dispatch(S, g, action, pool)
    if code == TURN_ENDS:
        code = end_turn(S, g)
        if pool and code == U0:
            code = renew_if_all_passed(S, g)
    return code


@jit
def _dispatch(S, g, action, pool):
    phase = get(S, g, PHASE)
    if phase == PH_DISCARD:
        return discard_action(S, g, action)
    if phase == PH_TURN:
        return pool_turn_action(S, g, action) if pool else turn_action(S, g, action)
    if phase == PH_POOL:
        return pool_discard_action(S, g, action)
    if phase == PH_UPCARD:
        return upcard_action(S, g, action)
    return packet_action(S, g, action)
