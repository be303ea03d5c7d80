"""The command `thirtyone`. Its subcommands are the entry points of the group `thirtyone.commands`.

Each entry point names a `typer.Typer` object in a module that imports nothing heavy at its top (no numba, no torch):
`thirtyone --help` imports all of them to read their first lines of help. Such a module may say which extras of this
distribution its commands need, ``EXTRAS = ("train",)``; where one is not installed, the list says how to install it.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from thirtyone_env.errors import UserError
from thirtyone_env.extras import extra_of, install_hint, missing_extras

GROUP = "thirtyone.commands"
INTERRUPTED = 130


def installed_commands() -> dict[str, EntryPoint]:
    """Entry points of the group by name, sorted. Where two distributions use a name, the first one found counts."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, entry)
    return dict(sorted(found.items()))


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(installed_commands())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        entry = installed_commands().get(cmd_name)
        return None if entry is None else load_command(entry)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in installed_commands():
            raise UserError(unknown_command(args[0], list(installed_commands())))
        return super().resolve_command(ctx, args)


def unknown_command(name: str, known: Sequence[str]) -> str:
    """One line about a name that is no command, with those that look like it."""
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known)}"
    return f"there is no command {name!r}; {hint} (thirtyone --help)"


def load_command(entry: EntryPoint) -> Any:
    """Import a command. One that cannot be imported is replaced by one that says why."""
    try:
        app = entry.load()
    except ImportError as error:
        return _broken(entry.name, _problem(error))
    command = typer.main.get_command(app)
    command.name = entry.name
    missing = missing_extras(getattr(sys.modules[entry.module], "EXTRAS", ()))
    hint = f" Not installed: {install_hint(missing)}" if missing else ""
    command.short_help = escape(first_sentence(command.help or "") + hint)
    return command


def first_sentence(text: str) -> str:
    """The first sentence of a help text, in one line."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    sentence, full_stop, _ = paragraph.partition(". ")
    return sentence + full_stop.strip()


def _problem(error: ImportError) -> str:
    extra = extra_of(error.name or "")
    if extra is None:
        return f"cannot be loaded: {error}"
    return f"needs {error.name}: {install_hint([extra])}"


def _broken(name: str, problem: str) -> Any:
    app = typer.Typer(add_completion=False)
    anything = {"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []}

    @app.command(context_settings=anything, help=escape(f"({problem})"))
    def run() -> None:
        raise UserError(f"thirtyone {name} {problem}")

    command = typer.main.get_command(app)
    command.name = name
    return command


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("thirtyone-env"))
        raise typer.Exit()


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    epilog="Example: thirtyone hand AS KS 5D",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """The card game Thirty-One: rules, hands, agents, training, tournaments."""


def main(args: Sequence[str] | None = None) -> None:
    """Run `thirtyone`; `args` are the words after it, those of this process by default.

    Ends by `SystemExit`: 0 after success, 2 after wrong input (one line on stderr), 130 after Ctrl-C.
    """
    command = typer.main.get_command(app)
    try:
        command(args=None if args is None else list(args), prog_name="thirtyone")
    except UserError as error:
        _fail(f"error: {error}", 2)
    except ModuleNotFoundError as error:
        if extra_of(error.name or "") is None:
            raise
        _fail(f"error: this {_problem(error)}", 2)
    except KeyboardInterrupt:
        _fail("interrupted", INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            _fail("interrupted", INTERRUPTED)
        raise


def _fail(line: str, code: int) -> None:
    typer.echo(line, err=True)
    raise SystemExit(code)


if __name__ == "__main__":
    main()
