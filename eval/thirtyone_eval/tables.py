"""Which policies meet: every table of a small pool, or balanced random tables of a large one."""

from __future__ import annotations

import math
from itertools import combinations

from thirtyone_env.keys import decision_key, generator

Table = tuple[int, ...]

CHOICES = ("auto", "all", "random")
_STREAM = 7  # keeps the draw of tables apart from the seeds of deals


def uses_all(pool: int, players: int, tables: str, most: int) -> bool:
    """Whether every deal is played at every table of the pool."""
    return tables == "all" or (tables == "auto" and math.comb(pool, players) <= most)


def all_tables(pool: int, players: int) -> list[Table]:
    """Every choice of ``players`` policies out of ``pool``, in the order of their numbers."""
    return list(combinations(range(pool), players))


def random_tables(pool: int, players: int, seed: int, deal: int) -> list[Table]:
    """Tables drawn for one deal, in which each policy of the pool sits equally often.

    The pool is shuffled and cut into tables. Where that leaves some over, the next shuffle goes on from there, until
    all is used up: ``players / gcd(pool, players)`` shuffles. No policy meets itself at a table.
    """
    draw = generator(decision_key(seed, deal, _STREAM))
    waiting: list[int] = []
    tables: list[Table] = []
    for _ in range(players // math.gcd(pool, players)):
        fresh = [int(i) for i in draw.permutation(pool)]
        if waiting:
            fresh.sort(key=lambda policy: policy in waiting)  # stable: those who do not wait already come first
        waiting += fresh
        while len(waiting) >= players:
            tables.append(tuple(sorted(waiting[:players])))
            waiting = waiting[players:]
    return tables
