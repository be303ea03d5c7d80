"""A tournament from its config to its folder of results."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from thirtyone_eval.config import TournamentConfig, load_config
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.folders import check_free, numbered_folder, written_whole
from thirtyone_eval.provenance import load, provenance
from thirtyone_eval.report import REPORT, write_report
from thirtyone_eval.results import result_data, write_data
from thirtyone_eval.run import run_tournament, total_games
from thirtyone_eval.show import print_rankings, progress_bar


def tournament_command(name: str, out: Path | None, changes: Sequence[str], as_json: bool) -> None:
    """What `thirtyone tournament` does."""
    config = load_config(name, changes)
    folder = check_free(out) if out is not None else numbered_folder(Path(name).stem)
    command = shlex.join(["thirtyone", *sys.argv[1:]])
    with progress_bar("playing", total_games(config), "games") as progress, written_whole(folder) as inside:
        data = play_and_report(config, inside, command, progress=progress)
    if as_json:
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return
    console = Console()
    print_rankings(data, console)
    console.print(f"report and records: {folder / REPORT}", soft_wrap=True, highlight=False)


def play_and_report(
    config: TournamentConfig,
    folder: Path,
    command: str,
    entrants: Sequence[Entrant] | None = None,
    progress: Callable[[int], None] = lambda games: None,
    training: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Play a tournament and write everything about it into an existing folder.

    Args:
        config: what to play.
        folder: where the files go.
        command: as typed, for the report.
        entrants: see `run_tournament`.
        progress: see `run_tournament`.
        training: what the report says of an agent's training; see `report.write_report`.

    Returns:
        What stands in ``ranking.json``.
    """
    before, start = load(), time.monotonic()
    result = run_tournament(config, folder, entrants, progress)
    facts = provenance(command, config.seed, time.monotonic() - start, before)
    data = result_data(result, facts)
    write_data(data, folder)
    write_report(data, folder / REPORT, training)
    return data
