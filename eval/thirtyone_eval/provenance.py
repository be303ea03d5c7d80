"""What a result should say about how it came to be: versions, machine, load, command."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = ("thirtyone-env", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib")


def versions() -> dict[str, str]:
    """Versions of Python and of the installed packages that can change a result."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def load() -> float | None:
    """Processes that waited for a CPU, averaged over the last minute; None where the system does not tell."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def provenance(command: str, seed: int, seconds: float, load_before: float | None) -> dict[str, Any]:
    """Facts about this run, as JSON can hold them.

    Args:
        command: as typed.
        seed: of the run.
        seconds: that it took.
        load_before: `load` when it began.
    """
    return {
        "command": command,
        "seed": seed,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "load_before": load_before,
        "load_after": load(),
        "versions": versions(),
    }
