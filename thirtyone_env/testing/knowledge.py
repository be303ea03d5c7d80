"""Checks of what seats know: nothing hidden shows, nothing seen is forgotten."""

from __future__ import annotations

import random
from typing import Any

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.cards import CARDS
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.testing.plays import Setting


class Seen:
    """Perfect recall of the text of what a seat has seen.

    It only grows, it holds the actions, and two positions with one text are one to the seat.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._known: dict[tuple[int, tuple[str, ...]], tuple[int, bytes]] = {}
        self.forget()

    def forget(self) -> None:
        """Another game begins."""
        self._before: list[tuple[str, ...]] = [()] * self._setting.players

    def check(self, game: Game, source: random.Random) -> None:
        """The text of the seat to move (of any seat where chance is to move) in a position."""
        where = self._setting.where
        seat = source.randrange(game.players) if game.turn is None else game.turn
        text, before = game.information_state(seat), self._before[seat]
        grown = text[: len(before)] == before
        assert grown, f"what seat {seat} has seen does not begin with what it had seen before{where(game)}"
        self._before[seat] = text
        last = game.inputs()[-1] if game.inputs() else None
        if last is not None and last.kind == "action":
            named = any(ACTION_NAMES[last.value] in line for line in text[len(before) :])
            assert named, f"{ACTION_NAMES[last.value]} was played and seat {seat} has not seen it{where(game)}"
        if game.turn is None:
            return
        now = (game.mask, game.view(seat).tobytes())
        same = self._known.setdefault((seat, text), now) == now
        assert same, f"seat {seat} has seen the same, but its mask or view is another{where(game)}"


def check_hidden(setting: Setting, game: Game, source: random.Random) -> int:
    """Exchange two cards that a seat has not seen in this deal, everywhere: it must see the same.

    Returns:
        1 where the position could be compared. An exchange that changes who moves or ends the round cannot.
    """
    seat = source.randrange(game.players)
    hidden = _hidden_from(game, seat)
    given = sorted(_given(game).intersection(hidden))
    if not given or len(hidden) < 2:
        return 0
    first = source.choice(given)
    second = source.choice([card for card in hidden if card != first])
    other = _exchanged(setting, game, first, second)
    if other is None:
        return 0
    text = f"seat {seat} cannot know {first} from {second}, but "
    same = other.information_state(seat) == game.information_state(seat)
    assert same, f"{text}the text of what it has seen is another{setting.where(game)}"
    same = other.view(seat).tobytes() == game.view(seat).tobytes()
    assert same, f"{text}its view is another{setting.where(game)}"
    return 1


def _hidden_from(game: Game, seat: int) -> list[str]:
    """Cards of the pack that a seat has not seen in this deal."""
    lines = game.information_state(seat)
    begin = max((i for i, line in enumerate(lines) if line.startswith("round ends")), default=-1) + 1
    words = {word for line in lines[begin:] for word in line.split()}
    words |= {*game.hands[seat], *game.pool}  # a deal or a new pool is told of when it is complete
    return [card for card in CARDS if card not in words and game.rules.deck_set >> CARDS.index(card) & 1]


def _given(game: Game) -> set[str]:
    """Cards that chance has given in this deal."""
    return {CARDS[e.value] for e in game.inputs() if e.kind == "card" and e.rounds == game.round_count}


def _exchanged(setting: Setting, game: Game, first: str, second: str) -> Game | None:
    """The same game with two cards exchanged in this deal; None where it cannot be played in the same way."""
    names = {first: second, second: first}
    other = setting.make(game.rules, game.players, episode=game.episode, chance="manual", **game.start)
    inputs = game.inputs()
    states: list[Any] = [*(entry.rounds for entry in inputs[1:]), game.round_count]
    for entry, rounds in zip(inputs, states, strict=True):
        value = entry.value
        try:
            if entry.kind == "card":
                text = CARDS[value]
                other.give(names.get(text, text) if entry.rounds == game.round_count else text)
            else:
                other.play(value)
        except UserError:
            return None
        if other.round_count != rounds:
            return None
    same = (other.turn, other.phase, other.over) == (game.turn, game.phase, game.over)
    return other if same else None
