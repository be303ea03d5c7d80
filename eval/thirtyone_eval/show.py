"""What the terminal shows: the ranking as a table, and progress while games are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from thirtyone_eval.results import csv_parts


def print_rankings(data: dict[str, Any], console: Console | None = None) -> None:
    """Print each ranking of a result."""
    screen = console or Console()
    for title, rows in csv_parts(data):
        screen.print(ranking_table(title, rows, data["config"]["episode"]))
    for line in forfeit_lines(data):
        screen.print(escape(line), soft_wrap=True, highlight=False)


def forfeit_lines(data: dict[str, Any]) -> list[str]:
    """Who forfeited how many games and why, a line each."""
    return [
        f"{one['policy']} forfeited {one['games']:,} game{'s' * (one['games'] != 1)} ({one['reason']}): {one['first']}"
        for one in data["forfeits"]
    ]


def ranking_table(title: str, rows: list[dict[str, Any]], episode: str) -> Table:
    """A ranking as a table; ± is half of the 95 % interval."""
    table = Table(title=escape(title), title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("policy", overflow="fold")
    table.add_column("lives lost in 100 rounds", justify="right")
    table.add_column("win share" if episode == "match" else "best of the round", justify="right")
    table.add_column("mean place", justify="right")
    table.add_column("games", justify="right")
    for row in rows:
        table.add_row(
            str(row["rank"]),
            escape(row["policy"]),
            plus_minus(row["lives_per_100_rounds"], 1),
            plus_minus(row["win_share"], 1, factor=100, unit=" %"),
            plus_minus(row["place"], 2) if row["place"] else "",
            f"{row['games']:,}",
        )
    return table


def plus_minus(value: dict[str, float], digits: int, factor: float = 1, unit: str = "") -> str:
    """A mean and half its interval, such as ``31.4 ± 0.6``."""
    half = (value["high"] - value["low"]) / 2
    return f"{value['mean'] * factor:.{digits}f} ± {half * factor:.{digits}f}{unit}"


@contextmanager
def progress_bar(what: str, total: int, unit: str, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on stderr with the time left; gives a function that moves it on."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def stage_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on stderr for work in stages; gives a function of the stage, what is done of it and how much there is."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        waiting = bar.add_task("measuring the speed of this machine", total=None)

        def report(stage: str, done: int, total: int) -> None:
            bar.update(waiting, visible=False)
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield report
