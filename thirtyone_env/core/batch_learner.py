"""Many games side by side with a learner in each, its opponents' moves played inside by compiled policies.

This is the loop under a trainer's vector environment: the caller gives one action a game, and gets back every game at
its learner's next decision, with the reward of all that happened in between. Nothing is allocated; the caller owns the
arrays. Importing this module compiles it (a group of its own, so that who only plays games does not wait for it).

The state of the games is ``S: uint64 [words, games]``, as everywhere in the core. Beside it stands the task of each
game, ``T: uint64 [TASK_WORDS, games]``, the words named ``T_*`` here. Each episode is a game of its own with a seed of
its own, so ``Game(rules, players, seed=T[T_SEED, g])`` deals the same cards.

Arrays that the functions share: ``V: uint64 [games, 32]`` the learners' views; ``pool: uint64 [rows, 2]`` kinds and
parameters of the opponents; ``how: uint64 [6]`` the settings named ``H_*``; ``owed: float64 [games]`` rewards that
came before the learner's first decision of an episode and are paid with it.
"""

from __future__ import annotations

from thirtyone_env.core import deal, match, moves, observe, pay, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U, get, jit, lowest, put
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import (
    DEAL_NO,
    GAINED,
    KEY,
    LAST1,
    LOST_OF,
    MATCH_NO,
    NONE_SEAT,
    NUM_SEATS,
    OUT,
    PH_OVER,
    PHASE,
    RECEIVER,
    REPLAYED,
    RULES1,
    TRUNCATED,
    TURN,
    V_LEGAL,
)
from thirtyone_env.core.legal import legal_actions
from thirtyone_env.core.rng import STREAM_POLICY, below, game_key, mix, random_word
from thirtyone_env.core.worth import worth

GROUP = "learner"

# Words of a task.
T_KEY = U(0)  # key of the game's episodes, from the seed and the game's index
T_EPISODE = U(1)  # number of the episode, from 0; one in which the learner never came to decide counts too
T_SEED = U(2)  # seed of the episode
T_LEARNER = U(3)  # the learner's seat
T_DECISION = U(4)  # decisions taken in this deal, all seats counted
T_POLICY = U(5)  # nine words, a seat each: the row of the pool that plays there
TASK_WORDS = 14

# Settings.
H_SEAT = 0  # the learner's seat, `ANY_SEAT` to draw it for each episode
H_ORDERED = 1  # 1: the j-th seat after the learner plays row j of the pool; 0: each draws its row for each episode
H_SCHEME = 2  # rewards: 0 lives, 1 match, 2 own
H_CUT = 3  # 1: each round's end ends an episode for the learner, while the match goes on under it
H_PLACES = 4  # places for seats in the observation
H_THROUGH = 5  # 1: the learner's seat is played too, by its row of the pool
SETTINGS = 6
ANY_SEAT = 15
OWN = U(2)
HAND_COLUMNS = 53

# How a game stands after a step.
GOES_ON, ENDED, TRUNCATED_END = U(0), U(1), U(2)
NO_ACTION = U(63)

_GOLDEN = U(0x9E3779B97F4A7C15)
_STREAM_EPISODE = U(0x8EBC6AF09C88C6E3)
_STREAM_LINEUP = U(0x589965CC75374CC3)


@jit
def _decision_key(S, T, g, seat):
    """The key of `thirtyone_env.keys.decision_key` for the decision that is due."""
    key = mix(T[T_SEED, g] ^ STREAM_POLICY)
    key = mix(key + (get(S, g, MATCH_NO) + U1) * _GOLDEN)
    key = mix(key + (get(S, g, DEAL_NO) + U1) * _GOLDEN)
    key = mix(key + (T[T_DECISION, g] + U1) * _GOLDEN)
    return mix(key + (seat + U1) * _GOLDEN)


@jit
def _learner_out(S, T, g):
    return (get(S, g, OUT) >> T[T_LEARNER, g]) & U1 != U0


@jit
def _is_over(S, T, g):
    """Whether the match is over, or over for the learner."""
    return get(S, g, PHASE) == PH_OVER or _learner_out(S, T, g)


