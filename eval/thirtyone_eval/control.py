"""Taking luck out of a mean: a control variate whose coefficient comes from other deals than those it is used on.

Luck (`luck`) is zero in the mean, so what is left when some of it is taken off has the same mean as before, whatever
the share, as long as the share does not depend on the same cards. So the deals are cut into ten parts by their numbers,
and in each part the share is taken off that suits the other nine best. It is drawn towards zero as far as they cannot
tell it from chance, so luck that explains nothing costs next to nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from thirtyone_eval.intervals import Estimate, Sample, ratio

Floats = npt.NDArray[np.float64]
LEAST_DEALS = 32  # with fewer a mean stays as it is
PARTS = 10
FLAT = 1e-6  # spread of luck below which there is none but for rounding: seatings of one deal cancel that of the deal

TEXT = (
    "Luck is taken out: what each card from the stock, and each dealt hand, changed in the lives that a seat could "
    "expect to lose, less its mean over all cards that could have come, is zero in the mean; the share of it that is "
    "taken off in a tenth of the deals comes from the other nine tenths, so no mean is bent by it."
)


def reduced(sums: Floats, weights: Floats, luck: Floats) -> Sample:
    """`intervals.ratio` of sums from which luck is taken.

    Args:
        sums, weights: float64 ``[deals]``.
        luck: float64 ``[kinds, deals]``, each kind zero in the mean of all deals that there could be.
    """
    deals = len(sums)
    if deals < LEAST_DEALS or weights.sum() == 0:
        return ratio(sums, weights)
    left = sums.copy()
    for part in range(PARTS):
        here = np.arange(deals) % PARTS == part
        left[here] -= _shares(sums[~here], weights[~here], luck[:, ~here]) @ luck[:, here]
    return ratio(left, weights)


def _shares(sums: Floats, weights: Floats, luck: Floats) -> Floats:
    """The share of each kind of luck that explains these deals best: float64 ``[kinds]``."""
    shares = np.zeros(len(luck))
    used = luck.std(axis=1) > FLAT
    rest = sums - weights * (sums.sum() / weights.sum()) if weights.any() else np.zeros(len(sums))
    if not used.any() or rest.std() <= FLAT:
        return shares
    known = luck[used] - luck[used].mean(axis=1, keepdims=True)
    best = np.linalg.lstsq(known @ known.T, known @ rest, rcond=None)[0]
    explained = float(best @ known @ rest)
    unexplained = max(0.0, float(rest @ rest) - explained)
    by_chance = int(used.sum()) * unexplained / len(rest)  # what as many columns of noise would explain
    if explained > by_chance:
        shares[used] = best * (1 - by_chance / explained)
    return shares


def gain(raw: Estimate, left: Estimate) -> float | None:
    """How many times the deals it would take without the control variate; None where that cannot be said."""
    if not (np.isfinite(raw.half_width) and left.half_width > 0):
        return None
    return (raw.half_width / left.half_width) ** 2
