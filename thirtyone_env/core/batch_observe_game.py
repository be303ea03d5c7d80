"""The observation of one game of a batch, on every device."""

from __future__ import annotations

from thirtyone_env.core import observe
from thirtyone_env.core.batch_game import view_game
from thirtyone_env.core.bits import jit


@jit
def observe_game(S, i, V, row, out, places):
    """Observation of the seat to move of game ``i``: ``out[i]``, int8 ``[d]``. ``V[row]`` is scratch."""
    view_game(S, i, V, row)
    observe.write_observation(V, row, out, i, places)
