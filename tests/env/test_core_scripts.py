"""The checked scripts of `tests/data/script.jsonl`: whole rounds from a laid-out pack, played in `Game`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thirtyone_env import Game, IllegalAction, Rules

DATA = Path(__file__).parent.parent / "data" / "script.jsonl"
SCRIPTS = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("script", [pytest.param(script, id=script["id"]) for script in SCRIPTS])
def test_script(script: dict[str, Any]) -> None:
    rules = Rules.preset(script["preset"], **script["options"])
    game = Game(
        rules, script["players"], dealer=script["dealer"], lives=script.get("lives"), out=script.get("out", ()),
        deck=script["deck"],
    )
    for number, (seat, action) in enumerate(script["steps"]):
        check(game, script, number)
        assert game.turn == seat
        game.play(action.replace("DRAWN", game.drawn or ""))
    check(game, script, len(script["steps"]))
    result = game.last_round
    assert result is not None
    for name, expected in script["end"].items():
        value = getattr(result, name)
        assert (list(value) if isinstance(value, tuple) else value) == expected, name


def test_every_script_has_checks_or_an_end() -> None:
    assert len(SCRIPTS) == 26
    assert all(script["end"] for script in SCRIPTS)
    assert all(facts["before_step"] <= len(s["steps"]) for s in SCRIPTS for facts in s["checks"])


def check(game: Game, script: dict[str, Any], number: int) -> None:
    for facts in script["checks"]:
        if facts["before_step"] == number:
            check_position(game, facts)


def check_position(game: Game, facts: dict[str, Any]) -> None:
    """All that a script says of a position; every name that it uses is known here."""
    legal = game.legal_actions()
    seen = {
        "turn": game.turn,
        "top": game.top,
        "stock": game.stock_count,
        "discard_pile": game.discard_count,
        "stock_plus_pile": game.stock_count + game.discard_count,
        "ended": game.last_round is not None,
    }
    for name, value in facts.items():
        if name == "before_step":
            continue
        if name == "legal":
            assert sorted(legal) == sorted(value)
        elif name == "includes":
            assert set(value) <= set(legal)
        elif name == "illegal":
            assert not set(value) & set(legal)
        elif name == "hands":
            assert all(set(game.hands[int(seat)]) == set(cards) for seat, cards in value.items())
        elif name == "refused":
            for seat, action in value:
                refuse(game, seat, action)
        else:
            assert seen[name] == value, name


def refuse(game: Game, seat: int, action: str) -> None:
    """A seat that is not to move has no say; the one to move is refused and nothing changes."""
    if seat != game.turn:
        assert not int(game.view(seat)[5]), "no legal actions for a seat that is not to move"
        return
    before = game.state.tobytes()
    with pytest.raises(IllegalAction, match="is not legal"):
        game.play(action)
    assert game.state.tobytes() == before
