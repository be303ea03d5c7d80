"""Whole games of compiled policies, one by one, for tournaments: who sat where goes in, how each ends comes out.

The very games that `Game` gives when the same policies are asked from Python: cards by the game's seed, randomness by
`thirtyone_env.keys.decision_key`. One column of state is used again for every game, so it stays in the nearest cache.
Importing this module compiles it (a group of its own).
"""

from __future__ import annotations

from thirtyone_env.core import deal, legal, match, moves, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U2, U, get, get_of, jit, put
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import (
    DEAL_NO,
    DEALER,
    GAINED,
    KEY,
    LAST1,
    LOST_OF,
    MATCH_NO,
    NONE_SEAT,
    PH_OVER,
    PHASE,
    PLACE_OF,
    RECEIVER,
    REPLAYED,
    ROUND_SEATS,
    TURN,
)
from thirtyone_env.core.rng import GOLDEN, decision_key, game_key, mix

GROUP = "arena"

# Columns of a result: three a seat, then three of the game.
LOST, PLAYED, PLACES = 0, 1, 2
FIRST_DEALER, ROUNDS, ACTIONS = 0, 1, 2


@jit
def count_round(S, g, result, seats):
    """Add a settled round: lives lost less those received, and who took part."""
    replayed = get(S, g, REPLAYED) != U0
    receiver = get(S, g, RECEIVER)
    took_part = get(S, g, ROUND_SEATS)
    for seat in range(seats):
        s = U(seat)
        if not replayed:
            result[LOST * seats + seat] += (S[LAST1, g] >> (LOST_OF[1] * s)) & LOST_OF[2]
            if s == receiver:
                result[LOST * seats + seat] -= get(S, g, GAINED)
        result[PLAYED * seats + seat] += (took_part >> s) & U1


@jit
def play_out(S, g, kinds, row, V, base, result, seats):
    """Play a game that has begun to its end."""
    dealer = get(S, g, DEALER)
    actions, decision, settled, reason = U0, U0, U0, U0
    deal_key = mix(base + GOLDEN)
    while True:
        if reason != U0:
            rounds.end_round(S, g, reason)
            reason = U0
            decision = U0
            settled = settled + U1
            count_round(S, g, result, seats)
            if get(S, g, PHASE) == PH_OVER:
                break
            deal_key = mix(base + (get(S, g, DEAL_NO) + U1) * GOLDEN)
        elif deal.chance_to_move(S, g):
            reason = deal.chance_moves(S, g)
        else:
            seat = get(S, g, TURN)
            kind = kinds[row, U2 * seat]
            if kind == policies.RANDOM:
                key = decision_key(deal_key, decision, seat)
                action = policies.random_legal(legal.legal_actions(S, g), key)
            else:
                view.write_view(S, g, seat, V, 0)
                action = policies.choose(kind, kinds[row, U2 * seat + U1], V, 0, U0)
            reason = moves.act(S, g, action)
            decision = decision + U1
            actions = actions + U1
    for seat in range(seats):
        result[PLACES * seats + seat] = get_of(S, g, PLACE_OF, U(seat))
    result[3 * seats + FIRST_DEALER] = dealer
    result[3 * seats + ROUNDS] = settled
    result[3 * seats + ACTIONS] = actions


@entry(
    "void(uint64[::1], uint64[:, ::1], uint64[::1], uint64[::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1])",
    group=GROUP,
)
def play_games(table, S, seeds, bases, kinds, V, results):
    """Play a game for each seed to its end.

    ``table``: uint64 ``[words]``, a state with rules and seats set; ``S``: uint64 ``[words, 1]``, scratch; ``seeds``:
    uint64 ``[games]``, of the cards; ``bases``: uint64 ``[games]``, the part of the decision keys that is the same for
    a whole game; ``kinds``: uint64 ``[games, 2 * seats]``, kind and parameter of each seat's policy; ``V``: uint64
    ``[1, 32]``, scratch; ``results``: uint64 ``[games, 3 * seats + 3]``, zeros: lost (as a signed number), played and
    placing of each seat, first dealer, rounds, actions.
    """
    seats = kinds.shape[1] // 2
    for i in range(seeds.shape[0]):
        for word in range(S.shape[0]):
            S[word, 0] = table[word]
        S[KEY, U0] = game_key(seeds[i], U0)
        put(S, U0, MATCH_NO, U0)
        match.begin_match(S, U0, NONE_SEAT)
        play_out(S, U0, kinds, i, V, bases[i], results[i], seats)


compile_entries(GROUP, "the arena")
