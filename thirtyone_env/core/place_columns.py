"""The columns of each place, four places at a time.

Of the 20 columns the first nine say that somebody sits there and which sets of seats it is in, with its lives at
column 3; then come how many of its cards are known (column 9), its draws (10), the known cards' points in the best suit
(11) and in each (12 to 15), and how many cards of each suit it has thrown (16 to 19).
"""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from thirtyone_env.core.bits import U0, U1, U, gather, jit, popcount, spread
from thirtyone_env.core.columns import element_pointer, number, store
from thirtyone_env.core.lanes import DIGITS, bytes_of, count_bits, counts, highest, lanes_of, points
from thirtyone_env.core.layout import DRAWS_OF, LIVES_OF, V_KNOWN, V_THROWN

COLUMNS = 20  # of a place
EACH_SET = U(0x0040201008040201)  # the first bit of each of seven sets of nine
_MARKS = U(0x0101010100010101)  # bytes of seven flags; the fourth byte is a number
_BYTE = U(8)
_LIVES_BITS, _LIVES = LIVES_OF[1:]
_DRAWS_BITS, _DRAWS = DRAWS_OF[1:]


@jit
def word_of_place(V, row, first, me, players, place):
    """The word of the seat at a place, of nine that begin at word ``first`` of a view; 0 where nobody sits."""
    if place >= players:
        return U0
    seat = me + place
    return V[row, first + (seat - players if seat >= players else seat)]


def _four_places(out, row, at, V, v, me, players, place, sets, lives, draws):
    raise TypeError("compiled code only")


@overload(_four_places, target="generic")
def _four_places_anywhere(out, row, at, V, v, me, players, place, sets, lives, draws):
    def write(out, row, at, V, v, me, players, place, sets, lives, draws):
        for i in range(4):
            here = place + U(i)
            first = at + U(COLUMNS * i)
            one, two, three = U0, U0, U0
            if here < players:
                known = word_of_place(V, v, U(V_KNOWN), me, players, here)
                totals = points(lanes_of(known))
                marks = gather(sets >> here, EACH_SET)
                one = spread(U1 | (marks << U1), _MARKS) | (((lives >> (_LIVES_BITS * here)) & _LIVES) << U(24))
                two = (marks >> U(6)) | (popcount(known) << U(8)) | (highest(totals) << U(24))
                two = two | (((draws >> (_DRAWS_BITS * here)) & _DRAWS) << U(16)) | (bytes_of(totals) << U(32))
                three = bytes_of(counts(lanes_of(word_of_place(V, v, U(V_THROWN), me, players, here))))
            for column in range(8):
                number(out, row, first + U(column), (one >> (_BYTE * U(column))) & U(127))
                number(out, row, first + U(column) + _BYTE, (two >> (_BYTE * U(column))) & U(127))
            for column in range(4):
                number(out, row, first + U(column) + U(16), (three >> (_BYTE * U(column))) & U(127))

    return write


@overload(_four_places, target="cpu")
def _four_places_by_vectors(out, row, at, V, v, me, players, place, sets, lives, draws):
    def write(out, row, at, V, v, me, players, place, sets, lives, draws):
        _store_four_places(out, row, at, V, v, me, players, place, sets, lives, draws)

    return write


_WORD = ir.IntType(64)
_WORDS = ir.VectorType(_WORD, 4)
_LANES = ir.VectorType(ir.IntType(16), 16)
_BYTES = ir.VectorType(ir.IntType(8), 16)
_HALVES = ir.VectorType(ir.IntType(32), 4)


@intrinsic
def _store_four_places(typing_context, out, row, at, V, v, me, players, place, sets, lives, draws):
    def build(context, builder, signature, args):
        me, players, place, sets, lives, draws = args[5:]
        view = element_pointer(context, builder, signature, args, 3)
        places = builder.add(_everywhere(builder, place), ir.Constant(_WORDS, list(range(4))))
        here = builder.icmp_unsigned("<", places, _everywhere(builder, players))
        known = _load_places(builder, view, V_KNOWN, me, players, place, places, here)
        thrown = _load_places(builder, view, V_THROWN, me, players, place, places, here)
        marks = builder.lshr(_everywhere(builder, sets), places)
        one = builder.or_(_mark_columns(builder, marks), _field(builder, lives, place, LIVES_OF, 24))
        two = _known_columns(builder, _spread(builder, known), known)
        two = builder.or_(two, _field(builder, draws, place, DRAWS_OF, 16))
        two = builder.or_(two, builder.and_(builder.lshr(marks, _all(54)), _all(1)))
        nothing = _all(0)
        counted = count_bits(builder, builder.bitcast(_spread(builder, thrown), _LANES))
        three = builder.bitcast(builder.trunc(counted, _BYTES), _HALVES)
        vectors = builder.select(here, one, nothing), builder.select(here, two, nothing), three
        for i in range(4):
            for vector, column in zip(vectors, (0, 8, 16), strict=True):
                column_of_place = builder.add(args[2], ir.Constant(_WORD, COLUMNS * i + column))
                value = builder.extract_element(vector, ir.Constant(ir.IntType(32), i))
                store(context, builder, signature, [*args[:2], column_of_place], value)
        return context.get_dummy_value()

    return types.void(out, row, at, V, v, me, players, place, sets, lives, draws), build


