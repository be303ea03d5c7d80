"""`thirtyone replay`: steps through a recorded game, checks it, or prints it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from thirtyone_env.errors import UserError

if TYPE_CHECKING:
    from thirtyone_env.record_file import RecordFile

app = typer.Typer(add_completion=False)

KEYS = "enter or n: next, b: back, g 20: go to move 20, q: quit"


@app.command(name="replay", epilog="Example: thirtyone replay game.jsonl --check")
def replay_command(
    file: str = typer.Argument(help="A record: JSON lines, as thirtyone_env.record_file.write_record makes them."),
    check: bool = typer.Option(False, "--check", help="Only check that it plays to its end."),
    show: bool = typer.Option(False, "--print", help="Print all that happened and end."),
    as_json: bool = typer.Option(False, "--json", help="With --check: the result as JSON."),
) -> None:
    """Step through a recorded game; it is checked first, and where it breaks is told with its line."""
    from thirtyone_env.record_file import read_record

    if check and show:
        raise UserError("give --check or --print, not both")
    if as_json and not check:
        raise UserError("--json needs --check")
    record = read_record(file)
    if check:
        _check(file, record, as_json)
    elif show:
        _print(record)
    else:
        _step_through(record)


def _check(file: str, record: RecordFile, as_json: bool) -> None:
    from thirtyone_env.replay_text import ending

    game = record.game
    if not as_json:
        counts = f"{len(record.lines)} moves, {game.round_count} rounds"
        typer.echo(f"{file} plays: {counts}, {ending(game, record.names)}")
        return
    import json

    data: dict[str, Any] = {
        "file": file, "moves": len(record.lines), "rounds": game.round_count, "names": record.names,
        "over": game.over, "winner": game.winner, "placings": game.placings,
    }
    typer.echo(json.dumps(data, ensure_ascii=False))


def _print(record: RecordFile) -> None:
    from thirtyone_env.replay_text import ending, event_lines

    for line in event_lines(record.game.events, record.game, record.names):
        typer.echo(line)
    typer.echo(ending(record.game, record.names))


def _step_through(record: RecordFile) -> None:
    """Show a position, ask for a key, until quit or the end of the input."""
    position, last = 0, len(record.lines)
    seen = 0
    while True:
        seen = _show(record, position, seen)
        try:
            answer = input(f"[{position}/{last}] n b g q ? ").strip().lower()
        except EOFError:
            return
        if answer in ("q", "quit"):
            return
        wanted = _target(answer, position, last)
        if wanted is None:
            typer.echo(KEYS)
        elif wanted == position:
            typer.echo("this is the first position" if position == 0 else "this is the end of the record")
        else:
            seen = -1 if wanted != position + 1 else seen
            position = wanted


def _target(answer: str, position: int, last: int) -> int | None:
    """Position that an answer asks for; None where it is no key."""
    if answer in ("", "n"):
        return min(position + 1, last)
    if answer == "b":
        return max(position - 1, 0)
    words = answer.split()
    if len(words) == 2 and words[0] == "g" and words[1].isdecimal():
        return min(int(words[1]), last)
    return None


def _show(record: RecordFile, position: int, seen: int) -> int:
    """Print what is new at a position (after a jump: only the last move) and the table. Returns the events shown."""
    from thirtyone_env.render import ansi, scene_of_game
    from thirtyone_env.replay_text import ending, event_lines, named

    game = record.game.clone()
    for _ in range(len(record.lines) - position):
        game.undo()
    events = game.events
    new = events[seen:] if seen >= 0 else events[-1:]
    if new:
        typer.echo("\n".join(event_lines(new, game, record.names)) + "\n")
    table = replace(scene_of_game(game, None), notes=[])
    typer.echo(named(ansi(table), record.names), nl=False)
    if position == len(record.lines):
        typer.echo(ending(game, record.names))
    return len(events)
