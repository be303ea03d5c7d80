"""`thirtyone compare`: two tournaments side by side."""

from __future__ import annotations

from pathlib import Path

import typer

EXTRAS = ("eval",)
app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone compare runs/baselines-1 runs/baselines-2")
def compare(
    first: Path = typer.Argument(..., help="Folder of a run."),
    second: Path = typer.Argument(..., help="Folder of another one."),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of tables."),
) -> None:
    """Compare two tournaments: what was set differently, and how each policy that is in both did.

    Differences have 95 % intervals: deal by deal where both runs played the same cards.
    """
    from thirtyone_env.extras import require

    require("eval", "thirtyone compare")
    from thirtyone_eval.compare import compare_command

    compare_command(first, second, as_json)
