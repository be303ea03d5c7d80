"""The generated parts of docs/rules.md: tables of options, presets and losses, from the code that plays by them."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from thirtyone_env.options import OPTIONS
from thirtyone_env.rules import Rules
from thirtyone_env.rules_table import about, show
from thirtyone_env.who_loses import Case, cases

SHOWDOWN = 5  # the first cases of a game in which the lowest loses: no 31 was shown
FULL_GAMES = ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen")


def _table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _options(section: int) -> str:
    """The options of a section: values, default, meaning, who says so."""
    body = [
        [f"`{o.name}`", o.meaning, _values(o.allowed()), f"`{show(o.default)}`", o.source]
        for o in OPTIONS if o.section == section
    ]
    return _table(["option", "what it decides", "values", "default", "source"], body)


def _values(allowed: str) -> str:
    return allowed if " " in allowed.replace(", ", "") else ", ".join(f"`{v}`" for v in allowed.split(", "))


section_1 = functools.partial(_options, 1)
section_2 = functools.partial(_options, 2)
section_3 = functools.partial(_options, 3)
section_4 = functools.partial(_options, 4)
section_5 = functools.partial(_options, 5)
section_6 = functools.partial(_options, 6)
section_7 = functools.partial(_options, 7)
section_8 = functools.partial(_options, 8)
section_9 = functools.partial(_options, 9)
section_11 = functools.partial(_options, 11)
section_12 = functools.partial(_options, 12)


def presets_table() -> str:
    """Every option of the full games, a column a preset."""
    rules = [Rules.preset(name) for name in FULL_GAMES]
    ordered = sorted(OPTIONS, key=lambda option: option.section)
    body = [[f"`{o.name}`", *(show(getattr(r, o.name)) for r in rules)] for o in ordered]
    return _table(["option", *FULL_GAMES], body)


def presets_list() -> str:
    """Every preset with what it is and where it comes from."""
    body = [[f"`{name}`", about(name)["description"], about(name)["source"]] for name in Rules.presets()]
    return _table(["preset", "what it is", "source"], body)


def who_loses_by_tie() -> str:
    """Who loses what at a showdown, a column a value of ``knocker_tie``."""
    values = ("safe", "knocker_two", "only_knocker", "all_lose")
    columns = [cases(Rules(knocker_tie=value))[:SHOWDOWN] for value in values]
    body = [[row[0].what, *(_losses(case) for case in row)] for row in zip(*columns, strict=True)]
    return _table(["who is lowest", *(f"`{value}`" for value in values)], body)


def who_loses_by_preset() -> str:
    """Who loses what, a column a preset that plays for lives by the lowest hand."""
    names = [n for n in FULL_GAMES if Rules.preset(n).settlement == "lowest_loses"]
    columns = [cases(Rules.preset(name)) for name in names]
    keys = ["one other is lowest", "several others are", "the knocker alone is", "the knocker and others"]
    found = [{case.what: case for case in column} for column in columns]
    body = [[key, *(_losses(column[key]) for column in found)] for key in keys]
    return _table(["who is lowest", *(f"`{name}`" for name in names)], body)


def who_loses_party() -> str:
    """Who loses what in the party game."""
    found = cases(Rules.preset("party"))
    return _table(["case", "the knocker", "each other player named"], [
        [case.what, "-" if case.knocker is None else str(case.knocker), str(case.others)] for case in found
    ])


def _losses(case: Case) -> str:
    others = f"others {case.others}"
    return others if case.knocker is None else f"knocker {case.knocker}, {others}"


def county_table() -> str:
    """What losing one or two does to a player, with and without the county."""
    body = []
    for tokens in (0, 1, 2, 3):
        row = [str(tokens) + (" (on the county)" if tokens == 0 else "")]
        for county in (True, False):
            row += [_after(tokens, lost, county) for lost in (1, 2)]
        body.append(row)
    return _table(["tokens before", "lose 1, county", "lose 2, county", "lose 1, no county", "lose 2, no county"], body)


def _after(tokens: int, lost: int, county: bool) -> str:
    """What a player with so many tokens has after losing; settled, not computed here."""
    if tokens == 0 and not county:
        return "-"
    rules = Rules(county=county)
    if lost == 2:
        result = rules.settle([10, 20, 20], knocker=0, lives=[tokens, 3, 3])
    else:
        result = rules.settle([10, 20, 20], knocker=1, lives=[tokens, 3, 3])
    if 0 in result.eliminated:
        return "out"
    return "county" if 0 in result.on_county else f"{result.lives_after[0]} left"
