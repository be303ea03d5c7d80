"""A game that is kept: who sits there, what was entered, and how it stands.

Nothing but the entries is kept; how the game stands is worked out from them, so undoing or correcting an entry is
leaving it out or putting another in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.keeper.house import House, on_county
from thirtyone_env.keeper.rounds import Round, round_from, settle_round
from thirtyone_env.settlement import MAX_TABLE, Settlement

Entry = Mapping[str, Any]
KINDS = ("round", "leave", "correct")


class NoFit(UserError):
    """An entry does not fit what comes before it; ``index`` is its place among the rounds and leavings."""

    def __init__(self, index: int, text: str) -> None:
        super().__init__(text)
        self.index = index


@dataclass(frozen=True)
class Standing:
    """How a game stands.

    Attributes:
        lives: tokens of each seat.
        county: seats on the county.
        out: seats that are out, those that left among them.
        left: seats that left.
        dealer: who deals the coming round.
        winner: the one seat left, or None.
    """

    lives: tuple[int, ...]
    county: tuple[int, ...]
    out: tuple[int, ...]
    left: tuple[int, ...]
    dealer: int
    winner: int | None = None

    @property
    def seats(self) -> list[int]:
        """Seats that are in."""
        return [seat for seat in range(len(self.lives)) if seat not in self.out]

    def next_seat(self, seat: int) -> int:
        """The next seat that is in, clockwise."""
        n = len(self.lives)
        return next((seat + step) % n for step in range(1, n + 1) if (seat + step) % n not in self.out)


@dataclass(frozen=True)
class Played:
    """A round or a leaving with the standing before it; rounds have a number, what was told and the result."""

    before: Standing
    number: int | None = None
    told: Round | None = None
    result: Settlement | None = None
    seat: int | None = None


@dataclass(frozen=True)
class Kept:
    """A game that is kept.

    Attributes:
        names: what each seat is called, clockwise.
        house: the rules.
        dealer: who dealt first.
        entries: what was entered: rounds, leavings, corrections.
    """

    names: tuple[str, ...]
    house: House
    dealer: int = 0
    entries: tuple[Entry, ...] = ()
    _played: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def add(self, entry: Entry) -> Kept:
        """The game with an entry more.

        Raises:
            UserError: it does not fit; a `NoFit` where a later entry does not fit a correction.
        """
        kept = replace(self, entries=(*self.entries, dict(entry)), _played={})
        kept.history()
        return kept

    def undo(self) -> Kept:
        """The game without its last entry."""
        return replace(self, entries=self.entries[:-1], _played={})

    def again(self) -> Kept:
        """A new game of the same players and rules; the deal moves on."""
        return replace(self, dealer=self.standing.dealer, entries=(), _played={})

    def history(self) -> list[Played]:
        """Rounds and leavings in order, corrections worked in.

        Raises:
            NoFit: an entry does not fit what comes before it.
        """
        if "history" not in self._played:
            self._played["history"], self._played["standing"] = self._play()
        return list(self._played["history"])

    @property
    def standing(self) -> Standing:
        """How the game stands."""
        self.history()
        standing: Standing = self._played["standing"]
        return standing

    @property
    def rounds(self) -> list[Played]:
        """The rounds in order."""
        return [played for played in self.history() if played.number is not None]

    def _play(self) -> tuple[list[Played], Standing]:
        n = len(self.names)
        lives = self.house.rules.lives
        standing = Standing((lives,) * n, (), (), (), self.dealer)
        history: list[Played] = []
        for index, entry in enumerate(effective(self.entries)):
            if standing.winner is not None:
                raise NoFit(index, f"{self.names[standing.winner]} has won before that")
            try:
                played, standing = self._next(standing, entry, sum(p.number is not None for p in history) + 1)
            except UserError as error:
                raise NoFit(index, str(error)) from error
            history.append(played)
        return history, standing

    def _next(self, before: Standing, entry: Entry, number: int) -> tuple[Played, Standing]:
        if entry["kind"] == "leave":
            seat = int(entry["seat"])
            if seat not in before.seats:
                raise UserError(f"{self.names[seat]} is out already")
            return Played(before, seat=seat), _after_leaving(before, seat)
        told = round_from(entry)
        result = self.settle(before, told)
        return Played(before, number, told, result), _after_round(before, result)

    def settle(self, before: Standing, told: Round) -> Settlement:
        """Settle a round told at this table.

        Raises:
            UserError: it does not fit.
        """
        words = on_county(self.house.county)
        return settle_round(self.house.rules, told, before.lives, before.out, self.names, words)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "names": list(self.names), "rules": self.house.to_dict(), "dealer": self.dealer,
            "entries": [dict(entry) for entry in self.entries],
        }


def kept_from(data: Any) -> Kept:
    """A game from plain data; it is played to its end.

    Raises:
        UserError: it is none, or an entry does not fit.
    """
    try:
        rules = data["rules"]
        house = House(rules["preset"], dict(rules["changes"]), str(rules["county"]))
        names = data["names"]
        if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
            raise UserError(f"names must be a list of texts, not {names!r}")
        kept = Kept(tuple(names), house, int(data["dealer"]), tuple(data["entries"]))
        if not 2 <= len(kept.names) <= MAX_TABLE or not 0 <= kept.dealer < len(kept.names):
            raise UserError(f"{len(kept.names)} players, dealer {kept.dealer}")
        kept.history()
    except NoFit as error:
        raise UserError(f"entry {error.index + 1} does not fit: {error}") from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, UserError):
            raise
        raise UserError(f"not a game: {type(error).__name__} {error}") from error
    return kept


def effective(entries: Sequence[Entry]) -> list[Entry]:
    """Rounds and leavings with the corrections worked in.

    Raises:
        UserError: a correction names no round.
    """
    result: list[Entry] = []
    for entry in entries:
        if entry["kind"] not in KINDS:
            raise UserError(f"an entry is one of {', '.join(KINDS)}, not {entry['kind']!r}")
        if entry["kind"] != "correct":
            result.append(entry)
            continue
        places = [index for index, old in enumerate(result) if old["kind"] == "round"]
        if not 1 <= entry["number"] <= len(places):
            raise UserError(f"there is no round {entry['number']} to correct")
        place = places[entry["number"] - 1]
        result[place] = {"kind": "round", **entry["round"]}
        if entry.get("drop"):
            del result[place + 1 :]
    return result


def _after_leaving(before: Standing, seat: int) -> Standing:
    """He counts as out, his tokens go to nobody; the deal passes on if it was his."""
    lives = tuple(0 if s == seat else count for s, count in enumerate(before.lives))
    after = replace(
        before, lives=lives, out=tuple(sorted((*before.out, seat))), left=(*before.left, seat),
        county=tuple(s for s in before.county if s != seat),
    )
    if after.dealer == seat:
        after = replace(after, dealer=after.next_seat(seat))
    return replace(after, winner=after.seats[0] if len(after.seats) == 1 else None)


def _after_round(before: Standing, result: Settlement) -> Standing:
    after = replace(
        before, lives=result.lives_after, county=result.on_county,
        out=tuple(sorted((*before.out, *result.eliminated))), winner=result.winner,
    )
    return after if result.replayed else replace(after, dealer=after.next_seat(before.dealer))
