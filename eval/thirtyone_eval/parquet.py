"""Results as Parquet, for pandas, polars, DuckDB, Spark and R: a table of policies, of pay-offs, and of all matches.

Needs the extra `parquet` (pyarrow, 170 MB installed), which nothing else needs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from thirtyone_eval.config import parse_config
from thirtyone_eval.results import csv_parts
from thirtyone_eval.schedule import Setting, games_of, settings_of
from thirtyone_eval.store import Store, open_store

POLICIES = "policies.parquet"
PAYOFFS = "payoffs.parquet"
MATCHES = "matches.parquet"
FILES = (POLICIES, PAYOFFS, MATCHES)
_MEASURES = ("lives_per_round", "win_share", "place", "behind_best", "raw", "rating")


def write_parquet(data: dict[str, Any], folder: Path) -> None:
    """Write `FILES` of a finished run into its folder, each whole or not at all.

    Args:
        data: from `results.result_data`.
        folder: of the run, with its store.

    `POLICIES`: a row a policy and setting (``all`` where there are several), with the numbers of the CSV. `PAYOFFS`: a
    row an ordered pair of policies and setting: how much better ``policy`` did than ``against``. `MATCHES`: a row a
    seat of a game.
    """
    import pyarrow as pa

    _write(pa.Table.from_pylist(_policies(data)), folder / POLICIES)
    _write(pa.Table.from_pylist(_payoffs(data), schema=_payoff_schema()), folder / PAYOFFS)
    _write_matches(folder)


def _policies(data: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for title, ranking in csv_parts(data):
        for row in ranking:
            plain = {key: row[key] for key in ("rank", "policy", "fingerprint", "games", "rounds", "gain")}
            plain["alpha_rank"] = row.get("alpha_rank")
            for key in _MEASURES:
                value = row.get(key) or {}
                plain.update({f"{key}_{part}": value.get(part) for part in ("mean", "low", "high")})
            rows.append({"setting": title, **plain})
    return rows


def _payoffs(data: dict[str, Any]) -> list[dict[str, Any]]:
    labels = [one["policy"] for one in data["policies"]]
    return [
        {"setting": setting["title"], "measure": setting["measure"], "policy": one, "against": other, **cell}
        for setting in data["settings"]
        for one, line in zip(labels, setting["payoff"], strict=True)
        for other, cell in zip(labels, line, strict=True)
        if cell is not None
    ]


def _payoff_schema() -> Any:
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("setting", "measure", "policy", "against")]
    return pa.schema([*texts, *((name, pa.float64()) for name in ("mean", "low", "high"))])


def _write(table: Any, path: Path) -> None:
    import pyarrow.parquet as pq

    fresh = path.with_name(path.name + ".new")
    pq.write_table(table, fresh, compression="zstd")
    os.replace(fresh, path)


def _write_matches(folder: Path) -> None:
    """The matches of a store, block by block: a run of millions is never in memory as a whole."""
    import pyarrow.parquet as pq

    path = folder / MATCHES
    fresh = path.with_name(path.name + ".new")
    with open_store(folder) as store:
        writer = None
        for batch in _batches(store):
            writer = writer or pq.ParquetWriter(fresh, batch.schema, compression="zstd")
            writer.write_batch(batch)
        assert writer is not None, "a finished run has games"
        writer.close()
    os.replace(fresh, path)


def _batches(store: Store) -> Iterator[Any]:
    config = parse_config(store.told["config"])
    labels = [one["policy"] for one in store.told["policies"]]
    for setting in settings_of(config):
        for block in store.blocks(setting.number):
            games, outcomes = games_of(config, setting, block), store.load(block)
            yield _batch(setting, labels, games, outcomes)


def _batch(setting: Setting, labels: list[str], games: Any, outcomes: Any) -> Any:
    """A row a seat of each game."""
    import pyarrow as pa

    count, players = games.seats.shape
    by_game = np.repeat(np.arange(count), players)
    forfeits = {(one.game, one.seat): one.reason for one in outcomes.forfeits}
    seats = np.tile(np.arange(players), count)
    columns: dict[str, Any] = {
        "setting": _named([setting.title], np.zeros(count * players, dtype=np.int32)),
        "deal": games.deals[by_game],
        "game": (np.arange(count) % setting.games)[by_game],
        "seat": seats.astype(np.int8),
        "policy": _named(labels, games.seats.ravel().astype(np.int32)),
        "dealt_first": outcomes.dealers[by_game] == seats,
        "rounds": outcomes.rounds[by_game].astype(np.int32),
        "rounds_played": outcomes.played.ravel().astype(np.int32),
        "lives_lost": outcomes.lost.ravel().astype(np.int32),
        "place": outcomes.places.ravel().astype(np.int8),
        "win_share": outcomes.wins.ravel(),
        "forfeit": pa.array([forfeits.get(key) for key in zip(by_game, seats, strict=True)], pa.string())
        if forfeits
        else pa.nulls(count * players, pa.string()),
    }
    luck = [None, None] if outcomes.luck is None else outcomes.luck.swapaxes(0, 1)
    for name, values in zip(("luck_of_draws", "luck_of_deals"), luck, strict=True):
        columns[name] = pa.nulls(count * players, pa.float32()) if values is None else values.ravel()
    return pa.record_batch(columns)


def _named(names: list[str], numbers: Any) -> Any:
    """A column of names, each stored once."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(names))
