"""Observations: views turned into numbers for a network, and into text for a person.

Everything here is made from views alone, so nothing hidden can reach it. The columns are listed by `index_table` and in
``docs/observation.md``; each holds a whole number from 0 to `highs`, so dividing by that gives numbers from 0 to 1.

There are two layouts. With ``seats=n`` there is room for the seats of the game and no more. With ``seats=9`` every
number of players has the same shape: the places of absent seats are zero, and a column says so. All columns that do not
belong to a seat come first and stay where they are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.core import observe_entry
from thirtyone_env.core.layout import NUM_SEATS, V_COUNTS, V_SEATS, VF_ME, VIEW_WORDS
from thirtyone_env.errors import UserError
from thirtyone_env.observation_table import OBSERVATION_VERSION, Block, highs, index_table, size
from thirtyone_env.view_text import describe

__all__ = [
    "OBSERVATION_VERSION",
    "Block",
    "action_masks",
    "describe",
    "encode",
    "highs",
    "index_table",
    "size",
]

_NO_MASKS = np.zeros((0, NUM_ACTIONS), dtype=np.int8)
_NO_COLUMNS = np.zeros((0, 0), dtype=np.int8)


def encode(
    views: npt.NDArray[np.uint64], seats: int | None = None, out: npt.NDArray[np.int8] | None = None
) -> npt.NDArray[np.int8]:
    """Observations of views.

    Args:
        views: ``uint64 [n, 32]``, or one view ``[32]``.
        seats: places for seats, 2 to 9; at least the seats of each game. None: the seats of the games, which must then
            all have the same number.
        out: ``int8 [n, d]`` to write to, with ``d = size(seats)``; made where None.

    Returns:
        ``out``, or for one view ``int8 [d]``.

    Raises:
        UserError: an array has another shape or type, a game has more seats than there are places, or the games differ
            in their seats and ``seats`` is None.
    """
    rows = as_views(views)
    places = _places(rows, seats)
    if out is None:
        out = np.empty((len(rows), size(places)), dtype=np.int8)
    _check_out(out, len(rows), places)
    observe_entry.encode(rows, out, _NO_MASKS, places)
    return out[0] if np.ndim(views) == 1 else out


def action_masks(views: npt.NDArray[np.uint64]) -> npt.NDArray[np.int8]:
    """Legal actions of views: ``int8 [n, 63]``, or ``[63]`` for one view; all zero for a seat that is not to move."""
    rows = as_views(views)
    masks = np.empty((len(rows), NUM_ACTIONS), dtype=np.int8)
    observe_entry.encode(rows, _NO_COLUMNS, masks, 2)
    return masks[0] if np.ndim(views) == 1 else masks


def as_views(views: Any) -> npt.NDArray[np.uint64]:
    """Views as ``uint64 [n, 32]``.

    Raises:
        UserError: the array has another shape or type.
    """
    array = np.asarray(views)
    if array.dtype != np.uint64 or array.ndim not in (1, 2) or array.shape[-1] != VIEW_WORDS:
        raise UserError(f"views are uint64 [n, {VIEW_WORDS}] or [{VIEW_WORDS}], not {array.dtype} {list(array.shape)}")
    return np.ascontiguousarray(array.reshape(-1, VIEW_WORDS))


def _places(rows: npt.NDArray[np.uint64], seats: int | None) -> int:
    players = (rows[:, V_SEATS] >> NUM_SEATS[1]) & NUM_SEATS[2]
    if len(rows) == 0:
        return seats or 2
    viewers = (rows[:, V_COUNTS] >> VF_ME[1]) & VF_ME[2]
    if (viewers >= players).any():
        row = int(np.argmax(viewers >= players))
        raise UserError(f"view {row} is of seat {viewers[row]} in a game of {players[row]} seats: it is no view")
    least, most = int(players.min()), int(players.max())
    if seats is None and least != most:
        raise UserError(f"the games have {least} to {most} seats: give seats={most} to 9, one number for all")
    places = most if seats is None else int(seats)
    if not max(most, 2) <= places <= 9:
        raise UserError(f"seats={places} is outside {max(most, 2)} to 9: a game has {most} seats")
    return places


def _check_out(out: npt.NDArray[np.int8], rows: int, places: int) -> None:
    wanted = (rows, size(places))
    if out.dtype != np.int8 or out.shape != wanted or not out.flags.c_contiguous:
        raise UserError(f"out must be int8 {list(wanted)}, contiguous, not {out.dtype} {list(out.shape)}")
