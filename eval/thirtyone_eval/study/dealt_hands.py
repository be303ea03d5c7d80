"""`thirtyone study dealt-hands`: what the dealt hand is worth, counted exactly and dealt by the engine."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np

from thirtyone_env.core import layout
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import checked_seed
from thirtyone_env.keys import decision_keys
from thirtyone_env.rules import Rules
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import Moved, checked_deals, chunks, state_table, unheard, worth_text
from thirtyone_eval.study.findings import Findings, Part, Row
from thirtyone_eval.study.shares import share

NAME = "dealt-hands"
QUESTION = (
    "What is the dealt hand worth? Every hand of the deck is counted; beside it, hands that the engine "
    "dealt, one seat's of each deal, the seats in turn. Chi-square compares the two: its chance is that of "
    "a fit as bad or worse where the deals are fair."
)
CHUNK = 20_000
LEAST_EXPECTED = 5.0  # rarer worths are joined with their neighbours, or chi-square would not hold


def exact_counts(rules: Rules) -> dict[int, int]:
    """How many hands have each worth in half points, over every hand of the deck."""
    cards = [card for card in range(52) if rules.deck_set >> card & 1]
    counts = Counter(rules._worth_of(sum(1 << card for card in hand)) for hand in combinations(cards, rules.hand_size))
    return dict(sorted(counts.items()))


def dealt_counts(rules: Rules, players: int, deals: int, seed: int, moved: Moved = unheard) -> dict[int, int]:
    """How many of the hands that the engine dealt have each worth in half points; one hand a deal."""
    from thirtyone_eval.study import entries

    table = state_table(rules, players, "round")
    state = np.zeros((layout.state_words(players), 1), dtype=np.uint64)
    hands = np.empty(CHUNK, dtype=np.uint64)
    dealt: Counter[int] = Counter()
    for lo, hi in chunks(0, deals, CHUNK):
        seeds = decision_keys(seed, np.arange(lo, hi, dtype=np.uint64), 0, 0, 0)
        entries.deal_hands(table, state, seeds, lo, players, hands[: hi - lo])
        for hand, count in zip(*np.unique(hands[: hi - lo], return_counts=True), strict=True):
            dealt[rules._worth_of(int(hand))] += int(count)
        moved(hi - lo)
    return dict(dealt)


def chi_square(counts: list[int], expected: list[float]) -> tuple[float, int, float]:
    """The statistic, its degrees of freedom, and the chance of one as large. Rare worths are joined with others."""
    from scipy.special import chdtrc

    cells: list[list[float]] = []
    for count, mean in zip(counts, expected, strict=True):
        if cells and min(mean, cells[-1][1]) < LEAST_EXPECTED:
            cells[-1][0] += count
            cells[-1][1] += mean
        else:
            cells.append([count, mean])
    statistic = sum((count - mean) ** 2 / mean for count, mean in cells)
    freedom = len(cells) - 1
    return statistic, freedom, float(chdtrc(freedom, statistic)) if freedom else 1.0


def dealt_hands(
    rules: str = "pagat", players: int = 4, deals: int = 200_000, seed: int = 1, progress: bool = False
) -> Findings:
    """The study.

    Raises:
        UserError: an argument is wrong.
    """
    chosen = Rules.preset(rules)
    chosen.check_players(players)
    deals, seed = checked_deals(deals), checked_seed(seed)
    exact = exact_counts(chosen)
    with progress_bar(NAME, deals, "deals", quiet=not progress) as bar:
        dealt = dealt_counts(chosen, players, deals, seed, bar)
    if not dealt.keys() <= exact.keys():
        raise UserError(f"the engine dealt worths that no hand has: {sorted(dealt.keys() - exact.keys())}")
    hands = sum(exact.values())
    rows: list[Row] = []
    above = hands
    for worth, count in exact.items():
        found = dealt.get(worth, 0)
        rows.append({
            "worth": worth_text(worth), "hands": count, "exact": count / hands, "dealt": share(found, deals),
            "exact_this_or_more": above / hands,
        })  # fmt: skip
        above -= count
    statistic, freedom, chance = chi_square(
        [dealt.get(worth, 0) for worth in exact], [deals * count / hands for count in exact.values()]
    )
    mean = sum(worth * count for worth, count in exact.items()) / hands / 2
    middle = next(row["worth"] for row in rows if 1 - row["exact_this_or_more"] + row["exact"] >= 0.5)
    summary: Row = {
        "rules": rules, "hands": hands, "mean": round(mean, 4), "median": middle, "deals": deals,
        "chi_square": round(statistic, 2), "freedom": freedom, "chance": round(chance, 4),
    }  # fmt: skip
    return Findings(
        NAME, QUESTION, {"rules": rules, "players": players, "deals": deals, "seed": seed},
        [Part("summary", "all hands, and the test of the dealt ones", [summary]),
         Part("worths", "each worth", rows, 5)],
        pictures=_pictures(rules, rows),
    )  # fmt: skip


def _pictures(rules: str, rows: list[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import finish, panels, shades

    figure, (axes,) = panels(1, width=7.0)
    dark, light = shades(2)
    worths = [row["worth"] for row in rows]
    axes.bar(worths, [100 * row["exact"] for row in rows], width=0.4, color=light, label="all hands, exact")
    dealt = [row["dealt"].times(100) for row in rows]
    bars = [[one.mean - one.low for one in dealt], [one.high - one.mean for one in dealt]]
    axes.errorbar(worths, [one.mean for one in dealt], yerr=bars, color=dark, fmt="o", markersize=3, capsize=2,
                  label="dealt by the engine")
    finish(axes, f"the dealt hand ({rules})", "worth", "% of hands", legend="")
    return {NAME: figure}
