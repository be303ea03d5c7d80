"""Who plays the blocks of a tournament: this process, processes beside it, or the machines of a Ray cluster."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

from thirtyone_eval.asking import Desk
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.entrants import Entrant, guarded, load_entrants
from thirtyone_eval.orphans import end_with_parent
from thirtyone_eval.outcomes import Outcomes
from thirtyone_eval.play import play_block
from thirtyone_eval.schedule import Block, Setting, games_of, settings_of, takes_luck_out

Begin = Callable[[Block], Callable[[], Outcomes]]  # begins a block, and gives a function that waits for its outcomes


def crew(
    config: TournamentConfig, settings: Sequence[Setting], entrants: Sequence[Entrant], given: list[Entrant] | None
) -> AbstractContextManager[Begin]:
    """Those who play, as a context.

    Args:
        given: the entrants, where they did not come from their names and must be sent to workers.
    """
    if config.backend == "ray":
        from thirtyone_eval.ray_backend import ray_cluster

        return ray_cluster(config, entrants, given)
    return _here(config, settings, entrants, given) if config.workers == 1 else _processes(config, given)


@contextmanager
def _here(
    config: TournamentConfig, settings: Sequence[Setting], entrants: Sequence[Entrant], given: list[Entrant] | None
) -> Iterator[Begin]:
    with guarded(entrants, config.time_limit, given is None) as players:
        desk = Desk()
        yield lambda block: lambda: play_one(config, settings[block.setting], players, block, desk)


@contextmanager
def _processes(config: TournamentConfig, given: list[Entrant] | None) -> Iterator[Begin]:
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(config.workers, mp_context=context, initializer=prepare, initargs=(config, given))

    def begin(block: Block) -> Callable[[], Outcomes]:
        future: Future[Outcomes] = pool.submit(play_prepared, block)
        return future.result

    try:
        yield begin
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def play_one(
    config: TournamentConfig, setting: Setting, entrants: Sequence[Entrant], block: Block, desk: Desk
) -> Outcomes:
    """Play a block."""
    policies = [entrant.policy for entrant in entrants]
    games = games_of(config, setting, block)
    return play_block(
        setting.rules, setting.players, config.episode, config.seed, games, policies, desk, takes_luck_out(config)
    )


_PREPARED: dict[str, Any] = {}


def prepare(config: TournamentConfig, given: list[Entrant] | None) -> list[Entrant]:
    """In a new process: Ctrl-C is the parent's to handle; the policies are loaded by their names or were given.

    Returns:
        The entrants, as they are here.
    """
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    entrants = load_entrants(config.policies) if given is None else given
    guards = ExitStack()
    players = guards.enter_context(guarded(entrants, config.time_limit, given is None))
    atexit.register(guards.close)
    _PREPARED.update(config=config, settings=settings_of(config), entrants=players, desk=Desk())
    return entrants


def play_prepared(block: Block) -> Outcomes:
    """Play a block in a process that was prepared."""
    at = _PREPARED
    return play_one(at["config"], at["settings"][block.setting], at["entrants"], block, at["desk"])
