"""Many games in lock step.

Every function works on the games ``lo`` to ``hi``, so that threads can share a batch; games never look at each other.
Nothing is allocated: the caller owns every array. Importing this module compiles it (a group of its own).

Arrays: ``S: uint64 [words, stride]`` the states; ``masks: uint64 [games]``; ``seats: int64 [games]`` the seat to move;
``rewards: float32 [games, seats]``; ``ended: uint8 [games]``, the names `NOT_ENDED` to `CUT_OFF`;
``results: uint64 [RESULT_WORDS, games]``, the words of a state that hold the result of the last round.
"""

from __future__ import annotations

from thirtyone_env.core.batch_game import (
    begin_game,
    is_illegal,
    no_rewards,
    random_action,
    step_game,
    view_game,
)
from thirtyone_env.core.bits import U0, U1, U
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "batch"


@entry("void(uint64[:, ::1], uint64[::1], uint64[::1])", group=GROUP)
def begin_all(S, seeds, decisions):
    """Key each game by its seed and begin its first match. The rules and seats stand in ``S`` already."""
    for i in range(seeds.shape[0]):
        decisions[i] = U0
        begin_game(S, i, seeds[i])


@entry("int64(uint64[::1], int64[::1], int64, int64)", group=GROUP)
def first_illegal(masks, actions, lo, hi):
    """The first game whose action is illegal, or -1."""
    legal = U1
    for i in range(lo, hi):  # without a branch, so that the compiler asks for many games at once
        action = U(actions[U(i)])
        legal = legal & (masks[U(i)] >> (action & U(63))) & U(action < U(63))
    if legal != U0:
        return -1
    for i in range(lo, hi):
        if is_illegal(masks[i], actions[i]):
            return i
    return -1


@entry(
    "void(uint64[:, ::1], int64[::1], int64, int64, uint64, uint64[::1], int64[::1], float32[:, ::1], uint8[::1],"
    " uint64[:, ::1], uint64[::1])",
    group=GROUP,
)
def step(S, actions, lo, hi, scheme, masks, seats, rewards, ended, results, decisions):
    """Play a legal action in each game, and chance until a seat is to move again.

    With ``actions`` of length 0 only chance moves (the first deal). A game whose match is over begins the next one;
    ``ended`` says so and ``results`` keeps the ended one's words.
    """
    plays = actions.shape[0] > 0
    for i in range(lo, hi):  # all at once: clearing a game's own few numbers takes a call
        no_rewards(rewards, i)
    for i in range(lo, hi):
        step_game(S, i, plays, actions, scheme, masks, seats, rewards, ended, results, decisions)


@entry("void(uint64[:, ::1], int64, int64, uint64[:, ::1])", group=GROUP)
def views(S, lo, hi, V):
    """Write the view of the seat to move of each game: ``V`` uint64 ``[games, 32]``."""
    for i in range(lo, hi):
        view_game(S, i, V, i)


@entry("void(uint64[::1], uint64, int64, int64, int64[::1])", group=GROUP)
def random_actions(masks, key, lo, hi, actions):
    """A random legal action for each mask; the caller changes ``key`` from step to step."""
    for i in range(lo, hi):
        actions[i] = random_action(masks[i], key, i)


compile_entries(GROUP, "the batch engine")
