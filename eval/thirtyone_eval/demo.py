"""The demo: an agent trained for a minute, a tournament of it against the baselines, and a report of both."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import Entrant, load_entrants
from thirtyone_eval.folders import check_free, numbered_folder, written_whole
from thirtyone_eval.report import REPORT
from thirtyone_eval.run import run_tournament, total_games
from thirtyone_eval.show import print_rankings, progress_bar, stage_bar
from thirtyone_eval.store import STORE
from thirtyone_eval.tournament import play_and_report

AGENT = "trained agent"
FOLDER = "agent"
BASELINES = (
    "random", "threshold:15", "threshold:19", "threshold:21", "threshold:23", "threshold:25", "threshold:27", "tips",
)  # fmt: skip
PART_OF_TRAINING = 0.8  # how long the tournament takes, next to the training
LEAST_DEALS, MOST_DEALS = 60, 12_000
_PROBE_DEALS = 25
_SECOND_CORE = 0.6  # what each worker beyond the first adds


def demo_command(minutes: float, seed: int, out: Path | None, workers: int | None) -> None:
    """What `thirtyone demo` does."""
    folder = check_free(out) if out is not None else numbered_folder("demo")
    command = shlex.join(["thirtyone", *sys.argv[1:]])
    console = Console(soft_wrap=True, highlight=False)
    with _ended_like_ctrl_c(), written_whole(folder) as inside:
        console.print(f"[bold]1 of 2[/]  training an agent for about {minutes:g} min; Ctrl-C leaves nothing behind")
        trained, said = _train(minutes, seed, inside / FOLDER, command, console)
        entrants = load_entrants([*BASELINES, _agent(inside / FOLDER, folder / FOLDER)])
        entrants = _relabelled(entrants)
        config = _tournament(minutes, seed, workers or min(2, os.cpu_count() or 1), entrants)
        note = f"{config.deals} deals, as many as a probe expected to take {60 * minutes * PART_OF_TRAINING:.0f} s"
        console.print(f"[bold]2 of 2[/]  a tournament against the baselines: {note}")
        with progress_bar("playing", total_games(config), "games") as progress:
            told = _told(trained, [*said, f"The tournament has {note}."])
            data = play_and_report(config, inside, command, entrants, progress, told)
    print_rankings(data, console)
    _print_end(data, folder, console)


@contextmanager
def _ended_like_ctrl_c() -> Iterator[None]:
    """A kill by SIGTERM goes the way of Ctrl-C, so that it leaves nothing behind either."""
    if threading.current_thread() is not threading.main_thread():  # only there may signals be handled
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _train(minutes: float, seed: int, folder: Path, command: str, console: Console) -> tuple[Any, list[str]]:
    """Train the agent into a folder: the trainer's ``TrainResult``, and what it said meanwhile."""
    from thirtyone_train.config import load_config
    from thirtyone_train.trainer import train

    said: list[str] = []
    config = load_config("pagat", [f"budget.seconds={60 * minutes}", f"seed={seed}"])
    with stage_bar() as progress:
        result = train(config, folder, progress, command, said.append)
    for line in said:
        console.print(f"        {escape(line)}")
    console.print(f"        trained in {result.seconds:.0f} s")
    return result, said


def _agent(now: Path, later: Path) -> Any:
    """The agent as a policy, under the name that finds it once the folder has its own."""
    from thirtyone_agents.learned import load_agent

    policy = load_agent(now)
    policy.name = f"learned:{later}"
    return policy


def _relabelled(entrants: Sequence[Entrant]) -> list[Entrant]:
    """The agent under a label that is short enough for a plot."""
    return [
        Entrant(AGENT, one.name, one.fingerprint, one.policy) if one.name.startswith("learned:") else one
        for one in entrants
    ]


