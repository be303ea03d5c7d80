"""`thirtyone explain`: watch a policy play, and tell what it does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from thirtyone_agents.policy import Policy
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_env.game_start import EPISODES, checked_seed, checked_whole
from thirtyone_env.rules import Rules
from thirtyone_eval.explain import reading
from thirtyone_eval.explain.watch import Decisions, watch
from thirtyone_eval.show import progress_bar
from thirtyone_eval.study.findings import Findings, Part, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "explain"
WITH = ("random", *(f"threshold:{worth}" for worth in range(21, 28)), "tips")
MOST_GAMES = 20_000  # about a gigabyte of decisions
PLURALS = {"match": "matches", "round": "rounds"}
LEAST_DRAWN = 10  # decisions that a point of the picture stands for


def explain(
    policy: str | Policy,
    rules: str = "pagat",
    players: int = 4,
    against: Sequence[str] = (),
    others: Sequence[str] = WITH,
    games: int = 200,
    seed: int = 1,
    episode: str = "match",
    progress: bool = False,
) -> Findings:
    """What a policy does.

    Args:
        policy: whom to read, by name (names that read files or import code are allowed) or itself.
        rules: a preset.
        players: seats of the matches.
        against: who sits in the other seats; empty: the policy itself, and all seats are read.
        others: whom its decisions are compared with.
        games: matches (or rounds) to watch.
        seed: of cards and policies.
        episode: ``match``, or ``round`` for single rounds with fresh tokens.
        progress: whether to show a bar.

    Raises:
        UserError: an argument is wrong, or a policy does not fit.
        IllegalAction: a policy answered something illegal.
    """
    chosen = Rules.preset(rules)
    chosen.check_players(players)
    games, seed = checked_whole("games", games, 2, MOST_GAMES), checked_seed(seed)
    if episode not in EPISODES:
        raise UserError(f"episode={episode!r} is not allowed: {', '.join(EPISODES)}")
    read = load(policy, allow_code=True)
    table = [load(name, allow_code=True) for name in against]
    if len(table) >= players:
        raise UserError(f"{len(table)} policies given against {read.name}, but only {players - 1} seats are left")
    compared = [load(name, allow_code=True) for name in dict.fromkeys(others)]
    with progress_bar(f"watching {read.name}", games, PLURALS[episode], quiet=not progress) as bar:
        decisions = watch(read, chosen, players, table, games, seed, compared, bar, episode)
    settings = {
        "policy": read.name, "rules": rules, "players": players, "against": [one.name for one in table],
        "with": [one.name for one in compared], "games": games, "episode": episode,
        "decisions": len(decisions.rows), "seed": seed,
    }  # fmt: skip
    return _findings(read.name, decisions, [one.name for one in compared], settings)


def _findings(name: str, decisions: Decisions, compared: Sequence[str], settings: dict[str, Any]) -> Findings:
    levels, pairs = reading.knock_levels(decisions)
    shares = reading.knock_shares(decisions)
    draws, throws = reading.draws(decisions), reading.throws(decisions)
    alike = reading.agreement(decisions, compared)
    played = PLURALS[settings["episode"]]
    opponents = ", ".join(settings["against"]) or "itself"
    return Findings(
        NAME,
        f"What {name} does, read from {settings['decisions']:,} decisions in {settings['games']:,} {played} of "
        f"{settings['rules']} with {settings['players']} players against {opponents}. Its knock level is the smallest "
        "worth at which, and from which on, it knocks more often than not; by the intervals it lies between `from` and "
        "`to`. `told` is the share of decisions that knocking from the level on tells rightly.",
        settings,
        [
            Part("knock-levels", "when it knocks", levels),
            Part("knock-levels-by-turn", "when it knocks, by turn and one thing more", pairs, shown=False),
            Part("knock-shares", "how often it knocks, by turn and worth", shares, shown=False),
            Part("turns", "what it does at a turn", reading.turns(decisions)),
            Part("draws", "how often it takes the top card, by the points that it gains", draws),
            Part("throws", "what it throws", throws),
            Part("agreement", "share of decisions that others would have taken too", alike),
        ],
        _remarks(name, levels, alike),
        _pictures(name, shares, draws, alike),
    )


def _remarks(name: str, levels: Sequence[Row], alike: Sequence[Row]) -> list[str]:
    by_turn = [row for row in levels if row["by"] == "turn" and row["to"] is not None]
    found = []
    if by_turn:
        runs = [(worth, [row["value"] for row in rows]) for worth, rows in groupby(by_turn, lambda row: row["level"])]
        told = "; ".join(f"{worth:g} on turn {', '.join(turns)}" for worth, turns in runs)
        found.append(f"{name} knocks from {told}.")
    else:
        found.append(f"{name} knocks from no worth on surely more often than not.")
    near = [row for row in alike if row["policy"] != name]
    if near:
        found.append(f"Of these it plays most like {near[0]['policy']}: {near[0]['all'].mean:.1%} of its decisions.")
    return found


def _pictures(name: str, shares: Sequence[Row], draws: Sequence[Row], alike: Sequence[Row]) -> dict[str, Any]:
    from thirtyone_eval.study.pictures import curve, finish, panels, shades

    before = [row for row in draws if row["when"] == "before a knock"]
    figure, plots = panels(3 if before else 2, width=5.0)  # a table with a pool or a widow has no top card
    left, right = plots[0], plots[-1]
    drawn = [row for row in shares if row["decisions"] >= LEAST_DRAWN]
    turns = list(dict.fromkeys(row["turn"] for row in drawn))
    for turn, colour in zip(turns, shades(len(turns)), strict=True):
        rows = [row for row in drawn if row["turn"] == turn]
        curve(left, [row["worth"] for row in rows], [row["knocks"] for row in rows], turn, colour)
    left.set_ylim(-0.02, 1.02)
    finish(left, f"{name}: how often it knocks", "worth", "share of decisions", legend="turn" if turns else None)
    if before:
        _top_card(plots[1], before)
    far = list(reversed(alike))
    for line, row in enumerate(far):
        one = row["all"]
        right.barh(line, one.mean, color=shades(2)[1], height=0.6)
        right.plot([one.low, one.high], [line, line], color="black", linewidth=1.2)
    right.set_yticks(range(len(far)), [row["policy"] for row in far])
    right.set_xlim(0, 1.02)
    finish(right, "decisions that others would share", "share", "")
    return {NAME: figure}


def _top_card(axes: Axes, before: Sequence[Row]) -> None:
    from thirtyone_eval.study.pictures import finish, points, shades

    names = [gain for *_, gain in reading.GAINS]
    for joins, colour in zip(("yes", "no"), shades(2), strict=True):
        rows = [row for row in before if row["of_best_suit"] == joins]
        label = "of its best suit" if joins == "yes" else "of another suit"
        points(axes, [names.index(row["top_card_gains"]) for row in rows], [row["takes_it"] for row in rows],
               label, colour)
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.3, len(names) - 0.7)
    axes.set_ylim(-0.02, 1.02)
    finish(axes, "how often it takes the top card", "points that it gains", "share of turns", legend="")
