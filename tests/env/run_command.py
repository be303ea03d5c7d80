"""Runs `thirtyone` inside the test's process."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import NamedTuple
from unittest.mock import patch

import thirtyone_env.core.entry  # noqa: F401  # compiles now, so that its message is not taken for the command's
from thirtyone_env import cli


class Done(NamedTuple):
    """How a command ended: exit code, what it printed, what it said on stderr."""

    code: int
    out: str
    err: str


def run(*words: str, stdin: str = "") -> Done:
    """Run ``thirtyone WORDS`` with the text given as its standard input."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    given = patch.object(sys, "stdin", io.StringIO(stdin))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), given:
        try:
            cli.main(list(words))
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, out.getvalue(), err.getvalue())
