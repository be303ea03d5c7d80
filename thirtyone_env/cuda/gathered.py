"""A step in two kernels: everyone acts; then the games whose round has ended are settled and dealt, side by side.

One game in ten ends a round at a step, so nearly every warp has one that does, and all of it would walk through
settling and dealing, by far the longest code. So games that need it are noted in a list, and a second kernel takes
them from there, full warps at a time. The order of the list changes nothing: games never look at each other.
"""

from __future__ import annotations

import numpy as np

from thirtyone_env.core import deal
from thirtyone_env.core.batch_game import NOT_ENDED, act_in_game, no_rewards, note_game, settle_game
from thirtyone_env.core.bits import U0, U
from thirtyone_env.cuda.load import load
from thirtyone_env.cuda.words import use_own_instructions

cuda = load()
use_own_instructions()

WARP = 0xFFFFFFFF
_GAME = U(0xFFFFFFFF)
_REASON_AT = U(32)


def act(S, actions, masks, seats, rewards, ended, decisions, waiting, count):
    """Play an action in each game, and a card that it asks for; games that need more go to the list.

    ``waiting``: uint64 ``[games]``, game and why its round ends (from bit 32); ``count``: int64 ``[1]``, 0 at first.
    """
    games = masks.shape[0]
    lane = cuda.threadIdx.x & 31
    first = cuda.grid(1) - cuda.threadIdx.x  # the same for a whole block, so that its warps stay whole
    for block in range(first, games, cuda.gridsize(1)):
        i = block + cuda.threadIdx.x
        reason = U0
        waits = False
        if i < games:
            g = U(i)
            no_rewards(rewards, i)
            reason = act_in_game(S, i, True, actions)
            if reason == U0 and deal.chance_to_move(S, g):
                reason = deal.give(S, g, deal.draw_card(S, g))
            waits = reason != U0 or deal.chance_to_move(S, g)
            if not waits:
                note_game(S, i, True, NOT_ENDED, masks, seats, ended, decisions)
        voices = cuda.ballot_sync(WARP, waits)
        if voices != 0:
            speaker = cuda.ffs(voices) - 1  # one thread takes the places of all
            place = np.int64(0)
            if lane == speaker:
                place = cuda.atomic.add(count, 0, np.int64(cuda.popc(voices)))
            place = cuda.shfl_sync(WARP, place, speaker)
            if waits:
                before = cuda.popc(voices & ((1 << lane) - 1))
                waiting[place + before] = U(i) | (reason << _REASON_AT)


def settle(S, scheme, masks, seats, rewards, ended, results, decisions, waiting, count):
    """Settle, deal and write down the games of the list that `act` has left."""
    for place in range(cuda.grid(1), count[0], cuda.gridsize(1)):
        entry = waiting[place]
        i = np.int64(entry & _GAME)
        how = settle_game(S, i, entry >> _REASON_AT, scheme, rewards, results)
        note_game(S, i, True, how, masks, seats, ended, decisions)
