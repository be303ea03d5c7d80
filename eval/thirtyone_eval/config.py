"""What a tournament's YAML says, checked before anything runs."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
import yaml
from pydantic import BeforeValidator, ConfigDict, Field

from thirtyone_env.config_files import find_config
from thirtyone_env.errors import UserError
from thirtyone_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

KIND = "tournaments"
MOST_DEALS = 1 << 20


def _listed(value: Any) -> Any:
    """One thing where a list is wanted stands for a list of it."""
    return value if isinstance(value, list | tuple) else [value]


class TournamentConfig(pydantic.BaseModel):
    """One tournament.

    Attributes:
        description: a line about it, shown in the report.
        rules: variants: names of presets, or mappings of rule options (``preset`` names the one to change).
        players: table sizes, 2 to 9 each.
        policies: names of policies; one that stands there twice plays as two copies.
        episode: ``round`` (one hand; tight intervals) or ``match`` (until one is left).
        deals: deals of each variant and table size; each is played in several seatings.
        matches: games in all, in place of ``deals``: rounded up to whole deals of every setting.
        precision: half of the 95 % interval that every policy's measure is to reach (lives a round, or share of wins);
            then as many deals are played as that takes, ``deals`` or ``matches`` at most (2^20 deals without them).
        seed: fixes every card and every policy's randomness.
        mirror: ``auto``: all k! seatings of each deal up to four players, k rotations above; ``all``, ``rotations``, or
            ``none`` for one seating a deal.
        tables: ``all``: every choice of policies for a table, in every deal; ``random``: tables drawn for each deal, in
            which all policies sit equally often; ``auto``: all while there are at most ``max_tables``.
        max_tables: see ``tables``.
        rank_by: ``lives`` (mean lives lost a round, fewest first) or ``wins`` (win share, most first); ``auto`` is
            lives for rounds and wins for matches and pot games.
        time_limit: seconds that a policy which is not ours has for a question: many decisions at once, or, when that
            failed, one; beyond it the policy forfeits the game.
        control_variate: whether the luck of the cards is measured in each game and taken out of the means (see `luck`);
            ``auto``: where a policy is asked from Python, which takes far longer than that.
        workers: processes that play; the result does not depend on it.
        backend: ``local``, or ``ray``: the processes are those of a Ray cluster (see `ray_backend`).
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = ""
    rules: Annotated[list[str | dict[str, Any]], BeforeValidator(_listed)] = Field(default=["pagat"], min_length=1)
    players: Annotated[
        list[Annotated[int, Field(strict=True, ge=MIN_PLAYERS, le=MAX_PLAYERS)]], BeforeValidator(_listed)
    ] = Field(default=[3], min_length=1)
    policies: Annotated[list[str], BeforeValidator(_listed)] = Field(min_length=2)
    episode: Literal["round", "match"] = "round"
    deals: int = Field(default=200, strict=True, ge=2, le=MOST_DEALS)
    matches: int | None = Field(default=None, strict=True, ge=1)
    precision: float | None = Field(default=None, gt=0, lt=1)
    seed: int = Field(default=0, strict=True, ge=0, lt=1 << 63)
    mirror: Literal["auto", "all", "rotations", "none"] = "auto"
    tables: Literal["auto", "all", "random"] = "auto"
    max_tables: int = Field(default=120, strict=True, ge=1)
    rank_by: Literal["auto", "lives", "wins"] = "auto"
    time_limit: float = Field(default=10.0, gt=0, le=86_400)
    control_variate: Literal["auto", True, False] = "auto"
    workers: int = Field(default=1, strict=True, ge=1, le=256)
    backend: Literal["local", "ray"] = "local"

    def variants(self) -> list[tuple[str, Rules]]:
        """Name and rules of each variant.

        Raises:
            UserError: a preset or option is wrong.
        """
        return [(variant_name(rules), Rules.of(rules)) for rules in self.rules]


