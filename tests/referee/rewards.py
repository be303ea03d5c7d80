"""What a settled round pays: two schemes, each summing to zero over the seats that began."""

from collections.abc import Mapping, Sequence
from typing import Any

from .house import House
from .settle import chances


def pot_rewards(began: Sequence[int], winners: Sequence[int], players: int) -> list[float]:
    """Each of k winners gets (n/k - 1)/(n - 1), every other seat -1/(n - 1); nothing if nobody won."""
    paid = [0.0] * players
    if not winners:
        return paid
    n, k = len(began), len(winners)
    for seat in began:
        paid[seat] = (n / k - 1) / (n - 1) if seat in winners else -1 / (n - 1)
    return paid


def lives_rewards(
    house: House, seats: Sequence[int], lives: Sequence[int], result: Mapping[str, Any], players: int
) -> list[float]:
    """The change of a seat's chances in the round, less the mean of the others' changes."""
    lost = {seat: min(result["lost"][seat], chances(house, lives[seat])) for seat in seats}
    change = {seat: result["gained"][seat] - lost[seat] for seat in seats}
    paid = [0.0] * players
    for seat in seats:
        others = [change[other] for other in seats if other != seat]
        paid[seat] = change[seat] - sum(others) / len(others)
    return paid


def match_rewards(
    began: Sequence[int], eliminated: Sequence[int], still_in: Sequence[int], over: bool, players: int
) -> list[float]:
    """A seat that goes out pays 1/(n - 1); at the end those still in share all that was paid."""
    n = len(began)
    paid = [0.0] * players
    for seat in eliminated:
        paid[seat] = -1 / (n - 1)
    if over:
        for seat in still_in:
            paid[seat] = (n - len(still_in)) / (n - 1) / len(still_in)
    return paid