@jit
def _round_reward(S, g, seat, scheme):
    """As `pay.round_reward`; ``own`` is what the seat itself gained less what the rule took from it."""
    if scheme != OWN:
        return pay.round_reward(S, g, seat, scheme)
    if get(S, g, REPLAYED) != U0:
        return 0.0
    lost = -float((S[LAST1, g] >> (LOST_OF[1] * seat)) & LOST_OF[2])
    return lost + float(get(S, g, GAINED)) if get(S, g, RECEIVER) == seat else lost


@jit
def _run_on(S, T, V, g, pool, how, action, reward):
    """Play on until the learner is to move, its episode ends, or its round does where that cuts.

    ``action`` is the learner's own, played first, or `NO_ACTION`. Returns (reward, how the game stands).
    """
    pending = action != NO_ACTION
    ended = False
    while True:
        if ended and how[H_CUT] != U0:
            return reward, ENDED
        if get(S, g, PHASE) == PH_OVER:
            cut = get(S, g, TRUNCATED) != U0 and not _learner_out(S, T, g)
            return reward, TRUNCATED_END if cut else ENDED
        if deal.chance_to_move(S, g):
            reason = deal.give(S, g, deal.draw_card(S, g))
        else:
            if not pending:
                if _learner_out(S, T, g):
                    return reward, ENDED
                if get(S, g, TURN) == T[T_LEARNER, g] and how[H_THROUGH] == U0:
                    return reward, GOES_ON
                action = _reply(S, T, V, g, pool)
            pending = False
            T[T_DECISION, g] = T[T_DECISION, g] + U1
            reason = moves.act(S, g, action)
        ended = reason != U0
        if ended:
            rounds.end_round(S, g, reason)
            T[T_DECISION, g] = U0
            reward += _round_reward(S, g, T[T_LEARNER, g], how[H_SCHEME])


@jit
def _reply(S, T, V, g, pool):
    """An opponent's action."""
    seat = get(S, g, TURN)
    view.write_view(S, g, seat, V, g)
    row = T[T_POLICY + seat, g]
    return policies.choose(pool[row, 0], pool[row, 1], V, g, _decision_key(S, T, g, seat))


@jit
def _begin_episode(S, T, g, pool, how):
    """A game of its own: its seed, its cards' key, the learner's seat and the opponents."""
    seed = random_word(T[T_KEY, g], T[T_EPISODE, g], _STREAM_EPISODE)
    T[T_EPISODE, g] = T[T_EPISODE, g] + U1
    T[T_SEED, g] = seed
    T[T_DECISION, g] = U0
    S[KEY, g] = game_key(seed, U0)
    put(S, g, MATCH_NO, U0)
    players = get(S, g, NUM_SEATS)
    learner = how[H_SEAT]
    if learner == U(ANY_SEAT):
        learner = below(random_word(seed, U0, _STREAM_LINEUP), players)
    T[T_LEARNER, g] = learner
    for i in range(1, 9):
        place = U(i)
        if place < players:
            seat = learner + place
            seat = seat - players if seat >= players else seat
            drawn = below(random_word(seed, place, _STREAM_LINEUP), U(pool.shape[0]))
            T[T_POLICY + seat, g] = place - U1 if how[H_ORDERED] != U0 else drawn
    match.begin_match(S, g, NONE_SEAT)


@jit
def _write_columns(S, T, V, g, out, how):
    """The learner's observation, and after it, where ``out`` has room, every other seat's hand (for a critic).

    A hand takes `HAND_COLUMNS`: one for each card, and its worth in half points.
    """
    at = observe.write_observation(V, g, out, g, int(how[H_PLACES]))
    if at == out.shape[1]:
        return
    players = get(S, g, NUM_SEATS)
    for i in range(1, 9):
        place = U(i)
        if place < players:
            seat = T[T_LEARNER, g] + place
            hand = S[rounds.hand_word(seat - players if seat >= players else seat), g]
            out[g, at + 52] = worth(hand, S[RULES1, g])
            while hand != U0:
                out[g, at + int(lowest(hand))] = 1
                hand = hand & (hand - U1)
            at += HAND_COLUMNS


@jit
def _illegal(V, actions):
    """The first game whose action is illegal, or -1."""
    for i in range(V.shape[0]):
        if actions[i] < 0 or actions[i] > 62 or (V[i, V_LEGAL] >> U(actions[i])) & U1 == U0:
            return i
    return -1