def _tournament(minutes: float, seed: int, workers: int, entrants: Sequence[Entrant]) -> TournamentConfig:
    """The tournament's config, with as many deals as fit into the time."""
    values = {
        "description": "An agent trained for a minute, against the baselines"
        if minutes == 1
        else f"An agent trained for {minutes:g} minutes, against the baselines",
        "rules": "pagat",
        "players": 3,
        "policies": [one.name for one in entrants],
        "tables": "random",
        "seed": seed,
        "workers": workers,
        "control_variate": False,  # its compiled part would take longer to compile than the demo has
    }
    probe = parse_config({**values, "deals": _PROBE_DEALS, "workers": 1})
    run_tournament(probe, entrants=entrants)  # what the first call of everything costs is not counted
    started = time.monotonic()
    run_tournament(probe, entrants=entrants)
    per_deal = (time.monotonic() - started) / _PROBE_DEALS
    speed = (1 + _SECOND_CORE * (workers - 1)) / per_deal
    deals = int(60 * minutes * PART_OF_TRAINING * speed)
    return parse_config({**values, "deals": min(max(deals // 20 * 20, LEAST_DEALS), MOST_DEALS)})


def _told(result: Any, said: Sequence[str]) -> dict[str, Any]:
    """What the report says of the training."""
    config = result.config
    curves = [
        {
            **result.curve(),
            "title": "Reward in training",
            "text": "Mean over the episodes of some updates, while it explores; opponents are drawn for each episode.",
            "x_label": "decisions",
            "y_label": "reward a round",
        }
    ]
    if len(result.scores) > 1:
        curves.append(
            {
                "x": [score["steps"] for score in result.scores],
                "y": [100 * score["margin"] for score in result.scores],
                "half": [100 * score["margin_half"] for score in result.scores],
                "title": "Lead over its opponents on the way",
                "text": f"Lives that {' and '.join(config.evaluation.opponents)} lost more, on mirrored deals, with "
                "95 % intervals. At 0 decisions stands what imitation alone gives.",
                "x_label": "decisions",
                "y_label": "lives in 100 rounds",
            }
        )
    facts = [
        ("decisions of reinforcement learning", f"{result.steps:,}"),
        ("seconds, imitation and scoring included", f"{result.seconds:.0f}"),
        ("games side by side", str(config.ppo.num_games)),
        ("hidden layers", ", ".join(map(str, config.hidden))),
        ("opponents in training", ", ".join(config.opponents)),
        ("seed", str(config.seed)),
    ]
    if config.imitation.teacher and result.agreement is not None:
        facts.insert(0, ("imitated first", f"{config.imitation.teacher}, {config.imitation.decisions:,} decisions"))
        facts.insert(1, ("agreement with it afterwards", f"{100 * result.agreement:.1f} %"))
    measured = " ".join(line if line.endswith(".") else f"{line}." for line in said)
    text = [*result.describe(), f"Time was turned into numbers beforehand, on this machine under its load: {measured}"]
    return {"title": "How the agent was trained", "text": text, "curves": curves, "facts": facts}


def _print_end(data: dict[str, Any], folder: Path, console: Console) -> None:
    row = next(row for row in data["ranking"] if row["policy"] == AGENT)
    others = len(data["ranking"]) - 1
    console.print(
        f"\nThe trained agent has rank {row['rank']} and is better than {len(row['beats'])} of {others} "
        "by the interval of the paired difference."
    )
    console.print(f"  report   {folder / REPORT}\n  agent    learned:{folder / FOLDER}")
    console.print(f"  records  {folder / STORE}")
    console.print("\nWhat to try next:", markup=False)
    for line in (
        "thirtyone demo --minutes 5                          a stronger agent",
        f"thirtyone tournament baselines --set 'policies=[learned:{folder / FOLDER}, tips, threshold:25]'",
        "thirtyone train sb3 pagat --set budget.seconds=120  training alone; thirtyone train sb3 --help",
    ):
        console.print(f"  {line}", markup=False)
