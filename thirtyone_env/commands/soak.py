"""`thirtyone soak`: very many random actions with every invariant looked at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from thirtyone_env.soak import Soaked

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone soak --rules pagat --actions 20000000")
def soak(
    rules: str = typer.Option("all", help="A preset, several with commas between, or all."),
    actions: int = typer.Option(100_000_000, min=1, help="Random actions to play of each, at least."),
    seed: int = typer.Option(0, min=0, help="Makes the games."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON in place of the table."),
    out: Path = typer.Option(Path("runs/soak.json"), help="File for the JSON; an older one is kept beside it."),
) -> None:
    """Play random games of all numbers of players and look at every invariant after every action."""
    import json
    from dataclasses import asdict

    from rich.console import Console
    from rich.progress import Progress, TaskID

    from thirtyone_env.benchmarks import machine
    from thirtyone_env.files import free_path, make_folder, write_text
    from thirtyone_env.rules import Rules
    from thirtyone_env.soak import BrokenInvariant, soak

    presets = _chosen(rules)
    variants = [Rules.preset(name) for name in presets]
    make_folder(free_path(out).parent)  # told before anything is played
    done = []
    with Progress(console=Console(stderr=True)) as progress:
        for name, variant in zip(presets, variants, strict=True):
            task = progress.add_task(name, total=actions)

            def told(played: int, task: TaskID = task) -> None:
                progress.update(task, completed=played)

            try:
                done.append(soak(variant, actions, seed, told))
            except BrokenInvariant as fault:
                typer.echo(f"{name}: {fault}", err=True)
                raise typer.Exit(1) from fault
    result = {"machine": machine(), "soaked": [asdict(one) for one in done]}
    path = free_path(out)
    write_text(path, json.dumps(result, indent=2) + "\n")
    if as_json:
        typer.echo(json.dumps(result))
    else:
        _show(done, path)


def _chosen(rules: str) -> list[str]:
    """The presets that are meant; `Rules.preset` refuses a wrong name."""
    from thirtyone_env.rules import Rules

    if rules == "all":
        return [name for name in Rules.presets() if not name.startswith("mini_")]
    return [name.strip() for name in rules.split(",")]


def _show(done: list[Soaked], path: Path) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("rules", "actions", "rounds", "matches", "longest round", "ended by", "actions/s")
    for one in done:
        reasons = ", ".join(f"{name} {count:,}" for name, count in one.reasons.items() if count)
        table.add_row(
            one.rules, f"{one.actions:,}", f"{one.rounds:,}", f"{one.matches:,}", f"{one.longest:,} actions", reasons,
            f"{one.actions / one.seconds:,.0f}",
        )
    console = Console()
    console.print(table)
    console.print(f"every invariant held; saved in {path}")
