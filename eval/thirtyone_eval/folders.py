"""Folders of results: never over an earlier run, and there only once they are whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from thirtyone_env.errors import UserError

RUNS = Path("runs")


def numbered_folder(stem: str) -> Path:
    """``runs/<stem>-<n>`` with the first n that is free."""
    return next(path for n in count(1) if not (path := RUNS / f"{stem}-{n}").exists())


def check_free(folder: Path) -> Path:
    """The folder, if results can go there.

    Raises:
        UserError: something is there already.
    """
    if folder.is_dir() and not any(folder.iterdir()):
        return folder
    if folder.exists():
        raise UserError(f"{folder} is there already and is not written over: choose another --out, or move it away")
    return folder


@contextmanager
def written_whole(folder: Path) -> Iterator[Path]:
    """A folder to write into that takes the name ``folder`` at the end; an error or Ctrl-C leaves nothing of it."""
    check_free(folder)
    unfinished = folder.with_name(f".{folder.name}.unfinished-{os.getpid()}")
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
