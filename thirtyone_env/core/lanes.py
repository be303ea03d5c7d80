"""A word as four lanes of sixteen bits, one a suit: what is asked of every suit, asked of all four at once.

Processors with vectors do each of these in one or a few instructions; other targets (a GPU) get plain words.
All arguments and results are ``uint64``; a lane holds a number below 2^15.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from thirtyone_env.core.bits import (
    HAS_BMI2,
    HAS_LEAST_OF_EIGHT,
    U0,
    U1,
    U2,
    U,
    deposit_bits,
    extract_bits,
    jit,
    popcount,
)

SUIT_BITS = U(0x1FFF)
# Points of the ranks 2..A, four bits each, and the ranks whose points have the binary digit 1, 2, 4 and 8.
POINTS = U(0xBAAAA98765432)
DIGITS = tuple(U(sum(1 << rank for rank in range(13) if int(POINTS) >> (4 * rank) & digit)) for digit in (1, 2, 4, 8))
_ONES, _TWOS, _FOURS, _EIGHTS = DIGITS
_LANE = U(0xFFFF)
_CARDS_OF_LANES = U(0x1FFF1FFF1FFF1FFF)
_BYTES_OF_LANES = U(0x00FF00FF00FF00FF)

_WORD = ir.IntType(64)
_LANES = ir.VectorType(ir.IntType(16), 4)
_INDEX = ir.IntType(32)


def _by_target(plain: Callable[..., Any], fast: Callable[..., Any] | None) -> Any:
    """A function of compiled code: ``plain`` on any target, ``fast`` on the CPU (None where this one cannot)."""

    def chosen(*args):
        raise TypeError("compiled code only")

    overload(chosen, target="generic", strict=False)(lambda *args: plain)
    if fast is not None:
        overload(chosen, target="cpu", strict=False)(lambda *args: fast)
    return chosen


def _call(builder, name, result, argument):
    """A call of one of LLVM's own functions of one argument."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [argument.type]), name)
    return builder.call(function, [argument])


def _shuffled(builder, one, other, order):
    return builder.shuffle_vector(one, other, ir.Constant(ir.VectorType(_INDEX, len(order)), order))


# Cards, thirteen bits a suit, to lanes and back.


def _to_lanes(cards):
    clubs, diamonds = cards & SUIT_BITS, (cards & (SUIT_BITS << U(13))) << U(3)
    return clubs | diamonds | ((cards & (SUIT_BITS << U(26))) << U(6)) | ((cards & (SUIT_BITS << U(39))) << U(9))


def _to_lanes_fast(cards):
    return deposit_bits(cards, _CARDS_OF_LANES)


def _to_cards(lanes):
    clubs, diamonds = lanes & SUIT_BITS, (lanes >> U(3)) & (SUIT_BITS << U(13))
    return clubs | diamonds | ((lanes >> U(6)) & (SUIT_BITS << U(26))) | ((lanes >> U(9)) & (SUIT_BITS << U(39)))


def _to_cards_fast(lanes):
    return extract_bits(lanes, _CARDS_OF_LANES)


def _to_bytes(lanes):
    pairs = (lanes | (lanes >> U(8))) & U(0x0000FFFF0000FFFF)
    return (pairs | (pairs >> U(16))) & U(0xFFFFFFFF)


def _to_bytes_fast(lanes):
    return extract_bits(lanes, _BYTES_OF_LANES)


_lanes = _by_target(_to_lanes, _to_lanes_fast if HAS_BMI2 else None)
_cards = _by_target(_to_cards, _to_cards_fast if HAS_BMI2 else None)
_bytes = _by_target(_to_bytes, _to_bytes_fast if HAS_BMI2 else None)


# Counts and points.


def _count(lanes):
    count = popcount(lanes & _LANE) | (popcount(lanes & (_LANE << U(16))) << U(16))
    return count | (popcount(lanes & (_LANE << U(32))) << U(32)) | (popcount(lanes >> U(48)) << U(48))