def _mark_columns(builder, marks):
    """Columns 0 to 7 but the fourth, from sets whose first bit is the place's."""
    columns = _all(1)
    for which, byte in enumerate((1, 2, 4, 5, 6, 7)):
        further = 8 * byte - 9 * which
        moved = builder.shl(marks, _all(further)) if further > 0 else builder.lshr(marks, _all(-further))
        columns = builder.or_(columns, builder.and_(moved, _all(1 << (8 * byte))))
    return columns


def _field(builder, packed, place, field, shift):
    """A field that is repeated for each place, of four places, at bit ``shift``."""
    bits, mask = int(field[1]), int(field[2])
    first = builder.mul(place, ir.Constant(_WORD, bits))
    distances = builder.add(_everywhere(builder, first), ir.Constant(_WORDS, [bits * i for i in range(4)]))
    values = builder.and_(builder.lshr(_everywhere(builder, packed), distances), _all(mask))
    return builder.shl(values, _all(shift))


def _load_places(builder, view, first, me, players, place, places, here):
    """The words of four places: those of the seats from the viewer's on, then those of the seats before it."""
    behind = builder.icmp_unsigned(">=", places, _everywhere(builder, builder.sub(players, me)))
    seat = builder.add(builder.add(me, place), ir.Constant(_WORD, first))
    words = _load_where(builder, view, seat, builder.and_(here, builder.not_(behind)), _all(0))
    return _load_where(builder, view, builder.sub(seat, players), builder.and_(here, behind), words)


def _load_where(builder, view, first, wanted, others):
    """Four words of a view where wanted (nothing else is touched), and the others elsewhere."""
    pointer = builder.bitcast(builder.gep(view, [first]), _WORDS.as_pointer())
    kinds = [pointer.type, ir.IntType(32), wanted.type, _WORDS]
    load = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(_WORDS, kinds), "llvm.masked.load.v4i64.p0v4i64"
    )
    return builder.call(load, [pointer, ir.Constant(ir.IntType(32), 8), wanted, others])


def _everywhere(builder, word):
    first = builder.insert_element(ir.Constant(_WORDS, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), 4), [0] * 4))


def _all(value):
    return ir.Constant(_WORDS, [value] * 4)


def _spread(builder, cards):
    """`lanes_of` each word of a vector."""
    lanes = builder.and_(cards, _all(0x1FFF))
    for suit in (1, 2, 3):
        moved = builder.shl(cards, _all(3 * suit))
        lanes = builder.or_(lanes, builder.and_(moved, _all(0x1FFF << (16 * suit))))
    return lanes


def _known_columns(builder, lanes, cards):
    """Columns 8 to 15 of four places; 8 and 10 are left zero."""
    totals = ir.Constant(_LANES, [0] * 16)
    for place, digit in enumerate(DIGITS):
        chosen = builder.and_(lanes, _all(int(digit) * 0x0001000100010001))
        counted = count_bits(builder, builder.bitcast(chosen, _LANES))
        totals = builder.add(totals, builder.shl(counted, ir.Constant(_LANES, [place] * 16)))
    best = totals
    for distance in (2, 1):  # the larger of each two halves of a word, then of each two lanes of a half
        others = builder.shuffle_vector(
            best, best, ir.Constant(ir.VectorType(ir.IntType(32), 16), [i ^ distance for i in range(16)])
        )
        best = builder.select(builder.icmp_unsigned(">", best, others), best, others)
    best = builder.shl(builder.and_(builder.bitcast(best, _WORDS), _all(0xFF)), _all(24))
    number = builder.shl(count_bits(builder, cards), _all(8))
    by_suit = builder.zext(builder.bitcast(builder.trunc(totals, _BYTES), _HALVES), _WORDS)
    return builder.or_(builder.or_(best, number), builder.shl(by_suit, _all(32)))


@jit
def four_places(out, row, at, V, v, me, players, place, sets, lives, draws):
    """All columns of four places; places where nobody sits get zeros.

    Args:
        out: int8 ``[rows, d]``.
        row, at: where the first of the four places begins.
        V, v: the view, uint64 ``[rows, 32]``, and its row.
        me, players: the viewer's seat and the number of seats.
        place: the first of the four places.
        sets: seven sets of places, nine bits each.
        lives, draws: as in the view, but the viewer's first.
    """
    _four_places(out, row, at, V, v, me, players, place, sets, lives, draws)
