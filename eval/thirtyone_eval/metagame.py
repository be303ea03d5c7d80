"""The pay-off matrix as a game of its own: who beats whom, whether that goes round in circles, and alpha-rank."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from thirtyone_eval.intervals import LEVEL, Estimate, student_quantile

Payoffs = Sequence[Sequence[Estimate | None]]
NOISE = 0.01  # of alpha-rank: how seldom a population changes to a policy that does worse
ALPHA_TEXT = (
    "Alpha-rank is the share of time that a population spends with each policy, where one that beats the present one "
    "takes over (Omidshafiei et al., 2019; infinite alpha). "
    "Differences count where 95 % intervals for all pairs at once leave zero out."
)


def clear_signs(payoffs: Payoffs, deals: int) -> npt.NDArray[np.int64]:
    """1 where the row clearly beats the column, -1 the other way round, else 0: int64 ``[n, n]``.

    A large pool has so many pairs that some 95 % intervals leave zero out by chance, and a circle needs few of them. So
    intervals are widened until all pairs together hold with 95 % (Bonferroni).

    Args:
        payoffs: row against column, with 95 % intervals.
        deals: observations that the intervals come from.
    """
    pairs = max(1, len(payoffs) * (len(payoffs) - 1) // 2)
    wider = student_quantile(deals - 1, 1 - (1 - LEVEL) / pairs) / student_quantile(deals - 1)
    return np.array([[_sign(one, wider) for one in row] for row in payoffs])


def _sign(one: Estimate | None, wider: float) -> int:
    if one is None:
        return 0
    margin = wider * one.half_width
    widened = Estimate(one.mean, one.mean - margin, one.mean + margin)
    return int(np.sign(one.mean)) if widened.clear else 0


def alpha_rank(better: npt.NDArray[np.int64] | npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Alpha-rank of a symmetric game for two, at infinite alpha: float64 ``[n]``, summing to 1.

    Args:
        better: ``[n, n]``, above zero where the row does better against the column than the column against it.

    The Markov chain of Omidshafiei et al. (2019): from each policy to each other one with equal chances, taken up
    surely if it does better, seldom (`NOISE`) if worse, half the time if the same. The share is its stationary vector.
    """
    count = len(better)
    if count == 1:
        return np.ones(1)
    taken = np.where(better.T > 0, 1 - NOISE, np.where(better.T < 0, NOISE, 0.5)) / (count - 1)
    np.fill_diagonal(taken, 0)
    np.fill_diagonal(taken, 1 - taken.sum(axis=1))
    equations = np.vstack([taken.T - np.eye(count), np.ones(count)])
    shares: npt.NDArray[np.float64] = np.linalg.lstsq(equations, np.append(np.zeros(count), 1), rcond=None)[0]
    return shares


def circle(signs: npt.NDArray[np.int64]) -> list[int]:
    """A shortest circle in which each beats the next and the last the first; empty if there is none."""
    found: list[int] = []
    for start in range(len(signs)):
        path = _way_back(signs, start)
        if path and (not found or len(path) < len(found)):
            found = path
    return found


def _way_back(signs: npt.NDArray[np.int64], start: int) -> list[int]:
    """A shortest way from ``start`` over those beaten back to it."""
    before: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for there in np.flatnonzero(signs[here] > 0).tolist():
            if there == start:
                path = [here]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if there not in before:
                before[there] = here
                waiting.append(there)
    return []


def transitivity(labels: Sequence[str], signs: npt.NDArray[np.int64]) -> str:
    """Whether play is transitive, in a plain sentence."""
    found = [labels[number] for number in circle(signs)]
    if not found:
        return "Play looks transitive: no policies beat each other in a circle (95 % intervals for all pairs at once)."
    steps = ", ".join(f"{one} beats {other}" for one, other in zip(found, found[1:] + found[:1], strict=True))
    return f"Play is not transitive: {steps}. No order of the policies says who beats whom."
