"""The house rules that the keeping of lives depends on, in the words of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.options import BY_NAME, Value
from thirtyone_env.rules import Rules

DEFAULT = "pagat"

# option -> what the menu calls it, at most 27 characters
LABELS: dict[str, str] = {
    "lives": "tokens at the start",
    "county": "one chance after the last",
    "settlement": "who pays",
    "knock_penalty": "knocker lowest alone pays",
    "knocker_tie": "knocker ties for lowest",
    "only_knocker_amount": "knocker who ties pays",
    "tie_lowest": "several lowest",
    "life_transfer": "lost tokens go to",
    "declare_effect": "a 31 shown",
    "simultaneous_31": "several 31s cost each",
    "knocker_on_31": "31 after knock: knocker pays",
    "stock_out": "stock out, nobody knocked",
    "all_out": "all would go out",
    "three_of_a_kind": "three of a kind is worth",
    "three_aces": "three aces",
}

# what the menu calls a value where its own name is no word of a table
VALUES: dict[str, dict[Value, str]] = {
    "county": {True: "yes", False: "no"},
    "settlement": {"lowest_loses": "lowest", "below_knocker_loses": "below knocker"},
    "knocker_tie": {
        "safe": "is safe", "knocker_two": "pays as alone", "only_knocker": "pays alone", "all_lose": "all pay",
    },
    "tie_lowest": {"all_lose": "all lose", "none_lose": "none lose"},
    "life_transfer": {"none": "nobody", "to_winner": "highest"},
    "declare_effect": {"others_lose": "others pay", "lowest_loses": "lowest pays"},
    "stock_out": {"reshuffle": "all show", "play_on": "all show", "show": "all show", "draw": "drawn"},
    "all_out": {"replay": "replay", "sudden_death": "play off"},
    "three_of_a_kind": {"off": "no"},
    "three_aces": {"same": "as others", "feuer": "Feuer"},
}

# values that the menu does not offer: pot games have no lives
_NOT_OFFERED = {("settlement", "highest_takes_pot"), ("declare_effect", "takes_pot")}


def presets() -> list[str]:
    """Presets that have lives to keep."""
    found = {name: Rules.preset(name) for name in Rules.presets()}
    return [name for name, rules in found.items() if rules.lives is not None and rules.hand_size == 3]


@dataclass(frozen=True)
class House:
    """A table's rules: a preset and what is changed of it.

    Attributes:
        preset: the preset's name.
        changes: changed options by name.
        county: what the table calls the last chance.
    """

    preset: str = DEFAULT
    changes: Mapping[str, Value] = field(default_factory=dict)
    county: str = "county"

    @property
    def rules(self) -> Rules:
        """The rules.

        Raises:
            UserError: there is no such preset, it has no lives, or a change does not fit.
        """
        rules = Rules.preset(self.preset, **self.changes)
        if rules.lives is None:
            raise UserError(f"{self.preset} is a game for a pot and has no lives to keep")
        return rules

    def change(self, option: str, value: Value) -> House:
        """The rules with an option changed; a change back to the preset's value is no change.

        Raises:
            UserError: the change does not fit.
        """
        rules, usual = self.rules.replace(**{option: value}), Rules.preset(self.preset)
        changes = {}
        for name in LABELS:
            new, old = getattr(rules, name), getattr(usual, name)
            if new is not None and new != (BY_NAME[name].default if old is None else old):
                changes[name] = new
        house = House(self.preset, changes, self.county)
        house.rules  # noqa: B018  # refuses what does not fit
        return house

    @property
    def title(self) -> str:
        """The rules in one line: preset, then what is changed."""
        changed = [f"{LABELS.get(name, name)}: {value_words(name, value)}" for name, value in self.changes.items()]
        return self.preset + (f"; changed: {', '.join(changed)}" if changed else "")

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {"preset": self.preset, "changes": dict(self.changes), "county": self.county}


def used(rules: Rules) -> list[str]:
    """Options of the menu that matter under these rules, in its order."""
    names = [name for name in LABELS if getattr(rules, name) is not None]
    if rules.three_of_a_kind == "off":
        names.remove("three_aces")
    if rules.settlement == "below_knocker_loses":
        names.remove("stock_out")  # without a knocker nobody pays there
    return names


def offered(option: str, preset: str) -> list[Value]:
    """Values of an option that the menu offers to a table that plays by a preset."""
    found = BY_NAME[option]
    if option == "stock_out":  # the two ways on which everyone shows in the end are one to the bookkeeping
        usual = Rules.preset(preset).stock_out
        return ["reshuffle" if usual in (None, "draw") else usual, "draw"]
    if not found.values:
        return list(range(found.low, found.high + 1))
    return [value for value in found.values if (option, value) not in _NOT_OFFERED]


def value_words(option: str, value: Value) -> str:
    """A value in the words of a table."""
    return VALUES.get(option, {}).get(value, str(value))


_ON = {"floating": "floating", "swimming": "swimming", "welfare": "on welfare", "hole": "in the hole"}


def on_county(name: str) -> str:
    """How a table that calls the last chance so speaks of a player who has only that left."""
    return _ON.get(name.lower(), f"on the {name}")


def usual_county(preset: str) -> str:
    """What the last chance is called where nothing is said."""
    return {"standard": "bus", "schwimmen": "swimming", "wikipedia_fast": "free ride"}.get(preset, "county")
