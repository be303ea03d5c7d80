"""Observations of a whole batch, made from views on the way. Importing this module compiles it (a group of its own)."""

from __future__ import annotations

from thirtyone_env.core.batch_observe_game import observe_game
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "batch_observe"


@entry("void(uint64[:, ::1], int64, int64, uint64[:, ::1], int8[:, ::1], int64)", group=GROUP)
def write(S, lo, hi, V, out, places):
    """Observation of the seat to move of the games ``lo`` to ``hi``: ``out`` int8 ``[games, d]``.

    ``V`` is a row of scratch, uint64 ``[1, 32]``; ``places`` is the number of places for seats.
    """
    for i in range(lo, hi):
        observe_game(S, i, V, 0, out, places)


compile_entries(GROUP, "the batch's observations")
