"""`thirtyone study seats`: what sitting early or late is worth, by variant and number of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import checked_seed
from thirtyone_env.rules import Rules
from thirtyone_eval.arena import play_compiled
from thirtyone_eval.intervals import Estimate, ratio
from thirtyone_eval.outcomes import Games
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import Moved, checked_deals, chunks, compiled_policy, unheard
from thirtyone_eval.study.findings import Findings, Part, Row

NAME = "seats"
QUESTION = (
    "All players play the same policy, one round a deal. How does a seat fare, counted from the dealer's "
    "left neighbour, who begins (1), to the dealer, who is last? Lives: lives lost in 100 rounds less the "
    "table's mean, so below zero is good. In pot games: wins in 100 rounds less the fair share, so above "
    "zero is good."
)
CHUNK = 5_000
Numbers = npt.NDArray[np.float64]


def by_place(
    rules: Rules, players: int, policy: CompiledPolicy, deals: int, seed: int, moved: Moved = unheard
) -> list[Estimate]:
    """For each place from the dealer's left: in 100 rounds, lives lost or pots won, less the mean of the table."""
    found = np.zeros((deals, players))
    for lo, hi in chunks(0, deals, CHUNK):
        found[lo:hi] = _measured(rules, players, policy, lo, hi, seed)
        moved(hi - lo)
    apart = found - found.mean(axis=1, keepdims=True)
    return [ratio(apart[:, place], np.ones(deals)).estimate().times(100) for place in range(players)]


def _measured(rules: Rules, players: int, policy: CompiledPolicy, lo: int, hi: int, seed: int) -> Numbers:
    """The measure of each round by place: float64 ``[deals, players]``."""
    games = Games(np.arange(lo, hi), np.zeros((hi - lo, players), dtype=np.int64))
    ends = play_compiled(rules, players, "round", seed, games, [policy])
    measure = ends.wins if is_pot(rules) else ends.lost.astype(np.float64)
    seats = (ends.dealers[:, None] + 1 + np.arange(players)) % players
    return np.take_along_axis(measure, seats, axis=1)


def is_pot(rules: Rules) -> bool:
    """Whether the game is played for a pot, not for lives."""
    return bool(rules.settlement == "highest_takes_pot")


def seats(
    rules: Sequence[str] = ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen"),
    players: Sequence[int] = (2, 3, 4, 5, 6),
    policy: str = "tips",
    deals: int = 20_000,
    seed: int = 1,
    progress: bool = False,
) -> Findings:
    """The study. Where a variant has too few cards for a number of players, that pair is left out.

    Raises:
        UserError: an argument is wrong, or nothing is left.
    """
    chosen, deals, seed = compiled_policy(policy), checked_deals(deals), checked_seed(seed)
    tables = _tables(rules, players)
    rows: list[Row] = []
    with progress_bar(NAME, deals * len(tables), "rounds", quiet=not progress) as bar:
        for name, size in tables:
            found = by_place(Rules.preset(name), size, chosen, deals, seed, bar)
            what = "wins" if is_pot(Rules.preset(name)) else "lives"
            rows += [
                {"rules": name, "measure": what, "players": size, "place": place + 1, "apart": one}
                for place, one in enumerate(found)
            ]
    return Findings(
        NAME, QUESTION,
        {"rules": list(rules), "players": sorted(set(players)), "policy": chosen.name, "deals": deals, "seed": seed},
        [Part("places", "in 100 rounds, against the table's mean", rows, 1, across=("place", "apart"))],
        _remarks(rows), _pictures(rows),
    )  # fmt: skip


def _tables(rules: Sequence[str], players: Sequence[int]) -> list[tuple[str, int]]:
    found = []
    refusal = "rules and players: at least one of each is needed"
    for name in rules:
        for size in sorted(set(players)):
            try:
                found.append((name, Rules.preset(name).check_players(size)))
            except UserError as error:
                if name not in Rules.presets():
                    raise
                refusal = f"{name}: {error}"
    if not found:
        raise UserError(refusal)
    return found


def _remarks(rows: Sequence[Row]) -> list[str]:
    """A sentence a variant and pair of places: at how many players the one is best and the other worst."""
    sizes_of: dict[tuple[str, str], list[str]] = {}
    for name, size in dict.fromkeys((row["rules"], row["players"]) for row in rows):
        mine = [row for row in rows if (row["rules"], row["players"]) == (name, size)]
        sign = 1 if mine[0]["measure"] == "wins" else -1
        mine.sort(key=lambda row: -sign * row["apart"].mean)
        sizes_of.setdefault((name, _verdict(mine[0], mine[-1])), []).append(f"{size}")
    return [f"{name}, {', '.join(sizes)} players: {what}." for (name, what), sizes in sizes_of.items()]


def _verdict(best: Row, worst: Row) -> str:
    gap = abs(best["apart"].mean - worst["apart"].mean)
    if gap <= best["apart"].half_width + worst["apart"].half_width:
        return "no place is clearly better than another"
    names = ["the first" if row["place"] == 1 else "the dealer" if row["place"] == row["players"] else
             f"place {row['place']}" for row in (best, worst)]  # fmt: skip
    return f"{names[0]} fares best and {names[1]} worst"


def _pictures(rows: Sequence[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import finish, panels, points, shades

    names = list(dict.fromkeys(row["rules"] for row in rows))
    sizes = sorted({row["players"] for row in rows})
    figure, plots = panels(len(names), width=3.4, height=3.4)
    for axes, name in zip(plots, names, strict=True):
        mine = [row for row in rows if row["rules"] == name]
        for size, colour in zip(sizes, shades(len(sizes)), strict=True):
            line = [row["apart"] for row in mine if row["players"] == size]
            points(axes, range(1 - len(line), 1), line, f"{size}", colour)
        axes.axhline(0, color="#999999", linewidth=0.8)
        what = "lives lost" if mine[0]["measure"] == "lives" else "pots won"
        finish(axes, name, "seats before the dealer (0: dealer)", f"{what} in 100 rounds, less the mean", "players")
    return {NAME: figure}
