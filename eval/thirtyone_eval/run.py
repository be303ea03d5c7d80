"""Running a tournament: blocks of games, here or elsewhere, stored as they come, joined in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thirtyone_env.errors import UserError
from thirtyone_eval.budget import first_deals, most_deals, next_deals, wanted_deals, widest
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.crews import Begin, crew
from thirtyone_eval.entrants import Entrant, check_entrants, in_order, load_entrants
from thirtyone_eval.outcomes import Outcomes
from thirtyone_eval.ratings import MOST_GAMES, Drawn
from thirtyone_eval.schedule import Block, Setting, blocks, games_of, settings_of
from thirtyone_eval.store import Store, run_store
from thirtyone_eval.tally import Tally, joined, tally_of


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
        entrants: the policies, in place of those that the config names, in any order; for worker processes they are
            pickled.
        progress: called with the number of games just played.
        expect: called with the number of games that there will be, when that is known better than before.

    A policy that fails forfeits the game (`forfeits.RULE`) and the tournament goes on.

    Raises:
        UserError: a policy does not fit, before anything is played; or the folder holds another run.
    """
    players = load_entrants(config.policies) if entrants is None else in_order(entrants)
    check_entrants(players, config)
    settings = settings_of(config)
    parts: list[list[Tally]] = [[] for _ in settings]
    drawn = [Drawn(players, setting.players, MOST_GAMES // len(settings)) for setting in settings]
    tallies: list[Tally] = []
    done, goal = 0, first_deals(config)
    given = None if entrants is None else players
    with run_store(folder, config, players) as store, crew(config, settings, players, given) as begin:
        while done < goal:
            todo = list(blocks(config, settings, range(done, goal)))
            for block, outcomes in _in_order(todo, store, config, settings, players, begin):
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


def _in_order(
    todo: Sequence[Block],
    store: Store,
    config: TournamentConfig,
    settings: Sequence[Setting],
    entrants: Sequence[Entrant],
    begin: Begin,
) -> Iterator[tuple[Block, Outcomes]]:
    """Blocks in order, those stored earlier too; a few are begun ahead, and each is stored as it comes."""
    there = {(block.setting, block.deals.start): block for one in settings for block in store.blocks(one.number)}
    waiting: deque[tuple[Block, Callable[[], Outcomes] | None]] = deque()
    ahead = 0 if config.workers == 1 and config.backend == "local" else 2 * config.workers

    def finished() -> tuple[Block, Outcomes]:
        block, result = waiting.popleft()
        if result is None:
            return block, store.load(block)
        outcomes = result()
        seats = games_of(config, settings[block.setting], block).seats
        store.save(block, outcomes, [entrants[seats[one.game, one.seat]].label for one in outcomes.forfeits])
        return block, outcomes

    for block in todo:
        stored = there.get((block.setting, block.deals.start))
        if stored is not None and stored != block:
            raise UserError(f"the store has the deals {stored.deals} in one block where {block.deals} belong together")
        waiting.append((block, None if stored else begin(block)))
        if len(waiting) > ahead:
            yield finished()
    while waiting:
        yield finished()
