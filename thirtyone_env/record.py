"""Records of games: plain data that plays again to the same end, or says where it breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.cards import CARDS
from thirtyone_env.errors import UserError

if TYPE_CHECKING:
    from thirtyone_env.game import Game
    from thirtyone_env.settlement import RoundResult

FORMAT = "thirtyone-record"
VERSION = 1
_NEEDED = ("format", "version", "rules", "players", "episode", "moves", "rounds")


def make_record(game: Game, names: Sequence[str] | None = None) -> dict[str, Any]:
    """A game as a mapping of plain values, ready for JSON.

    Args:
        names: a name for each seat.

    Raises:
        UserError: not one name a seat.
    """
    import thirtyone_env

    if game.resampled:
        raise UserError("a resampled game has no beginning that could be recorded")
    if names is not None and len(names) != game.players:
        raise UserError(f"{len(names)} names given for {game.players} seats")
    return {
        "format": FORMAT,
        "version": VERSION,
        "library": thirtyone_env.__version__,
        "rules": game.rules.to_dict(),
        "players": game.players,
        "names": None if names is None else list(names),
        "episode": game.episode,
        "chance": game.chance,
        "seed": game.seed if game.seeded else None,
        "match": game.match,
        "deck": None if game.first_deck is None else [CARDS[c] for c in game.first_deck],
        **game.start,
        "moves": [_move(item.kind, item.value) for item in game.inputs()],
        "rounds": [round_summary(result) for result in game.rounds],
        "over": game.over,
        "winner": game.winner,
        "placings": game.placings,
    }


def _move(kind: str, value: Any) -> Any:
    if kind == "action":
        return ACTION_NAMES[value]
    if kind == "card":
        return f"give {CARDS[value]}"
    return {"deal": [CARDS[card] for card in value]}


def round_summary(result: RoundResult) -> dict[str, Any]:
    """What a record keeps of a round's result."""
    return {
        "deal": result.deal,
        "reason": result.reason,
        "knocker": result.knocker,
        "declared": list(result.declared),
        "values": list(result.values),
        "lost": list(result.lost),
        "gained": list(result.gained),
        "lives_after": list(result.lives_after),
        "on_county": list(result.on_county),
        "eliminated": list(result.eliminated),
    }


def start_of_record(record: Mapping[str, Any]) -> Game:
    """The game of a record before its first move.

    Raises:
        UserError: it is no record of this format, or its start is wrong.
    """
    from thirtyone_env.game import Game

    if not isinstance(record, Mapping):
        raise UserError(f"not a {FORMAT}: it must be a mapping, not {type(record).__name__}")
    missing = [key for key in _NEEDED if key not in record]
    if missing or record["format"] != FORMAT:
        raise UserError(f"not a {FORMAT}: missing {', '.join(missing)}" if missing else
                        f"format {record['format']!r} is not {FORMAT!r}")
    if record["version"] != VERSION:
        raise UserError(f"record version {record['version']!r} is not {VERSION}, the one this library reads")
    _check_lists(record)
    return Game(
        record["rules"], record["players"], seed=record.get("seed"), dealer=record.get("dealer"),
        lives=record.get("lives"), out=record.get("out") or (), episode=record["episode"], deck=record.get("deck"),
        chance=record.get("chance", "seed"), match=record.get("match", 0),
    )


def _check_lists(record: Mapping[str, Any]) -> None:
    for key in ("moves", "rounds", "lives", "out", "deck"):
        value = record.get(key)
        if value is not None and not isinstance(value, list | tuple):
            raise UserError(f"the record's {key} must be a list, not {value!r}")
    for index, told in enumerate(record["rounds"]):
        if not isinstance(told, Mapping):
            raise UserError(f"the record's round {index} must be a mapping, not {told!r}")


def play_move(game: Game, move: Any) -> None:
    """Play one move of a record."""
    if isinstance(move, Mapping):
        game.deal(move["deal"])
    elif isinstance(move, str) and move.startswith("give "):
        game.give(move[5:])
    else:
        game.play(move)


def replay_record(record: Mapping[str, Any]) -> Game:
    """Play a record again and compare every round.

    Raises:
        UserError: a move is illegal, a round ends otherwise, or the end is another; the text says where.
    """
    game = start_of_record(record)
    expected = record["rounds"]
    check_rounds(game, expected, 0, "at the deal")
    checked = game.round_count
    for number, move in enumerate(record["moves"]):
        try:
            play_move(game, move)
        except (UserError, KeyError, TypeError) as error:
            raise UserError(f"the record breaks at move {number} ({move}): {error}") from error
        check_rounds(game, expected, checked, f"at move {number}")
        checked = game.round_count
    if game.round_count != len(expected):
        raise UserError(f"the record ends after {game.round_count} rounds, but tells of {len(expected)}")
    for key, value in (("over", game.over), ("winner", game.winner), ("placings", game.placings)):
        if key in record and record[key] != value:
            raise UserError(f"the record's {key} is {record[key]}, but the game's is {value}")
    return game


def check_rounds(game: Game, expected: Sequence[Mapping[str, Any]], first: int, where: str) -> None:
    """Compare the rounds settled from round ``first`` on with those of a record; ``where`` is a place, for messages."""
    if game.round_count > len(expected):
        raise UserError(f"the record breaks {where}: round {game.round_count} ends, but it tells of "
                        f"{len(expected)} rounds")
    for index in range(first, game.round_count):
        mine = round_summary(game.rounds[index])
        different = [k for k in mine if k in expected[index] and expected[index][k] != mine[k]]
        if different:
            key = different[0]
            raise UserError(f"the record breaks {where}: round {index} has {key} {expected[index][key]}, "
                            f"but the game gives {mine[key]}")
