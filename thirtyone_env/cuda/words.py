"""Functions of the core with another body on a GPU: same name, same result, other instructions.

- Bits are counted by the GPU's own instruction, in place of the dozen that `core.bits.popcount` takes.
- Columns of observations are written one by one and no more than are asked for: `core.columns` writes 64 at a time,
  which is one instruction on a CPU and 64 on a GPU. And where the array is of int16, what is written are the bits of
  bfloat16 numbers, which a network takes as they are.

numba-cuda makes a device function of an ``@njit`` function when a kernel first calls it, and keeps it with that
function. Here it is put there beforehand. Were numba-cuda to keep it elsewhere, the kernels would use the core's own
bodies; a test looks for the instruction.
"""

from __future__ import annotations

import importlib

from numba import types
from numba.extending import overload

from thirtyone_env.core import bits, columns
from thirtyone_env.core.bits import U1, U
from thirtyone_env.cuda.load import load

cuda = load()
libdevice = importlib.import_module("numba.cuda.libdevice")
_ONE = U(0x3F80)  # 1 as bfloat16: the upper half of a float32
_KEPT_AS = "_CUDATypingContext__dispatcher"


def _popcount(x):
    return U(cuda.popc(x))


def _flag_for(out, flag):
    raise TypeError("compiled code only")


@overload(_flag_for, target="generic")
def _flag_of_type(out, flag):
    if out.dtype == types.int16:
        return lambda out, flag: flag * _ONE
    return lambda out, flag: flag


def _number_for(out, value):
    raise TypeError("compiled code only")


@overload(_number_for, target="generic")
def _number_of_type(out, value):
    if out.dtype == types.int16:
        return lambda out, value: libdevice.float_as_int(cuda.float32(cuda.int64(value))) >> 16  # exact below 256
    return lambda out, value: value


def _flags(out, row, at, word, count):
    for i in range(count):
        out[row, at + U(i)] = _flag_for(out, (word >> U(i)) & U1)
    return at + count


def _card_flags(out, row, at, cards):
    return _flags_of_cards(out, row, at, cards, U(52))


def _numbers(out, row, at, packed, count):
    for i in range(count):
        out[row, at + U(i)] = _number_for(out, (packed >> (U(8) * U(i))) & U(127))
    return at + count


def _number(out, row, at, value):
    out[row, at] = _number_for(out, value)
    return at + U1


_flags_of_cards = cuda.jit(device=True, forceinline=True)(_flags)
_OWN = (
    (bits.popcount, _popcount), (columns.flags, _flags), (columns.card_flags, _card_flags),
    (columns.numbers, _numbers), (columns.number, _number),
)


def use_own_instructions() -> None:
    """Let kernels that are compiled from now on use these bodies."""
    for function, body in _OWN:
        if not hasattr(function, _KEPT_AS):
            setattr(function, _KEPT_AS, cuda.jit(device=True, forceinline=True)(body))
