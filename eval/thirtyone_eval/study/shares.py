"""Intervals that a study needs beside those of `thirtyone_eval.intervals`."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from thirtyone_eval.intervals import Estimate, ratio

Numbers = npt.NDArray[np.float64]
QUANTILE = 1.959964  # of the normal distribution, two-sided 95 %


def share(hits: float, tries: float) -> Estimate:
    """Share of independent tries that hit, with Wilson's interval, which also holds for few tries and for none hit."""
    if tries == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean, z = hits / tries, QUANTILE
    middle = (mean + z * z / (2 * tries)) / (1 + z * z / tries)
    margin = z / (1 + z * z / tries) * math.sqrt(mean * (1 - mean) / tries + z * z / (4 * tries * tries))
    return Estimate(mean, max(0.0, min(mean, middle - margin)), min(1.0, max(mean, middle + margin)))


def grouped_share(hits: Numbers, tries: Numbers) -> Estimate:
    """Share of tries that hit, where tries of one group depend on each other.

    The interval is from the groups' scatter, but not narrower than that of independent tries: a share of all or none
    would otherwise look certain after one try.

    Args:
        hits: float64 ``[groups]``.
        tries: float64 ``[groups]``.
    """
    alone = share(float(hits.sum()), float(tries.sum()))
    seen = tries > 0
    if seen.sum() < 2:
        return alone
    grouped = ratio(hits[seen], tries[seen]).estimate()
    low, high = min(alone.low, grouped.low), max(alone.high, grouped.high)
    return Estimate(alone.mean, max(0.0, low), min(1.0, high))


def grouped_mean(sums: Numbers, weights: Numbers) -> Estimate:
    """Sum of ``sums`` over sum of ``weights``, float64 ``[groups]`` both, with an interval from the groups' scatter."""
    return ratio(sums, weights).estimate()
