"""`thirtyone study`: the small science of the game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from thirtyone_eval.study.findings import Findings

EXTRAS = ("eval",)
app = typer.Typer(add_completion=False, no_args_is_help=True, epilog="Example: thirtyone study first-knock")

OUT = typer.Option(None, "--out", help="New folder for tables and pictures; runs/study-NAME-1, -2, ... by default.")
JSON = typer.Option(False, "--json", help="Print JSON in place of tables.")
SEED = typer.Option(1, "--seed", min=0, help="Fixes the cards.")
PRESET = typer.Option("pagat", "--rules", help="Preset of rules.")
POLICY = typer.Option("tips", "--policy", help="What all play: random, threshold:K or tips.")


@app.callback()
def study() -> None:
    """Study the game: dealt hands, first knocks, thresholds, turns, tokens, seats.

    Every study prints its tables with 95 % intervals and leaves them as JSON, CSV and pictures in a new folder.
    """


@app.command("dealt-hands", epilog="Example: thirtyone study dealt-hands --rules schwimmen")
def dealt_hands(
    rules: str = PRESET,
    players: int = typer.Option(4, "--players", help="Seats that cards are dealt to."),
    deals: int = typer.Option(200_000, "--deals", help="Deals to compare with the exact count."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """What the dealt hand is worth: every hand counted, beside the engine's deals, with chi-square."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.dealt_hands import dealt_hands

        return dealt_hands(rules, players, deals, seed, progress=True)

    run_study("study dealt-hands", work, out, as_json)


@app.command("first-knock", epilog="Example: thirtyone study first-knock --players 4 --deals 4000000")
def first_knock(
    players: list[int] = typer.Option([2, 3, 4, 5, 6], "--players", help="Can be repeated."),
    deals: int = typer.Option(400_000, "--deals", help="For each number of players."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """How often a knock on the dealt hand is survived, by seat, players and worth."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.first_knock import first_knock

        return first_knock(players, deals, seed, progress=True)

    run_study("study first-knock", work, out, as_json)


@app.command(epilog="Example: thirtyone study thresholds --players 2 --level 21 --level 25 --level 29")
def thresholds(
    rules: str = PRESET,
    players: list[int] = typer.Option([2, 3, 4, 5], "--players", help="Can be repeated."),
    levels: list[float] = typer.Option(
        [17, 19, 21, 23, 24, 25, 26, 27, 28, 29], "--level", help="A worth to knock from; can be repeated."
    ),
    deals: int = typer.Option(2_000, "--deals", help="For each pair of levels and number of players."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """One knock level against another: who loses fewer lives, and the best reply to each."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.thresholds import thresholds

        return thresholds(rules, players, levels, deals, seed, progress=True)

    run_study("study thresholds", work, out, as_json)


@app.command("turn-value", epilog="Example: thirtyone study turn-value --players 2 --turns 8")
def turn_value(
    rules: str = PRESET,
    players: int = typer.Option(4, "--players", help="Seats."),
    policy: str = POLICY,
    turns: int = typer.Option(6, "--turns", help="Turns of each seat that are looked at."),
    deals: int = typer.Option(50_000, "--deals", help="Rounds."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """What a turn does for a hand, and when waiting with the knock stops to pay."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.turn_value import turn_value

        return turn_value(rules, players, policy, turns, deals, seed, progress=True)

    run_study("study turn-value", work, out, as_json)


@app.command("token-value", epilog="Example: thirtyone study token-value --players 2 --policy threshold:25")
def token_value(
    rules: str = PRESET,
    players: list[int] = typer.Option([2, 3, 4], "--players", help="Can be repeated."),
    policy: str = POLICY,
    deals: int = typer.Option(2_000, "--deals", help="Matches, for each seat, tokens and number of players."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """What a token is worth: the chance to win a match by one's own tokens and those of the others."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.token_value import token_value

        return token_value(rules, players, policy, deals, seed, progress=True)

    run_study("study token-value", work, out, as_json)


@app.command(epilog="Example: thirtyone study seats --rules pagat --rules party --players 4")
def seats(
    rules: list[str] = typer.Option(
        ["pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen"],
        "--rules",
        help="Preset of rules; can be repeated.",
    ),
    players: list[int] = typer.Option([2, 3, 4, 5, 6], "--players", help="Can be repeated."),
    policy: str = POLICY,
    deals: int = typer.Option(20_000, "--deals", help="Rounds of each variant and number of players."),
    seed: int = SEED,
    out: Path | None = OUT,
    as_json: bool = JSON,
) -> None:
    """What sitting early or late is worth, by variant and number of players."""
    from thirtyone_eval.study.run import run_study

    def work() -> Findings:
        from thirtyone_eval.study.seats import seats

        return seats(rules, players, policy, deals, seed, progress=True)

    run_study("study seats", work, out, as_json)
