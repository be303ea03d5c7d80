"""What there was to decide in a view, and what was decided, as numbers of a row."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from thirtyone_env.core.layout import A_DISCARD, V_LEGAL
from thirtyone_env.observation import encode
from thirtyone_env.observation_table import index_table

Words = npt.NDArray[np.uint64]
Whole = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

# Fields of a row; worths are half points.
FIELDS = (
    "game",  # number of the match, for intervals
    "action",
    "choices",  # legal actions
    "may_knock",
    "knocked",  # somebody has
    "players",  # still in
    "turn",  # of the seat in this deal, 1 the first
    "place",  # from the dealer's left neighbour, 1, to the dealer
    "tokens",
    "worth",
    "top_gain",  # worth with the top card less the worth; `NO_TOP` where it cannot be taken
    "top_joins",  # the top card is of the suit that the hand is best in
    "may_draw",  # from the stock
    "throws",  # a card is to be thrown
    "given_up",  # worth that the best throw keeps less what this one does
    "points",  # of the card thrown
    "is_least",  # no card with less points keeps as much
    "breaks",  # the card thrown is of the suit that the hand is best in
    "wanted",  # cards, of those that keep most, in a suit that the next seat is known to hold
    "alike",  # cards that keep most
    "feeds",  # the card thrown is such a one
    "unwanted",  # the next seat has thrown that suit
)
NO_TOP = -999
POINTS = np.array([min(rank + 2, 10) if rank < 12 else 11 for rank in range(13)] * 4)
SUITS = "CDHS"
CARDS = 52


@functools.cache
def columns(seats: int) -> dict[str, slice]:
    """Where each block of an observation stands."""
    return {block.name: slice(block.start, block.stop) for block in index_table(seats)}


class Seen:
    """Observations of views, read by the names of their columns."""

    def __init__(self, views: Words, seats: int) -> None:
        self.legal = views[:, V_LEGAL]
        self._numbers = encode(views, seats=seats).astype(np.int64)
        self._at = columns(seats)
        self._seats = seats

    def __len__(self) -> int:
        return len(self.legal)

    def block(self, name: str) -> Whole:
        """All columns of a block: int64 ``[n, columns]``."""
        return self._numbers[:, self._at[name]]

    def one(self, name: str) -> Whole:
        """A block of one column: int64 ``[n]``."""
        return self._numbers[:, self._at[name].start]

    def each(self, name: str) -> Whole:
        """A column of every seat, the viewer's first and then clockwise: int64 ``[n, seats]``."""
        return np.stack([self.one(f"seat{seat}_{name}") for seat in range(self._seats)], axis=1)

    @property
    def suits(self) -> Whole:
        """Points of the own hand in each suit: int64 ``[n, 4]``."""
        return np.stack([self.one(f"suit_points_{suit}") for suit in SUITS], axis=1)


def features(views: Words, actions: Whole, games: Whole, seats: int) -> Rows:
    """A row of `FIELDS` a decision: int32 ``[n, fields]``.

    Args:
        views: uint64 ``[n, 32]``, of seats to move.
        actions: int64 ``[n]``, what was done.
        games: int64 ``[n]``, in which match.
        seats: seats of the games.
    """
    seen = Seen(views, seats)
    found = {"game": games, "action": actions, **_table(seen), **_turn(seen), **_throw(seen, actions)}
    return np.stack([found[name] for name in FIELDS], axis=1).astype(np.int32)


def _table(seen: Seen) -> dict[str, Whole]:
    players = seen.one("players_in")
    return {
        "choices": np.bitwise_count(seen.legal).astype(np.int64),
        "knocked": seen.one("knocked"),
        "players": players,
        "turn": seen.one("turn_number") // np.maximum(1, players) + 1,
        "place": _place(seen.each("dealer"), seen.each("in")),
        "tokens": seen.one("seat0_lives"),
        "worth": seen.one("worth"),
    }


def _place(dealer: Whole, inside: Whole) -> Whole:
    """Place from the dealer's left; both arguments int64 ``[n, seats]``, the viewer's seat first."""
    deals = dealer.argmax(axis=1)[:, None]
    after = np.arange(dealer.shape[1])[None] > deals  # clockwise after the dealer, before coming round to the viewer
    place: Whole = (inside * after).sum(axis=1) + 1
    return np.where(deals[:, 0] == 0, inside.sum(axis=1), place)


def _turn(seen: Seen) -> dict[str, Whole]:
    tops = seen.block("top")
    may_take = (seen.one("may_draw_discard") == 1) & tops.any(axis=1)
    joins = may_take & (tops.argmax(axis=1) // 13 == seen.suits.argmax(axis=1))
    return {
        "may_knock": seen.one("may_knock"),
        "may_draw": seen.one("may_draw_stock"),
        "top_gain": np.where(may_take, seen.one("top_worth") - seen.one("worth"), NO_TOP),
        "top_joins": joins.astype(np.int64),
    }


def _throw(seen: Seen, actions: Whole) -> dict[str, Whole]:
    """Of the card thrown; without meaning where none was."""
    rows, first = np.arange(len(seen)), int(A_DISCARD)
    allowed = (seen.legal[:, None] >> np.arange(first, first + CARDS, dtype=np.uint64) & np.uint64(1)).astype(bool)
    throws = (actions >= first) & (actions < first + CARDS)
    card = np.where(throws, actions - first, 0)
    kept = np.where(allowed, seen.block("kept_worth"), -1)
    most, mine = kept.max(axis=1), kept[rows, card]
    alike = allowed & (kept == most[:, None])
    least = np.where(allowed & (kept >= mine[:, None]), POINTS, 99).min(axis=1)
    wants, has_thrown = _next_seat(seen)
    return {
        "throws": throws.astype(np.int64),
        "given_up": most - mine,
        "points": POINTS[card],
        "is_least": (POINTS[card] == least).astype(np.int64),
        "breaks": (card // 13 == seen.suits.argmax(axis=1)).astype(np.int64),
        "wanted": (alike & wants[:, np.arange(CARDS) // 13]).sum(axis=1),
        "alike": alike.sum(axis=1),
        "feeds": wants[rows, card // 13].astype(np.int64),
        "unwanted": has_thrown[rows, card // 13].astype(np.int64),
    }


def _next_seat(seen: Seen) -> tuple[Flags, Flags]:
    """Suits the next seat is known to hold, and those it has thrown, bool ``[n, 4]``; none where it draws no more."""
    rows = np.arange(len(seen))
    follower = 1 + seen.each("in")[:, 1:].argmax(axis=1)
    draws = (seen.one("knocked") == 0) | (seen.each("last_turn")[rows, follower] == 1)
    wants, thrown = (
        np.stack([draws & (seen.each(f"{what}_{suit}")[rows, follower] > 0) for suit in SUITS], axis=1)
        for what in ("known_points", "thrown")
    )
    return wants, thrown
