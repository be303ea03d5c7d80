"""What every test needs: headless drawing, one thread a process, no deadlines, golden files."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

# A shell that runs the tests in the background has them ignore Ctrl-C, and so would all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# No deadline: the first call of a compiled function may compile it.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate-golden", action="store_true", help="write the golden files anew")


@pytest.fixture
def check_golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """A function (path, text): compares text with the golden file; writes it with --regenerate-golden."""

    def check(path: Path, text: str) -> None:
        if request.config.getoption("--regenerate-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        assert path.exists(), f"{path} is missing: run `make golden` and review the diff"
        assert text == path.read_text(encoding="utf-8"), f"{path.name} differs: `make golden` shows the diff"

    return check
