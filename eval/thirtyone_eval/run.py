"""Running a tournament: blocks of games, here or in worker processes, their sums joined in order."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.entrants import Entrant, check_entrants, load_entrants
from thirtyone_eval.play import play_block
from thirtyone_eval.records import make_record, record_line, writer
from thirtyone_eval.schedule import Block, Setting, blocks, placements, settings_of
from thirtyone_eval.tally import Tally, joined, tally_of

RECORDS = "records.jsonl.gz"


@dataclass(frozen=True)
class Result:
    """What a tournament found: the sums of each setting."""

    config: TournamentConfig
    entrants: list[Entrant]
    settings: list[Setting]
    tallies: list[Tally]

    @property
    def labels(self) -> list[str]:
        """Labels of the policies, by number."""
        return [entrant.label for entrant in self.entrants]

    @property
    def games(self) -> int:
        """Games played."""
        return sum(tally.total_games for tally in self.tallies)


@dataclass(frozen=True)
class Played:
    """A block that was played: its sums, and its records as text."""

    block: Block
    tally: Tally
    records: str


def total_games(config: TournamentConfig) -> int:
    """Games that a tournament will play."""
    return sum(setting.games * config.deals for setting in settings_of(config))


def run_tournament(
    config: TournamentConfig,
    folder: Path | None = None,
    entrants: Sequence[Entrant] | None = None,
    progress: Callable[[int], None] = lambda games: None,
) -> Result:
    """Play a tournament.

    Args:
        config: what to play.
        folder: where the records go as they come (`RECORDS`); None keeps none.
        entrants: the policies, in place of those that the config names; for worker processes they are pickled.
        progress: called with the number of games just played.

    Raises:
        UserError: a policy does not fit, before anything is played.
        IllegalAction: a policy answered something illegal.
    """
    players = load_entrants(config.policies) if entrants is None else list(entrants)
    check_entrants(players, config)
    settings = settings_of(config)
    parts: list[list[Tally]] = [[] for _ in settings]
    with writer(None if folder is None else folder / RECORDS) as write:
        for played in _played(config, settings, players, None if entrants is None else players):
            parts[played.block.setting].append(played.tally)
            write(played.records)
            progress(played.tally.total_games)
    return Result(config, players, settings, [joined(some) for some in parts])


def play_one(config: TournamentConfig, setting: Setting, entrants: Sequence[Entrant], block: Block) -> Played:
    """Play a block."""
    games = placements(config, setting, block)
    policies = [entrant.policy for entrant in entrants]
    outcomes = play_block(setting.rules, setting.players, config.episode, config.seed, games, policies)
    tally = tally_of(games, outcomes, block.deals, len(entrants), setting.measure)
    lines = []
    for number, (game, outcome) in enumerate(zip(games, outcomes, strict=True)):
        match = f"{setting.number}-{game.deal}-{number - (game.deal - block.deals.start) * setting.games}"
        record = make_record(match, setting.rules_name, config.episode, config.seed, game, entrants, outcome)
        lines.append(record_line(record))
    return Played(block, tally, "".join(lines))


def _played(
    config: TournamentConfig, settings: Sequence[Setting], entrants: Sequence[Entrant], given: list[Entrant] | None
) -> Iterator[Played]:
    """All blocks in order, whoever played them. Workers load the policies by name, unless they were given."""
    todo = blocks(config, list(settings))
    workers = config.workers
    if workers == 1:
        for block in todo:
            yield play_one(config, settings[block.setting], entrants, block)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(config, given))
    waiting: deque[Future[Played]] = deque()
    try:
        for block in todo:
            waiting.append(pool.submit(_work, block))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_HERE: dict[str, Any] = {}


def _start_worker(config: TournamentConfig, given: list[Entrant] | None) -> None:
    """In a new process: Ctrl-C is the parent's to handle; the policies are loaded by their names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    entrants = load_entrants(config.policies) if given is None else given
    _HERE.update(config=config, settings=settings_of(config), entrants=entrants)


def _work(block: Block) -> Played:
    return play_one(_HERE["config"], _HERE["settings"][block.setting], _HERE["entrants"], block)
