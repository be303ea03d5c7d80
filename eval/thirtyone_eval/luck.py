"""How lucky each seat was with its cards: a number whose mean is zero, whatever the policies do.

A control variate in the manner of AIVAT (Burch et al., 2018): the lives that a seat can expect to lose are guessed from
all hands, as only the referee can; each card of chance changes that guess; and the change, less its mean over all
cards that chance could have given, is luck. Summed over a game it is zero in the mean, however poor the guess, and a
good guess moves with the lives lost. `control` takes it out of them.

There are two kinds, `DRAWS` (each card from the stock) and `DEALS` (the hands dealt, which matter only where a deal is
not played in all seatings). Tables at which nothing is drawn from a stock have no luck of draws.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from thirtyone_env.core import layout
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_key, generator
from thirtyone_env.rules import Rules
from thirtyone_eval import luck_entry
from thirtyone_eval.arena import play_table
from thirtyone_eval.luck_core import CLASSES, DONE, FLOATS, INTS, LEVELS, ROWS

Floats = npt.NDArray[np.float64]
Floats32 = npt.NDArray[np.float32]
Words = npt.NDArray[np.uint64]

ROUNDS = 20_000  # simulated to fit the tables
KINDS = 2
_SEED = 0x31  # of the simulated rounds, which share no deal with any tournament's
_STREAM = 31
_WEIGHT = 4.0  # of the belief that a hand stays as it is, in rounds: rare hands have few of their own
# Kind and parameter of the policies that simulate: `tips`, and `threshold` at half points.
_PLAYERS = ((2, 0), (1, 42), (1, 46), (1, 50))


@dataclass(frozen=True)
class Guess:
    """What the guess of lives lost is made of; fitted before a tournament, on deals of its own.

    Attributes:
        tables: float64 ``[CLASSES, ROWS, LEVELS + 1]``: by what is still to come for a seat and its hand now (its worth
            and how many cards make it), the chance to end with a worth of at least so many points.
        hopes: float64 ``[ROWS]``: lives that such a dealt hand loses, less their mean over all hands of the pack.
    """

    tables: Floats
    hopes: Floats


@functools.cache
def fitted(rules: Rules, players: int, rounds: int = ROUNDS) -> Guess:
    """The guess for a variant and a table size, from simulated rounds. The same whenever it is fitted."""
    ends, dealt = np.zeros((CLASSES, ROWS, LEVELS)), np.zeros((2, ROWS))
    draw = generator(decision_key(_SEED, players, _STREAM))
    kinds = np.array(_PLAYERS, dtype=np.uint64)[draw.integers(len(_PLAYERS), size=(rounds, players))]
    seeds = draw.integers(1 << 63, size=rounds, dtype=np.uint64) | np.uint64(1 << 63)  # a deal's are below 2^53
    nothing = Guess(np.zeros((CLASSES, ROWS, LEVELS + 1)), np.zeros(ROWS))
    bases = np.zeros_like(seeds)  # of keys, which these policies do not read
    run(rules, players, "round", seeds, bases, kinds.reshape(rounds, -1), nothing, ends=ends, dealt=dealt)
    return Guess(_chances(ends), _hopes(rules, dealt))


def _chances(ends: Floats) -> Floats:
    """Chances to end at least so high: float64 ``[CLASSES, ROWS, LEVELS + 1]``."""
    stays = np.tile(np.eye(LEVELS), (ROWS // LEVELS, 1))
    weighted = ends + _WEIGHT * stays
    shares = weighted / weighted.sum(axis=2, keepdims=True)
    shares[DONE] = stays
    least = shares[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
    return np.ascontiguousarray(np.concatenate([least, np.zeros((CLASSES, ROWS, 1))], axis=2))


def _hopes(rules: Rules, dealt: Floats) -> Floats:
    """Lives lost by dealt hand, less their mean: float64 ``[ROWS]``."""
    mean = dealt[1].sum() / max(1.0, dealt[0].sum())
    return centred(rules, (dealt[1] + _WEIGHT * mean) / (dealt[0] + _WEIGHT))


def centred(rules: Rules, values: Floats) -> Floats:
    """Values of hands, float64 ``[ROWS]``, less their exact mean over all hands of the pack."""
    hands = np.zeros(ROWS)
    deck, rules1 = rules.packed
    luck_entry.count_hands(deck & ((1 << 52) - 1), rules1, hands)
    less: Floats = values - float(values @ hands) / float(hands.sum())
    return less


def run(
    rules: Rules,
    players: int,
    episode: str,
    seeds: Words,
    bases: Words,
    kinds: Words,
    guess: Guess,
    actions: npt.NDArray[np.uint8] | None = None,
    starts: npt.NDArray[np.int64] | None = None,
    ends: Floats | None = None,
    dealt: Floats | None = None,
) -> tuple[Words, Floats32]:
    """Play games and measure the luck in them; see `luck_entry.play_games` for the arguments.

    Returns:
        Results as of `batch_arena.play_games`, and luck, float32 ``[games, KINDS, players]``.
    """
    games = len(seeds)
    table = play_table(rules, players, episode)
    results = np.zeros((games, 3 * players + 3), dtype=np.uint64)
    luck = np.zeros((games, KINDS * players))
    luck_entry.play_games(
        table, np.zeros((len(table), 1), dtype=np.uint64), seeds, bases, kinds,
        np.empty((1, layout.VIEW_WORDS), dtype=np.uint64), results,
        np.zeros(0, dtype=np.uint8) if actions is None else actions,
        np.zeros(games + 1, dtype=np.int64) if starts is None else starts,
        guess.tables, guess.hopes, *_room(), luck,
        np.zeros((0, ROWS, LEVELS)) if ends is None else ends,
        np.zeros((2, ROWS)) if dealt is None else dealt,
    )  # fmt: skip
    return results, luck.reshape(games, KINDS, players).astype(np.float32)


def replayed(
    rules: Rules, players: int, episode: str, seeds: Words, actions: Sequence[bytes], guess: Guess
) -> Floats32:
    """Luck in games whose actions are known, as far as they go: float32 ``[games, KINDS, players]``.

    Args:
        seeds: of the cards, uint64 ``[games]``.
        actions: ids of all actions of each game.
    """
    starts = np.cumsum([0, *(len(one) for one in actions)], dtype=np.int64)
    kinds = np.zeros((len(seeds), 2 * players), dtype=np.uint64)
    kinds[:, ::2] = luck_entry.GIVEN
    given = np.frombuffer(b"".join(actions), dtype=np.uint8).copy()  # compiled code takes no read-only array
    return run(rules, players, episode, seeds, np.zeros_like(seeds), kinds, guess, given, starts)[1]


def _room() -> tuple[npt.NDArray[np.int64], Floats]:
    """Arrays for compiled code to work in."""
    return np.zeros((INTS, ROWS), dtype=np.int64), np.zeros((FLOATS, ROWS))


def luck_of_draw(game: Game, card: int, guess: Guess) -> Floats:
    """Luck of each seat in one draw: lives that it can expect to lose more than before the card came.

    Args:
        game: one in which a card is to come from the stock (``chance="manual"``).
        card: the id of the card.
        guess: any; over the cards that may come the luck of each seat sums to zero.

    Returns:
        float64 ``[players]``.
    """
    luck = np.zeros(KINDS * game.players)
    luck_entry.one_draw(game.state, card, guess.tables, *_room(), luck)
    return luck[: game.players]


def luck_of_deal(game: Game, guess: Guess) -> Floats:
    """Luck of each seat with its dealt hand, float64 ``[players]``; zero over the seats, and in the mean over deals."""
    luck = np.zeros(KINDS * game.players)
    luck_entry.one_deal(game.state, guess.hopes, luck)
    return luck[game.players :]
