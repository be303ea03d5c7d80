"""From sums to a ranking: means with intervals, places in it, pay-offs, and what a seat is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thirtyone_eval.control import reduced
from thirtyone_eval.intervals import ROUNDING, Estimate, Sample, average, ratio, student_quantile
from thirtyone_eval.tally import Floats, Tally

RULE = (
    "Policies are sorted by the measure. Policies whose 95 % intervals overlap share a rank, also where others link "
    "them; the next rank is one more than the number above it. Whom a policy beats, a finer question, is told by the "
    "interval of their difference, taken deal by deal."
)
MEASURE_TEXT = {
    "lives": "mean lives lost a round, fewest first",
    "wins": "win share, most first",
}


@dataclass(frozen=True)
class Row:
    """One policy of a ranking.

    Attributes:
        label: its label.
        number: its number among the entrants.
        rank: 1 the best.
        games, rounds: that it played.
        lives: lives lost a round (less those received).
        wins: share of wins a game.
        place: mean place; None where tables of several sizes are taken together.
        place_shares: how often in each place, summing to 1; empty where sizes differ.
        behind_best: how much worse than the policy on top, deal by deal, in the measure; zero for that one.
        behind_above: the same against the policy one line up; None on top.
        beats: labels of the policies that it is better than by the interval of the difference.
        raw: the measure with luck left in it; None where no luck was measured.
    """

    label: str
    number: int
    rank: int
    games: int
    rounds: int
    lives: Estimate
    wins: Estimate
    place: Estimate | None
    place_shares: tuple[float, ...]
    behind_best: Estimate
    behind_above: Estimate | None
    beats: tuple[str, ...]
    raw: Estimate | None = None


def measured(tally: Tally, number: int, measure: str) -> Sample:
    """The measure of a policy, less luck where that was measured."""
    luck = tally.luck_of(number)
    return _raw(tally, number, measure) if luck is None else reduced(*_sums(tally, number, measure), luck)


def _raw(tally: Tally, number: int, measure: str) -> Sample:
    return ratio(*_sums(tally, number, measure))


def _sums(tally: Tally, number: int, measure: str) -> tuple[Floats, Floats]:
    if measure == "lives":
        return tally.lost[number], tally.rounds[number]
    return tally.wins[number], tally.games[number]


def rank(labels: Sequence[str], tallies: Sequence[Tally], measure: str) -> list[Row]:
    """Ranking over one setting, or over several that count the same.

    Args:
        labels: of the policies.
        tallies: one a setting, all over the same deals.
        measure: ``lives`` or ``wins``.
    """
    numbers = range(len(labels))
    sign = 1 if measure == "lives" else -1
    samples = [average([measured(tally, number, measure) for tally in tallies]) for number in numbers]
    # Of an exact tie the first is first: which that is depends on no label (`entrants.in_order`).
    order = sorted(numbers, key=lambda number: sign * samples[number].mean)
    places = _places([sample.estimate() for sample in samples], sign)
    rows: list[Row] = []
    for line, number in enumerate(order):
        worse = [_behind(samples, number, other, sign) for other in numbers]
        above = None if line == 0 else worse[order[line - 1]]
        beats = tuple(labels[other] for other in order if _behind(samples, other, number, sign).above_zero)
        row = _row(labels[number], number, places[number], tallies, worse[order[0]], above, beats)
        if all(tally.luck is not None for tally in tallies):
            row = replace(row, raw=average([_raw(tally, number, measure) for tally in tallies]).estimate())
        rows.append(row)
    return rows


def _places(estimates: Sequence[Estimate], sign: int) -> list[int]:
    """Rank of each policy: overlapping intervals, directly or by way of others, share one."""
    ends = [sorted((sign * estimate.low, sign * estimate.high)) for estimate in estimates]
    places = [1] * len(ends)
    reach, first = -math.inf, 1
    for line, number in enumerate(sorted(range(len(ends)), key=lambda number: ends[number])):
        if ends[number][0] > reach + ROUNDING:
            first = line + 1
        places[number] = first
        reach = max(reach, ends[number][1])
    return places


def _behind(samples: Sequence[Sample], number: int, other: int, sign: int) -> Estimate:
    """How much worse one policy is than another."""
    first, second = (samples[number], samples[other]) if sign > 0 else (samples[other], samples[number])
    return first.minus(second).estimate()


def _row(
    label: str,
    number: int,
    place: int,
    tallies: Sequence[Tally],
    behind_best: Estimate,
    behind_above: Estimate | None,
    beats: tuple[str, ...],
) -> Row:
    one_size = len({tally.places.shape[1] for tally in tallies}) == 1
    counts = sum(tally.places[number] for tally in tallies) if one_size else None
    return Row(
        label=label,
        number=number,
        rank=place,
        games=int(sum(tally.games[number].sum() for tally in tallies)),
        rounds=int(sum(tally.rounds[number].sum() for tally in tallies)),
        lives=average([measured(t, number, "lives") for t in tallies]).estimate(),
        wins=average([measured(t, number, "wins") for t in tallies]).estimate(),
        place=average([ratio(t.place[number], t.games[number]) for t in tallies]).estimate() if one_size else None,
        place_shares=() if counts is None else tuple(float(count / counts.sum()) for count in counts),
        behind_best=behind_best,
        behind_above=behind_above,
        beats=beats,
    )


def seat_advantage(tally: Tally, measure: str) -> list[Estimate]:
    """The measure by position: the first is the dealer's left neighbour, who begins; the last is the dealer."""
    if measure == "lives":
        return [ratio(lost, rounds).estimate() for lost, rounds in zip(tally.seat_lost, tally.seat_rounds, strict=True)]
    return [ratio(wins, games).estimate() for wins, games in zip(tally.seat_wins, tally.seat_games, strict=True)]


def payoff(tally: Tally, row: int, column: int) -> Estimate | None:
    """How much better one policy does than another at the tables where both sit; None if they never meet.

    In lives a round (fewer lost) or in shares of a win a game.
    """
    x, w, xx, xw, ww = (float(value) for value in tally.pairs[row, column])
    if w == 0:
        return None
    deals = tally.games.shape[1]
    mean = x / w
    squares = max(0.0, xx - 2 * mean * xw + mean * mean * ww)
    error = deals / w * math.sqrt(squares / (deals * (deals - 1)))
    margin = student_quantile(deals - 1) * error
    return Estimate(mean, mean - margin, mean + margin)


def payoff_over_all(tallies: Sequence[Tally], row: int, column: int) -> Estimate | None:
    """`payoff` over several settings, the mean of those in which the two meet.

    The settings share their deals, so their errors are not independent: the interval is that of errors which go
    together wholly, the widest there can be.
    """
    met = [one for tally in tallies if (one := payoff(tally, row, column)) is not None]
    if not met:
        return None
    mean = sum(one.mean for one in met) / len(met)
    margin = sum(one.half_width for one in met) / len(met)
    return Estimate(mean, mean - margin, mean + margin)
