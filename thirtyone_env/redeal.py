"""States that fit what a seat knows: the hidden cards dealt anew (for search and for statistics)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.errors import UserError

Words = npt.NDArray[np.uint64]


def resample(views: Words, keys: Words) -> Words:
    """For each view a state that fits it, chosen by its key.

    Until a deal's first reshuffle all ways of dealing the unseen cards are equally likely; afterwards the states are
    consistent with who drew how many cards since.

    Args:
        views: uint64 ``[n, 32]``, views of seats while some seat is to move.
        keys: uint64 ``[n]``; also the key of the cards that come afterwards.

    Returns:
        States, uint64 ``[words, n]`` for nine seats, whatever the game has.

    Raises:
        UserError: a view is of a moment at which no seat is to move, or the shapes are wrong.
    """
    rows = np.ascontiguousarray(views, dtype=np.uint64)
    chosen = np.ascontiguousarray(keys, dtype=np.uint64)
    if rows.ndim != 2 or rows.shape[1] != layout.VIEW_WORDS or chosen.shape != rows.shape[:1]:
        raise UserError(f"views must be [n, {layout.VIEW_WORDS}] and keys [n], not {rows.shape} and {chosen.shape}")
    phases = (rows[:, layout.V_STATUS] >> layout.PHASE[1]) & layout.PHASE[2]
    wrong = np.flatnonzero((phases < layout.PH_TURN) | (phases == layout.PH_OVER))
    if len(wrong):
        name = layout.PHASE_NAMES[int(phases[wrong[0]])]
        raise UserError(f"view {wrong[0]} is of phase '{name}': a seat must be to move")
    from thirtyone_env.core import redeal_entry

    states = np.zeros((layout.state_words(layout.MAX_SEATS), len(rows)), dtype=np.uint64)
    redeal_entry.redeal_all(rows, chosen, states)
    return states
