"""Two runs side by side: what was set differently, and how each policy that is in both did in one and in the other."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from thirtyone_env.errors import UserError
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.intervals import Estimate, Sample
from thirtyone_eval.ranking import measured
from thirtyone_eval.results import RANKING_JSON, as_json
from thirtyone_eval.schedule import Setting, games_of, settings_of
from thirtyone_eval.show import plus_minus, print_whole
from thirtyone_eval.store import FREE, open_store
from thirtyone_eval.tally import Tally, joined, tally_of

_CARDS = ("seed", "episode")  # with these the same, a deal of a setting has the same cards in both runs


@dataclass(frozen=True)
class Stored:
    """A run as its store tells it."""

    folder: Path
    config: TournamentConfig
    policies: dict[str, str]  # fingerprint by label, in the order of their numbers
    settings: dict[tuple[str, str], tuple[Setting, Tally]]  # by title and measure

    @property
    def unfinished(self) -> bool:
        """Whether the run was stopped before its ranking, which is written last."""
        folder = self.folder if self.folder.is_dir() else self.folder.parent
        return not (folder / RANKING_JSON).is_file()


def stored_run(folder: Path) -> Stored:
    """Read a run, a finished one or the part that was played so far.

    Raises:
        UserError: there is no run, or nothing was played.
    """
    with open_store(folder) as store:
        config = parse_config(store.told["config"], str(folder))
        policies = {one["policy"]: one["fingerprint"] for one in store.told["policies"]}
        found = {}
        for setting in settings_of(config):
            parts = []
            for block in store.blocks(setting.number):
                games = games_of(config, setting, block)
                parts.append(tally_of(games, store.load(block), block.deals, len(policies), setting.measure))
            if parts:
                found[setting.title, setting.measure] = (setting, joined(parts))
    if not found:
        raise UserError(f"{folder}: nothing has been played yet")
    return Stored(folder, config, policies, found)


def comparison(first: Stored, second: Stored) -> dict[str, Any]:
    """What differs, as JSON can hold it. Differences are the second's measure less the first's.

    Raises:
        UserError: no setting, or no policy, is in both.
    """
    titles = [title for title in first.settings if title in second.settings]
    labels = [label for label in first.policies if label in second.policies]
    if not titles or not labels:
        what = "setting (rules, players and measure)" if not titles else "policy"
        raise UserError(f"{first.folder} and {second.folder} have no {what} in common")
    one, other = (run.config.model_dump(mode="json") for run in (first, second))
    changes = {key: [one[key], other[key]] for key in one if key not in FREE and one[key] != other[key]}
    settings = []
    for title in titles:
        tallies = [run.settings[title][1] for run in (first, second)]
        paired = all(one[key] == other[key] for key in _CARDS) and len({t.games.shape[1] for t in tallies}) == 1
        rows = [_row(label, first, second, title, paired) for label in labels]
        settings.append({"title": title[0], "measure": title[1], "paired": paired, "policies": rows})
    return {
        "runs": [str(first.folder), str(second.folder)],
        "unfinished": [str(run.folder) for run in (first, second) if run.unfinished],
        "changes": changes,
        "changed_policies": [label for label in labels if first.policies[label] != second.policies[label]],
        "only_in_one": [sorted(a.policies.keys() - b.policies.keys()) for a, b in ((first, second), (second, first))],
        "settings": settings,
    }


def _row(label: str, first: Stored, second: Stored, title: tuple[str, str], paired: bool) -> dict[str, Any]:
    samples = [
        measured(run.settings[title][1], list(run.policies).index(label), title[1]) for run in (first, second)
    ]
    change = _change(samples[0], samples[1], paired)
    return {
        "policy": label,
        "first": _plain(samples[0].estimate()),
        "second": _plain(samples[1].estimate()),
        "difference": _plain(change),
        "clear": change.clear,
    }


def _change(first: Sample, second: Sample, paired: bool) -> Estimate:
    """The second less the first: deal by deal on the same cards, else as of runs independent of each other."""
    if paired:
        return second.minus(first).estimate()
    mean = second.mean - first.mean
    margin = math.hypot(first.estimate().half_width, second.estimate().half_width)
    return Estimate(mean, mean - margin, mean + margin)


def _plain(estimate: Estimate) -> dict[str, float]:
    return {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}


def compare_command(first: Path, second: Path, as_text: bool) -> None:
    """What `thirtyone compare` does."""
    data = comparison(stored_run(first), stored_run(second))
    if as_text:
        print(as_json(data), end="")
        return
    console = Console(soft_wrap=True, highlight=False)
    for name in dict.fromkeys(data["unfinished"]):
        console.print(escape(f"{name} is unfinished: what it has played so far is compared"))
    for key, (one, other) in data["changes"].items():
        console.print(escape(f"{key}: {json.dumps(one)} in {first}, {json.dumps(other)} in {second}"))
    for label in data["changed_policies"]:
        console.print(escape(f"{label} is another policy in {second}: its fingerprint differs"))
    for setting in data["settings"]:
        print_whole(_table(setting, data["runs"]), console)
        console.print("on the same cards, deal by deal" if setting["paired"] else "on cards of their own")


def _table(setting: dict[str, Any], runs: list[str]) -> Table:
    lives = setting["measure"] == "lives"
    what = "lives lost in 100 rounds" if lives else "win share, %"
    table = Table(
        title=escape(f"{setting['title']}: {what}"), title_justify="left", title_style="bold", box=None, pad_edge=False
    )
    table.add_column("policy", overflow="fold")
    for name in [*runs, "difference"]:
        table.add_column(escape(name), justify="right", overflow="fold")
    table.add_column("")
    for row in setting["policies"]:
        cells = [plus_minus(row[key], 1, factor=100) for key in ("first", "second", "difference")]
        better = (row["difference"]["mean"] < 0) == lives
        table.add_row(escape(row["policy"]), *cells, ("better" if better else "worse") if row["clear"] else "")
    return table
