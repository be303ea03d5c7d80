"""Writing columns of int8, many at a time.

A processor with wide vectors writes 64 flags with one instruction, where a loop needs hundreds; other targets (a GPU)
get the plain loop. Everything here writes to ``out: int8 [rows, d]`` from column ``at`` of row ``row``.
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from thirtyone_env.core.bits import U0, U1, U2, U, jit, lowest
from thirtyone_env.core.lanes import POINTS

_HALF_POINTS = [2 * (int(POINTS) >> (4 * (card % 13)) & 15) if card < 52 else 0 for card in range(64)]


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
        store(context, builder, signature, args, builder.zext(flags, columns))
        return context.get_dummy_value()

    return types.void(out, row, at, word, count), build


@intrinsic
def _store_word(typing_context, out, row, at, word):
    """Store the eight bytes of a word, the lowest first."""

    def build(context, builder, signature, args):
        store(context, builder, signature, args, args[3])
        return context.get_dummy_value()

    return types.void(out, row, at, word), build


@intrinsic
def _store_kept(typing_context, out, row, at, cards, marked, value, least):
    """Store `kept_columns`, 64 bytes."""

    def build(context, builder, signature, args):
        columns, flags = ir.VectorType(ir.IntType(8), 64), ir.VectorType(ir.IntType(1), 64)
        cards, marked = (builder.bitcast(word, flags) for word in args[3:5])
        value, least = (_in_every_column(builder, word) for word in args[5:])
        less = builder.sub(value, ir.Constant(columns, _HALF_POINTS))
        less = builder.select(builder.icmp_unsigned(">", less, least), less, least)
        kept = builder.select(marked, less, value)
        store(context, builder, signature, args, builder.select(cards, kept, ir.Constant(columns, [0] * 64)))
        return context.get_dummy_value()

    return types.void(out, row, at, cards, marked, value, least), build


def _in_every_column(builder, word):
    index = ir.IntType(32)
    columns = ir.VectorType(ir.IntType(8), 64)
    byte = builder.trunc(word, ir.IntType(8))
    first = builder.insert_element(ir.Constant(columns, ir.Undefined), byte, ir.Constant(index, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(index, 64), [0] * 64))


def store(context, builder, signature, args, value):
    """LLVM code that stores a vector or a word at ``out[row, at]``, which may lie anywhere."""
    place = element_pointer(context, builder, signature, args, 0, args[2])
    builder.store(value, builder.bitcast(place, value.type.as_pointer()), align=1)


def element_pointer(context, builder, signature, args, number, column=None):
    """Pointer to a column (by default the first) of a row of the array that is argument ``number``; its row follows."""
    kind = signature.args[number]
    array = context.make_array(kind)(context, builder, args[number])
    shape = cgutils.unpack_tuple(builder, array.shape, 2)
    strides = cgutils.unpack_tuple(builder, array.strides, 2)
    index = [args[number + 1], ir.Constant(ir.IntType(64), 0) if column is None else column]
    return cgutils.get_item_pointer2(context, builder, array.data, shape, strides, kind.layout, index, wraparound=False)


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
    _flags(out, row, at, cards, 32)
    _flags(out, row, at + U(32), cards >> U(32), 16)
    for i in range(48, 52):  # LLVM fails at vectors of so few flags where there is no AVX-512
        out[row, at + U(i)] = (cards >> U(i)) & U1
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


def _kept(out, row, at, cards, marked, value, least):
    raise TypeError("compiled code only")


@overload(_kept, target="generic")
def _kept_anywhere(out, row, at, cards, marked, value, least):
    def write(out, row, at, cards, marked, value, least):
        flags(out, row, at, U0, U(52))
        while cards != U0:
            card = lowest(cards)
            cards = cards & (cards - U1)
            points = (POINTS >> (U(4) * (card % U(13)))) & U(15)
            kept = max(value - min(value, U2 * points), least) if (marked >> card) & U1 != U0 else value
            number(out, row, at + card, kept)

    return write


@overload(_kept, target="cpu")
def _kept_by_vector(out, row, at, cards, marked, value, least):
    def write(out, row, at, cards, marked, value, least):
        _store_kept(out, row, at, cards, marked, value, least)

    return write


@jit
def kept_columns(out, row, at, cards, marked, value, least):
    """For each of ``cards``: ``value``, for ``marked`` ones less twice their points, but ``least`` or more; else 0.

    52 columns, of which 64 are written: what follows comes later.
    """
    _kept(out, row, at, cards, marked, value, least)
    return at + U(52)
