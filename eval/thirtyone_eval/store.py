"""The store of a run: an SQLite file into which each block of games goes as soon as it is played.

A kill at any moment loses no finished block: a block is one transaction (WAL). What was played and by whom stands in
the table ``run``; a run goes on only with the same.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from thirtyone_env import __version__
from thirtyone_env.errors import UserError
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.outcomes import Forfeit, Outcomes
from thirtyone_eval.schedule import Block

STORE = "results.sqlite"
FORMAT = 2
FREE = ("description", "workers", "backend")  # keys of a config that may change between sittings
_TABLES = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE blocks (
    setting INTEGER, first_deal INTEGER, after_deal INTEGER, games INTEGER, players INTEGER,
    numbers BLOB,  -- zlib of int16 [games, 3 * players + 2]: lost, played, places of each seat, first dealer, rounds
    luck BLOB,  -- zlib of float32 [games, kinds, players]; NULL where it was not measured
    actions BLOB,  -- zlib of a line a game, a character an action; NULL where compiled policies alone played
    PRIMARY KEY (setting, first_deal)
);
CREATE TABLE forfeits (
    setting INTEGER, first_deal INTEGER, game INTEGER, seat INTEGER, policy TEXT, reason TEXT, text TEXT,
    PRIMARY KEY (setting, first_deal, game)
);
"""


class Store:
    """An open store.

    Attributes:
        told: what stands in the table ``run``: ``format``, ``version``, ``config``, ``policies``.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.told: dict[str, Any] = {
            key: json.loads(value) for key, value in connection.execute("SELECT key, value FROM run")
        }

    def save(self, block: Block, outcomes: Outcomes, offenders: Sequence[str]) -> None:
        """Add a block, wholly or not at all; ``offenders``: the label of who did it, for each forfeit."""
        numbers = np.concatenate(
            [outcomes.lost, outcomes.played, outcomes.places, outcomes.dealers[:, None], outcomes.rounds[:, None]],
            axis=1,
        ).astype("<i2")
        actions = "\n".join(outcomes.actions)
        texts = zlib.compress(actions.encode(), 3) if any(outcomes.actions) else None
        luck = None if outcomes.luck is None else zlib.compress(outcomes.luck.astype("<f4").tobytes(), 1)
        key = (block.setting, block.deals.start)
        with self._connection as connection:
            connection.execute(
                "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, block.deals.stop, *outcomes.lost.shape, zlib.compress(numbers.tobytes(), 1), luck, texts),
            )
            connection.executemany(
                "INSERT INTO forfeits VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (*key, one.game, one.seat, label, one.reason, one.text)
                    for one, label in zip(outcomes.forfeits, offenders, strict=True)
                ],
            )

    def blocks(self, setting: int) -> list[Block]:
        """Blocks of a setting that are stored, in order."""
        rows = self._connection.execute(
            "SELECT first_deal, after_deal FROM blocks WHERE setting = ? ORDER BY first_deal", (setting,)
        )
        return [Block(setting, range(first, after)) for first, after in rows]

    def load(self, block: Block) -> Outcomes:
        """A block that is stored."""
        key = (block.setting, block.deals.start)
        games, players, packed, luck, texts = self._connection.execute(
            "SELECT games, players, numbers, luck, actions FROM blocks WHERE setting = ? AND first_deal = ?", key
        ).fetchone()
        numbers = np.frombuffer(zlib.decompress(packed), dtype="<i2").reshape(games, -1).astype(np.int64)
        lost, played, places = (numbers[:, i * players : (i + 1) * players] for i in range(3))
        actions = [""] * games if texts is None else zlib.decompress(texts).decode().split("\n")
        forfeits = self._connection.execute(
            "SELECT game, seat, reason, text FROM forfeits WHERE setting = ? AND first_deal = ? ORDER BY game", key
        )
        return Outcomes(
            lost, played, places, numbers[:, -2], numbers[:, -1], actions, [Forfeit(*row) for row in forfeits],
            None if luck is None else np.frombuffer(zlib.decompress(luck), dtype="<f4").reshape(games, -1, players),
        )

    def forfeits(self) -> list[tuple[str, str, int, str]]:
        """Policy, reason, how often, and the first text of each kind of forfeit."""
        return list(
            self._connection.execute(
                "SELECT policy, reason, COUNT(*), text FROM (SELECT * FROM forfeits ORDER BY setting, first_deal, game)"
                " GROUP BY policy, reason ORDER BY policy, reason"
            )
        )


def told_of(config: TournamentConfig, entrants: Sequence[Entrant]) -> dict[str, Any]:
    """What a store says of its run."""
    return {
        "format": FORMAT,
        "version": __version__,
        "config": config.model_dump(mode="json"),
        "policies": [
            {"policy": one.label, "name": one.name, "fingerprint": one.fingerprint} for one in entrants
        ],
    }


@contextmanager
def run_store(folder: Path | None, config: TournamentConfig, entrants: Sequence[Entrant]) -> Iterator[Store]:
    """The store of a run: a new one, or the one in the folder, to go on with. Without a folder it is in memory.

    Raises:
        UserError: the folder's run is another one; the text says in what.
    """
    told = told_of(config, entrants)
    path = ":memory:" if folder is None else str(folder / STORE)
    with _connected(path) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            with connection:
                connection.executescript("BEGIN;" + _TABLES)
                connection.executemany(
                    "INSERT INTO run VALUES (?, ?)", [(key, json.dumps(value)) for key, value in told.items()]
                )
        store = Store(connection)
        changes = differences(store.told, told)
        if changes:
            what = "; ".join(changes)
            raise UserError(f"{folder} holds another run: {what}. Choose another --out, or move it away")
        yield store


@contextmanager
def open_store(path: Path) -> Iterator[Store]:
    """The store of a run that is there, to read.

    Args:
        path: the run's folder, or its store.

    Raises:
        UserError: there is no store.
    """
    file = path / STORE if path.is_dir() else path
    if not file.is_file():
        raise UserError(f"{path} is no folder of a run: there is no {STORE} in it")
    with _connected(str(file)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise UserError(f"{file} is empty: its run was stopped before it began")
        yield Store(connection)


@contextmanager
def _connected(path: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            yield connection
        except sqlite3.DatabaseError as error:
            raise UserError(f"{path} cannot be used as a store of results: {error}") from error


def differences(there: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """In what a run that is there is another than ``told`` (from `told_of`); empty if it can be gone on with."""
    changes = [
        f"{key}={_short(there['config'].get(key))} there and {_short(value)} here"
        for key, value in told["config"].items()
        if key not in FREE and there["config"].get(key) != value
    ]
    if there["policies"] != told["policies"] and not changes:
        before, now = ({one["policy"]: one["fingerprint"] for one in what["policies"]} for what in (there, told))
        names = sorted(label for label in before.keys() | now.keys() if before.get(label) != now.get(label))
        changes.append(f"the policies {', '.join(names)} are other ones now")
    versions = [key for key in ("format", "version") if there[key] != told[key]]
    return changes + [f"{key} {there[key]} there and {told[key]} here" for key in versions]


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
