"""Kernels of lock step: each calls a function of the core for the games of its thread, in steps of the whole grid.

The same functions as on the CPU (`core.batch_game`) are called unchanged: numba-cuda compiles an ``@njit`` function as
a device function. Words are ``uint64`` on both sides; the signatures in `catalog` fix them. Threads of a warp hold
neighbouring games, and a word of a state is a row of ``S``, so that a warp reads and writes whole lines of memory.
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
from thirtyone_env.core.batch_observe_game import observe_game
from thirtyone_env.core.bits import U0
from thirtyone_env.core.layout import VIEW_WORDS
from thirtyone_env.cuda.load import load
from thirtyone_env.cuda.words import use_own_instructions

cuda = load()
use_own_instructions()
uint64 = cuda.types.uint64


def begin_all(S, seeds, decisions):
    """Key each game by its seed and begin its first match."""
    for i in range(cuda.grid(1), seeds.shape[0], cuda.gridsize(1)):
        decisions[i] = U0
        begin_game(S, i, seeds[i])


def first_illegal(masks, actions, found):
    """Lower ``found[0]`` to the first game whose action is illegal, where there is one."""
    for i in range(cuda.grid(1), masks.shape[0], cuda.gridsize(1)):
        if is_illegal(masks[i], actions[i]):
            cuda.atomic.min(found, 0, i)


def step(S, actions, scheme, masks, seats, rewards, ended, results, decisions):
    """Play an action in each game (none where ``actions`` is empty), and chance; see `core.batch.step`."""
    plays = actions.shape[0] > 0
    for i in range(cuda.grid(1), masks.shape[0], cuda.gridsize(1)):
        no_rewards(rewards, i)
        step_game(S, i, plays, actions, scheme, masks, seats, rewards, ended, results, decisions)


def views(S, V):
    """Write the view of the seat to move of each game: ``V`` uint64 ``[games, 32]``."""
    for i in range(cuda.grid(1), V.shape[0], cuda.gridsize(1)):
        view_game(S, i, V, i)


def observe(S, out, places):
    """Observation of the seat to move of each game: ``out`` int8 ``[games, d]``."""
    V = cuda.local.array((1, VIEW_WORDS), uint64)
    for i in range(cuda.grid(1), out.shape[0], cuda.gridsize(1)):
        observe_game(S, i, V, 0, out, places)


def random_actions(masks, key, actions):
    """A random legal action for each mask."""
    for i in range(cuda.grid(1), masks.shape[0], cuda.gridsize(1)):
        actions[i] = random_action(masks[i], key, i)
