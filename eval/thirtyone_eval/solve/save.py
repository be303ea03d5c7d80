"""A solution written as a file that plays (``solved:FILE``)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from thirtyone_agents.solution_files import ENDING, SolutionFile, write_solution
from thirtyone_eval.provenance import versions
from thirtyone_eval.solve.cfr import METHOD, Solver
from thirtyone_eval.solve.judge import judge
from thirtyone_eval.solve.merge import by_views


def solution_path(path: str | os.PathLike[str]) -> Path:
    """The path with the ending of solutions."""
    path = Path(path)
    return path if path.suffix == ENDING else path.with_name(path.name + ENDING)


def save_solution(
    path: str | os.PathLike[str],
    solver: Solver,
    curve: Sequence[tuple[int, float]] = (),
    *,
    seconds: float = 0.0,
    command: str = "",
    interrupted: bool = False,
) -> SolutionFile:
    """Write what a solver has reached, as it is played by views, with its own exact exploitability.

    Args:
        path: the file, replaced as a whole; ``.npz`` is added where it is missing.
        solver: after at least one iteration.
        curve: iterations and exploitability as it fell, to be kept.
        seconds: that it took.
        command: as typed.
        interrupted: whether it was stopped early.

    Returns:
        What the file says of itself.

    Raises:
        UserError: it cannot be written; nothing is left behind.
    """
    game = solver.game
    played = by_views(game, solver.average())
    measured = judge(game, played.strategy)
    about = SolutionFile(
        rules=game.tree.rules.to_dict(),
        players=game.players,
        method=METHOD,
        iterations=solver.iterations,
        exploitability=measured.exploitability,
        nash_conv=measured.nash_conv,
        values=list(measured.values),
        information_sets=game.tree.counts.information_sets,
        positions=len(played.views),
        interrupted=interrupted,
        seconds=round(seconds, 2),
        command=command,
        versions=versions(),
        curve=list(curve),
    )
    write_solution(solution_path(path), about, played.views, played.chances)
    return about
