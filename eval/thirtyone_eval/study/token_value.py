"""`thirtyone study token-value`: the chance to win a match by one's own tokens and those of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_env.core import layout
from thirtyone_env.game_start import checked_seed
from thirtyone_env.keys import decision_keys
from thirtyone_env.rules import Rules
from thirtyone_eval.intervals import Sample, ratio
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.common import (
    checked_deals,
    checked_players,
    chunks,
    compiled_policy,
    state_table,
    with_lives,
)
from thirtyone_eval.study.findings import Findings, Part, Row

NAME = "token-value"
QUESTION = (
    "All players play the same policy. One begins the match with so many tokens, all the others with so "
    "many each (0 is on the county). How often does the one win? Each match is played with the one in every "
    "seat, the first dealer drawn as the rules say; a match that is cut off is shared by those in front. "
    "The value of a token is what it adds to that, match by match on the same cards."
)
CHUNK = 200
Numbers = npt.NDArray[np.float64]


def win_sample(
    rules: Rules, lives: Sequence[int], seat: int, policy: CompiledPolicy, deals: int, seed: int
) -> Numbers:
    """The share of the win that a seat has in each match: float64 ``[deals]``.

    Args:
        rules: with lives.
        lives: tokens of each seat at the start; 0 is on the county.
        seat: whose win.
        policy: of all seats.
        deals: matches.
        seed: of the cards.
    """
    from thirtyone_eval.study import entries

    players = len(lives)
    table = state_table(rules, players, "match")
    state = np.zeros((layout.state_words(players), 1), dtype=np.uint64)
    views = np.zeros((1, layout.VIEW_WORDS), dtype=np.uint64)
    kinds = np.array([(policy.kind, policy.parameter)] * players, dtype=np.uint64)
    tokens = sum(count << int(layout.LIVES_OF[1]) * place for place, count in enumerate(lives))
    county = sum(1 << place for place, count in enumerate(lives) if count == 0)
    places = np.zeros((deals, players), dtype=np.int64)
    seeds = decision_keys(seed, np.arange(deals, dtype=np.uint64), 0, 0, 0)
    for lo, hi in chunks(0, deals, CHUNK):
        entries.play_matches(table, state, seeds[lo:hi], views, kinds, tokens, county, places[lo:hi])
    first = np.maximum(places, 1) == 1
    wins: Numbers = first[:, seat] / first.sum(axis=1)
    return wins


def token_value(
    rules: str = "pagat",
    players: Sequence[int] = (2, 3, 4),
    policy: str = "tips",
    deals: int = 2_000,
    seed: int = 1,
    progress: bool = False,
) -> Findings:
    """The study.

    Raises:
        UserError: an argument is wrong.
    """
    chosen, playing = with_lives(rules, NAME), compiled_policy(policy)
    sizes, deals, seed = checked_players(chosen, players), checked_deals(deals), checked_seed(seed)
    tokens = range(0 if chosen.county else 1, int(chosen.lives) + 1)
    wins: list[Row] = []
    values: list[Row] = []
    with progress_bar(NAME, len(tokens) ** 2 * deals * sum(sizes), "matches", quiet=not progress) as bar:
        for size in sizes:
            for others in tokens:
                samples: dict[int, Sample] = {}
                for own in tokens:
                    won = np.zeros(deals)
                    for seat in range(size):
                        lives = [own if place == seat else others for place in range(size)]
                        won += win_sample(chosen, lives, seat, playing, deals, seed) / size
                        bar(deals)
                    samples[own] = ratio(won, np.ones(deals))
                    wins.append({"players": size, "others": others, "own": own, "wins": samples[own].estimate()})
                for own in list(tokens)[1:]:
                    gained = samples[own].minus(samples[own - 1]).estimate()
                    values.append({"players": size, "others": others, "token": f"{own - 1} to {own}", "adds": gained})
    return Findings(
        NAME, QUESTION,
        {"rules": rules, "players": sizes, "policy": playing.name, "deals": deals, "seed": seed},
        [
            Part("wins", "chance to win the match; columns: own tokens, rows: tokens of each other player", wins, 3,
                 across=("own", "wins")),
            Part("values", "what a token adds to it; rows: tokens of each other player", values, 3,
                 across=("token", "adds")),
        ],
        pictures=_pictures(sizes, list(tokens), wins),
    )  # fmt: skip


def _pictures(sizes: Sequence[int], tokens: Sequence[int], wins: Sequence[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import finish, panels, squares

    figure, plots = panels(len(sizes), width=3.8, height=3.4)
    for axes, size in zip(plots, sizes, strict=True):
        rows = [row for row in wins if row["players"] == size]
        values = [[100 * row["wins"].mean for row in rows if row["others"] == others] for others in tokens]
        squares(axes, values, tokens, tokens, 1, both_ways=False)
        finish(axes, f"{size} players: wins, %", "own tokens", "tokens of each other player")
    return {NAME: figure}
