"""A tournament's result as plain data, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from thirtyone_env import __version__
from thirtyone_env.files import write_text
from thirtyone_eval.budget import widest
from thirtyone_eval.control import TEXT as CONTROL_TEXT
from thirtyone_eval.control import gain
from thirtyone_eval.forfeits import RULE as FORFEIT_RULE
from thirtyone_eval.intervals import Estimate
from thirtyone_eval.metagame import ALPHA_TEXT, Payoffs, alpha_rank, circle, clear_signs, transitivity
from thirtyone_eval.ranking import MEASURE_TEXT, RULE, Row, payoff, payoff_over_all, rank, seat_advantage
from thirtyone_eval.ratings import TEXT as RATING_TEXT
from thirtyone_eval.ratings import Drawn, ratings
from thirtyone_eval.run import Result
from thirtyone_eval.schedule import Setting, takes_luck_out
from thirtyone_eval.seating import seatings
from thirtyone_eval.tally import Tally

RANKING_JSON = "ranking.json"
OVER_ALL = (
    "Over all settings a measure, and a pay-off, is the mean over the settings, each counting the same, however many "
    "games it took. They share their deals, so a policy's interval is taken over what it did in all settings of each "
    "deal; that of a pay-off is the widest that they allow. Ratings come from games of all settings, as many of each."
)
RUN_JSON = "run.json"
RANKING_CSV = "ranking.csv"
FORMAT = 3
_COLUMNS = (
    "setting", "rank", "policy", "games", "rounds",
    "lives_per_round", "lives_low", "lives_high", "lives_per_100_rounds",
    "win_share", "win_low", "win_high",
    "place", "place_low", "place_high",
    "behind_best", "behind_best_low", "behind_best_high",
    "raw", "raw_low", "raw_high", "gain",
    "rating", "rating_low", "rating_high", "alpha_rank",
    "fingerprint",
)  # fmt: skip


def result_data(result: Result, facts: dict[str, Any]) -> dict[str, Any]:
    """Everything that was found, as JSON can hold it. All but ``run`` depends on the config and the policies alone.

    Args:
        result: of the tournament.
        facts: from `provenance`.
    """
    config = result.config
    data: dict[str, Any] = {
        "format": FORMAT,
        "description": config.description,
        "version": __version__,
        "config": config.model_dump(exclude={"workers", "backend"}),
        "games": result.games,
        "precision": _precision(result),
        "rank_rule": RULE,
        "control_variate": CONTROL_TEXT if takes_luck_out(config) else None,
        "policies": [
            {"policy": one.label, "name": one.name, "fingerprint": one.fingerprint} for one in result.entrants
        ],
        "forfeits": [
            {"policy": policy, "reason": reason, "games": count, "first": text}
            for policy, reason, count, text in result.forfeits
        ],
        "forfeit_rule": FORFEIT_RULE,
        "settings": [
            _setting(result, setting, tally) for setting, tally in zip(result.settings, result.tallies, strict=True)
        ],
    }
    measures = {setting.measure for setting in result.settings}
    data["measure"] = measures.pop() if len(measures) == 1 else None
    data["over_all"] = None
    if data["measure"] is None:  # variants ranked by different things have no ranking in common
        data["ranking"] = []
    elif len(result.settings) == 1:
        data["ranking"] = data["settings"][0]["ranking"]
    else:
        data["ranking"], data["over_all"] = _over_all(result, data["measure"])
    data["run"] = facts
    return data


def _over_all(result: Result, measure: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The ranking over all settings, and what is told beside it."""
    numbers = range(len(result.labels))
    payoffs = [[None if i == j else payoff_over_all(result.tallies, i, j) for j in numbers] for i in numbers]
    standing, beside = _standing(result, payoffs, result.drawn, result.tallies[0].games.shape[1])
    rows = rank(result.labels, result.tallies, measure)
    return [_row(result, row, standing[row.number], measure) for row in rows], {
        "text": OVER_ALL,
        "measure": measure,
        **beside,
    }


