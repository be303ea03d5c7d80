"""The fused loop in which compiled policies play many games. Importing this module compiles it (a group of its own)."""

from __future__ import annotations

from thirtyone_env.core.batch_game import play_game
from thirtyone_env.core.bits import U0, U
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "batch_play"


@entry(
    "uint64(uint64[:, ::1], int64, int64, uint64[:, ::1], uint64[:, ::1], uint64, uint64[::1], uint64[::1],"
    " uint64[:, ::1])",
    group=GROUP,
)
def play(S, lo, hi, kinds, V, quota, seeds, decisions, tally):
    """Let compiled policies play ``quota`` rounds in each game. Returns the actions played.

    ``kinds``: uint64 ``[games or 1, 2 * seats]``, kind and parameter of each seat's policy. ``V``: a row of scratch.
    ``tally``: uint64 ``[TALLIES, seats]``, added to.
    """
    actions = U0
    for i in range(lo, hi):
        row = i if kinds.shape[0] > 1 else 0
        actions += play_game(S, U(i), kinds, row, V, 0, quota, seeds[i], decisions[i], tally)
        decisions[i] = U0
    return actions


compile_entries(GROUP, "the fused play")
