"""A record told in words: events, tables and results with the players' names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thirtyone_env.events import Event
from thirtyone_env.explain import explain
from thirtyone_env.game import Game
from thirtyone_env.settlement import RoundResult

_SEAT = re.compile(r"seat (\d+)( *)")


def named(text: str, names: Sequence[str]) -> str:
    """The text with each ``seat N`` replaced by the seat's name; columns stay where they are if the name fits."""

    def name(match: re.Match[str]) -> str:
        own = names[int(match[1])] if int(match[1]) < len(names) else match[0].strip()
        width = len(match[0]) if len(match[2]) > 1 else 0
        return own.ljust(width) if width > len(own) else own + match[2][:1]

    return _SEAT.sub(name, text)


def event_lines(events: Sequence[Event], game: Game, names: Sequence[str]) -> list[str]:
    """The events as lines; a settled round is told with its reasons."""
    lines = []
    for event in events:
        if event.kind == "over":
            continue  # `ending` says it
        if event.result is None:
            lines.append(named(event.text, names))
        else:
            lines += round_lines(game, event.result, names)
    return lines


def round_lines(game: Game, result: RoundResult, names: Sequence[str]) -> list[str]:
    """A settled round: the hands shown, who loses what by which rule, and the tokens left."""
    lines = [f"round {result.deal + 1} ends"]
    for seat, hand in enumerate(result.hands):
        if hand is not None:
            lines.append(f"  {names[seat]}: {' '.join(hand)} = {result.values[seat]:g}")
    why = explain(game.rules, result, result.reason, result.knocker, result.declared, lambda seat: names[seat])
    lines += [f"  {line}" for line in why]
    if game.rules.lives is not None:
        tokens = ", ".join(_tokens(result, seat, name) for seat, name in enumerate(names))
        lines.append(f"  tokens: {tokens}")
    return lines


def _tokens(result: RoundResult, seat: int, name: str) -> str:
    if seat in result.on_county:
        return f"{name} on the county"
    return f"{name} {result.lives_after[seat] or 'out'}"


def ending(game: Game, names: Sequence[str]) -> str:
    """How a game stands at the end of its record."""
    if not game.over:
        return "the game is not over"
    if game.pot_winners:
        return f"{' and '.join(names[seat] for seat in game.pot_winners)} took the pot"
    if game.truncated:
        return "the match was cut off at max_deals"
    return f"winner {names[game.winner]}" if game.winner is not None else "the round is over"
