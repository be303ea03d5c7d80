"""`thirtyone demo`: train an agent, rank it against the baselines, leave a report."""

from __future__ import annotations

from pathlib import Path

import typer

EXTRAS = ("train", "eval")
app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone demo --minutes 0.5 --seed 7")
def demo(
    minutes: float = typer.Option(1.0, "--minutes", min=0.02, max=600, help="Of training; the tournament takes less."),
    seed: int = typer.Option(1, "--seed", min=0, max=(1 << 31) - 1, help="Fixes cards, weights and batches."),
    out: Path | None = typer.Option(None, "--out", help="New folder for everything; runs/demo-1, -2, ... by default."),
    workers: int | None = typer.Option(None, "--workers", min=1, help="Processes that play; 2 by default."),
) -> None:
    """Train an agent for a minute, rank it against the baselines, and write a report."""
    from thirtyone_env.extras import require

    for extra in EXTRAS:
        require(extra, "thirtyone demo")
    from thirtyone_eval.demo import demo_command

    demo_command(minutes, seed, out, workers)
