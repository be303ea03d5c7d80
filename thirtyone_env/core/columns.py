"""Writing columns of int8, many at a time.

A processor with wide vectors writes 64 flags with one instruction, where a loop needs hundreds; other targets (a GPU)
get the plain loop. Everything here writes to ``out: int8 [rows, d]`` from column ``at`` of row ``row``.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from thirtyone_env.core.bits import U1, U, jit


@intrinsic
def _store_flags(typing_context, out, row, at, word, count):
    """Store the lowest ``count`` bits of a word (a literal number) as bytes."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def build(context, builder, signature, args):
        bits = ir.IntType(count.literal_value)
        word = args[3] if bits.width == 64 else builder.trunc(args[3], bits)
        flags = builder.bitcast(word, ir.VectorType(ir.IntType(1), bits.width))
        columns = ir.VectorType(ir.IntType(8), bits.width)
        _store(context, builder, signature, args, builder.zext(flags, columns))
        return context.get_dummy_value()

    return types.void(out, row, at, word, count), build


@intrinsic
def _store_word(typing_context, out, row, at, word):
    """Store the eight bytes of a word, the lowest first."""

    def build(context, builder, signature, args):
        _store(context, builder, signature, args, args[3])
        return context.get_dummy_value()

    return types.void(out, row, at, word), build


def _store(context, builder, signature, args, value):
    """Store a vector or a word at ``out[row, at]``, which may lie anywhere."""
    kind = signature.args[0]
    array = context.make_array(kind)(context, builder, args[0])
    shape = cgutils.unpack_tuple(builder, array.shape, 2)
    strides = cgutils.unpack_tuple(builder, array.strides, 2)
    place = cgutils.get_item_pointer2(
        context, builder, array.data, shape, strides, kind.layout, [args[1], args[2]], wraparound=False
    )
    builder.store(value, builder.bitcast(place, value.type.as_pointer()), align=1)


def _flags(out, row, at, word, count):
    raise TypeError("compiled code only")


@overload(_flags, target="generic")
def _flags_anywhere(out, row, at, word, count):
    def write(out, row, at, word, count):
        for i in range(count):
            out[row, at + U(i)] = (word >> U(i)) & U1

    return write


@overload(_flags, target="cpu", prefer_literal=True)
def _flags_by_vector(out, row, at, word, count):
    def write(out, row, at, word, count):
        _store_flags(out, row, at, word, count)

    return write


def _bytes(out, row, at, word):
    raise TypeError("compiled code only")


@overload(_bytes, target="generic")
def _bytes_anywhere(out, row, at, word):
    def write(out, row, at, word):
        for i in range(8):
            out[row, at + U(i)] = (word >> (U(8) * U(i))) & U(127)

    return write


@overload(_bytes, target="cpu")
def _bytes_by_word(out, row, at, word):
    def write(out, row, at, word):
        _store_word(out, row, at, word)

    return write


@jit
def card_flags(out, row, at, cards):
    """52 columns, 1 for each card of a set; nothing else is touched."""
    _flags(out, row, at, cards, 52)
    return at + U(52)


@jit
def flags(out, row, at, word, count):
    """``count`` columns from the lowest bits of a word. Up to 64 columns are written: what follows comes later."""
    _flags(out, row, at, word, 64)
    return at + count


@jit
def numbers(out, row, at, packed, count):
    """``count`` columns of numbers below 128, a byte each. Eight columns are written: what follows comes later."""
    _bytes(out, row, at, packed)
    return at + count


@jit
def number(out, row, at, value):
    """One column with a number below 128."""
    out[row, at] = value
    return at + U1