@entry(
    "int64(uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[::1], float64[::1], int8[:, ::1],"
    " int8[:, ::1], int64[::1], int8[:, ::1], float64[::1], int8[::1])",
    group=GROUP,
)
def step_all(S, T, V, pool, how, owed, obs, masks, actions, last_obs, rewards, ends):
    """Play the learners' actions, the opponents' replies and chance, up to each learner's next decision.

    An episode that ends is followed by the next one at once: ``last_obs`` then holds the learner's observation at the
    end, ``obs`` and ``masks`` those of the new episode. Without actions (an empty array) every game begins its first
    episode, by the key ``T[T_KEY]``; the rules and the seats of each game stand in ``S`` already.

    Args:
        obs: int8 ``[games, d]``, the learners' observations; with ``HAND_COLUMNS`` more for each other seat, the hands
            there too.
        masks: int8 ``[games, 63]``, their legal actions.
        actions: int64 ``[games]``, or ``[0]`` to begin.
        last_obs: int8 ``[games, d]``, written where an episode has ended.
        rewards: float64 ``[games]``: all that the action and what followed it brought, up to the episode's end.
        ends: int8 ``[games]``: 0 goes on, 1 ended, 2 the match was cut off at ``max_deals``.

    Returns:
        -1, or the first game whose action is illegal; then nothing has changed in any game.
    """
    begins = actions.shape[0] == 0
    wrong = -1 if begins else _illegal(V, actions)
    if wrong >= 0:
        return wrong
    for i in range(V.shape[0]):
        g = U(i)
        action, counts = NO_ACTION, not begins
        if begins:
            _begin_episode(S, T, g, pool, how)
            owed[i] = 0.0
        else:
            action = U(actions[i])
        while True:
            reward, stands = _run_on(S, T, V, g, pool, how, action, owed[i])
            owed[i] = 0.0 if counts or stands != GOES_ON else reward
            view.write_view(S, g, T[T_LEARNER, g], V, g)
            if counts:
                rewards[i] = reward
                ends[i] = stands
                if stands != GOES_ON:
                    _write_columns(S, T, V, g, last_obs, how)
            if stands == GOES_ON:
                break
            if _is_over(S, T, g):
                _begin_episode(S, T, g, pool, how)
            action, counts = NO_ACTION, False
        _write_columns(S, T, V, g, obs, how)
        observe.write_mask(V[g, V_LEGAL], masks, g)
    return -1


@entry(
    "void(uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1],"
    " uint64, float32[:, ::1])",
    group=GROUP,
)
def look_ahead(S, T, pool, how, S1, T1, V1, row, gains):
    """What each legal action would bring: the round is played to its end with every seat's own cards, after the action
    by a compiled policy in the learner's seat too. All actions of a game meet the same stock.

    Args:
        S, T, pool: the games; they are not changed.
        how: settings with `H_THROUGH` and `H_CUT` set.
        S1, T1, V1: a game of scratch, of one column and one row.
        row: row of the pool that goes on in the learner's place.
        gains: float32 ``[games, 63]``: the reward of the round for each legal action, 0 for the others.
    """
    for i in range(gains.shape[0]):
        legal = legal_actions(S, U(i))
        for action in range(gains.shape[1]):
            gains[i, action] = 0.0
            if (legal >> U(action)) & U1 != U0:
                _copy(S, S1, i)
                _copy(T, T1, i)
                T1[T_POLICY + T1[T_LEARNER, 0], 0] = row
                gains[i, action] = _run_on(S1, T1, V1, U0, pool, how, U(action), 0.0)[0]


@jit
def _copy(source, target, column):
    for word in range(source.shape[0]):
        target[word, 0] = source[word, column]


@entry("void(uint64[:, ::1], uint64)", group=GROUP)
def begin_keys(T, seed):
    """Set every game's key and begin to count its episodes; `step_all` without actions then begins the first ones."""
    for i in range(T.shape[1]):
        T[T_KEY, i] = game_key(seed, U(i))
        T[T_EPISODE, i] = U0


@entry(
    "void(uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64, uint64, int64[::1])",
    group=GROUP,
)
def advise(S, T, V, kind, parameter, actions):
    """What a compiled policy would do in the learners' place: ``actions`` int64 ``[games]``."""
    for i in range(V.shape[0]):
        g = U(i)
        actions[i] = policies.choose(kind, parameter, V, g, _decision_key(S, T, g, T[T_LEARNER, g]))


compile_entries(GROUP, "the trainer's games")
