"""Running a tournament: blocks of games, here or in worker processes, stored as they come, joined in order."""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thirtyone_eval.asking import Desk
from thirtyone_eval.budget import first_deals, most_deals, next_deals, wanted_deals, widest
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.entrants import Entrant, check_entrants, guarded, load_entrants
from thirtyone_eval.outcomes import Outcomes
from thirtyone_eval.play import play_block
from thirtyone_eval.ratings import MOST_GAMES, Drawn
from thirtyone_eval.schedule import Block, Setting, blocks, games_of, settings_of
from thirtyone_eval.store import Store, run_store
from thirtyone_eval.tally import Tally, joined, tally_of

Play = Callable[[Sequence[Block], Store], Iterator[tuple[Block, Outcomes]]]


@dataclass(frozen=True)
class Result:
    """What a tournament found: the sums of each setting.

    Attributes:
        forfeits: policy, reason, how often, and the text of the first.
        drawn: games to rate, of each setting.
    """

    config: TournamentConfig
    entrants: list[Entrant]
    settings: list[Setting]
    tallies: list[Tally]
    forfeits: list[tuple[str, str, int, str]]
    drawn: list[Drawn]

    @property
    def labels(self) -> list[str]:
        """Labels of the policies, by number."""
        return [entrant.label for entrant in self.entrants]

    @property
    def games(self) -> int:
        """Games played."""
        return sum(tally.total_games for tally in self.tallies)


def total_games(config: TournamentConfig) -> int:
    """Games that a tournament will play; with a ``precision``, those before intervals are looked at."""
    return sum(setting.games * first_deals(config) for setting in settings_of(config))


def run_tournament(
    config: TournamentConfig,
    folder: Path | None = None,
    entrants: Sequence[Entrant] | None = None,
    progress: Callable[[int], None] = lambda games: None,
    expect: Callable[[int], None] = lambda games: None,
) -> Result:
    """Play a tournament, or what is still to be played of one.

    Args:
        config: what to play.
        folder: where the games are stored as they come (`store.STORE`); blocks that are there are not played again.
            None keeps them in memory only.
        entrants: the policies, in place of those that the config names; for worker processes they are pickled.
        progress: called with the number of games just played.
        expect: called with the number of games that there will be, when that is known better than before.

    A policy that fails forfeits the game (`forfeits.RULE`) and the tournament goes on.

    Raises:
        UserError: a policy does not fit, before anything is played; or the folder holds another run.
    """
    players = load_entrants(config.policies) if entrants is None else list(entrants)
    check_entrants(players, config)
    settings = settings_of(config)
    parts: list[list[Tally]] = [[] for _ in settings]
    drawn = [Drawn(players, setting.players, MOST_GAMES // len(settings)) for setting in settings]
    tallies: list[Tally] = []
    done, goal = 0, first_deals(config)
    given = None if entrants is None else players
    with run_store(folder, config, players) as store, _crew(config, settings, players, given) as play:
        while done < goal:
            for block, outcomes in play(list(blocks(config, settings, range(done, goal))), store):
                setting = settings[block.setting]
                games = games_of(config, setting, block)
                parts[block.setting].append(tally_of(games, outcomes, block.deals, len(players), setting.measure))
                drawn[block.setting].add(games, outcomes)
                progress(len(games))
            tallies = [joined(some) for some in parts]
            wanted = wanted_deals(config, goal, widest([one.label for one in players], settings, tallies))
            done, goal = goal, wanted if wanted <= goal else min(next_deals(goal, wanted), most_deals(config))
            expect(wanted * sum(setting.games for setting in settings))
        return Result(config, players, settings, tallies, store.forfeits(), drawn)


def play_one(
    config: TournamentConfig, setting: Setting, entrants: Sequence[Entrant], block: Block, desk: Desk
) -> Outcomes:
    """Play a block."""
    policies = [entrant.policy for entrant in entrants]
    games = games_of(config, setting, block)
    return play_block(setting.rules, setting.players, config.episode, config.seed, games, policies, desk)


@contextmanager
def _crew(
    config: TournamentConfig, settings: Sequence[Setting], entrants: Sequence[Entrant], given: list[Entrant] | None
) -> Iterator[Play]:
    """A function that plays blocks and stores them, and gives all of them in order, those stored earlier too.

    Workers load the policies by name, unless they were given.
    """
    if config.workers == 1:
        with guarded(entrants, config.time_limit, given is None) as players:
            desk = Desk()

            def begin(block: Block) -> Callable[[], Outcomes]:
                return lambda: play_one(config, settings[block.setting], players, block, desk)

            yield lambda todo, store: _in_order(todo, store, config, settings, entrants, begin, 0)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(config.workers, mp_context=context, initializer=_start_worker, initargs=(config, given))

    def submit(block: Block) -> Callable[[], Outcomes]:
        future: Future[Outcomes] = pool.submit(_work, block)
        return future.result

    try:
        yield lambda todo, store: _in_order(todo, store, config, settings, entrants, submit, 2 * config.workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    todo: Sequence[Block],
    store: Store,
    config: TournamentConfig,
    settings: Sequence[Setting],
    entrants: Sequence[Entrant],
    begin: Callable[[Block], Callable[[], Outcomes]],
    ahead: int,
) -> Iterator[tuple[Block, Outcomes]]:
    """Begin up to ``ahead`` blocks more than are waited for; store each as it comes."""
    there = {(block.setting, block.deals.start) for one in settings for block in store.blocks(one.number)}
    waiting: deque[tuple[Block, Callable[[], Outcomes] | None]] = deque()

    def finished() -> tuple[Block, Outcomes]:
        block, result = waiting.popleft()
        if result is None:
            return block, store.load(block)
        outcomes = result()
        seats = games_of(config, settings[block.setting], block).seats
        store.save(block, outcomes, [entrants[seats[one.game, one.seat]].label for one in outcomes.forfeits])
        return block, outcomes

    for block in todo:
        stored = (block.setting, block.deals.start) in there
        waiting.append((block, None if stored else begin(block)))
        if len(waiting) > ahead:
            yield finished()
    while waiting:
        yield finished()


_HERE: dict[str, Any] = {}


def _start_worker(config: TournamentConfig, given: list[Entrant] | None) -> None:
    """In a new process: Ctrl-C is the parent's to handle; the policies are loaded by their names."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    entrants = load_entrants(config.policies) if given is None else given
    guards = ExitStack()
    players = guards.enter_context(guarded(entrants, config.time_limit, given is None))
    atexit.register(guards.close)
    _HERE.update(config=config, settings=settings_of(config), entrants=players, desk=Desk())


def _work(block: Block) -> Outcomes:
    return play_one(_HERE["config"], _HERE["settings"][block.setting], _HERE["entrants"], block, _HERE["desk"])
