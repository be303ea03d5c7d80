"""`redeal` for Python. Importing this module compiles it (a group of its own)."""

from __future__ import annotations

from thirtyone_env.core.bits import U
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.redeal import redeal

GROUP = "redeal"


@entry("void(uint64[:, ::1], uint64[::1], uint64[:, ::1])", group=GROUP)
def redeal_all(V, keys, S):
    """A state for each view: ``V`` uint64 ``[n, 32]``, ``keys`` uint64 ``[n]``, ``S`` uint64 ``[words, n]``."""
    for row in range(V.shape[0]):
        redeal(V, row, keys[row], S, U(row))


compile_entries(GROUP, "the redeal")
