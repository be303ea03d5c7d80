"""The keeper's file: written whole after every line that is typed, under a temporary name first."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.keeper.state import Kept, kept_from

FORMAT = "thirtyone-keeper"
VERSION = 1


@dataclass(frozen=True)
class Save:
    """What the file holds.

    Attributes:
        game: the game that is kept; None before the first is set up.
        past: earlier games, the latest last.
        typed: lines typed since the last entry, to go on in the middle of one.
    """

    game: Kept | None = None
    past: tuple[Kept, ...] = ()
    typed: tuple[str, ...] = ()


def default_file() -> Path:
    """Where the keeper saves if nothing else is said: in the user's data folder."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return (Path(base) if base else Path.home() / "AppData" / "Local") / "thirtyone-env" / "keeper.json"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "thirtyone-env" / "keeper.json"


class SaveError(UserError):
    """The file cannot be written, so the keeper stops."""


class SaveFile:
    """The file of one keeper. Remembers what it wrote, so that two keepers never overwrite each other's game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: str | None = None

    def load(self) -> Save:
        """What is saved; an empty save where there is no file.

        Raises:
            UserError: the file is damaged or cannot be read; it is left as it is.
        """
        self._written = self._read()
        if self._written is None:
            return Save()
        try:
            data = json.loads(self._written)
        except json.JSONDecodeError as error:
            raise self._damaged(f"line {error.lineno}: {error.msg}") from error
        try:
            return _save_from(data)
        except UserError as error:
            raise self._damaged(str(error)) from error

    def store(self, save: Save) -> None:
        """Write all of it.

        Raises:
            SaveError: it cannot be written, or another program has changed the file.
        """
        if self._read() != self._written:
            raise SaveError(f"{self.path} was changed by another program; nothing was written over it")
        text = json.dumps(_to_dict(save), ensure_ascii=False, indent=1) + "\n"
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self.path)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise SaveError(f"{self.path} cannot be written: {error.strerror}") from error
        self._written = text

    def _read(self) -> str | None:
        try:
            return self.path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UserError(f"{self.path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise self._damaged(str(error)) from error

    def _damaged(self, what: str) -> UserError:
        return UserError(
            f"the save {self.path} is damaged ({what}); it was left as it is: repair it, or start another with --file"
        )


def _to_dict(save: Save) -> dict[str, Any]:
    import thirtyone_env

    return {
        "format": FORMAT,
        "version": VERSION,
        "library": thirtyone_env.__version__,
        "game": None if save.game is None else save.game.to_dict(),
        "past": [game.to_dict() for game in save.past],
        "typed": list(save.typed),
    }


def _save_from(data: Any) -> Save:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise UserError(f"its format is not {FORMAT}")
    if data.get("version") != VERSION:
        raise UserError(f"its version {data.get('version')!r} is not {VERSION}, the one this library reads")
    missing = [key for key in ("game", "past", "typed") if key not in data]
    if missing:
        raise UserError(f"it lacks {', '.join(missing)}")
    typed: Sequence[Any] = data["typed"]
    if not isinstance(typed, list) or not all(isinstance(line, str) for line in typed):
        raise UserError("typed must be a list of lines")
    if not isinstance(data["past"], list):
        raise UserError("past must be a list of games")
    game = None if data["game"] is None else kept_from(data["game"])
    return Save(game, tuple(kept_from(past) for past in data["past"]), tuple(typed))
