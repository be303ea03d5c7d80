"""Asking for a line: every line is saved before it counts, and some keys work at any question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from thirtyone_env.errors import UserError
from thirtyone_env.keeper.screen import Screen, names_text

T = TypeVar("T")
PROMPT = "> "


class Cancelled(Exception):
    """The question was left with ``x``."""


class Quit(Exception):
    """The keeper was left with ``q``, or the input ended."""


class Asker:
    """Asks questions.

    Args:
        screen: where the question is printed.
        pending: lines typed before an interruption; they are taken first, and nothing is printed meanwhile.
        note: called with each line before it counts.
        shown: texts at a key, made when it is pressed.
    """

    def __init__(
        self,
        screen: Screen,
        pending: Sequence[str],
        note: Callable[[str], None],
        shown: Mapping[str, Callable[[], list[str]]],
    ) -> None:
        self.screen = screen
        self.pending = list(pending)
        self.note = note
        self.shown = shown
        screen.muted = bool(self.pending)

    def line(self, question: str) -> str:
        """An answer, without spaces around it.

        Raises:
            Cancelled: it was ``x``.
            Quit: it was ``q``, or the input ended.
        """
        while True:
            answer = self._next(question)
            if answer in ("q", "quit"):
                raise Quit
            if answer in ("x", "cancel"):
                raise Cancelled
            if answer not in self.shown:
                return answer
            self.screen.say("", *self.shown[answer](), "")

    def _next(self, question: str) -> str:
        if self.pending:
            return self.pending.pop(0)
        self.screen.muted = False
        self.screen.say(question)
        try:
            answer = " ".join(input(PROMPT).split())
        except EOFError as error:
            raise Quit from error
        if answer not in (*self.shown, "q", "quit"):
            self.note(answer)
        return answer

    def ask(self, question: str, read: Callable[[str], T]) -> T:
        """What ``read`` makes of an answer; asked again as long as it raises `UserError`."""
        while True:
            answer = self.line(question)
            try:
                return read(answer)
            except UserError as error:
                self.screen.say(f"! {error}")


def find_seat(word: str, seats: Sequence[int], names: Sequence[str]) -> int:
    """The seat that a word means: a name, its first letters, or a number from 1.

    Raises:
        UserError: it means none or several of ``seats``.
    """
    low = word.lower()
    if word.isdecimal():
        if int(word) - 1 in seats:
            return int(word) - 1
    else:
        exact = [seat for seat in seats if names[seat].lower() == low]
        close = exact or [seat for seat in seats if names[seat].lower().startswith(low)]
        if len(close) == 1:
            return close[0]
        if close:
            raise UserError(f"'{word}' may be {names_text(close, names)}: write more letters")
    raise UserError(f"'{word}' is nobody here; there are {names_text(seats, names)}")


def find_seats(text: str, seats: Sequence[int], names: Sequence[str]) -> tuple[int, ...]:
    """The seats that a line names, ascending; ``all`` is everyone.

    Raises:
        UserError: a word means none or several, or there is no word.
    """
    words = [word for word in text.replace(",", " ").split() if word.lower() != "and"]
    if [word.lower() for word in words] == ["all"]:
        return tuple(seats)
    if not words:
        raise UserError("name somebody")
    return tuple(sorted({find_seat(word, seats, names) for word in words}))
