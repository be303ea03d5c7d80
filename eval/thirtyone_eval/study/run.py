"""What every study's command does: a folder of its own, the work, the files, the terminal."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console

from thirtyone_env.extras import require
from thirtyone_eval.study.findings import Findings, save, show


def run_study(name: str, work: Callable[[], Findings], out: Path | None, as_text: bool) -> Path:
    """Do a study, write its folder and print it; gives the folder.

    Args:
        name: of the command, such as ``study seats``; the folder is ``runs/study-seats-1`` where none is given.
        work: does it.
        out: new folder, or None.
        as_text: print JSON in place of tables.

    Raises:
        UserError: the folder is there already, or the extra ``eval`` is not installed. Nothing is left of a run that
            is stopped.
    """
    require("eval", f"thirtyone {name}")
    from thirtyone_eval.folders import check_free, numbered_folder, written_whole
    from thirtyone_eval.provenance import load, provenance
    from thirtyone_eval.results import as_json

    folder = check_free(out) if out is not None else numbered_folder(name.replace(" ", "-"))
    started, load_before = time.perf_counter(), load()
    with _room_for(folder):
        found = work()
    seconds = time.perf_counter() - started
    command = shlex.join(["thirtyone", *sys.argv[1:]])
    about = provenance(command, int(found.settings["seed"]), seconds, load_before)
    with written_whole(folder) as unfinished:
        save(found, unfinished, about)
    if as_text:
        print(as_json({**found.as_dict(), "run": about}), end="")
        return folder
    console = Console(soft_wrap=False)
    show(found, console)
    console.print(f"\n{seconds:.1f} s; tables and pictures in {folder}", highlight=False, soft_wrap=True)
    return folder


@contextmanager
def _room_for(folder: Path) -> Iterator[None]:
    """Make the folders above, so that a place that cannot be written into is told before anything is measured.

    They go again where the work fails.
    """
    from thirtyone_env.files import make_folder

    made = [above for above in folder.absolute().parents if not above.exists()]
    make_folder(folder.parent)
    try:
        yield
    except BaseException:
        for above in made:
            with suppress(OSError):  # somebody else has put something there
                above.rmdir()
        raise
