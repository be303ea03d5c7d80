"""`thirtyone tournament`: rank policies over mirrored deals."""

from __future__ import annotations

from pathlib import Path

import typer

EXTRAS = ("eval",)
app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone tournament baselines --set deals=20 --out runs/first")
def tournament(
    config: str = typer.Argument(..., help="A YAML file, or the name of a shipped one."),
    out: Path | None = typer.Option(None, "--out", help="Folder of the run; runs/NAME-1, -2, ... by default."),
    changes: list[str] = typer.Option([], "--set", metavar="KEY=VALUE", help="Change a key; can be repeated."),
    workers: int | None = typer.Option(None, "--workers", min=1, help="Processes that play; the result is the same."),
    backend: str | None = typer.Option(None, "--backend", help="local, or ray for a Ray cluster (RAY_ADDRESS)."),
    parquet: bool = typer.Option(False, "--parquet", help="Also write policies, pay-offs and matches as Parquet."),
    as_json: bool = typer.Option(False, "--json", help="Print the ranking as JSON instead of a table."),
) -> None:
    """Rank policies over mirrored deals, with 95 % intervals.

    The same cards are played in all seatings. Games are stored as they are played (results.sqlite): after a kill or
    Ctrl-C the same command goes on. At the end come ranking.json, ranking.csv, report.html and run.json, and with
    --parquet policies.parquet, payoffs.parquet and matches.parquet; of a finished run too, without playing it again.
    """
    from thirtyone_env.extras import require

    require("eval", "thirtyone tournament")
    if parquet:
        require("parquet", "--parquet")
    from thirtyone_eval.tournament import tournament_command

    extra = {"workers": workers, "backend": backend}
    typed = [f"{key}={value}" for key, value in extra.items() if value is not None]
    tournament_command(config, out, [*changes, *typed], as_json, parquet)
