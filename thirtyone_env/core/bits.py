"""Bit sets in 64-bit words: counting, lowest bit, k-th set bit; and reading and writing fields.

All arguments and results are ``uint64``.
"""

from __future__ import annotations

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

U = np.uint64
U0 = U(0)
U1 = U(1)
U2 = U(2)

# The core is inlined wholly and counts no references (it allocates nothing): steps are five times as fast by it.
jit = njit(
    error_model="numpy", nogil=True, forceinline=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
)

_HAS_PDEP = bool(binding.get_host_cpu_features().get("bmi2", False))
_M1 = U(0x5555555555555555)
_M2 = U(0x3333333333333333)
_M4 = U(0x0F0F0F0F0F0F0F0F)
_H01 = U(0x0101010101010101)


@jit
def popcount(x):
    """Number of set bits."""
    x = x - ((x >> U1) & _M1)
    x = (x & _M2) + ((x >> U2) & _M2)
    x = (x + (x >> U(4))) & _M4
    return (x * _H01) >> U(56)


@jit
def lowest(x):
    """Index of the lowest set bit; 64 for an empty set."""
    return popcount((x & (~x + U1)) - U1)


def _select(x, k):
    """Index of the k-th set bit; compiled code only (each target has its own way)."""
    raise TypeError("compiled code only")


@overload(_select, target="generic")
def _select_anywhere(x, k):
    def select(x, k):
        position = U0
        width = U(32)
        while width > U0:
            below = popcount((x >> position) & ((U1 << width) - U1))
            if k >= below:
                k = k - below
                position = position + width
            width = width >> U1
        return position

    return select


@intrinsic
def _deposit(typing_context, source, mask):
    """The processor's pdep: the low bits of ``source`` spread to the set bits of ``mask``."""
    word = types.uint64

    def build(context, builder, signature, args):
        kind = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(kind, [kind, kind]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, args)

    return word(word, word), build


if _HAS_PDEP:

    @overload(_select, target="cpu")
    def _select_by_pdep(x, k):
        def select(x, k):
            return lowest(_deposit(U1 << k, x))

        return select


@jit
def nth_bit(x, k):
    """Index of the set bit with ``k`` set bits below it. ``k`` must be less than the number of set bits."""
    return _select(x, k)


@jit
def get(S, g, field):
    """Value of a field of game ``g``."""
    return (S[field[0], g] >> field[1]) & field[2]


@jit
def put(S, g, field, value):
    """Write a field of game ``g``."""
    word, shift, mask = field
    S[word, g] = (S[word, g] & ~(mask << shift)) | (value << shift)


@jit
def get_of(S, g, field, seat):
    """Value of a field that is repeated for each seat."""
    return (S[field[0], g] >> (field[1] * seat)) & field[2]


@jit
def put_of(S, g, field, seat, value):
    """Write a field that is repeated for each seat."""
    word, bits, mask = field
    shift = bits * seat
    S[word, g] = (S[word, g] & ~(mask << shift)) | (value << shift)


@jit
def next_seat(seat, seats):
    """First seat of the set ``seats`` clockwise after ``seat``."""
    after = seats >> (seat + U1)
    if after != U0:
        return seat + U1 + lowest(after)
    return lowest(seats)
