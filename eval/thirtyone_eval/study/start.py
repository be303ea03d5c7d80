"""The start of a game, for compiled loops: nothing here is compiled by itself."""

from __future__ import annotations

from typing import Any

from thirtyone_env.core import match
from thirtyone_env.core.bits import U0, jit, put
from thirtyone_env.core.layout import KEY, MATCH_NO, NONE_SEAT
from thirtyone_env.core.rng import game_key


@jit
def lay_table(table: Any, S: Any, seed: Any) -> None:
    """Rules and seats of ``table`` into ``S``, and the key of the cards."""
    for word in range(table.shape[0]):
        S[word, 0] = table[word]
    S[KEY, U0] = game_key(seed, U0)
    put(S, U0, MATCH_NO, U0)


@jit
def begin(table: Any, S: Any, seed: Any) -> None:
    """A fresh match of the rules and seats that stand in ``table``."""
    lay_table(table, S, seed)
    match.begin_match(S, U0, NONE_SEAT)
