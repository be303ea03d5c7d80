"""The compiled function through which Python asks the baselines.

Importing this module loads it from the cache, or compiles it (a group of its own, so that who only plays by hand does
not wait for it).
"""

from __future__ import annotations

from thirtyone_env.core import policies
from thirtyone_env.core.compile import compile_entries, entry

GROUP = "policies"


@entry("void(uint64, uint64, uint64[:, ::1], uint64[::1], uint64[::1])", group=GROUP)
def act_views(kind, parameter, V, keys, actions):
    """Actions of a compiled policy: ``actions[i]`` from ``V[i]`` and ``keys[i]``; see `policies.choose`."""
    policies.choose_all(kind, parameter, V, keys, actions)


compile_entries(GROUP, "the baselines")
