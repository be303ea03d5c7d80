"""Views of a round as a solution knows them: told from the dealer's seat, without what does not matter to the round.

A round is solved with the last seat dealing; turning the seats makes every other dealer's round the same one. The
number of the deal, whether a match goes on after the round and how the first dealer was found are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core.layout import (
    DEALER,
    DRAWS_OF,
    FIRST_DEALER,
    KNOCKER,
    LIVES_OF,
    MATCH_SEATS,
    NUM_SEATS,
    ON_COUNTY,
    OUT,
    POT,
    ROUND_EPISODE,
    TURN,
    V_COUNTS,
    V_DRAWS,
    V_KNOWN,
    V_LIVES,
    V_SEATS,
    V_STATUS,
    V_THROWN,
    VF_DEAL_NO,
    VF_ME,
)

Words = npt.NDArray[np.uint64]
Field = tuple[Any, Any, Any]
_ODD = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93))


def read(views: Words, word: int, field: Field) -> Words:
    """A field of each view; uint64 ``[n]``."""
    found: Words = (views[:, word] >> field[1]) & field[2]
    return found


def write(views: Words, word: int, field: Field, values: Any) -> None:
    """Set a field of each view."""
    views[:, word] = views[:, word] & ~(field[2] << field[1]) | (np.asarray(values, dtype=np.uint64) << field[1])


def plain_views(views: Words, players: int) -> Words:
    """The views with seats turned so that the last one deals, and without what does not matter; uint64 ``[n, 32]``."""
    plain = np.array(views, dtype=np.uint64)
    dealers = read(plain, V_STATUS, DEALER)
    for dealer in range(players - 1):
        rows = np.flatnonzero(dealers == dealer)
        if len(rows):
            plain[rows] = _turned(plain[rows], dealer + 1, players)
    write(plain, V_COUNTS, VF_DEAL_NO, 0)
    for field in (FIRST_DEALER, ROUND_EPISODE):
        write(plain, V_SEATS, field, 0)
    return plain


def with_lives_of(views: Words, start: Words) -> Words:
    """The views with the tokens and the county of the view ``start``; uint64 ``[n, 32]``."""
    views = views.copy()
    views[:, V_LIVES] = start[V_LIVES]
    write(views, V_SEATS, ON_COUNTY, read(start[None], V_SEATS, ON_COUNTY))
    return views


def players_of(views: Words) -> Words:
    """Seats at the table of each view; uint64 ``[n]``."""
    return read(views, V_SEATS, NUM_SEATS)


def _turned(views: Words, by: int, players: int) -> Words:
    """The views with seat ``by`` called seat 0, the next one seat 1, and so on."""
    for word, field in ((V_STATUS, TURN), (V_STATUS, DEALER), (V_STATUS, KNOCKER), (V_COUNTS, VF_ME)):
        seats = read(views, word, field)
        turned = (seats + np.uint64(players - by)) % np.uint64(players)
        write(views, word, field, np.where(seats < players, turned, seats))  # a number beyond stands for nobody
    for field in (OUT, ON_COUNTY, MATCH_SEATS, POT):
        write(views, V_SEATS, field, _rotated(read(views, V_SEATS, field), by, players))
    views[:, V_LIVES] = _rotated(views[:, V_LIVES], by * int(LIVES_OF[1]), players * int(LIVES_OF[1]))
    views[:, V_DRAWS] = _rotated(views[:, V_DRAWS], by * int(DRAWS_OF[1]), players * int(DRAWS_OF[1]))
    for first in (V_KNOWN, V_THROWN):
        views[:, first : first + players] = np.roll(views[:, first : first + players], -by, axis=1)
    return views


def _rotated(words: Words, by: int, width: int) -> Words:
    """The low ``width`` bits turned right by ``by``; the bits above stay."""
    low = words & np.uint64((1 << width) - 1)
    turned: Words = (low >> np.uint64(by) | low << np.uint64(width - by)) & np.uint64((1 << width) - 1)
    return words - low | turned


def hashes(views: Words, salt: int) -> Words:
    """A number of each view that seldom is another one's; uint64 ``[n]``."""
    mixed = np.full(len(views), salt, dtype=np.uint64)
    for word in range(views.shape[1]):
        mixed = (mixed ^ views[:, word]) * _ODD[0]
        mixed = (mixed ^ (mixed >> np.uint64(32))) * _ODD[1]
    return mixed


def distinct(views: Words) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Which views there are: the row of the first of each kind, and each row's kind; int64 ``[kinds]``, ``[n]``."""
    for salt in range(64):
        _, first, kind = np.unique(hashes(views, salt), return_index=True, return_inverse=True)
        if (views[first][kind] == views).all():
            return first.astype(np.int64), kind.astype(np.int64)
    raise AssertionError("64 hashes in a row met in two different views")


class Places:
    """Finds rows in a table of views by their words.

    Args:
        views: uint64 ``[n, 32]``, no two the same.
    """

    def __init__(self, views: Words) -> None:
        self.views = views
        for self._salt in range(64):
            found = hashes(views, self._salt)
            self._order = np.argsort(found, kind="stable")
            self._sorted = found[self._order]
            if (self._sorted[1:] != self._sorted[:-1]).all():
                return
        raise ValueError("two rows of the table are the same")

    def find(self, views: Words) -> npt.NDArray[np.int64]:
        """The row of each view, -1 where it is not in the table; int64 ``[n]``."""
        at = np.searchsorted(self._sorted, hashes(views, self._salt))
        rows = self._order[np.minimum(at, len(self._order) - 1)]
        return np.where((self.views[rows] == views).all(axis=1), rows, -1)
