"""The compiled function that turns views into numbers for networks.

Importing this module loads it from the cache, or compiles it (a group of its own, so that who only plays games does not
wait for it).
"""

from __future__ import annotations

from thirtyone_env.core import observe
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "observations"


@entry("void(uint64[:, ::1], int8[:, ::1], int8[:, ::1], int64)", group=GROUP)
def encode(V, out, masks, seats):
    """Observations and masks of the views ``V``: uint64 ``[rows, 32]``; see `observe.encode`."""
    observe.encode(V, out, masks, seats)


compile_entries(GROUP, "the observations")
