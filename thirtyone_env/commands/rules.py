"""`thirtyone rules`: the presets, one of them with every option, or two compared."""

from __future__ import annotations

from typing import Any

import typer

from thirtyone_env.errors import UserError

app = typer.Typer(add_completion=False)


@app.command(epilog="Example: thirtyone rules --diff pagat standard")
def rules(
    preset: str | None = typer.Argument(None, help="Preset to show; without it, a list of all."),
    diff: tuple[str, str] | None = typer.Option(
        None, "--diff", metavar="A B", help="Show the options in which presets A and B differ."
    ),
    as_json: bool = typer.Option(False, "--json", help="As JSON."),
) -> None:
    """Show the presets of rules, what each option means, its value and who says so."""
    if diff is not None:
        if preset is not None:
            raise UserError(f"give either a preset ('{preset}') or --diff {diff[0]} {diff[1]}, not both")
        data, lines = _compare(*diff)
    elif preset is not None:
        data, lines = _one(preset)
    else:
        data, lines = _all()
    if as_json:
        import json

        typer.echo(json.dumps(data, indent=2, ensure_ascii=False))
        return
    for line in lines:
        typer.echo(line)


def _all() -> tuple[Any, list[str]]:
    from thirtyone_env.rules import Rules
    from thirtyone_env.rules_table import about

    data = [{"name": name, **about(name)} for name in Rules.presets()]
    width = max(len(preset["name"]) for preset in data)
    lines = [f"{preset['name']:<{width}}  {preset['description']}" for preset in data]
    return data, [*lines, "", "thirtyone rules NAME shows one, thirtyone rules --diff A B compares two"]


def _one(preset: str) -> tuple[Any, list[str]]:
    from thirtyone_env.rules import Rules
    from thirtyone_env.rules_table import about, preset_data, rows, show

    chosen = Rules.preset(preset)
    lines = [f"{preset}: {about(preset)['description']}", f"source: {about(preset)['source']}"]
    if chosen.cards is not None:
        lines.append(f"cards: {' '.join(chosen.cards)}")
    section = 0
    for row in rows(chosen):
        if row.section != section:
            section = row.section
            lines.append(f"\nsection {section}")
        lines.append(f"  {row.option} = {show(row.value)}")
        lines.append(f"      {row.meaning}")
        lines.append(f"      allowed: {row.allowed}; source: {row.source}")
    return preset_data(preset), lines


def _compare(first: str, second: str) -> tuple[Any, list[str]]:
    from thirtyone_env.rules import Rules
    from thirtyone_env.rules_table import differences, show

    pairs = differences(Rules.preset(first), Rules.preset(second))
    data = [{"option": a.option, "meaning": a.meaning, first: a.value, second: b.value} for a, b in pairs]
    if first == second or not pairs:
        return data, [f"{first} and {second} do not differ"]
    table = [("option", first, second), *((a.option, show(a.value), show(b.value)) for a, b in pairs)]
    widths = [max(len(row[column]) for row in table) for column in range(3)]
    return data, [_line(row, widths) for row in table]


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(text.ljust(width) for text, width in zip(cells, widths, strict=True)).rstrip()