def _standing(
    result: Result, payoffs: Payoffs, drawn: Sequence[Drawn], deals: int
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Rating and alpha-rank of each policy, and what pay-offs, ratings and circles there are."""
    signs = clear_signs(payoffs, deals)
    rated, groups = ratings(drawn, len(result.labels))
    standing = [
        {
            "rating": _estimate(rated[number].estimate()) if rated else None,
            "alpha_rank": float(share),
        }
        for number, share in enumerate(alpha_rank(signs))
    ]
    games = sum(len(one.keys) for one in drawn)
    return standing, {
        "rating_text": RATING_TEXT.format(groups=groups, games=games) if rated else "",
        "alpha_text": ALPHA_TEXT,
        "transitivity": transitivity(result.labels, signs),
        "circle": [result.labels[number] for number in circle(signs)],
        "payoff": [[_estimate(one) for one in row] for row in payoffs],
    }


def _precision(result: Result) -> dict[str, float | bool] | None:
    """The width of interval that was asked for, what came of it, and whether that is enough."""
    asked = result.config.precision
    if asked is None:
        return None
    found = widest(result.labels, result.settings, result.tallies)
    return {"asked": asked, "widest": found, "reached": found <= asked}


def _setting(result: Result, setting: Setting, tally: Tally) -> dict[str, Any]:
    measure = setting.measure
    numbers = range(len(result.labels))
    payoffs = [[None if i == j else payoff(tally, i, j) for j in numbers] for i in numbers]
    standing, beside = _standing(result, payoffs, [result.drawn[setting.number]], tally.games.shape[1])
    return {
        "title": setting.title,
        "rules": setting.rules_name,
        "players": setting.players,
        "measure": measure,
        "measure_text": MEASURE_TEXT[measure],
        "deals": tally.games.shape[1],
        "tables": setting.tables,
        "every_table": setting.every_table,
        "table_text": _table_text(setting),
        "seatings": len(seatings(setting.players, result.config.mirror)),
        "seating_text": _seating_text(setting.players, result.config.mirror),
        "games": tally.total_games,
        "ranking": [
            _row(result, row, standing[row.number], measure) for row in rank(result.labels, [tally], measure)
        ],
        "seats": [_estimate(one) for one in seat_advantage(tally, measure)],
        **beside,
    }


def _table_text(setting: Setting) -> str:
    if setting.every_table:
        return "the one table there is" if setting.tables == 1 else f"each of the {setting.tables} tables there are"
    tables = "a table" if setting.tables == 1 else f"{setting.tables} tables"
    return f"{tables} drawn for the deal, at which every policy sits equally often"


def _seating_text(players: int, mirror: str) -> str:
    count = len(seatings(players, mirror))
    if mirror == "none":
        return "one seating, the next deal in another"
    if count == math.factorial(players):
        return f"all {count} seatings"
    return f"the {count} rotations of one order around the table, the next deal in another order"


def _gain(row: Row, measure: str) -> float | None:
    """How many times the deals it would take without the control variate; None where there is none."""
    return None if row.raw is None else gain(row.raw, row.lives if measure == "lives" else row.wins)


def _row(result: Result, row: Row, standing: dict[str, Any] | None, measure: str) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "policy": row.label,
        "fingerprint": result.entrants[row.number].fingerprint,
        "games": row.games,
        "rounds": row.rounds,
        "lives_per_round": _estimate(row.lives),
        "lives_per_100_rounds": _estimate(row.lives.times(100)),
        "win_share": _estimate(row.wins),
        "place": _estimate(row.place),
        "place_shares": list(row.place_shares),
        "behind_best": _estimate(row.behind_best),
        "behind_above": _estimate(row.behind_above),
        "raw": _estimate(row.raw),
        "gain": _gain(row, measure),
        "beats": list(row.beats),
        **(standing or {}),
    }


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    values = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {key: value if math.isfinite(value) else None for key, value in values.items()}


def write_data(data: dict[str, Any], folder: Path) -> None:
    """Write `RUN_JSON`, `RANKING_CSV` and at last `RANKING_JSON` into a folder, each whole or not at all.

    What differs from one sitting to another (``run``: times, machine) stands in `RUN_JSON` alone.
    """
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    table.writerow(_COLUMNS)
    for title, rows in csv_parts(data):
        table.writerows(_csv_row(title, row) for row in rows)
    write_text(folder / RUN_JSON, as_json(data["run"]))
    write_text(folder / RANKING_CSV, lines.getvalue())
    write_text(folder / RANKING_JSON, as_json(lasting(data)))


def earlier_sittings(folder: Path) -> list[dict[str, Any]]:
    """What the sittings before this one left in `RUN_JSON`, oldest first: command, when they ended, seconds, load."""
    path = folder / RUN_JSON
    if not path.exists():
        return []
    last = json.loads(path.read_text(encoding="utf-8"))
    return [*last.pop("earlier", []), last]


def lasting(data: dict[str, Any]) -> dict[str, Any]:
    """The part of a result that is the same whenever and however often interrupted it was played."""
    return {key: value for key, value in data.items() if key != "run"}


def as_json(data: dict[str, Any]) -> str:
    """As text with lines that a person can read."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def csv_parts(data: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Title and rows of each ranking; the one over all settings first, where there are several."""
    parts = [(setting["title"], setting["ranking"]) for setting in data["settings"]]
    if len(parts) > 1 and data["ranking"]:
        parts.insert(0, ("all", data["ranking"]))
    return parts


def _csv_row(title: str, row: dict[str, Any]) -> list[Any]:
    cells: list[Any] = [title, row["rank"], row["policy"], row["games"], row["rounds"]]
    for key in ("lives_per_round", "win_share", "place", "behind_best", "raw", "rating"):
        value = row.get(key) or {"mean": None, "low": None, "high": None}
        cells += [value["mean"], value["low"], value["high"]]
        if key == "lives_per_round":
            cells.append(row["lives_per_100_rounds"]["mean"])
        if key == "raw":
            cells.append(row["gain"])
    return [*cells, row.get("alpha_rank"), row["fingerprint"]]
