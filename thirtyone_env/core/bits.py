"""Bit sets in 64-bit words: counting, lowest bit, k-th set bit; and reading and writing fields.

All arguments and results are ``uint64``.
"""

from __future__ import annotations

import numpy as np
from llvmlite import binding, ir
from numba import njit, types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload

U = np.uint64
U0 = U(0)
U1 = U(1)
U2 = U(2)

# The core is inlined wholly and counts no references (it allocates nothing): steps are five times as fast by it.
jit = njit(
    error_model="numpy", nogil=True, forceinline=True, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
)


def _features() -> set[str]:
    """Features of the processor that numba compiles for: those of ``NUMBA_CPU_FEATURES``, or this machine's."""
    if config.CPU_FEATURES is not None:
        return {name[1:] for name in config.CPU_FEATURES.split(",") if name.startswith("+")}
    return {name for name, has in binding.get_host_cpu_features().items() if has}


HAS_BMI2 = "bmi2" in _features()
HAS_LEAST_OF_EIGHT = "sse4.1" in _features()
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
    """The k-th set bit by itself; compiled code only (each target has its own way)."""
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
        return U1 << position

    return select


def _on_bits(name):
    """The processor's pdep or pext, as an intrinsic on (word, mask)."""

    @intrinsic
    def operation(typing_context, source, mask):
        def build(context, builder, signature, args):
            kind = ir.IntType(64)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind, kind]), name)
            return builder.call(function, args)

        return types.uint64(types.uint64, types.uint64), build

    return operation


deposit_bits = _on_bits("llvm.x86.bmi.pdep.64")  # the low bits of a word spread to the set bits of a mask
extract_bits = _on_bits("llvm.x86.bmi.pext.64")  # the bits of a word at the set bits of a mask, side by side


def _spread(word, mask):
    raise TypeError("compiled code only")


def _gather(word, mask):
    raise TypeError("compiled code only")


@overload(_spread, target="generic")
def _spread_anywhere(word, mask):
    def spread(word, mask):
        result = U0
        while mask != U0:
            if word & U1 != U0:
                result = result | (mask & (~mask + U1))
            word = word >> U1
            mask = mask & (mask - U1)
        return result

    return spread


@overload(_gather, target="generic")
def _gather_anywhere(word, mask):
    def gather(word, mask):
        result = U0
        place = U0
        while mask != U0:
            if word & mask & (~mask + U1) != U0:
                result = result | (U1 << place)
            place = place + U1
            mask = mask & (mask - U1)
        return result

    return gather


if HAS_BMI2:
    overload(_spread, target="cpu")(lambda word, mask: lambda word, mask: deposit_bits(word, mask))
    overload(_gather, target="cpu")(lambda word, mask: lambda word, mask: extract_bits(word, mask))

    @overload(_select, target="cpu")
    def _select_by_pdep(x, k):
        def select(x, k):
            return deposit_bits(U1 << k, x)

        return select


@jit
def nth_bit(x, k):
    """Index of the set bit with ``k`` set bits below it. ``k`` must be less than the number of set bits."""
    return lowest(_select(x, k))


@jit
def nth_bit_alone(x, k):
    """The set of that one bit."""
    return _select(x, k)


@jit
def spread(word, mask):
    """The lowest bits of a word, one at each set bit of the mask."""
    return _spread(word, mask)


@jit
def gather(word, mask):
    """The bits of a word at the set bits of the mask, side by side."""
    return _gather(word, mask)


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
