"""Folders of results: never over an earlier run of another kind, and no file in them half-written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.files import make_folder
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.results import RANKING_JSON
from thirtyone_eval.schedule import settings_of
from thirtyone_eval.store import STORE, differences, open_store, told_of

FINISHED = RANKING_JSON  # written last
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


def run_folder(out: Path | None, stem: str, config: TournamentConfig, entrants: Sequence[Entrant]) -> Path:
    """The folder of a run: ``out``, or a numbered one, unless the last one is the same run and unfinished.

    Raises:
        UserError: something else is there.
    """
    if out is not None:
        return out if (out / STORE).is_file() else check_free(out)
    folder = numbered_folder(stem)
    last = folder.with_name(f"{stem}-{int(folder.name.rpartition('-')[2]) - 1}")
    return last if _unfinished(last, told_of(config, entrants)) else folder


def _unfinished(folder: Path, told: dict[str, Any]) -> bool:
    if (folder / FINISHED).exists():
        return False
    try:
        with open_store(folder) as store:
            return not differences(store.told, told)
    except UserError:  # no store, or an empty one
        return False


def goes_on(folder: Path, config: TournamentConfig, entrants: Sequence[Entrant]) -> bool:
    """Whether games of this very run are stored in the folder."""
    try:
        with open_store(folder) as store:
            stored = any(store.blocks(setting.number) for setting in settings_of(config))
            return stored and not differences(store.told, told_of(config, entrants))
    except UserError:  # no store, or an empty one
        return False


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep the folder to this process.

    Raises:
        UserError: another process is at work in it, or it cannot be written into.
    """
    make_folder(folder)
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise UserError(f"another process is at work in {folder}") from None
    try:
        yield
    finally:
        os.close(handle)


@contextmanager
def written_whole(folder: Path) -> Iterator[Path]:
    """A folder to write into that takes the name ``folder`` at the end; an error or Ctrl-C leaves nothing of it."""
    check_free(folder)
    unfinished = folder.with_name(f".{folder.name}.unfinished-{os.getpid()}")
    make_folder(folder.parent)
    unfinished.mkdir()
    try:
        yield unfinished
        os.replace(unfinished, folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
