"""Many games side by side with a learner in each, its opponents' moves played inside.

Compiled policies are played here. Where an opponent is none of them (its kind is `OUTSIDE`), its game stops at its
decision and says so in ``asks``; the caller answers all such games together and calls again, until none asks.

This is the loop under a trainer's vector environment: the caller gives one action a game, and gets back every game at
its learner's next decision, with the reward of all that happened in between. Nothing is allocated; the caller owns the
arrays. Importing this module compiles it (a group of its own, so that who only plays games does not wait for it).

The state of the games is ``S: uint64 [words, games]``, as everywhere in the core. Beside it stands the task of each
game, ``T: uint64 [TASK_WORDS, games]``, the words named ``T_*`` here. Each episode is a game of its own with a seed of
its own, so ``Game(rules, players, seed=T[T_SEED, g])`` deals the same cards.

Arrays that the functions share: ``V: uint64 [games, 32]`` the learners' views; ``pool: uint64 [rows, 2]`` kinds and
parameters of the opponents; ``how: uint64 [5]`` the settings named ``H_*``; ``owed: float64 [games]`` rewards that
came before the learner's first decision of an episode, or before an answer from outside, and are paid later;
``asks: uint64 [games, 3]`` the questions named ``A_*``.
"""

from __future__ import annotations

from thirtyone_env.core import deal, match, moves, observe, pay, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U, get, jit, lowest, put
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import (
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
from thirtyone_env.core.rng import below, deal_base, decision_key, game_key, random_word
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
SETTINGS = 5
ANY_SEAT = 15
OWN = U(2)
HAND_COLUMNS = 53

# A game that asks: its view is in V, and its next action is that of a policy which is not compiled.
OUTSIDE = 255  # kind of such a policy
A_ROW = 0  # row of the pool that is asked, plus one; 0: the game does not ask
A_KEY = 1  # key of the decision
A_COUNTS = 2  # 1: what comes belongs to the step that began with the learner's action
QUESTION = 3

# How a game stands after a step.
GOES_ON, ENDED, TRUNCATED_END, ASKS = U(0), U(1), U(2), U(3)
NO_ACTION = U(63)

_STREAM_EPISODE = U(0x8EBC6AF09C88C6E3)
_STREAM_LINEUP = U(0x589965CC75374CC3)


@jit
def _decision_key(S, T, g, seat):
    """The key of the decision that is due."""
    return decision_key(deal_base(S, g, T[T_SEED, g]), T[T_DECISION, g], seat)


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
    """Play on until the learner is to move, its episode ends, its round does where that cuts, or a policy from
    outside is to be asked; then the view of its seat is in V.

    ``action`` is that of the seat to move, played first, or `NO_ACTION`. Returns (reward, how the game stands).
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
                if get(S, g, TURN) == T[T_LEARNER, g]:
                    return reward, GOES_ON
                action = _reply(S, T, V, g, pool)
                if action == NO_ACTION:
                    return reward, ASKS
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
    """An opponent's action, or `NO_ACTION` where it is to be asked outside."""
    seat = get(S, g, TURN)
    view.write_view(S, g, seat, V, g)
    row = T[T_POLICY + seat, g]
    if pool[row, 0] == U(OUTSIDE):
        return NO_ACTION
    return policies.choose(pool[row, 0], pool[row, 1], V, g, _decision_key(S, T, g, seat))


@jit
def _ask(S, T, g, asks, counts):
    """Write the question of a game that stands at a policy from outside."""
    seat = get(S, g, TURN)
    asks[g, A_ROW] = T[T_POLICY + seat, g] + U1
    asks[g, A_KEY] = _decision_key(S, T, g, seat)
    asks[g, A_COUNTS] = U1 if counts else U0


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
    for i in range(at, out.shape[1]):
        out[g, i] = 0
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
    " int8[:, ::1], int64[::1], uint64[:, ::1], int64, int8[:, ::1], float64[::1], int8[::1])",
    group=GROUP,
)
def step_all(S, T, V, pool, how, owed, obs, masks, actions, asks, answered, last_obs, rewards, ends):
    """Play the learners' actions, the opponents' replies and chance, up to each learner's next decision.

    An episode that ends is followed by the next one at once: ``last_obs`` then holds the learner's observation at the
    end, ``obs`` and ``masks`` those of the new episode. Without actions (an empty array) every game begins its first
    episode, by the key ``T[T_KEY]``; the rules and the seats of each game stand in ``S`` already.

    A game that comes to a policy from outside stops there, with its question in ``asks`` and the view in ``V``. Called
    again with ``answered`` 1, only the games that ask go on, each with its answer in ``actions``, which must be legal;
    this is repeated until no game asks.

    Args:
        obs: int8 ``[games, d]``, the learners' observations; with ``HAND_COLUMNS`` more for each other seat, the hands
            there too.
        masks: int8 ``[games, 63]``, their legal actions.
        actions: int64 ``[games]``, or ``[0]`` to begin.
        asks: uint64 ``[games, 3]``, the words named ``A_*``; all zero at first, and again when no game asks.
        answered: 1 where the actions are answers, else 0.
        last_obs: int8 ``[games, d]``, written where an episode has ended.
        rewards: float64 ``[games]``: all that the action and what followed it brought, up to the episode's end.
        ends: int8 ``[games]``: 0 goes on, 1 ended, 2 the match was cut off at ``max_deals``.

    Returns:
        -1, or the first game whose action is illegal; then nothing has changed in any game.
    """
    begins = actions.shape[0] == 0
    wrong = -1 if begins or answered != 0 else _illegal(V, actions)
    if wrong >= 0:
        return wrong
    for i in range(V.shape[0]):
        g = U(i)
        if answered != 0 and asks[i, A_ROW] == U0:
            continue
        action, counts = NO_ACTION, not begins
        if begins:
            _begin_episode(S, T, g, pool, how)
            owed[i] = 0.0
        else:
            action = U(actions[i])
            counts = answered == 0 or asks[i, A_COUNTS] != U0
        asks[i, A_ROW] = U0
        while True:
            reward, stands = _run_on(S, T, V, g, pool, how, action, owed[i])
            if stands == ASKS:
                _ask(S, T, g, asks, counts)
                owed[i] = reward
                break
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
        if stands == GOES_ON:
            _write_columns(S, T, V, g, obs, how)
            observe.write_mask(V[g, V_LEGAL], masks, g)
    return -1


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
