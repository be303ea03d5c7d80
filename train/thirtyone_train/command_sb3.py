"""What `thirtyone train sb3` does."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from thirtyone_env.errors import UserError
from thirtyone_train.config import TrainConfig, load_config

RUNS = Path("runs")


def sb3_command(
    name: str | None, out: Path | None, changes: Sequence[str], resumed: Path | None, as_json: bool
) -> None:
    """Train by a config, or go on with a stopped run, and tell what came of it."""
    if (name is None) == (resumed is None):
        raise UserError("give either a config (thirtyone train sb3 pagat) or --resume RUN")
    if resumed is not None and (changes or out is not None):
        raise UserError(
            "--resume goes on with a run as it was begun: --set and --out cannot be given with it"
        )
    config = None if name is None else load_config(name, changes)
    folder = (
        resumed
        or out
        or next(p for n in count(1) if not (p := RUNS / f"train-{Path(name or '').stem}-{n}").exists())
    )
    command = shlex.join(["thirtyone", *sys.argv[1:]])
    try:
        result = _run(config, folder, command)
    except KeyboardInterrupt:
        _tell_how_to_go_on(folder)
        raise
    if as_json:
        data = {
            "folder": str(folder),
            "agent": f"learned:{folder / 'agent'}",
            "steps": result.steps,
            "scores": result.scores,
        }
        print(json.dumps(data, indent=2))
        return
    console = Console()
    for line in result.describe():
        console.print(line, soft_wrap=True, highlight=False)
    console.print(f"agent: learned:{folder / 'agent'}", soft_wrap=True, highlight=False)
    console.print(f"curves: tensorboard --logdir {folder / 'tensorboard'}", soft_wrap=True, highlight=False)


def _tell_how_to_go_on(folder: Path) -> None:
    from thirtyone_train.checkpoint import steps_saved

    steps = steps_saved(folder)
    if steps is not None:
        Console(stderr=True, highlight=False).print(
            f"stopped; from decision {steps:,}, that of the last checkpoint, it goes on with: "
            f"thirtyone train sb3 --resume {folder}",
            soft_wrap=True,
            markup=False,
        )


def _run(config: TrainConfig | None, folder: Path, command: str) -> Any:
    """Import what is heavy, with a word about it, and train."""
    console = Console(stderr=True)
    with console.status("loading torch and the compiled games"):
        from thirtyone_train.trainer import resume, train
    with training_bar(console) as progress:

        def say(line: str) -> None:
            console.print(line, soft_wrap=True, highlight=False)

        if config is None:
            return resume(folder, progress, command, say)
        return train(config, folder, progress, command, say)


@contextmanager
def training_bar(console: Console | None = None) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar with the time left, as the function that `trainer.train` reports to."""
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.fields[unit]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=console or Console(stderr=True))
    units = {"imitation": "gradient steps", "training": "decisions"}
    tasks: dict[str, Any] = {}

    def report(stage: str, done: int, total: int) -> None:
        if stage not in tasks:
            tasks[stage] = bar.add_task(stage, total=total, unit=units.get(stage, "steps"))
            bar.start()  # not before there is something to show, so that an error stands alone
        bar.update(tasks[stage], completed=done)

    try:
        yield report
    finally:
        if tasks:
            bar.stop()
