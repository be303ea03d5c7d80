"""Functions of the core with another body on a GPU: same name, same result, other instructions.

- Bits are counted by the GPU's own instruction, in place of the dozen that `core.bits.popcount` takes.
- Columns of observations are written one by one and no more than are asked for: `core.columns` writes 64 at a time,
  which is one instruction on a CPU and 64 on a GPU.

numba-cuda makes a device function of an ``@njit`` function when a kernel first calls it, and keeps it with that
function. Here it is put there beforehand. Were numba-cuda to keep it elsewhere, the kernels would use the core's own
bodies; a test looks for the instruction.
"""

from __future__ import annotations

from thirtyone_env.core import bits, columns
from thirtyone_env.core.bits import U1, U
from thirtyone_env.cuda.load import load

cuda = load()
_KEPT_AS = "_CUDATypingContext__dispatcher"


def _popcount(x):
    return U(cuda.popc(x))


def _flags(out, row, at, word, count):
    for i in range(count):
        out[row, at + U(i)] = (word >> U(i)) & U1
    return at + count


def _numbers(out, row, at, packed, count):
    for i in range(count):
        out[row, at + U(i)] = (packed >> (U(8) * U(i))) & U(127)
    return at + count


def use_own_instructions() -> None:
    """Let kernels that are compiled from now on use these bodies."""
    for function, body in ((bits.popcount, _popcount), (columns.flags, _flags), (columns.numbers, _numbers)):
        if not hasattr(function, _KEPT_AS):
            setattr(function, _KEPT_AS, cuda.jit(device=True, forceinline=True)(body))
