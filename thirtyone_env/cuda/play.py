"""The fused loop on a GPU: compiled policies play whole rounds in every game, in one kernel.

A thread takes a game's state into the block's shared memory (a column each, so that no two threads of a warp meet in a
bank), plays all its rounds there and writes it back: the card table's words never travel to memory in between.

Threads of a warp go together. Were a round settled and dealt as soon as one of 32 games has ended, the whole warp
would walk through the longest piece of code for it at nearly every action. So games that wait for the end of a round
or for a deal stand still until `GATHER` of their warp do, or nobody else can act; and a card that an action asks for
is given at once, so that all who act do so together. A game's own course does not depend on that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from thirtyone_env.core import deal, rounds
from thirtyone_env.core.batch_game import TALLIES, count_round, deal_base, decide
from thirtyone_env.core.bits import U0, U1, get, jit
from thirtyone_env.core.layout import DRAW_NO, PH_DEAL, PHASE, VIEW_WORDS, state_words
from thirtyone_env.cuda.load import load
from thirtyone_env.cuda.words import use_own_instructions

cuda = load()
use_own_instructions()
uint64 = cuda.types.uint64

THREADS = 128  # a block's states take 24 KiB of shared memory with four seats, 34 KiB with nine
GATHER = 16
WARP = 0xFFFFFFFF
SIGNATURE = "void(uint64[:, ::1], uint64[:, ::1], uint64, uint64[::1], uint64[::1], uint64[:, ::1], uint64[::1])"


@jit
def deal_is_due(S, g):
    """Whether the first card of a deal is asked for; a settled round always ends so."""
    return get(S, g, PHASE) == PH_DEAL and get(S, g, DRAW_NO) == U0


@functools.cache
def play_kernel(seats: int, gather: int = GATHER) -> Callable[..., Any]:
    """The kernel for batches whose largest game has so many seats; of signature `SIGNATURE`.

    Its arguments: the states ``S``, ``kinds`` uint64 ``[games or 1, 2 * seats]``, the rounds to play, ``seeds``,
    ``decisions``, and what it adds to: ``tally`` uint64 ``[TALLIES, seats]``, ``played`` uint64 ``[1]`` (actions).
    """
    words = state_words(seats)
    waiting_enough = np.int64(gather)

    def play(S, kinds, quota, seeds, decisions, tally, played):
        column = cuda.shared.array((words, THREADS), uint64)
        V = cuda.local.array((1, VIEW_WORDS), uint64)
        mine = cuda.local.array((TALLIES, seats), uint64)
        for i in range(TALLIES):
            for seat in range(seats):
                mine[i, seat] = U0
        me = np.uint64(cuda.threadIdx.x)
        actions = U0
        games = seeds.shape[0]
        first = cuda.grid(1) - cuda.threadIdx.x  # the same for a whole block, so that its warps stay whole
        for block in range(first, games, cuda.gridsize(1)):
            i = block + cuda.threadIdx.x
            left = U0
            seed = U0
            decision = U0
            row = 0
            if i < games:
                left = quota
                seed = seeds[i]
                decision = decisions[i]
                row = i if kinds.shape[0] > 1 else 0
                for word in range(words):
                    column[word, me] = S[word, i]
            base = deal_base(column, me, seed)
            reason = U0
            while cuda.any_sync(WARP, left > U0):
                waits = left > U0 and (reason != U0 or deal_is_due(column, me))
                acts = left > U0 and not waits
                waiting = cuda.popc(cuda.ballot_sync(WARP, waits))
                any_acts = cuda.any_sync(WARP, acts)
                if waits and (waiting >= waiting_enough or not any_acts):
                    if reason != U0:
                        rounds.end_round(column, me, reason)
                        reason = U0
                        decision = U0
                        left = left - U1
                        count_round(column, me, mine)
                        base = deal_base(column, me, seed)
                    if left > U0:
                        reason = deal.deal_all(column, me)
                if acts:
                    if not deal.chance_to_move(column, me):
                        reason = decide(column, me, kinds, row, V, 0, base, decision)
                        decision = decision + U1
                        actions = actions + U1
                    if reason == U0 and deal.chance_to_move(column, me) and not deal_is_due(column, me):
                        reason = deal.give(column, me, deal.draw_card(column, me))
            if i < games:
                for word in range(words):
                    S[word, i] = column[word, me]
                decisions[i] = U0
        for i in range(TALLIES):
            for seat in range(seats):
                cuda.atomic.add(tally, (i, seat), mine[i, seat])
        cuda.atomic.add(played, 0, actions)

    return play
