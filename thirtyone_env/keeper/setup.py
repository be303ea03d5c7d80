"""The questions before a game: names, rules, what the last chance is called, who deals."""

from __future__ import annotations

from thirtyone_env.errors import UserError
from thirtyone_env.keeper.asking import Asker, find_seat
from thirtyone_env.keeper.house import (
    DEFAULT,
    LABELS,
    House,
    offered,
    presets,
    used,
    usual_county,
    value_words,
)
from thirtyone_env.keeper.screen import NAME_WIDTH, Screen
from thirtyone_env.keeper.state import Kept
from thirtyone_env.options import BY_NAME
from thirtyone_env.rules_table import about
from thirtyone_env.settlement import MAX_TABLE

RESERVED = frozenset((
    "u", "c", "l", "n", "s", "r", "t", "?", "h", "x", "q", "b", "-", "3a",
    "all", "and", "quit", "cancel", "nobody", "help",
))


def set_up(asker: Asker, screen: Screen) -> Kept:
    """Ask for everything a new game needs."""
    names = asker.ask(f"Names, clockwise (2 to {MAX_TABLE}), in a line:", read_names)
    house = _house(asker, screen)
    if house.rules.county:
        usual = usual_county(house.preset)
        county = asker.ask(f"What do you call the last chance? (enter: {usual})", lambda text: _county(text, usual))
        house = House(house.preset, house.changes, county)
    seats = range(len(names))
    dealer = asker.ask(
        f"Who deals first? (enter: {names[0]})", lambda text: find_seat(text, seats, names) if text else 0
    )
    return Kept(names, house, dealer)


def read_names(text: str) -> tuple[str, ...]:
    """Names of a line, separated by spaces or commas.

    Raises:
        UserError: too few or too many, one is a key, a number, too long or there twice.
    """
    names = text.replace(",", " ").split()
    if not 2 <= len(names) <= MAX_TABLE:
        raise UserError(f"{len(names)} name{'' if len(names) == 1 else 's'}; 2 to {MAX_TABLE} can play")
    for name in names:
        if name.lower() in RESERVED or name.isdecimal():
            raise UserError(f"'{name}' is a key or a number here: write more letters")
        if len(name) > NAME_WIDTH or not name.isprintable():
            raise UserError(f"'{name}' has more than {NAME_WIDTH} letters: write fewer")
    lower = [name.lower() for name in names]
    twice = [name for name in names if lower.count(name.lower()) > 1]
    if twice:
        raise UserError(f"'{twice[0]}' is there twice: add a letter")
    return tuple(names)


def _county(text: str, usual: str) -> str:
    if len(text) > NAME_WIDTH:
        raise UserError(f"'{text}' has more than {NAME_WIDTH} letters: write fewer")
    return text.removeprefix("on ").removeprefix("the ") or usual


def _house(asker: Asker, screen: Screen) -> House:
    """A preset, then changes of it until enter."""
    names = presets()
    screen.say("Rules:", *(f"{number:>2} {name}: {about(name)['description']}" for number, name in enumerate(names, 1)))
    preset = asker.ask(f"Which rules? (enter: {DEFAULT})", lambda text: _pick(text, names) if text else DEFAULT)
    house = House(preset)
    while True:
        option = _menu(asker, screen, house)
        if not option:
            return house
        house = _change(asker, screen, house, option)


def _menu(asker: Asker, screen: Screen, house: House) -> str:
    """The option to change; empty for none."""
    options = used(house.rules)
    screen.say(f"Rules: {house.title}")
    screen.say(*(_menu_line(number, option, house) for number, option in enumerate(options, 1)))
    return asker.ask("Enter: play so. Number: change that.", lambda text: _pick(text, options) if text else "")


def _menu_line(number: int, option: str, house: House) -> str:
    changed = "*" if option in house.changes else ""
    return f"{number:>2} {LABELS[option]}: {value_words(option, getattr(house.rules, option))}{changed}"


def _pick(text: str, names: list[str]) -> str:
    if text in names:
        return text
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    raise UserError(f"'{text}' is not there; write a number from 1 to {len(names)}")


def _change(asker: Asker, screen: Screen, house: House, option: str) -> House:
    values = offered(option, house.preset)
    screen.say(BY_NAME[option].meaning)
    if not BY_NAME[option].values:
        question = f"{BY_NAME[option].allowed()}:"
        return asker.ask(question, lambda text: house.change(option, _number(text)))
    words = [value_words(option, value) for value in values]
    screen.say(*(f"{number:>2} {text}" for number, text in enumerate(words, 1)))
    return asker.ask("Which?", lambda text: house.change(option, values[words.index(_pick(text, words))]))


def _number(text: str) -> int:
    if not text.isdecimal():
        raise UserError(f"'{text}' is no number")
    return int(text)
