"""The report: one HTML page with everything in it and nothing loaded from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from thirtyone_env.files import write_text
from thirtyone_eval import plots
from thirtyone_eval.results import csv_parts
from thirtyone_eval.show import control_lines, forfeit_lines, gain_text, plus_minus, precision_lines

REPORT = "report.html"


def write_report(data: dict[str, Any], path: Path, training: dict[str, Any] | None = None) -> None:
    """Write the report of a tournament.

    Args:
        data: from `results.result_data`.
        path: the HTML file.
        training: what to say of an agent's training: ``title``, ``text`` (paragraphs), ``facts`` (pairs of words) and
            ``curves`` (see `plots.curve_plot`).
    """
    labels = [policy["policy"] for policy in data["policies"]]
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("thirtyone_eval"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(pm=plus_minus, gain=gain_text)
    page = environment.get_template("report.html.j2").render(
        data=data,
        headline=headline(data),
        forfeits=forfeit_lines(data),
        precision=" ".join(precision_lines(data)),
        control=control_lines(data),
        sections=[_section(data, setting) for setting in data["settings"]],
        overall=data["ranking"] if len(data["settings"]) > 1 else [],
        overall_plot=Markup(plots.ranking_plot(data["ranking"], data["measure"])) if data["ranking"] else "",
        overall_payoff=Markup(plots.payoff_plot(data["over_all"], labels, data["ranking"])) if data["over_all"] else "",
        training=training,
        curves=[Markup(plots.curve_plot(curve)) for curve in (training or {}).get("curves", [])],
    )
    write_text(path, page)


def headline(data: dict[str, Any]) -> str:
    """The result in a sentence."""
    title, rows = csv_parts(data)[0]
    first = [row["policy"] for row in rows if row["rank"] == 1]
    where = "over all settings" if title == "all" else f"at {title}"
    if len(first) == len(rows):
        return f"The {len(rows)} policies cannot be told apart {where}."
    if len(first) > 1:
        return f"{', '.join(first[:-1])} and {first[-1]} share the first rank {where}."
    second = rows[1]
    gap = second["behind_best"]
    if data["settings"][0]["measure"] == "lives":
        amount = f"{plus_minus(gap, 1, factor=100)} lives lost in 100 rounds"
    else:
        amount = f"{plus_minus(gap, 1, factor=100)} % of the wins"
    return f"{first[0]} is first {where}, ahead of {second['policy']} by {amount}."


def _section(data: dict[str, Any], setting: dict[str, Any]) -> dict[str, Any]:
    rows = setting["ranking"]
    labels = [policy["policy"] for policy in data["policies"]]
    return {
        "setting": setting,
        "rows": rows,
        "ranking": Markup(plots.ranking_plot(rows, setting["measure"])),
        "places": Markup(plots.places_plot(rows)),
        "seats": Markup(plots.seats_plot(setting["seats"], setting["measure"])),
        "payoff": Markup(plots.payoff_plot(setting, labels, rows)),
    }
