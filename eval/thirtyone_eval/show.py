"""What the terminal shows: the ranking as a table, and progress while games are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.measure import Measurement
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

from thirtyone_eval.control import LEAST_DEALS
from thirtyone_eval.results import csv_parts

_ANY_WIDTH = 10_000


def print_rankings(data: dict[str, Any], console: Console | None = None) -> None:
    """Print each ranking of a result."""
    screen = console or Console()
    for title, rows in csv_parts(data):
        print_whole(ranking_table(title, rows, data["config"]["episode"]), screen)
    for line in [*control_lines(data), *precision_lines(data), *circle_lines(data), *forfeit_lines(data)]:
        screen.print(escape(line), soft_wrap=True, highlight=False)


def control_lines(data: dict[str, Any]) -> list[str]:
    """What the control variate was worth, in each ranking; nothing where luck was not measured."""
    lines = []
    for title, rows in csv_parts(data):
        gains = [row["gain"] for row in rows if row["gain"] is not None]
        if gains and data["settings"][0]["deals"] < LEAST_DEALS:
            lines.append(f"{title}: luck is left in: fewer than {LEAST_DEALS} deals do not tell how much to take out.")
        elif gains:
            left = sum(1 / one for one in gains) / len(gains)
            lines.append(
                f"{title}: with luck taken out {100 * left:.0f} % of the variance is left (mean of the policies): as "
                f"good as {min(gains):.1f} to {max(gains):.1f} times the deals."
            )
    return lines


def precision_lines(data: dict[str, Any]) -> list[str]:
    """What came of the precision that was asked for, if one was."""
    told = data["precision"]
    if told is None:
        return []
    deals = f"{data['settings'][0]['deals']:,} deals"
    if told["reached"]:
        return [f"The widest interval is ±{told['widest']:.4g} after {deals}; ±{told['asked']:g} was asked for."]
    return [f"±{told['asked']:g} was not reached in {deals}: the widest interval is ±{told['widest']:.4g}."]


def circle_lines(data: dict[str, Any]) -> list[str]:
    """Where play goes round in circles: a line for each such setting."""
    told = [(setting["title"], setting) for setting in data["settings"]]
    if data["over_all"]:
        told.insert(0, ("all", data["over_all"]))
    return [f"{title}: {one['transitivity']}" for title, one in told if one["circle"]]


def forfeit_lines(data: dict[str, Any]) -> list[str]:
    """Who forfeited how many games and why, a line each."""
    return [
        f"{one['policy']} forfeited {one['games']:,} game{'s' * (one['games'] != 1)} ({one['reason']}): {one['first']}"
        for one in data["forfeits"]
    ]


def print_whole(table: Table, console: Console) -> None:
    """Print a table with its numbers (columns on the right) whole: wider than the terminal rather than cut."""
    for column in table.columns:
        if column.justify == "right":
            texts = [*map(str, column.cells), *str(column.header).split()]
            column.min_width = max(map(len, texts), default=1)
    least = Measurement.get(console, console.options.update(max_width=_ANY_WIDTH), table).minimum
    if least > console.width:
        table.width = least
    console.print(table, crop=False)


def ranking_table(title: str, rows: list[dict[str, Any]], episode: str) -> Table:
    """A ranking as a table; ± is half of the 95 % interval, "better than" counts by the paired difference."""
    table = Table(title=escape(title), title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("policy", overflow="fold")
    table.add_column("lives lost in 100 rounds", justify="right")
    table.add_column("win share" if episode == "match" else "best of the round", justify="right")
    table.add_column("mean place", justify="right")
    table.add_column("better than", justify="right")
    table.add_column("games", justify="right")
    controlled = rows[0]["raw"] is not None
    if controlled:
        table.add_column("luck out", justify="right")
    for row in rows:
        table.add_row(
            str(row["rank"]),
            escape(row["policy"]),
            plus_minus(row["lives_per_100_rounds"], 1),
            plus_minus(row["win_share"], 1, factor=100, unit=" %"),
            plus_minus(row["place"], 2) if row["place"] else "",
            f"{len(row['beats'])} of {len(rows) - 1}",
            f"{row['games']:,}",
            *([gain_text(row)] if controlled else []),
        )
    return table


def gain_text(row: dict[str, Any]) -> str:
    """How many times the deals the control variate was worth to a policy, such as ``x 1.6``."""
    return "" if row["gain"] is None else f"x {row['gain']:.1f}"


def plus_minus(value: dict[str, float], digits: int, factor: float = 1, unit: str = "") -> str:
    """A mean and half its interval, such as ``31.4 ± 0.6``."""
    half = (value["high"] - value["low"]) / 2
    return f"{value['mean'] * factor:.{digits}f} ± {half * factor:.{digits}f}{unit}"


class Bar:
    """A bar that is moved on, and told when there is more to do than was thought."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task

    def __call__(self, done: int) -> None:
        """Move it on."""
        self._bar.advance(self._task, done)

    def expect(self, total: int) -> None:
        """Say how much there is in all."""
        self._bar.update(self._task, total=total)


@contextmanager
def progress_bar(what: str, total: int, unit: str, quiet: bool = False) -> Iterator[Bar]:
    """A bar on stderr with the time left."""
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit),
        TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as bar:
        yield Bar(bar, bar.add_task(what, total=total))


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
