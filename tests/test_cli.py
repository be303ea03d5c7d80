"""The command `thirtyone`: light to start, its subcommands from entry points, errors of one line."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
import typer

from thirtyone_env import cli
from thirtyone_env.extras import EXTRAS

# the package itself imports gymnasium (and so numpy), to register its environment
HEAVY = ["torch", "numba", "pettingzoo", "matplotlib", "stable_baselines3", "openskill"]

COMMANDS = '''
import typer
from thirtyone_env.errors import IllegalAction, UserError

EXTRAS = {extras}
app = typer.Typer()

@app.command()
def good(word: str = "nothing"):
    """Print a word. More text.

    Example: thirtyone good --word hello
    """
    print("the word is", word)

wrong, illegal, broken, stopped, absent, foreign = (typer.Typer() for _ in range(6))

@wrong.command()
def run_wrong():
    """Refuse."""
    raise UserError("lives is 12, allowed are 1 to 9")

@illegal.command()
def run_illegal():
    """Refuse a move."""
    raise IllegalAction("knock is not allowed")

@broken.command()
def run_broken():
    """Fail by a fault of ours."""
    raise ZeroDivisionError("a fault")

@stopped.command()
def run_stopped():
    """Be interrupted."""
    raise KeyboardInterrupt

@absent.command()
def run_absent():
    """Need a part that is not installed."""
    import no_such_module_31

@foreign.command()
def run_foreign():
    """Need what nobody knows."""
    import no_such_module_32
'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that makes the names given the only commands; `extras` are what their module says it needs."""
    monkeypatch.syspath_prepend(tmp_path)

    def make(*names: str, extras: str = "()", source: str = COMMANDS) -> None:
        (tmp_path / "commands_31.py").write_text(source.replace("{extras}", extras), encoding="utf-8")
        importlib.invalidate_caches()
        entries = {
            name: EntryPoint(name, f"commands_31:{'app' if name == 'good' else name}", cli.GROUP)
            for name in names
        }
        monkeypatch.setattr(cli, "installed_commands", lambda: entries)

    yield make
    sys.modules.pop("commands_31", None)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    return int(end.value.code or 0)


def test_command_runs_with_its_options(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("good", "wrong")
    assert run("good", "--word", "ace") == 0
    assert capsys.readouterr().out == "the word is ace\n"


def test_help_lists_the_commands_with_a_line_each(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("good", "wrong")
    assert run("--help") == 0
    out = capsys.readouterr().out
    assert "good" in out
    assert "Print a word." in out
    assert "More text" not in out
    assert "Refuse." in out
    assert "Example" in out


def test_misspelt_command_gets_one_line_with_close_matches(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("good", "wrong")
    assert run("goood") == 2
    assert capsys.readouterr().err == (
        "error: there is no command 'goood'; did you mean good? (thirtyone --help)\n"
    )


def test_unknown_command_gets_the_list(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("good", "wrong")
    assert run("xyz") == 2
    assert "there are good, wrong" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "line"),
    [("wrong", "error: lives is 12, allowed are 1 to 9\n"), ("illegal", "error: knock is not allowed\n")],
)
def test_user_errors_are_one_line_and_exit_code_2(
    name: str, line: str, install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install(name)
    assert run(name) == 2
    assert capsys.readouterr().err == line


def test_a_fault_of_ours_keeps_its_traceback(install: Callable[..., None]) -> None:
    install("broken")
    with pytest.raises(ZeroDivisionError, match="a fault"):
        cli.main(["broken"])


def test_interrupt_exits_130_with_one_line(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    install("stopped")
    assert run("stopped") == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_command_of_a_missing_extra_is_listed_with_what_to_install(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRAS, "train", ("no_such_module_31",))
    monkeypatch.setenv("COLUMNS", "200")
    install("good", extras='("train",)')
    assert run("--help") == 0
    assert 'Print a word. Not installed: pip install "thirtyone-env[train]"' in capsys.readouterr().out


def test_running_without_the_extra_says_what_to_install(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(EXTRAS, "train", ("no_such_module_31",))
    install("absent")
    assert run("absent") == 2
    assert capsys.readouterr().err == (
        'error: this needs no_such_module_31: pip install "thirtyone-env[train]"\n'
    )


def test_missing_module_of_no_extra_is_a_fault(install: Callable[..., None]) -> None:
    install("foreign")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_32"):
        cli.main(["foreign"])


def test_command_that_cannot_be_imported_is_listed_and_refused(
    install: Callable[..., None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    install("good", source="import no_such_module_33\n")
    assert run("--help") == 0
    assert "No module named 'no_such_module_33'" in capsys.readouterr().out
    assert run("good", "--word", "x", "--help") == 2
    assert "thirtyone good cannot be loaded: No module named 'no_such_module_33'" in capsys.readouterr().err


def test_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out.strip().count(".") == 2


def test_help_loads_nothing_heavy() -> None:
    program = f"""
import sys
from thirtyone_env.cli import main
try:
    main(["--help"])
except SystemExit as end:
    assert not end.code
print("heavy:", [name for name in {HEAVY} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "heavy: []"
    assert "cannot be loaded" not in done.stdout


def leaves(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The commands that do something, with the words that name them."""
    children = getattr(command, "commands", None)
    if not children:
        yield words, command
        return
    for name, child in children.items():
        yield from leaves(child, (*words, name))


def all_commands() -> list[tuple[str, ...]]:
    found = []
    for name, entry in cli.installed_commands().items():
        command = typer.main.get_command(entry.load())
        found += [words for words, _ in leaves(command, (name,))]
    return found


def test_each_help_shows_an_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    without = []
    for words in all_commands():
        assert run(*words, "--help") == 0
        if f"thirtyone {words[0]}" not in capsys.readouterr().out.split("Usage:")[1].partition("\n")[2]:
            without.append(" ".join(words))
    assert without == []
