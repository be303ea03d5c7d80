"""One game of a batch: what `batch` does with each game on the CPU, and `thirtyone_env.cuda` on a GPU.

``i`` is the game's number, ``S: uint64 [words, stride]`` the states; the other arrays are those of `batch`.
"""

from __future__ import annotations

from thirtyone_env.core import deal, legal, match, moves, pay, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U2, U, get, get_of, jit, popcount, put
from thirtyone_env.core.layout import (
    COUNT,
    KEY,
    LAST0,
    LAST1,
    LIVES,
    LOST_OF,
    MATCH_NO,
    NONE_SEAT,
    PH_OVER,
    PHASE,
    PLACE,
    PLACE_OF,
    REPLAYED,
    SEATS,
    TRUNCATED,
    TURN,
    WINNER,
)
from thirtyone_env.core.rng import STREAM_POLICY, below, deal_base, decision_key, game_key, random_word

NOT_ENDED, ROUND_ENDED, MATCH_OVER, CUT_OFF = 0, 1, 2, 3

# Words of a result.
RESULT_FROM = (SEATS, LIVES, PLACE, LAST0, LAST1, COUNT)
RESULT_WORDS = 6

# Rows of what `play` counts, uint64 [TALLIES, seats].
TALLY_ROUNDS, TALLY_LOST, TALLY_MATCHES, TALLY_WINS, TALLY_PLACES = 0, 1, 2, 3, 4
TALLIES = 5


@jit
def begin_game(S, i, seed):
    """Key a game by its seed and begin its first match. The rules and seats stand in ``S`` already."""
    g = U(i)
    S[KEY, g] = game_key(seed, U0)
    put(S, g, MATCH_NO, U0)
    match.begin_match(S, g, NONE_SEAT)


@jit
def is_illegal(mask, action):
    """Whether an action (int64) is none of the mask's."""
    return action < 0 or action > 62 or (mask >> U(action)) & U1 == U0


@jit
def after_reason(S, g, reason, rewards, row, scheme, results):
    """Settle a round that has ended: pay, keep the result, and begin the next match where one is over."""
    rounds.end_round(S, g, reason)
    for seat in range(rewards.shape[1]):
        rewards[row, seat] += pay.round_reward(S, g, U(seat), scheme)
    results[0, row] = S[SEATS, g]
    results[1, row] = S[LIVES, g]
    results[2, row] = S[PLACE, g]
    results[3, row] = S[LAST0, g]
    results[4, row] = S[LAST1, g]
    results[5, row] = S[COUNT, g]
    if get(S, g, PHASE) != PH_OVER:
        return ROUND_ENDED
    how = CUT_OFF if get(S, g, TRUNCATED) != U0 else MATCH_OVER
    match.next_match(S, g)
    return how


@jit
def step_game(S, i, plays, actions, scheme, masks, seats, rewards, ended, results, decisions):
    """Play a legal action (where ``plays``) and chance until a seat is to move again; see `batch.step`.

    Adds to the game's ``rewards``, which `no_rewards` has cleared.
    """
    reason = act_in_game(S, i, plays, actions)
    how = settle_game(S, i, reason, scheme, rewards, results)
    note_game(S, i, plays, how, masks, seats, ended, decisions)


@jit
def no_rewards(rewards, i):
    """Clear a game's rewards."""
    for seat in range(rewards.shape[1]):
        rewards[i, seat] = 0.0


@jit
def act_in_game(S, i, plays, actions):
    """The first part of a step: play the action. Returns why the round ends by it, or 0."""
    return moves.act(S, U(i), U(actions[i])) if plays else U0


@jit
def settle_game(S, i, reason, scheme, rewards, results):
    """The second part: settle a round that ends, and let chance move. Returns what has ended."""
    g = U(i)
    how = NOT_ENDED
    while True:
        if reason != U0:
            how = max(how, after_reason(S, g, reason, rewards, i, scheme, results))
            reason = U0
        if not deal.chance_to_move(S, g):
            break
        reason = deal.chance_moves(S, g)
    return how


@jit
def note_game(S, i, plays, how, masks, seats, ended, decisions):
    """The last part: write down how the game stands."""
    g = U(i)
    ended[i] = how
    if how != NOT_ENDED:
        decisions[i] = U0
    elif plays:
        decisions[i] = decisions[i] + U1
    masks[i] = legal.legal_actions(S, g)
    seats[i] = get(S, g, TURN)


@jit
def view_game(S, i, V, row):
    """Write the view of the seat to move to ``V[row]``."""
    g = U(i)
    view.write_view(S, g, get(S, g, TURN), V, row)


@jit
def random_action(mask, key, i):
    """A random legal action of game ``i`` for this ``key``."""
    word = random_word(key, U(i), STREAM_POLICY)
    return policies.nth_bit(mask, below(word, popcount(mask)))


@jit
def decide(S, g, kinds, row, V, v, base, decision):
    """Let the compiled policy of the seat to move play one action. Returns why the round ends, or 0."""
    seat = get(S, g, TURN)
    kind = kinds[row, U2 * seat]
    if kind == policies.RANDOM:
        action = policies.random_legal(legal.legal_actions(S, g), decision_key(base, decision, seat))
    else:
        view.write_view(S, g, seat, V, v)
        action = policies.choose(kind, kinds[row, U2 * seat + U1], V, v, U0)
    return moves.act(S, g, action)


@jit
def play_game(S, g, kinds, row, V, v, quota, seed, decision, tally):
    """Play one game until ``quota`` rounds have ended. Returns the actions played."""
    actions = U0
    left = quota
    reason = U0
    base = deal_base(S, g, seed)
    while left > U0:
        if reason != U0:
            rounds.end_round(S, g, reason)
            reason = U0
            decision = U0
            left = left - U1
            count_round(S, g, tally)
            base = deal_base(S, g, seed)
        elif deal.chance_to_move(S, g):
            reason = deal.chance_moves(S, g)
        else:
            reason = decide(S, g, kinds, row, V, v, base, decision)
            decision = decision + U1
            actions = actions + U1
    return actions


@jit
def count_round(S, g, tally):
    """Add a settled round to the tally; begin the next match where one is over."""
    for seat in range(tally.shape[1]):
        s = U(seat)
        tally[TALLY_ROUNDS, seat] += U1
        if get(S, g, REPLAYED) == U0:
            tally[TALLY_LOST, seat] += (S[LAST1, g] >> (LOST_OF[1] * s + U(18))) & U(3)
        if get(S, g, PHASE) == PH_OVER:
            tally[TALLY_MATCHES, seat] += U1
            tally[TALLY_PLACES, seat] += get_of(S, g, PLACE_OF, s)
            if get(S, g, WINNER) == s:
                tally[TALLY_WINS, seat] += U1
    if get(S, g, PHASE) == PH_OVER:
        match.next_match(S, g)
