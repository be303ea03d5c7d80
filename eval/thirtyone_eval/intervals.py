"""Means with 95 % intervals, clustered by deal.

One deal, with all its seatings and tables, is one observation: games on the same cards are not independent, deals are.
A mean is a ratio of two sums over the deals (lives lost over rounds played, say); its error comes from how the deals
scatter about it (the usual linearisation of a ratio), with Student's t for the number of deals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEVEL = 0.95
ROUNDING = 1e-9  # far above the last digits of sums of thirds, far below any difference that matters


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval; ``low`` and ``high`` equal it where the deals do not differ at all."""

    mean: float
    low: float
    high: float

    def times(self, factor: float) -> Estimate:
        """The same in other units (``factor`` above zero)."""
        return Estimate(self.mean * factor, self.low * factor, self.high * factor)

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out."""
        return self.above_zero or self.high < -ROUNDING

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval is above zero."""
        return self.low > ROUNDING


@dataclass(frozen=True)
class Sample:
    """A mean and what each deal adds to its error: float64 ``[deals]``, summing to zero."""

    mean: float
    scatter: Floats

    def estimate(self) -> Estimate:
        """The mean with its interval."""
        deals = len(self.scatter)
        if deals < 2:
            return Estimate(self.mean, -math.inf, math.inf)
        error = math.sqrt(float(self.scatter @ self.scatter) / (deals * (deals - 1)))
        margin = student_quantile(deals - 1) * error
        return Estimate(self.mean, self.mean - margin, self.mean + margin)

    def minus(self, other: Sample) -> Sample:
        """Difference from another mean over the same deals, deal by deal."""
        return Sample(self.mean - other.mean, self.scatter - other.scatter)


def ratio(sums: Floats, weights: Floats) -> Sample:
    """Sum of ``sums`` over sum of ``weights``, both float64 ``[deals]``."""
    total = float(weights.sum())
    if total == 0:
        return Sample(math.nan, np.zeros(len(sums)))
    mean = float(sums.sum()) / total
    return Sample(mean, (sums - mean * weights) * (len(sums) / total))


def average(samples: Sequence[Sample]) -> Sample:
    """Mean of means over the same deals, each counting the same."""
    mean = sum(sample.mean for sample in samples) / len(samples)
    return Sample(mean, np.mean([sample.scatter for sample in samples], axis=0))


def student_quantile(freedom: int, level: float = LEVEL) -> float:
    """Two-sided quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))
