"""Suits side by side in a word: each way of counting them, and the columns made from them, agrees with plain counting.

The ways for vectors and the plain ones (which a GPU gets) are tested alike, whichever the processor here would choose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from thirtyone_env.cards import RANKS
from thirtyone_env.core import bits, columns, lanes, place_columns
from thirtyone_env.core.layout import V_KNOWN, V_THROWN, VIEW_WORDS

WORD = np.uint64
POINTS = [11 if rank == "A" else min(number + 2, 10) for number, rank in enumerate(RANKS)]
hands = st.sets(st.integers(0, 51), max_size=4)
cards = st.integers(0, (1 << 52) - 1) | hands.map(lambda ids: sum(1 << i for i in ids))


def suits(word: int) -> list[int]:
    return [(word >> (13 * suit)) & 0x1FFF for suit in range(4)]


def packed(numbers: list[int], width: int = 16) -> int:
    return sum(number << (width * place) for place, number in enumerate(numbers))


def points(ranks: int) -> int:
    return sum(POINTS[rank] for rank in range(13) if ranks >> rank & 1)


def both(name: str, plain: Callable[..., Any]) -> list[Any]:
    """The function as this processor has it, and as any other target has it; compiled."""
    return [getattr(lanes, name), njit(plain, error_model="numpy")]


LANES_OF = both("lanes_of", lanes._to_lanes)
CARDS_OF = both("cards_of", lanes._to_cards)
BYTES_OF = both("bytes_of", lanes._to_bytes)
COUNTS = both("counts", lanes._count)
SUMS = both("points", lanes._sum_points)
HIGHEST = both("highest", lanes._highest_lane)
TWO_HIGHEST = both("two_highest", lanes._two_highest_lanes)
REACHING = both("ranks_reaching", lanes._ranks_reaching)


def each(ways: list[Any], *words: int) -> list[Any]:
    """What compiled code answers, one way after the other."""
    return [_call(way, words) for way in ways]


_CALLERS: dict[tuple[int, int], Any] = {}


def _call(way: Any, words: tuple[int, ...]) -> Any:
    key = (id(way), len(words))
    if key not in _CALLERS:  # functions of the core have no wrapper for Python: one that calls them has
        one = njit(lambda a: way(a))
        three = njit(lambda a, b, c: way(a, b, c))
        _CALLERS[key] = one if len(words) == 1 else three
    return _CALLERS[key](*(WORD(word) for word in words))


@given(cards)
@settings(deadline=None)
def test_cards_go_to_lanes_and_back(word: int) -> None:
    there = packed(suits(word))
    assert each(LANES_OF, word) == [there, there]
    assert each(CARDS_OF, there) == [word, word]


@given(cards)
@settings(deadline=None)
def test_lanes_are_counted_and_summed(word: int) -> None:
    there = packed(suits(word))
    numbers = [ranks.bit_count() for ranks in suits(word)]
    sums = [points(ranks) for ranks in suits(word)]
    assert each(COUNTS, there) == 2 * [packed(numbers)]
    assert each(SUMS, there) == 2 * [packed(sums)]
    assert each(BYTES_OF, packed(sums)) == 2 * [packed(sums, 8)]


@given(st.lists(st.integers(0, 91), min_size=4, max_size=4))
@settings(deadline=None)
def test_the_two_highest_lanes_are_found_and_of_equal_ones_the_first(numbers: list[int]) -> None:
    best = max(numbers)
    first = numbers.index(best)
    second = max(numbers[:first] + numbers[first + 1 :])
    assert each(HIGHEST, packed(numbers)) == [best, best]
    assert each(TWO_HIGHEST, packed(numbers)) == 2 * [(best, second, first)]


@given(st.lists(st.integers(0, 91), min_size=4, max_size=4), st.integers(0, 33), st.integers(0, 1))
@settings(deadline=None)
def test_ranks_that_reach_a_total(totals: list[int], wanted: int, more: int) -> None:
    """Where the total is there already, ``more`` asks for one point beyond it."""
    ranks = [
        sum(1 << rank for rank in range(13) if POINTS[rank] >= max(wanted - total, 0) + more) for total in totals
    ]
    assert each(REACHING, packed(totals), wanted, more) == 2 * [packed(ranks)]


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
@settings(deadline=None)
def test_bits_are_spread_and_gathered(word: int, mask: int) -> None:
    places = [place for place in range(64) if mask >> place & 1]
    spread = sum(1 << place for number, place in enumerate(places) if word >> number & 1)
    gathered = sum(1 << number for number, place in enumerate(places) if word >> place & 1)
    for way in (bits.spread, bits._spread_anywhere(None, None)):
        assert _two(way, word, mask) == spread
    for way in (bits.gather, bits._gather_anywhere(None, None)):
        assert _two(way, word, mask) == gathered


def _two(way: Any, one: int, other: int) -> int:
    key = (id(way), 2)
    if key not in _CALLERS:
        inner = njit(way) if not hasattr(way, "py_func") else way
        _CALLERS[key] = njit(lambda a, b: inner(a, b))
    return int(_CALLERS[key](WORD(one), WORD(other)))


KEPT_PLAIN = njit(columns._kept_anywhere(*[None] * 7), error_model="numpy")


@njit
# compiled code: numba types it
def _kept(out, cards, marked, value, least):  # type: ignore[no-untyped-def]
    columns.kept_columns(out, WORD(1), WORD(3), cards, marked, value, least)


@given(hands, st.integers(0, 3), st.integers(22, 82), st.integers(0, 60))
@settings(deadline=None)
def test_worths_kept_by_each_throw(ids: set[int], suit: int, value: int, least: int) -> None:
    held, marked = WORD(sum(1 << i for i in ids)), WORD(0x1FFF << (13 * suit))
    wanted = np.zeros(52, dtype=np.int64)
    for i in ids:
        wanted[i] = max(value - 2 * POINTS[i % 13], least) if i // 13 == suit else value
    for write in (_kept, lambda out, *words: KEPT_PLAIN(out, WORD(1), WORD(3), *words)):
        out = np.full((3, 80), 5, dtype=np.int8)
        write(out, held, marked, WORD(value), WORD(least))
        assert (out[1, 3:55] == wanted).all()
        untouched = [out[[0, 2]], out[1, :3], out[1, 67:]]
        assert all((part == 5).all() for part in untouched)


FOUR_PLAIN = njit(place_columns._four_places_anywhere(*[None] * 11), error_model="numpy")


@njit
# compiled code: numba types it
def _four(out, row, at, V, v, me, players, place, sets, lives, draws):  # type: ignore[no-untyped-def]
    place_columns.four_places(out, row, at, V, v, me, players, place, sets, lives, draws)


@pytest.mark.parametrize("write", [_four, FOUR_PLAIN], ids=["this processor", "any target"])
@given(st.data())
@settings(deadline=None, max_examples=60)
def test_columns_of_four_places(write: Any, data: st.DataObject) -> None:
    players = data.draw(st.integers(2, 9))
    me = data.draw(st.integers(0, players - 1))
    first = data.draw(st.sampled_from([0, 4, 8]))
    held = data.draw(st.lists(hands, min_size=9, max_size=9))
    thrown = data.draw(st.lists(cards, min_size=9, max_size=9))
    sets, lives, draws = (data.draw(st.integers(0, (1 << bits) - 1)) for bits in (63, 63, 54))
    views = np.full((2, VIEW_WORDS), np.uint64((1 << 52) - 1), dtype=np.uint64)
    for seat in range(players):
        views[1, V_KNOWN + seat] = sum(1 << i for i in held[seat])
        views[1, V_THROWN + seat] = thrown[seat]
    out = np.full((2, 100), 5, dtype=np.int8)
    arguments = (WORD(number) for number in (me, players, first, sets, lives, draws))
    write(out, WORD(1), WORD(10), views, WORD(1), *arguments)
    assert all((part == 5).all() for part in (out[0], out[1, :10], out[1, 90:]))
    for place in range(first, first + 4):
        seat = (me + place) % players
        known, thrown_here = int(views[1, V_KNOWN + seat]), int(views[1, V_THROWN + seat])
        marks = [sets >> (9 * number + place) & 1 for number in range(7)]
        life, draw = lives >> (7 * place) & 127, draws >> (6 * place) & 63
        sums, counts = [points(ranks) for ranks in suits(known)], [ranks.bit_count() for ranks in suits(thrown_here)]
        wanted = [1, *marks[:2], life, *marks[2:], known.bit_count(), draw, max(sums), *sums, *counts]
        start = 10 + 20 * (place - first)
        assert out[1, start : start + 20].tolist() == (wanted if place < players else [0] * 20)


def test_points_are_those_of_the_ranks() -> None:
    """RULES section 1: 2 to 10 as printed, court cards 10, ace 11."""
    assert [int(lanes.POINTS) >> (4 * rank) & 15 for rank in range(13)] == POINTS
