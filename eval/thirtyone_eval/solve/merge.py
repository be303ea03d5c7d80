"""From information sets to views: a solution that plays must tell what it does by the view alone.

A view is a summary: where a seat has drawn several cards, it no longer says which of its cards it was dealt. Sets with
the same view are played as one, each by how likely it is that the seat gets there: its own play times chance. What
the opponents see stays exactly as likely, so this costs nothing where a view forgets only what no one else can know.
Whether it costs anything is measured all the same: the exploitability told of a solution is that of what it plays,
against answers that remember everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.solved_views import Words, distinct, plain_views
from thirtyone_eval.solve.game import Floats, MiniGame
from thirtyone_eval.solve.judge import plan_of


@dataclass(frozen=True)
class Played:
    """A strategy as it is played by views.

    Attributes:
        views: the positions, each once; uint64 ``[n, 32]``.
        chances: of the legal actions of each position, end to end; float64.
        strategy: the same for each information set of the game; float64 ``[actions]``.
    """

    views: Words
    chances: Floats
    strategy: Floats


def by_views(game: MiniGame, strategy: Floats) -> Played:
    """The strategy that plays the same wherever the view is the same."""
    assert game.tree.views is not None
    views = plain_views(game.tree.views, game.players)
    first, kind = distinct(views)
    number = np.diff(game.offset)
    begins = np.concatenate([[0], np.cumsum(number[first])])
    place = np.repeat(begins[kind] - game.offset[:-1], number) + np.arange(game.actions)
    weight = np.repeat(plan_of(game, strategy)[game.parent] * game.likely, number)
    chances = _shares(np.bincount(place, weight * strategy, begins[-1]), begins)
    never = ~(np.add.reduceat(chances, begins[:-1]) > 0)
    if never.any():  # the seat itself never goes there: each set counts as often as chance brings it
        likely = np.repeat(game.likely, number)
        other = _shares(np.bincount(place, likely * strategy, begins[-1]), begins)
        chances = np.where(np.repeat(never, np.diff(begins)), other, chances)
    return Played(views[first], chances, chances[place])


def _shares(weights: npt.NDArray[Any], begins: npt.NDArray[np.int64]) -> Floats:
    """Weights of each position's actions, divided by their sum; 0 where that is 0."""
    sums = np.repeat(np.add.reduceat(weights, begins[:-1]), np.diff(begins))
    shares: Floats = np.divide(weights, sums, out=np.zeros(len(weights)), where=sums > 0)
    return shares
