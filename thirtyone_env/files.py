"""Writing files whole: to a temporary name first, then renamed. What the system refuses is told as a `UserError`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from thirtyone_env.errors import UserError


def make_folder(path: Path) -> Path:
    """Make a folder with those above it, if it is not there, and try that files can be written into it.

    Raises:
        UserError: it cannot be made, or nothing can be written into it.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        why = "Not a directory" if isinstance(error, FileExistsError) else error.strerror
        raise UserError(f"the folder {path} cannot be written into: {why}; choose another place") from error
    return path


def write_text(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all. Folders are made.

    Raises:
        UserError: it cannot be written; nothing is left behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, text)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error


def _write_whole(path: Path, text: str) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def free_path(path: Path) -> Path:
    """The path itself, or with a number where something is there already: ``bench.json``, ``bench-2.json``.

    Raises:
        UserError: a folder is there.
    """
    if path.is_dir():
        raise UserError(f"{path} is a folder: name a file in it, such as {path / 'result.json'}")
    number = 2
    free = path
    while free.exists():
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
        number += 1
    return free
