"""Records on disk: JSON lines, one thing a line.

The first line is the header (rules, players, names, seed or cards, versions). Then come lines of moves,
``{"seat": 0, "move": "discard 7H"}``, each settled round after the move that ended it, ``{"round": {...}}``, and last
``{"end": {...}}`` with the numbers of moves and rounds and who won. A file is read by playing it: what is wrong is
named with its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.files import write_text
from thirtyone_env.game import Game
from thirtyone_env.record import make_record, play_move, round_summary, start_of_record

_BODY = ("moves", "rounds")
_WHAT = (
    "a record is one game as a file of JSON lines, as thirtyone_env.record_file.write_record writes it; "
    "a tournament's records are read with thirtyone_eval.records.read_records(Path(folder))"
)
_END = ("over", "winner", "placings")


@dataclass(frozen=True)
class RecordFile:
    """A record that has been read and played.

    Attributes:
        header: the first line.
        game: the game after the last move.
        lines: number of the line of each move, from 1.
    """

    header: dict[str, Any]
    game: Game
    lines: tuple[int, ...]

    @property
    def names(self) -> list[str]:
        """What each seat is called: its name, or ``seat N``."""
        return list(self.header.get("names") or [f"seat {seat}" for seat in range(self.game.players)])


def record_lines(record: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a record (as `Game.record` makes it), each ending in a newline.

    Raises:
        UserError: the record does not play.
    """
    header = {key: value for key, value in record.items() if key not in _BODY and key not in _END}
    yield _line(header)
    game = start_of_record(record)
    done = 0
    for number in range(len(record["moves"]) + 1):
        for result in game.rounds[done:]:
            yield _line({"round": round_summary(result)})
        done = game.round_count
        if number == len(record["moves"]):
            break
        move = record["moves"][number]
        yield _line({"seat": game.turn, "move": move} if game.turn is not None else {"move": move})
        play_move(game, move)
    counts = {"moves": len(record["moves"]), "rounds": game.round_count}
    yield _line({"end": counts | {key: getattr(game, key) for key in _END}})


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def write_record(path: str | Path, game: Game, names: Sequence[str] | None = None) -> Path:
    """Write a game's record, at once or not at all; an older file of that name is replaced.

    Args:
        names: a name for each seat.

    Raises:
        UserError: not one name a seat, or the file cannot be written.
    """
    target = Path(path)
    write_text(target, "".join(record_lines(make_record(game, names))))
    return target


def read_record(path: str | Path) -> RecordFile:
    """Read a record, play it and compare every round.

    Raises:
        UserError: the file cannot be read, is cut off, is no record of this version, or does not play; the text names
            the file and the line.
    """
    source = Path(path)
    try:
        text = source.read_bytes().decode("utf-8")
    except OSError as error:
        hint = f"; {_WHAT}" if source.is_dir() else ""
        raise UserError(f"the record {source} cannot be read: {error.strerror}{hint}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"the record {source} is not text; {_WHAT}") from error
    if "\0" in text:
        raise UserError(f"the record {source} is not text; {_WHAT}")
    return _Reader(source, text.split("\n")).read()


class _Reader:
    """Plays the lines of a record one after the other."""

    def __init__(self, path: Path, lines: list[str]) -> None:
        self.path = path
        self.complete = lines[-1] == ""  # the last line ends in a newline
        self.lines = lines[:-1] if self.complete else lines
        self.number = 0
        self.moves: list[int] = []
        self.told = 0  # rounds of the file compared so far
        self.game: Game

    def fail(self, text: str) -> UserError:
        return UserError(f"{self.path}, line {self.number}: {text}")

    def read(self) -> RecordFile:
        self.number = 1
        header = self.parse(self.lines[0]) if self.lines else {}
        if not header:
            raise self.fail("the file is empty")
        self.game = self.begin(header)
        for number, line in enumerate(self.lines[1:], start=2):
            self.number = number
            data = self.parse(line)
            if "end" in data:
                self.end(data["end"])
                return RecordFile(header, self.game, tuple(self.moves))
            self.entry(data)
        self.number = len(self.lines)
        raise self.fail(f"the record is cut off here: its last line, {{\"end\": ...}}, is missing ({self.where()})")

    def where(self) -> str:
        return f"{len(self.moves)} moves and {self.told} rounds were read"

    def parse(self, line: str) -> dict[str, Any]:
        last = self.number == len(self.lines) and not self.complete
        try:
            data = json.loads(line)
        except json.JSONDecodeError as error:
            if last:
                raise self.fail(f"the record is cut off in the middle of this line ({self.where()})") from error
            raise self.fail(f"not JSON: {error.msg} at column {error.colno}") from error
        if not isinstance(data, dict):
            raise self.fail(f"a line must be a JSON object, not {type(data).__name__}")
        return data

    def begin(self, header: dict[str, Any]) -> Game:
        try:
            game = start_of_record({**header, "moves": [], "rounds": []})
        except UserError as error:
            raise self.fail(str(error)) from error
        except (TypeError, ValueError, KeyError) as error:
            raise self.fail(f"the header is damaged: {error}") from error
        names = header.get("names")
        if names is not None and (
            not isinstance(names, list)
            or len(names) != game.players
            or not all(isinstance(name, str) for name in names)
        ):
            raise self.fail(f"names must be a list of {game.players} texts, one for each seat, not {names!r}")
        return game

    def entry(self, data: dict[str, Any]) -> None:
        if "move" in data:
            self.move(data)
        elif "round" in data:
            self.round(data["round"])
        else:
            raise self.fail(f"a line holds a move, a round or the end, not {', '.join(data) or 'nothing'}")

    def move(self, data: dict[str, Any]) -> None:
        if self.told < self.game.round_count:
            raise self.fail(f"the line of round {self.told}, which ended before this move, is missing")
        if "seat" in data and data["seat"] != self.game.turn:
            raise self.fail(f"seat {data['seat']} is not to move here, but seat {self.game.turn}")
        if not isinstance(data["move"], str | dict):
            raise self.fail(f"{data['move']!r} is not a move: it must be a name such as 'discard 7H'")
        try:
            play_move(self.game, data["move"])
        except UserError as error:
            raise self.fail(str(error)) from error
        except (KeyError, TypeError, AttributeError) as error:
            raise self.fail(f"{data['move']!r} is not a move") from error
        self.moves.append(self.number)

    def round(self, told: Any) -> None:
        if self.told == self.game.round_count:
            raise self.fail("no round has ended here")
        if not isinstance(told, dict):
            raise self.fail("a round must be a JSON object")
        mine = round_summary(self.game.rounds[self.told])
        for key, value in mine.items():
            if key not in told:
                raise self.fail(f"round {self.told} lacks {key}")
            if told[key] != value:
                raise self.fail(f"round {self.told} has {key} {told[key]}, but the game gives {value}")
        self.told += 1

    def end(self, told: Any) -> None:
        if not isinstance(told, dict):
            raise self.fail("the end must be a JSON object")
        counts = {"moves": len(self.moves), "rounds": self.game.round_count}
        mine = counts | {key: getattr(self.game, key) for key in _END}
        if self.told < self.game.round_count:
            raise self.fail(f"the line of round {self.told} is missing")
        for key, value in mine.items():
            if key not in told:
                raise self.fail(f"the end lacks {key}")
            if told[key] != value:
                raise self.fail(f"the record's {key} is {told[key]}, but the game's is {value}")
        if self.number != len(self.lines):
            self.number += 1
            raise self.fail("there is something behind the end of the record")
