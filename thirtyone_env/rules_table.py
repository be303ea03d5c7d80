"""Presets and options as rows: what `thirtyone rules` and the rules page show."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.options import OPTIONS, Value
from thirtyone_env.rules import Rules


@dataclass(frozen=True)
class Row:
    """One option of a variant: its value (None where the variant has no use for it) and what the option is."""

    option: str
    section: int
    value: Value
    default: Value
    allowed: str
    meaning: str
    source: str


def show(value: Value) -> str:
    """A value as text, as a YAML file has it; a dash for what a variant has no use for."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


def rows(rules: Rules) -> list[Row]:
    """Every option of a variant, in the order of the rules page."""
    found = [
        Row(o.name, o.section, getattr(rules, o.name), o.default, o.allowed(), o.meaning, o.source) for o in OPTIONS
    ]
    return sorted(found, key=lambda row: row.section)


def differences(first: Rules, second: Rules) -> list[tuple[Row, Row]]:
    """Options in which two variants differ, with the row of each."""
    return [pair for pair in zip(rows(first), rows(second), strict=True) if pair[0].value != pair[1].value]


@functools.cache
def about(preset: str) -> dict[str, str]:
    """Description and source of a preset, as its file tells them.

    Raises:
        UserError: there is no such preset.
    """
    import yaml

    from thirtyone_env.config_files import configs_dir

    Rules.preset(preset)  # refuses a wrong name
    try:
        text = (configs_dir() / "rules" / f"{preset}.yaml").read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"the rules of '{preset}' cannot be read: {error}") from error
    values = yaml.safe_load(text)
    return {"description": str(values["description"]), "source": str(values["source"])}


def preset_data(preset: str) -> dict[str, Any]:
    """A preset as plain data, ready for JSON."""
    rules = Rules.preset(preset)
    return {
        "name": preset,
        **about(preset),
        "cards": None if rules.cards is None else list(rules.cards),
        "options": [asdict(row) for row in rows(rules)],
    }
