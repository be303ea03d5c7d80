"""Records of tournament games: one JSON object a line, gzipped, each enough to play its game again."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from thirtyone_env import __version__
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.play import Outcome, Placement, deal_seed, outcome_of

FORMAT = 1
# One character an action: its id is the place here.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"
_IDS = {character: number for number, character in enumerate(ALPHABET)}
assert len(ALPHABET) == NUM_ACTIONS


def make_record(
    match: str,
    rules: str | Mapping[str, Any],
    episode: str,
    seed: int,
    placement: Placement,
    entrants: Sequence[Entrant],
    outcome: Outcome,
) -> dict[str, Any]:
    """The record of a game.

    Args:
        match: name of the match in its tournament: setting, deal and number in the deal.
        rules: as the config names them.
        episode: ``round`` or ``match``.
        seed: of the tournament.
        placement: the deal and who sat where.
        entrants: all of the tournament.
        outcome: how it ended.
    """
    seated = [entrants[number] for number in placement.seats]
    return {
        "format": FORMAT,
        "version": __version__,
        "match": match,
        "rules": rules,
        "players": len(seated),
        "episode": episode,
        "seed": deal_seed(seed, placement.deal),
        "policy_seed": [seed, placement.deal],
        "seats": [entrant.label for entrant in seated],
        "policies": [entrant.fingerprint for entrant in seated],
        "actions": "".join(ALPHABET[action] for action in outcome.actions),
        "rounds": outcome.rounds,
        "lost": list(outcome.lost),
        "places": list(outcome.places),
    }


def record_line(record: Mapping[str, Any]) -> str:
    """A record as one line."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n"


@contextmanager
def writer(path: Path | None) -> Iterator[Callable[[str], object]]:
    """A function that writes text to a gzipped file, the same bytes for the same text; to nowhere without a path."""
    if path is None:
        yield lambda text: None
        return
    with path.open("wb") as raw, gzip.GzipFile("", "wb", compresslevel=3, fileobj=raw, mtime=0) as file:
        yield lambda text: file.write(text.encode())


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a file.

    Raises:
        UserError: a line is no record.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise UserError(f"{path}, line {number}: not a record ({error})") from None


def replay(record: Mapping[str, Any]) -> Game:
    """Play a record again, and check that it ends as it says.

    Raises:
        UserError: a key is missing, an action is not legal, or the end is another one.
    """
    name = record.get("match", "?")
    missing = [key for key in ("rules", "players", "episode", "seed", "actions", "lost", "places") if key not in record]
    if missing:
        raise UserError(f"match {name}: the record lacks {', '.join(missing)}")
    game = Game(record["rules"], record["players"], seed=record["seed"], episode=record["episode"])
    for step, character in enumerate(record["actions"]):
        action = _IDS.get(character)
        if action is None or game.turn is None or not game.mask >> action & 1:
            legal = ", ".join(game.legal_actions()) or "nothing, for the game is over"
            raise UserError(f"match {name}, action {step}: {character!r} is not legal here; legal is {legal}")
        game.play(action)
    if not game.over:
        raise UserError(f"match {name}: after its {len(record['actions'])} actions the game is not over")
    end = outcome_of(game)
    if (list(end.lost), list(end.places)) != (record["lost"], record["places"]):
        raise UserError(
            f"match {name}: it ends with lost={list(end.lost)} places={list(end.places)}, "
            f"but the record says lost={record['lost']} places={record['places']}"
        )
    return game
