"""Blocks played on a Ray cluster. What a lost machine had is played again elsewhere; results are stored here alone.

``RAY_ADDRESS`` names the cluster (`ray start --head` prints it); without it Ray starts on this machine with ``workers``
processors. Every machine needs the same version of thirtyone-env, and the code and files of the policies.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from thirtyone_env import __version__
from thirtyone_env.errors import UserError
from thirtyone_env.extras import require
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.crews import play_prepared, prepare
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.outcomes import Outcomes
from thirtyone_eval.schedule import Block

RUN_AGAIN = -1  # as often as machines are lost


@contextmanager
def ray_cluster(
    config: TournamentConfig, entrants: Sequence[Entrant], given: list[Entrant] | None
) -> Iterator[Callable[..., Any]]:
    """A function that begins a block on the cluster, as `crews.Begin`.

    Args:
        config: what to play.
        entrants: who plays, as they are on this machine.
        given: the same, where they did not come from their names and must be sent.

    Raises:
        UserError: ray is not installed, or a machine has another version of thirtyone-env or other policies.
    """
    require("ray", "--backend ray")
    import ray

    started = not ray.is_initialized()
    if started:
        alone = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": config.workers}
        ray.init(log_to_driver=False, configure_logging=False, include_dashboard=False, **alone)
    work = ray.remote(num_cpus=1, max_retries=RUN_AGAIN)(_play)
    told = ray.put((config, given, __version__, marks_of(entrants)))
    waiting: set[Any] = set()

    def begin(block: Block) -> Callable[[], Outcomes]:
        task = work.remote(told, block)
        waiting.add(task)

        def result() -> Outcomes:
            answer = ray.get(task)
            waiting.discard(task)
            if isinstance(answer, str):
                raise UserError(answer)
            outcomes: Outcomes = answer
            return outcomes

        return result

    try:
        yield begin
    finally:
        for task in waiting:
            ray.cancel(task, force=True)
        if started:
            ray.shutdown()


_Told = tuple[TournamentConfig, list[Entrant] | None, str, dict[str, str]]
_here: list[Any] = []


def marks_of(entrants: Sequence[Entrant]) -> dict[str, str]:
    """Fingerprint by label."""
    return {one.label: one.fingerprint for one in entrants}


def _play(told: _Told, block: Block) -> Outcomes | str:
    """On a machine of the cluster: play a block; text where that cannot be."""
    config, given, version, marks = told
    if version != __version__:
        return f"a machine of the cluster has thirtyone-env {__version__}, and this one {version}"
    if _here != [config, marks]:  # a process of the cluster may have played for another run before
        _here.clear()
        found = marks_of(prepare(config, given))
        others = [label for label, mark in marks.items() if found.get(label) != mark]
        if others:
            return f"a machine of the cluster has other files of {', '.join(others)} than this one"
        _here[:] = [config, marks]
    return play_prepared(block)
