"""`thirtyone explain`: read a policy from its decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from thirtyone_eval.study.findings import Findings

EXTRAS = ("eval",)
app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone explain tips --games 100")
def explain(
    policy: str = typer.Argument(..., help="Whom to read, such as tips or learned:PATH (thirtyone agents lists them)."),
    rules: str = typer.Option("pagat", "--rules", help="Preset of rules."),
    players: int = typer.Option(4, "--players", help="Seats of the matches."),
    against: list[str] = typer.Option(
        [], "--against", help="Who sits in the other seats; can be repeated. The policy itself by default."
    ),
    others: list[str] = typer.Option(
        [], "--with", help="Whom its decisions are compared with; can be repeated. The baselines by default."
    ),
    games: int = typer.Option(200, "--games", help="Matches to watch, or rounds."),
    episode: str = typer.Option("match", "--episode", help="match, or round for single rounds with fresh tokens."),
    seed: int = typer.Option(1, "--seed", min=0, help="Fixes cards and policies."),
    out: Path | None = typer.Option(
        None, "--out", help="New folder for tables and pictures; runs/explain-1, -2, ... by default."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON in place of tables."),
) -> None:
    """Tell what a policy does: when it knocks, what it draws and throws, whom it plays like.

    The policy plays matches, and everything is read from its decisions, so it works for any policy. Shares have 95 %
    intervals, with the match as the observation. Tables (CSV, JSON) and a picture are left in a new folder.
    """
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.explain.explain import WITH, explain

        return explain(policy, rules, players, against, others or WITH, games, seed, episode, progress=True)

    run_study("explain", work, out, as_json)
