"""What a study found, and the one way to print and save it: tables, JSON, CSV and pictures."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thirtyone_env.files import write_text
from thirtyone_eval.intervals import Estimate
from thirtyone_eval.show import print_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]
ENDS = ("low", "high")
MOST_WHOLE = 24  # letters of a text that are not broken to save room


@dataclass(frozen=True)
class Part:
    """A table of findings.

    Attributes:
        name: short, names the CSV file.
        title: what the terminal shows above it.
        rows: each with the same keys; values are text, whole numbers, numbers, None, or an `Estimate`.
        digits: after the point on the terminal.
        across: (key, value): the terminal shows the values of that key side by side, and of each only this value.
        shown: whether the terminal shows it; long ones are only saved.
    """

    name: str
    title: str
    rows: Sequence[Row]
    digits: int = 3
    across: tuple[str, str] | None = None
    shown: bool = True


@dataclass(frozen=True)
class Findings:
    """All that a study found.

    Attributes:
        name: of the command that gives it.
        question: what was measured, in plain words; every interval is one of 95 %.
        settings: what it was measured with, the seed among them.
        parts: its tables.
        remarks: sentences that the figures allow.
        pictures: figures by name.
    """

    name: str
    question: str
    settings: dict[str, Any]
    parts: Sequence[Part]
    remarks: Sequence[str] = ()
    pictures: dict[str, Figure] = field(default_factory=dict)

    def part(self, name: str) -> Part:
        """The table of that name."""
        return next(part for part in self.parts if part.name == name)

    def as_dict(self) -> dict[str, Any]:
        """All but the pictures, as JSON can hold it; an estimate is its mean, low and high."""
        return {
            "study": self.name,
            "question": self.question,
            "settings": self.settings,
            "remarks": list(self.remarks),
            "tables": {
                part.name: {
                    "title": part.title,
                    "rows": [{key: _plain(value) for key, value in row.items()} for row in part.rows],
                }
                for part in self.parts
            },
        }


def _plain(value: Any) -> Any:
    if isinstance(value, Estimate):
        return {"mean": _plain(value.mean), **{end: _plain(getattr(value, end)) for end in ENDS}}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def csv_text(part: Part) -> str:
    """A part as CSV: an estimate takes three columns, its mean under its own name and the ends after it."""
    estimates = {key for row in part.rows for key, value in row.items() if isinstance(value, Estimate)}
    keys = list(part.rows[0]) if part.rows else []
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([name for key in keys for name in _columns(key, key in estimates)])
    for row in part.rows:
        writer.writerow([cell for key in keys for cell in _cells(row[key], key in estimates)])
    return buffer.getvalue()


def _columns(key: str, wide: bool) -> list[str]:
    return [key, *(f"{key}_{end}" for end in ENDS)] if wide else [key]


def _cells(value: Any, wide: bool) -> list[Any]:
    if isinstance(value, Estimate):
        return [_plain(value.mean), *(_plain(getattr(value, end)) for end in ENDS)]
    return [_plain(value), None, None] if wide else [_plain(value)]


def save(found: Findings, folder: Path, about: dict[str, Any]) -> None:
    """Write ``NAME.json``, a CSV a part and a PNG a picture into a folder that is there.

    Args:
        found: what to write.
        folder: where.
        about: how it came to be, see `provenance.provenance`; goes into the JSON as ``run``.

    Raises:
        UserError: a file cannot be written.
    """
    from thirtyone_eval.results import as_json

    for part in found.parts:
        write_text(folder / f"{part.name}.csv", csv_text(part))
    for name, figure in found.pictures.items():
        figure.savefig(folder / f"{name}.png", dpi=130, metadata={"Software": None})
    write_text(folder / f"{found.name}.json", as_json({**found.as_dict(), "run": about}))


def show(found: Findings, console: Console) -> None:
    """Print the question, the tables and the remarks."""
    console.print(escape(found.question), highlight=False)
    for part in found.parts:
        if part.shown and part.rows:
            console.print()
            print_whole(_table(part), console)
    if found.remarks:
        console.print()
    for remark in found.remarks:
        console.print(escape(remark), highlight=False)


def _table(part: Part) -> Table:
    table = Table(title=escape(part.title), title_justify="left", title_style="bold", box=None, pad_edge=False)
    rows = part.rows if part.across is None else _side_by_side(part.rows, *part.across)
    for key in rows[0]:
        texts = [row[key] for row in rows if isinstance(row[key], str)]
        left = len(texts) == len(rows)
        table.add_column(
            escape(key.replace("_", " ")), justify="left" if left else "right", overflow="fold",
            min_width=min(MOST_WHOLE, max(map(len, texts))) if left else None,
        )  # fmt: skip
    for row in rows:
        table.add_row(*(escape(_text(value, part.digits)) for value in row.values()))
    return table


def _side_by_side(rows: Sequence[Row], key: str, value: str) -> list[Row]:
    """A row for each setting of the other plain keys, with the value of each ``key`` beside it."""
    columns = list(dict.fromkeys(f"{row[key]}" for row in rows))
    joined: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        others = {k: v for k, v in row.items() if k != key and not isinstance(v, Estimate)}
        line = joined.setdefault(tuple(others.values()), {**others, **dict.fromkeys(columns)})
        line[f"{row[key]}"] = row[value]
    return list(joined.values())


def _text(value: Any, digits: int) -> str:
    if value is None:
        return ""
    if isinstance(value, Estimate):
        if not math.isfinite(value.mean):
            return ""
        half = f" ± {value.half_width:.{digits}f}" if math.isfinite(value.half_width) else " ± ?"
        return f"{value.mean:.{digits}f}{half}"
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.5g}"
