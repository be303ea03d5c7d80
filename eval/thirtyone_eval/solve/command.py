"""What `thirtyone solve` does."""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thirtyone_agents.registry import load
from thirtyone_agents.solution_files import ENDING
from thirtyone_env.errors import UserError
from thirtyone_env.files import free_path, make_folder
from thirtyone_env.rules import Rules
from thirtyone_eval.show import print_whole
from thirtyone_eval.solve.cfr import solve
from thirtyone_eval.solve.game import MiniGame, mini_game
from thirtyone_eval.solve.judge import Exploitability, exploitability
from thirtyone_eval.solve.save import save_solution, solution_path

FOLDER = Path("runs/solved")
UNTIL = 1e-3
_LEAST = 1e-12  # below it there is nothing but rounding


def solve_command(
    preset: str, players: int, iterations: int | None, until: float | None, out: Path | None, as_text: bool
) -> None:
    """Solve a game and write the solution."""
    rules = Rules.preset(preset)
    rules.check_players(players)
    until = _checked_until(until, iterations, players)
    path = _checked_out(out, preset)
    said = Console(stderr=True, soft_wrap=True, highlight=False)
    started = time.monotonic()
    game = _built(rules, players, said)
    built = time.monotonic() - started
    with _interrupts_noted() as interrupted:
        solver, curve = solve(game, iterations, until, _Watch(said, until, interrupted))
        about = save_solution(
            path, solver, curve, seconds=time.monotonic() - started, interrupted=bool(interrupted),
            command=shlex.join(["thirtyone", *sys.argv[1:]]),
        )  # fmt: skip
    data = {**about.model_dump(exclude={"rules", "curve", "versions", "format"}), "preset": preset, "file": str(path)}
    data["seconds_building"] = round(built, 2)
    if as_text:
        typer.echo(json.dumps(data, indent=2))
    else:
        _tell(data, Console(soft_wrap=True, highlight=False))
    if interrupted:
        raise KeyboardInterrupt


def judge_command(
    preset: str, players: int, names: Sequence[str], others: Mapping[str, Any], as_text: bool
) -> None:
    """Measure policies exactly on a game."""
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise UserError(f"--judge measures and solves nothing: leave {' and '.join(given)} out")
    rules = Rules.preset(preset)
    rules.check_players(players)
    policies = [load(name, allow_code=True) for name in names]
    game = _built(rules, players, Console(stderr=True, soft_wrap=True, highlight=False))
    found = [(name, exploitability(game, policy)) for name, policy in zip(names, policies, strict=True)]
    if as_text:
        rows = [{"policy": name, **_numbers(measured)} for name, measured in found]
        typer.echo(json.dumps({"preset": preset, "players": players, "policies": rows}, indent=2))
        return
    _tell_judged(found)


def _numbers(found: Exploitability) -> dict[str, Any]:
    return {
        "exploitability": found.exploitability,
        "nash_conv": found.nash_conv,
        "values": list(found.values),
        "best_responses": list(found.best),
        "improvements": list(found.improvements),
    }


def _tell_judged(found: Sequence[tuple[str, Exploitability]]) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("policy", overflow="fold")
    for title in ("exploitability", "seat", "gets", "gains by its best answer"):
        table.add_column(title, justify="right")
    for name, one in found:
        for seat, (value, gain) in enumerate(zip(one.values, one.improvements, strict=True)):
            head = ("", "") if seat else (escape(name), f"{one.exploitability:.6f}")
            table.add_row(*head, str(seat), f"{value:+.6f}", f"{gain:+.6f}")
    print_whole(table, Console())


def _checked_until(until: float | None, iterations: int | None, players: int) -> float | None:
    if until is not None and not until >= _LEAST:
        raise UserError(f"--until {until:g} is not allowed: a number from {_LEAST:g}, in lives a round")
    if players > 2 and iterations is None:
        raise UserError(
            f"CFR+ promises no equilibrium with {players} players: give --iterations, and see what it reaches"
        )
    return UNTIL if until is None and iterations is None else until


def _checked_out(out: Path | None, preset: str) -> Path:
    """The file of the solution, tried before anything is solved."""
    if out is None:
        make_folder(FOLDER)
        return free_path(FOLDER / f"{preset}{ENDING}")
    path = solution_path(out)
    if path.exists():
        raise UserError(f"{path} is there already and is not written over: choose another --out")
    make_folder(path.parent)
    return path


def _built(rules: Rules, players: int, said: Console) -> MiniGame:
    with said.status("building the tree") as status:
        game = mini_game(rules, players, progress=lambda nodes: status.update(f"building the tree: {nodes:,} nodes"))
    counts = game.tree.counts
    said.print(f"{counts.nodes:,} nodes, {counts.information_sets:,} information sets")
    return game


class _Watch:
    """Tells how exploitability falls, and ends the run after Ctrl-C."""

    def __init__(self, said: Console, until: float | None, interrupted: list[int]) -> None:
        self._said = said
        self._goal = "" if until is None else f" (wanted: below {until:g})"
        self._interrupted = interrupted
        self._next = time.monotonic()

    def __call__(self, count: int, exploitable: float) -> bool:
        if time.monotonic() >= self._next:
            self._said.print(f"iteration {count}: exploitability {exploitable:.3g}{self._goal}")
            self._next = time.monotonic() + 2.0
        return bool(self._interrupted)


@contextmanager
def _interrupts_noted() -> Iterator[list[int]]:
    """A list that is empty until Ctrl-C; a second Ctrl-C interrupts as ever."""
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # only there may signals be handled
        yield noted
        return
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: object) -> None:
        noted.append(number)
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


def _tell(data: Mapping[str, Any], console: Console) -> None:
    values = ", ".join(f"{value:+.6f}" for value in data["values"])
    stopped = " (stopped)" if data["interrupted"] else ""
    console.print(f"{data['iterations']} iterations of {data['method']}, {data['seconds']:.1f} s{stopped}")
    console.print(f"exploitability {data['exploitability']:.3g} lives a round; the seats get {values}")
    console.print(escape(f"it plays as solved:{data['file']}"))
