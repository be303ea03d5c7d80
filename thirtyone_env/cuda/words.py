"""Counting bits by the GPU's own instruction in place of the dozen that `core.bits.popcount` takes.

numba-cuda makes a device function of an ``@njit`` function when a kernel first calls it, and keeps it with that
function. Here it is put there beforehand: same name, same result, another body. Were numba-cuda to keep it elsewhere,
the kernels would use the core's own body; a test looks for the instruction.
"""

from __future__ import annotations

from thirtyone_env.core import bits
from thirtyone_env.cuda.load import load

cuda = load()
_KEPT_AS = "_CUDATypingContext__dispatcher"


def _popcount(x):
    return bits.U(cuda.popc(x))


def use_own_instructions() -> None:
    """Let kernels that are compiled from now on count bits by ``popc``."""
    setattr(bits.popcount, _KEPT_AS, cuda.jit(device=True, forceinline=True)(_popcount))