def variant_name(rules: str | Mapping[str, Any]) -> str:
    """How a variant is called in results: ``pagat``, ``pagat with lives=4``."""
    if isinstance(rules, str):
        return rules
    options = dict(rules)
    base = options.pop("preset", "default rules")
    changes = ", ".join(f"{key}={value}" for key, value in options.items())
    return f"{base} with {changes}" if changes else str(base)


def load_config(name: str, changes: Sequence[str] = ()) -> TournamentConfig:
    """The config of that name or path, with ``key=value`` changes.

    A change of ``precision`` or ``matches`` takes the place of the file's ``deals``.

    Raises:
        UserError: there is no such file, or a key or value is wrong.
    """
    path = find_config(KIND, name)
    values = _read(path)
    typed = {change.partition("=")[0] for change in changes}
    if typed & {"precision", "matches"} and "deals" not in typed:
        values.pop("deals", None)  # another budget was typed in its place
    for change in changes:
        _apply(values, change)
    return parse_config(values, str(path))


def parse_config(values: Mapping[str, Any], where: str = "the tournament") -> TournamentConfig:
    """A config from plain values; every error is told at once.

    Args:
        values: what the YAML held.
        where: what to call it in errors.

    Raises:
        UserError: a key or value is wrong.
    """
    if values.get("precision") is not None or values.get("matches") is not None:
        values = {"deals": MOST_DEALS, **values}
    try:
        config = TournamentConfig(**values)
    except pydantic.ValidationError as error:
        problems = "; ".join(_problem(one) for one in error.errors())
        raise UserError(f"{where}: {problems}") from None
    _check_together(config, where)
    return config


def _read(path: Path) -> dict[str, Any]:
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise UserError(f"{path} must hold keys and values, such as `players: 3`; keys are {', '.join(_keys())}")
    return values


def _apply(values: dict[str, Any], change: str) -> None:
    """Put one ``key=value`` of the command line in; ``rules.lives=4`` changes an option of every variant."""
    key, equals, text = change.partition("=")
    if not equals:
        raise UserError(f"--set {change}: write it as key=value, such as deals=100")
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise UserError(f"--set {change}: {text!r} is no YAML value") from None
    top, dot, option = key.partition(".")
    if not dot:
        values[key] = value
    elif top == "rules" and option:
        variants = _listed(values.get("rules", "pagat"))
        values["rules"] = [{**({"preset": one} if isinstance(one, str) else one), option: value} for one in variants]
    else:
        raise UserError(f"--set {change}: only rules has keys inside, such as rules.lives=4")


def _keys() -> list[str]:
    return list(TournamentConfig.model_fields)


def _problem(error: Any) -> str:
    """One error of pydantic in a line that names key, value and what is allowed."""
    place = error["loc"]
    key = str(place[0]) if place else ""
    if error["type"] == "extra_forbidden":
        close = difflib.get_close_matches(key, _keys(), n=2, cutoff=0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"keys are {', '.join(_keys())}"
        return f"there is no key {key!r}; {hint}"
    if error["type"] == "missing":
        return f"the key {key!r} is missing"
    return f"{key}={error['input']!r}: {error['msg'][0].lower()}{error['msg'][1:]}"


def _check_together(config: TournamentConfig, where: str) -> None:
    """Refuse what fits the types but not each other."""
    for name, rules in config.variants():
        for players in config.players:
            rules.check_players(players)
        if rules.settlement == "highest_takes_pot" and (config.episode == "match" or config.rank_by == "lives"):
            raise UserError(f"{where}: {name} is a pot game: a match is one round (episode=round), ranked by wins")
    if max(config.players) > len(config.policies):
        raise UserError(
            f"{where}: a table of {max(config.players)} needs as many policies, and there are {len(config.policies)}; "
            "name one twice to seat two copies of it"
        )
    for key in ("players", "rules"):
        values = getattr(config, key)
        if any(values.count(value) > 1 for value in values):
            raise UserError(f"{where}: {key}={values} names one twice")
