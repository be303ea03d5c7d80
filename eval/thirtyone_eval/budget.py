"""How many deals are played: as many as the config names, or until the intervals are as narrow as asked.

The deals played depend on the config and the games alone, so a run that was killed stops where any other does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.ranking import rank
from thirtyone_eval.schedule import Setting, settings_of
from thirtyone_eval.tally import Tally

FIRST = 60  # deals before intervals are looked at
MARGIN = 1.05  # the width of the interval is an estimate too
GROWTH_LEAST, GROWTH_MOST = 1.1, 4.0


def widest(labels: Sequence[str], settings: Sequence[Setting], tallies: Sequence[Tally]) -> float:
    """The widest half interval of a policy's measure: over all settings, or in any one where measures differ."""
    if len({setting.measure for setting in settings}) == 1:
        groups = [(settings[0].measure, list(tallies))]
    else:
        groups = [(setting.measure, [tally]) for setting, tally in zip(settings, tallies, strict=True)]
    rows = [row for measure, group in groups for row in rank(labels, group, measure)]
    measures = [measure for measure, _ in groups for _ in labels]
    return max(
        (row.lives if measure == "lives" else row.wins).half_width
        for row, measure in zip(rows, measures, strict=True)
    )


def most_deals(config: TournamentConfig) -> int:
    """The most deals that are played."""
    if config.matches is None:
        return config.deals
    per_deal = sum(setting.games for setting in settings_of(config))
    return max(2, min(config.deals, math.ceil(config.matches / per_deal)))


def first_deals(config: TournamentConfig) -> int:
    """Deals of the first stage."""
    most = most_deals(config)
    return most if config.precision is None else min(most, FIRST)


def wanted_deals(config: TournamentConfig, done: int, width: float) -> int:
    """Deals that will be enough by what is known after ``done`` deals; ``done`` if they are."""
    if config.precision is None or width <= config.precision:
        return done
    return min(most_deals(config), max(done + 1, math.ceil(MARGIN * done * (width / config.precision) ** 2)))


def next_deals(done: int, wanted: int) -> int:
    """Deals after the next stage: towards what is wanted, not by much more than is known."""
    return min(max(wanted, math.ceil(done * GROWTH_LEAST)), math.floor(done * GROWTH_MOST))
