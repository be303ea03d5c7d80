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


def features(views: Words, actions: Whole, games: Whole, seats: int) -> Rows:
    """A row of `FIELDS` a decision: int32 ``[n, fields]``.

    Args:
        views: uint64 ``[n, 32]``, of seats to move.
        actions: int64 ``[n]``, what was done.
        games: int64 ``[n]``, in which match.
        seats: seats of the games.
    """
    seen, at = encode(views, seats=seats).astype(np.int64), columns(seats)
    rows = np.arange(len(views))
    found = dict.fromkeys(FIELDS, np.zeros(len(views), dtype=np.int64))

    def one(name: str) -> Whole:
        column: Whole = seen[:, at[name].start]
        return column

    def each(name: str) -> Whole:
        """A column of every seat, the viewer's first: int64 ``[n, seats]``."""
        return np.stack([one(f"seat{seat}_{name}") for seat in range(seats)], axis=1)

    inside = each("in")
    found |= {
        "game": games, "action": actions,
        "choices": np.bitwise_count(views[:, V_LEGAL]).astype(np.int64),
        "may_knock": one("may_knock"), "knocked": one("knocked"), "players": one("players_in"),
        "turn": one("turn_number") // np.maximum(1, one("players_in")) + 1,
        "place": _place(each("dealer"), inside), "tokens": one("seat0_lives"), "worth": one("worth"),
        "may_draw": one("may_draw_stock"),
    }  # fmt: skip
    suits = np.stack([one(f"suit_points_{suit}") for suit in SUITS], axis=1)
    tops = seen[:, at["top"]]
    may_take = (one("may_draw_discard") == 1) & tops.any(axis=1)
    found["top_gain"] = np.where(may_take, one("top_worth") - one("worth"), NO_TOP)
    found["top_joins"] = (may_take & (tops.argmax(axis=1) // 13 == suits.argmax(axis=1))).astype(np.int64)

    first = int(A_DISCARD)
    legal = (views[:, V_LEGAL, None] >> np.arange(first, first + CARDS, dtype=np.uint64) & np.uint64(1)).astype(bool)
    throws = (actions >= first) & (actions < first + CARDS)
    card = np.where(throws, actions - first, 0)
    kept = np.where(legal, seen[:, at["kept_worth"]], -1)
    most = kept.max(axis=1)
    alike = legal & (kept == most[:, None])
    suit_of = np.arange(CARDS) // 13
    wants, has_thrown = _next_seat(seen, at, inside, one("knocked"), seats)
    least = np.where(legal & (kept >= kept[rows, card][:, None]), POINTS, 99).min(axis=1)
    found |= {
        "throws": throws.astype(np.int64), "given_up": most - kept[rows, card], "points": POINTS[card],
        "is_least": (POINTS[card] == least).astype(np.int64),
        "breaks": (card // 13 == suits.argmax(axis=1)).astype(np.int64),
        "wanted": (alike & wants[:, suit_of]).sum(axis=1), "alike": alike.sum(axis=1),
        "feeds": wants[rows, card // 13].astype(np.int64), "unwanted": has_thrown[rows, card // 13].astype(np.int64),
    }  # fmt: skip
    return np.stack([found[name] for name in FIELDS], axis=1).astype(np.int32)


def _place(dealer: Whole, inside: Whole) -> Whole:
    """Place from the dealer's left; both arguments int64 ``[n, seats]``, the viewer's seat first."""
    deals = dealer.argmax(axis=1)[:, None]
    after = np.arange(dealer.shape[1])[None] > deals  # clockwise after the dealer, before coming round to the viewer
    place: Whole = (inside * after).sum(axis=1) + (deals[:, 0] > 0)
    return np.where(deals[:, 0] == 0, inside.sum(axis=1), place)


def _next_seat(
    seen: Whole, at: dict[str, slice], inside: Whole, knocked: Whole, seats: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Suits that the next seat is known to hold, and suits it has thrown; none where it draws no more: bool ``[n, 4]``.
    """
    follower = 1 + inside[:, 1:].argmax(axis=1)
    rows = np.arange(len(seen))

    def of_follower(name: str) -> Whole:
        blocks = np.stack([seen[:, at[f"seat{seat}_{name}"].start] for seat in range(seats)], axis=1)
        column: Whole = blocks[rows, follower]
        return column

    draws = (knocked == 0) | (of_follower("last_turn") == 1)
    wants = np.stack([draws & (of_follower(f"known_points_{suit}") > 0) for suit in SUITS], axis=1)
    thrown = np.stack([draws & (of_follower(f"thrown_{suit}") > 0) for suit in SUITS], axis=1)
    return wants, thrown
