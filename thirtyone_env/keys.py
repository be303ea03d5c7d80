"""Keys of decisions: one `uint64` a decision, from which a policy draws whatever randomness it needs.

A key depends on (seed, match, round, decision, seat) alone. So no game depends on the games that are played beside it,
on the size of a batch, or on how many random numbers another policy used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_C1 = 0xBF58476D1CE4E5B9
_C2 = 0x94D049BB133111EB
POLICY = 0xA0761D6478BD642F  # keeps policies apart from the stream of cards


def mix(word: int) -> int:
    """Spread the bits of a 64-bit word over all of it: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014)."""
    word &= _MASK
    word = ((word ^ (word >> 30)) * _C1) & _MASK
    word = ((word ^ (word >> 27)) * _C2) & _MASK
    return word ^ (word >> 31)


def decision_key(seed: int, match: int = 0, round_number: int = 0, decision: int = 0, seat: int = 0) -> int:
    """Key of one decision: 0 to 2^64 - 1.

    Args:
        seed: seed of the run.
        match: number of the match under that seed.
        round_number: number of the deal in the match, void ones counted.
        decision: number of the decision in the deal, all seats counted.
        seat: the seat that decides.
    """
    key = mix(seed ^ POLICY)
    for part in (match, round_number, decision, seat):
        key = mix(key + (part + 1) * _GOLDEN)
    return key


def decision_keys(seed: Any, match: Any, round_number: Any, decision: Any, seat: Any) -> npt.NDArray[np.uint64]:
    """`decision_key` for arrays of whole numbers (not negative) that fit together: ``uint64 [n]``."""
    given = (seed, match, round_number, decision, seat)
    parts = np.broadcast_arrays(*(np.asarray(part, dtype=np.uint64) for part in given))
    key = _mix_array(parts[0] ^ np.uint64(POLICY))
    with np.errstate(over="ignore"):
        for part in parts[1:]:
            key = _mix_array(key + (part + np.uint64(1)) * np.uint64(_GOLDEN))
    return key


def _mix_array(word: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    with np.errstate(over="ignore"):
        word = (word ^ (word >> np.uint64(30))) * np.uint64(_C1)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(_C2)
    return word ^ (word >> np.uint64(31))


def generator(key: int) -> np.random.Generator:
    """A numpy generator that depends on the key alone."""
    return np.random.Generator(np.random.Philox(key=int(key)))
