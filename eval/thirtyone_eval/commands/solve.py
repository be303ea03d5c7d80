"""`thirtyone solve`: mini games solved, and policies judged on them."""

from __future__ import annotations

from pathlib import Path

import typer

EXTRAS = ("eval",)
app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone solve mini_4x2 --until 1e-3; thirtyone solve mini_4x2 --judge threshold:21")
def solve(
    preset: str = typer.Argument(..., help="A mini preset, such as mini_4x2 (thirtyone rules lists them)."),
    players: int = typer.Option(2, "--players", help="Seats."),
    iterations: int | None = typer.Option(None, "--iterations", min=1, help="Iterations, at most."),
    until: float | None = typer.Option(
        None, "--until", help="Go on until the exploitability is below this; 1e-3 where nothing is given."
    ),
    out: Path | None = typer.Option(None, "--out", help="File of the solution; runs/solved/PRESET.npz by default."),
    judges: list[str] = typer.Option(
        [], "--judge", metavar="POLICY", help="Solve nothing; measure this policy exactly. Can be repeated."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON instead of words."),
) -> None:
    """Solve a mini game by CFR+, or measure a policy's exact exploitability on it.

    The solution is a file that plays as the policy solved:FILE. Exploitability is what a seat gains by the best answer
    to the others' play, on the average of the seats, in lives a round. Ctrl-C keeps what was reached so far.
    """
    from thirtyone_eval.solve.command import judge_command, solve_command

    if judges:
        judge_command(preset, players, judges, {"--iterations": iterations, "--until": until, "--out": out}, as_json)
    else:
        solve_command(preset, players, iterations, until, out, as_json)
