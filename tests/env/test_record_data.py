"""`Game.record` and `Game.replay`: plain data that plays again to the same end, or says where it breaks."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.env.game_walks import PRESETS, random_table, snapshot, walk
from tests.env.stacking import laid_out, play, stacked_deck
from thirtyone_env import Game, Rules, UserError

HANDS = {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}
Record = dict[str, Any]


def recorded() -> Record:
    """Two rounds of three players, the second from a pack of its own."""
    rules = Rules.preset("kids")
    game = laid_out(rules, 3, HANDS, up="AS", stock="5H 6H 7H")
    play(game, "draw_stock", "discard 2C", "knock", "-", "-")
    game.deal(stacked_deck(rules, 3, game.dealer, HANDS, up="2S", stock="5H 6H 7H"))
    return play(game, "knock", "-", "-").record(names=["Ann", "Bob", "Cid"])


@pytest.mark.parametrize("chunk", range(4))
def test_any_game_comes_back_the_same_through_json(chunk: int) -> None:
    source = random.Random(chunk)
    for _ in range(25):
        game = random_table(source, chance=source.choice(("seed", "manual")))
        list(walk(game, source, source.randrange(200)))
        record = game.record()
        again = Game.replay(json.loads(json.dumps(record)))
        assert snapshot(again) == snapshot(game)
        assert again.rounds == game.rounds
        assert again.events == game.events
        assert again.record() == record


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_from_a_record_plays_on_as_the_game_itself(preset: str) -> None:
    game = Game(preset, 4, seed=4)
    list(walk(game, random.Random(1), 30))
    again = Game.replay(game.record())
    assert list(walk(game, random.Random(2), 60)) == list(walk(again, random.Random(2), 60))
    assert snapshot(again) == snapshot(game)


def test_scripted_packs_and_names_are_kept() -> None:
    record = recorded()
    again = Game.replay(record)
    assert record["names"] == ["Ann", "Bob", "Cid"]
    assert [list(result.lost) for result in again.rounds] == [told["lost"] for told in record["rounds"]]
    assert again.round_count == 2
    assert again.record(names=record["names"]) == record


def test_a_record_is_plain_data_that_tells_what_was_played_and_with_what() -> None:
    record = recorded()
    assert json.loads(json.dumps(record)) == record
    assert (record["format"], record["version"]) == ("thirtyone-record", 1)
    assert (record["players"], record["episode"]) == (3, "match")
    assert Rules.of(record["rules"]) == Rules.preset("kids")
    assert record["moves"][:3] == ["draw_stock", "discard 2C", "knock"]
    assert record["rounds"][0]["knocker"] == 1
    assert record["library"]


def test_names_must_be_one_a_seat() -> None:
    with pytest.raises(UserError, match="2 names given for 3 seats"):
        Game("pagat", 3, seed=1).record(names=["Ann", "Bob"])


def drop(key: str) -> Callable[[Record], None]:
    return lambda record: record.pop(key)


def put(key: str, value: Any) -> Callable[[Record], None]:
    return lambda record: record.update({key: value})


def at_move(number: int, value: Any) -> Callable[[Record], None]:
    return lambda record: record["moves"].__setitem__(number, value)


def in_round(number: int, key: str, value: Any) -> Callable[[Record], None]:
    return lambda record: record["rounds"][number].update({key: value})


NEEDED = ("format", "version", "rules", "players", "episode", "moves", "rounds")
DAMAGE: list[tuple[str, Callable[[Record], Any], str]] = [
    *[(f"no {key}", drop(key), f"missing {key}") for key in NEEDED],
    ("another format", put("format", "pgn"), "format 'pgn' is not 'thirtyone-record'"),
    ("a later version", put("version", 99), "record version 99 is not 1"),
    ("unknown rules", put("rules", "pagatt"), "did you mean pagat"),
    ("a misspelt option", put("rules", {"knock_mim": 3}), "'knock_mim' is not a rule option"),
    ("too many players", put("players", 12), "12 players: allowed are 2 to 9"),
    ("another episode", put("episode", "game"), "episode='game' is not allowed"),
    ("a dealer who is not there", put("dealer", 8), "dealer=8 must be a seat"),
    ("another dealer", put("dealer", 0), "the record breaks at move"),
    ("a short pack", put("deck", ["2C"]), "deck must be the full pack"),
    ("wrong lives", put("lives", [3, 3]), "one number for each of the 3 seats"),
    ("an illegal move", at_move(1, "knock"), r"the record breaks at move 1 \(knock\): 'knock' is not legal"),
    ("no such move", at_move(2, "fold"), r"the record breaks at move 2 \(fold\): 'fold' is not an action"),
    ("a card that is not in hand", at_move(1, "discard KS"), r"the record breaks at move 1 \(discard KS\)"),
    ("a card given that comes by itself", at_move(0, "give 2C"), r"the record breaks at move 0 \(give 2C\)"),
    ("a move that is a number of no action", at_move(0, 99), r"the record breaks at move 0 \(99\)"),
    ("a move that is nothing", at_move(0, None), r"the record breaks at move 0 \(None\)"),
    ("a pack that is none", at_move(7, {"deal": ["2C"]}), "the record breaks at move 7"),
    ("a pack without its name", at_move(7, {"cards": []}), "the record breaks at move 7"),
    ("another loss", in_round(0, "lost", [0, 0, 1]), r"the record breaks at move 6: round 0 has lost \[0, 0, 1\]"),
    ("another worth", in_round(1, "values", [1, 2, 3]), "round 1 has values"),
    ("another knocker", in_round(1, "knocker", 2), "round 1 has knocker 2, but the game gives 1"),
    ("a round missing", lambda record: record["rounds"].pop(), "it tells of 1 rounds"),
    ("a round too many", lambda record: record["rounds"].append(record["rounds"][0]), "after 2 rounds, but tells of 3"),
    ("the last moves missing", lambda record: record["moves"].__delitem__(slice(-2, None)), "tells of 2"),
    ("a move too many", lambda record: record["moves"].append("knock"), "the record breaks at move 13"),
    ("another winner", put("winner", 2), "the record's winner is 2, but the game's is None"),
    ("another end", put("over", True), "the record's over is True, but the game's is False"),
    ("other placings", put("placings", [1, 2, 3]), r"the record's placings is \[1, 2, 3\]"),
    ("moves that are no list", put("moves", 7), "moves"),
    ("rounds that are no list", put("rounds", 7), "rounds"),
    ("a round that is no mapping", lambda record: record["rounds"].__setitem__(0, 7), "round"),
    ("players that are text", put("players", "3"), "players='3' is not allowed: a whole number from 2 to 9"),
    ("a seed that is text", put("seed", "x"), "seed='x' is not allowed"),
    ("seats out that are text", put("out", "x"), "out"),
    ("lives that are a number", put("lives", 3), "lives"),
    ("a deck of numbers out of range", put("deck", list(range(100, 152))), "outside 0 to 51"),
]


@pytest.mark.parametrize(("change", "words"), [pytest.param(c, w, id=name) for name, c, w in DAMAGE])
def test_every_kind_of_damage_is_refused_and_says_where(change: Callable[[Record], Any], words: str) -> None:
    record = copy.deepcopy(recorded())
    change(record)
    with pytest.raises(UserError, match=words) as error:
        Game.replay(record)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [None, 5, "record", [], ["moves"]])
def test_what_is_no_mapping_is_no_record(wrong: Any) -> None:
    with pytest.raises(UserError, match="not a thirtyone-record"):
        Game.replay(wrong)


def test_one_changed_move_of_a_random_game_never_passes_unseen() -> None:
    """A move exchanged for another legal one changes a round or breaks a later move, unless the round is not over."""
    source, broken = random.Random(3), 0
    for _ in range(40):
        game = Game("pagat", 3, seed=source.randrange(1 << 30))
        list(walk(game, source, 60))
        record = game.record()
        number = source.randrange(len(record["moves"]))
        start = {"moves": record["moves"][:number], "rounds": rounds_before(game, number)}
        before = Game.replay({**record, **start, **END})
        others = [action for action in before.legal_actions() if action != record["moves"][number]]
        changed = {**record, "moves": [*record["moves"]]}
        if not others:
            continue
        changed["moves"][number] = source.choice(others)
        message = outcome(changed)
        assert message is None or "the record" in message
        broken += message is not None
    assert broken > 20


def outcome(record: Record) -> str | None:
    """Why a record is refused; None where it is not, and then it is the game that it says."""
    try:
        again = Game.replay(record)
    except UserError as error:
        return str(error)
    assert again.record()["moves"] == record["moves"]
    return None


def test_a_round_that_ended_at_the_deal_is_compared_too() -> None:
    """A dealt 31 ends a round before any move."""
    game = laid_out("kids", 3, {0: "AS KS QS", 1: "2C 3D 4H"}, up="5C")
    record = game.record()
    assert (record["moves"], len(record["rounds"])) == ([], 1)
    assert snapshot(Game.replay(record)) == snapshot(game)
    record["rounds"][0]["lost"] = [0, 0, 0]
    with pytest.raises(UserError, match=r"the record breaks at the deal: round 0 has lost \[0, 0, 0\]"):
        Game.replay(record)


END = {"over": False, "winner": None, "placings": [None] * 3}


def rounds_before(game: Game, number: int) -> list[Any]:
    """The rounds of a record that were settled before a move."""
    return game.record()["rounds"][: game.inputs()[number].rounds]
