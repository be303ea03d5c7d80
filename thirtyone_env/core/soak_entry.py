"""Random play with every invariant looked at after every move. Importing this module compiles it, as its own group."""

from __future__ import annotations

from thirtyone_env.core import deal, invariants, legal, match, moves, policies, rounds
from thirtyone_env.core.bits import U0, U1, U, get, jit
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import A_KNOCK, PH_OVER, PHASE, REASON, TRUNCATED, TURN
from thirtyone_env.core.rng import deal_base, decision_key, mix

GROUP = "soak"

# What is counted, uint64 [COUNTS]: actions, rounds, matches, matches cut off, the longest round's actions, and the
# rounds that ended by each reason (R_*).
ACTIONS, ROUNDS, MATCHES, CUT_OFF, LONGEST, REASONS = 0, 1, 2, 3, 4, 5
COUNTS = 13
# What broke, uint64 [2]: the code of `invariants`, and the game.
CODE, GAME = 0, 1


@jit
def _settle(S, g, reason, counts, sums):
    """Settle a round and look at it; begin the next match where one is over. Returns a code."""
    tokens = invariants.all_tokens(S, g)
    rounds.end_round(S, g, reason)
    counts[ROUNDS] += U1
    counts[U(REASONS) + get(S, g, REASON)] += U1
    code = invariants.broken_round(S, g, tokens, sums)
    if get(S, g, PHASE) != PH_OVER or code != U0:
        return code
    counts[MATCHES] += U1
    counts[CUT_OFF] += get(S, g, TRUNCATED)
    code = invariants.broken_end(S, g, sums)
    if code == U0:
        for seat in range(9):
            sums[seat] = 0.0
        match.next_match(S, g)
    return code


@jit
def _choose(S, g, mask, key):
    """A random legal action. Every other game knocks an eighth as often: only so do stocks run out and reshuffle."""
    calm = mask & ~(U1 << A_KNOCK)
    if g & U1 != U0 and calm != U0 and mix(key + U1) & U(7) != U0:
        return policies.random_legal(calm, key)
    return policies.random_legal(mask, key)


@jit
def _play_on(S, g, quota, seed, counts, sums):
    """Play a game until ``quota`` rounds have ended, or something broke. Returns the code."""
    left = quota
    reason, decision = U0, U0
    base = deal_base(S, g, seed)
    while left > U0:
        if reason != U0:
            counts[LONGEST] = max(counts[LONGEST], decision)
            code = _settle(S, g, reason, counts, sums)
            if code != U0:
                return code
            reason, decision = U0, U0
            left = left - U1
            base = deal_base(S, g, seed)
        elif deal.chance_to_move(S, g):
            reason = deal.chance_moves(S, g)
        else:
            mask = legal.legal_actions(S, g)
            code = invariants.broken_state(S, g, mask)
            if code != U0:
                return code
            reason = moves.act(S, g, _choose(S, g, mask, decision_key(base, decision, get(S, g, TURN))))
            decision = decision + U1
            counts[ACTIONS] += U1
    return U0


@entry(
    "void(uint64[:, ::1], int64, int64, uint64, uint64[::1], uint64[::1], float64[:, ::1], uint64[::1])", group=GROUP
)
def soak(S, lo, hi, quota, seeds, counts, sums, broken):
    """Play ``quota`` random rounds in each of the games ``lo`` to ``hi``.

    ``counts``: uint64 ``[COUNTS]``, added to. ``sums``: float64 ``[games, 9]``, match rewards of each seat so far.
    ``broken``: uint64 ``[2]``; at the first thing that is wrong its code and game are written there, and play stops
    with the state as it was found.
    """
    for i in range(lo, hi):
        code = _play_on(S, U(i), quota, seeds[i], counts, sums[i])
        if code != U0:
            broken[CODE] = code
            broken[GAME] = U(i)
            return


compile_entries(GROUP, "the soak")
