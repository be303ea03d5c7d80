"""`thirtyone train`: programs that fit policies. ``sb3`` is MaskablePPO on games stepped in compiled code."""

from __future__ import annotations

from pathlib import Path

import typer

EXTRAS = ("train",)
app = typer.Typer(add_completion=False, no_args_is_help=True, epilog="Example: thirtyone train sb3 pagat")


@app.callback()
def train() -> None:
    """Train an agent."""


@app.command(epilog="Example: thirtyone train sb3 pagat --set budget.seconds=20 --out runs/first")
def sb3(
    config: str | None = typer.Argument(None, help="A YAML file, or the name of a shipped one."),
    out: Path | None = typer.Option(
        None, "--out", help="New folder for the run; runs/train-NAME-1, -2, ... by default."
    ),
    changes: list[str] = typer.Option(
        [],
        "--set",
        metavar="KEY=VALUE",
        help="Change a key, such as ppo.n_steps=32 or rules.lives=4; can be repeated.",
    ),
    resume: Path | None = typer.Option(
        None, "--resume", metavar="RUN", help="Go on with a stopped run instead."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Train an agent with sb3-contrib's MaskablePPO, after imitating a baseline.

    The run's folder gets the agent (agent.json, agent.safetensors), the config as run, a checkpoint and TensorBoard
    files. A stopped run goes on with --resume and ends with the very agent that it would have had.
    """
    from thirtyone_env.extras import require

    require("train", "thirtyone train sb3")
    from thirtyone_train.command_sb3 import sb3_command

    sb3_command(config, out, changes, resume, as_json)
