"""A tournament from its config to its folder of results."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from thirtyone_eval.config import TournamentConfig, load_config
from thirtyone_eval.entrants import Entrant, check_entrants, load_entrants
from thirtyone_eval.folders import goes_on, one_at_a_time, run_folder
from thirtyone_eval.provenance import load, provenance
from thirtyone_eval.report import REPORT, write_report
from thirtyone_eval.results import as_json, earlier_sittings, lasting, result_data, write_data
from thirtyone_eval.run import run_tournament, total_games
from thirtyone_eval.show import print_rankings, progress_bar


def tournament_command(
    name: str, out: Path | None, changes: Sequence[str], as_text: bool, parquet: bool = False
) -> None:
    """What `thirtyone tournament` does."""
    config = load_config(name, changes)
    entrants = load_entrants(config.policies)
    check_entrants(entrants, config)
    folder = run_folder(out, Path(name).stem, config, entrants)
    command = shlex.join(["thirtyone", *sys.argv[1:]])
    said = Console(stderr=True, soft_wrap=True, highlight=False)
    try:
        with one_at_a_time(folder):
            if goes_on(folder, config, entrants):
                said.print(f"{folder} is there: what is stored in it is not played again")
            with progress_bar("playing, then reporting", total_games(config), "games") as progress:
                data = play_and_report(config, folder, command, progress=progress, expect=progress.expect)
            if parquet:
                from thirtyone_eval.parquet import write_parquet

                write_parquet(data, folder)
    except KeyboardInterrupt:
        said.print(f"what was played is in {folder}; the same command goes on from there")
        raise
    if as_text:
        print(as_json(lasting(data)), end="")
        return
    console = Console()
    print_rankings(data, console)
    console.print(f"report: {folder / REPORT}", soft_wrap=True, highlight=False)


def play_and_report(
    config: TournamentConfig,
    folder: Path,
    command: str,
    entrants: Sequence[Entrant] | None = None,
    progress: Callable[[int], None] = lambda games: None,
    training: dict[str, Any] | None = None,
    expect: Callable[[int], None] = lambda games: None,
) -> dict[str, Any]:
    """Play a tournament and write everything about it into an existing folder.

    Args:
        config: what to play.
        folder: where the files go.
        command: as typed, for the report.
        entrants: see `run_tournament`.
        progress, expect: see `run_tournament`.
        training: what the report says of an agent's training; see `report.write_report`.

    Returns:
        What stands in ``ranking.json``, and under ``run`` what stands in ``run.json``.
    """
    before, start = load(), time.monotonic()
    result = run_tournament(config, folder, entrants, progress, expect)
    facts = provenance(command, config.seed, time.monotonic() - start, before)
    facts["earlier"] = earlier_sittings(folder)
    data = result_data(result, facts)
    write_report(data, folder / REPORT, training)
    write_data(data, folder)
    return data
