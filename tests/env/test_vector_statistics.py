"""Fair cards on the batch's path: dealt hands and stock cards by chi-square."""

from __future__ import annotations

from collections import Counter

import numpy as np

from thirtyone_env import Rules, VectorGame
from thirtyone_env.core import layout

GAMES = 40_000


def chi_square_is_plausible(counts: np.ndarray, expected: np.ndarray) -> bool:
    """Whether the statistic lies within five standard deviations of its mean."""
    statistic = float(((counts - expected) ** 2 / expected).sum())
    freedom = len(counts) - 1
    return abs(statistic - freedom) < 5 * (2 * freedom) ** 0.5


def hands_of(batch: VectorGame, seat: int) -> np.ndarray:
    return batch._state[int(layout.HAND) + 2 * seat, : batch.num_games]


def test_dealt_hands_have_the_worths_of_all_22100_hands() -> None:
    rules = Rules.preset("pagat").replace(natural_31="own_turn")  # so that a dealt 31 still lies in the hand
    batch = VectorGame(GAMES, rules, 3, seed=11)
    every: Counter[int] = Counter()
    for a in range(52):
        for b in range(a):
            for c in range(b):
                every[rules._worth_of(1 << a | 1 << b | 1 << c)] += 1
    dealt = Counter(rules._worth_of(int(hand)) for hand in hands_of(batch, 1))
    worths = sorted(every)
    counts = np.array([dealt[w] for w in worths], dtype=float)
    share = np.array([every[w] for w in worths], dtype=float)
    assert counts.sum() == GAMES
    assert chi_square_is_plausible(counts, share * GAMES / share.sum())


def test_each_card_is_as_likely_on_the_pile_and_on_the_stock() -> None:
    rules = Rules.preset("pagat").replace(natural_31="own_turn")
    batch = VectorGame(GAMES, rules, 4, seed=12)
    tops = (batch._state[int(layout.STATUS), :GAMES] >> layout.TOP[1]) & layout.TOP[2]
    counts = np.bincount(tops.astype(np.int64), minlength=52).astype(float)
    assert chi_square_is_plausible(counts, np.full(52, GAMES / 52))
    batch.step(np.zeros(GAMES, dtype=np.int64))  # everyone draws from the stock
    drawn = (batch._state[int(layout.STATUS), :GAMES] >> layout.DRAWN[1]) & layout.DRAWN[2]
    counts = np.bincount(drawn.astype(np.int64), minlength=52).astype(float)
    assert chi_square_is_plausible(counts, np.full(52, GAMES / 52))


def test_first_dealers_are_as_likely() -> None:
    batch = VectorGame(GAMES, "pagat", 5, seed=13)
    dealers = (batch._state[int(layout.STATUS), :GAMES] >> layout.DEALER[1]) & layout.DEALER[2]
    deals = (batch._state[int(layout.COUNT), :GAMES] >> layout.DEAL_NO[1]) & layout.DEAL_NO[2]
    counts = np.bincount(dealers[deals == 0].astype(np.int64), minlength=5).astype(float)
    assert chi_square_is_plausible(counts, np.full(5, counts.sum() / 5))