def count_bits(builder, vector):
    """LLVM code that counts the set bits of each element of a vector."""
    return _call(builder, f"llvm.ctpop.v{vector.type.count}i{vector.type.element.width}", vector.type, vector)


@intrinsic
def _count_fast(typing_context, lanes):
    def code(context, builder, signature, args):
        counts = count_bits(builder, builder.bitcast(args[0], _LANES))
        return builder.bitcast(counts, _WORD)

    return types.uint64(types.uint64), code


def _sum_points(lanes):
    total = U0
    for i in range(4):
        shift = U(16) * U(i)
        ranks = (lanes >> shift) & _LANE
        points = popcount(ranks & _ONES) + (popcount(ranks & _TWOS) << U1)
        total = total | ((points + (popcount(ranks & _FOURS) << U2) + (popcount(ranks & _EIGHTS) << U(3))) << shift)
    return total


@intrinsic
def _sum_points_fast(typing_context, lanes):
    """The lanes four times side by side, each time for one binary digit of the points; then the four are added."""

    def code(context, builder, signature, args):
        words, parts = ir.VectorType(_WORD, 4), ir.VectorType(ir.IntType(16), 16)
        first = builder.insert_element(ir.Constant(words, ir.Undefined), args[0], ir.Constant(_INDEX, 0))
        wanted = ir.Constant(words, [int(digit) * 0x0001000100010001 for digit in DIGITS])
        chosen = builder.and_(_shuffled(builder, first, first, [0] * 4), wanted)
        counts = count_bits(builder, builder.bitcast(chosen, parts))
        digits = builder.shl(counts, ir.Constant(parts, [i // 4 for i in range(16)]))
        return _call(builder, "llvm.vector.reduce.add.v4i64", _WORD, builder.bitcast(digits, words))

    return types.uint64(types.uint64), code


_counts = _by_target(_count, lambda lanes: _count_fast(lanes))
_points = _by_target(_sum_points, lambda lanes: _sum_points_fast(lanes))


# Comparisons.


def _two_highest_lanes(lanes):
    # The suit rides along in the two lowest bits, so that the larger of two keys is also the lower suit of two equal.
    clubs, diamonds = ((lanes & _LANE) << U2) | U(3), (((lanes >> U(16)) & _LANE) << U2) | U2
    hearts, spades = (((lanes >> U(32)) & _LANE) << U2) | U1, (lanes >> U(48)) << U2
    high, low = max(clubs, diamonds), max(hearts, spades)
    best = max(high, low)
    second = max(min(high, low), max(min(clubs, diamonds), min(hearts, spades)))
    return best >> U2, second >> U2, U(3) - (best & U(3))


def _highest_lane(lanes):
    low, high = max(lanes & _LANE, (lanes >> U(16)) & _LANE), max((lanes >> U(32)) & _LANE, lanes >> U(48))
    return max(low, high)


def _least_of_eight(builder, eight):
    """The processor's search for the least of eight lanes: (lane's number, place of the first that has it, zeros)."""
    return _call(builder, "llvm.x86.sse41.phminposuw", eight.type, eight)


def _turned(builder, word):
    """Eight lanes in which the largest of the word's is the least."""
    return _shuffled(
        builder, builder.bitcast(builder.not_(word), _LANES), ir.Constant(_LANES, [0xFFFF] * 4), list(range(8))
    )


def _turned_back(builder, vector):
    first = builder.extract_element(vector, ir.Constant(_INDEX, 0))
    return builder.zext(builder.not_(first), _WORD)


@intrinsic
def _highest_lane_fast(typing_context, lanes):
    def code(context, builder, signature, args):
        return _turned_back(builder, _least_of_eight(builder, _turned(builder, args[0])))

    return types.uint64(types.uint64), code


@intrinsic
def _two_highest_lanes_fast(typing_context, lanes):
    def code(context, builder, signature, args):
        eight = _turned(builder, args[0])
        least = _least_of_eight(builder, eight)
        found = _shuffled(builder, least, least, [1] * 8)
        places = ir.Constant(eight.type, list(range(8)))
        others = builder.or_(eight, builder.sext(builder.icmp_unsigned("==", places, found), eight.type))
        lane = builder.zext(builder.extract_element(least, ir.Constant(_INDEX, 1)), _WORD)
        numbers = _turned_back(builder, least), _turned_back(builder, _least_of_eight(builder, others)), lane
        return context.make_tuple(builder, signature.return_type, numbers)

    return types.UniTuple(types.uint64, 3)(lanes), code


# First rank that is worth 0, 1, 2, ..., 11 points or more, and 13 (none) for 12: four bits each.
_FIRST_RANK = U(0xDC87654321000)


def _ranks_reaching(totals, wanted, more):
    ranks = U0
    for i in range(4):
        missing = wanted - min(wanted, (totals >> (U(16) * U(i))) & _LANE) + more
        rank = (_FIRST_RANK >> (U(4) * min(missing, U(12)))) & U(15)
        ranks = ranks | (((SUIT_BITS >> rank) << rank) << (U(16) * U(i)))
    return ranks


@intrinsic
def _ranks_reaching_fast(typing_context, totals, wanted, more):
    def code(context, builder, signature, args):
        def all_lanes(value):
            return ir.Constant(_LANES, [value] * 4)

        def smaller(one, other):
            return builder.select(builder.icmp_unsigned("<", one, other), one, other)

        have = builder.bitcast(args[0], _LANES)
        wanted, more = (_in_every_lane(builder, word) for word in args[1:])
        missing = smaller(builder.add(builder.sub(wanted, smaller(wanted, have)), more), all_lanes(12))
        # Two points are the rank 0, ten the rank 8; then come eleven, the ace, rank 12, and twelve, no rank.
        beyond_two = builder.sub(missing, smaller(missing, all_lanes(2)))
        aces = builder.lshr(builder.add(missing, all_lanes(5)), all_lanes(4))
        rank = builder.add(beyond_two, builder.mul(aces, all_lanes(3)))
        ranks = builder.and_(builder.shl(all_lanes(0xFFFF), rank), all_lanes(int(SUIT_BITS)))
        return builder.bitcast(ranks, _WORD)

    return types.uint64(totals, wanted, more), code


def _in_every_lane(builder, word):
    number = builder.trunc(word, ir.IntType(16))
    first = builder.insert_element(ir.Constant(_LANES, ir.Undefined), number, ir.Constant(_INDEX, 0))
    return _shuffled(builder, first, first, [0] * 4)


_reaching = _by_target(_ranks_reaching, lambda totals, wanted, more: _ranks_reaching_fast(totals, wanted, more))
_two_highest = _by_target(
    _two_highest_lanes, (lambda lanes: _two_highest_lanes_fast(lanes)) if HAS_LEAST_OF_EIGHT else None
)
_highest = _by_target(_highest_lane, (lambda lanes: _highest_lane_fast(lanes)) if HAS_LEAST_OF_EIGHT else None)


@jit
def lanes_of(cards):
    """Lanes of a set of cards."""
    return _lanes(cards)


@jit
def cards_of(lanes):
    """Set of the cards whose lanes these are."""
    return _cards(lanes)


@jit
def bytes_of(lanes):
    """The lanes as the four lowest bytes of a word; they must be below 256."""
    return _bytes(lanes)


@jit
def counts(lanes):
    """Set bits of each lane."""
    return _counts(lanes)


@jit
def points(lanes):
    """Points of the cards in each lane."""
    return _points(lanes)


@jit
def highest(lanes):
    """The largest lane."""
    return _highest(lanes)


@jit
def two_highest(lanes):
    """The largest lane, the largest of the others, and the place of the first (of several the lowest)."""
    return _two_highest(lanes)


@jit
def ranks_reaching(totals, wanted, more):
    """Ranks of each lane that bring its total (in points) to ``wanted``, and ``more`` (0 or 1) beyond."""
    return _reaching(totals, wanted, more)
