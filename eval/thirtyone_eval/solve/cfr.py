"""CFR+ on a game kept whole (Tammelin 2014): compiled, in double precision, on one core, the same result every time.

The seats take turns: each answers the play that the others have come to in this very iteration. Regrets are cut off
at 0 after each seat's step. The result is the average of all plays, that of iteration t with weight t (linear
averaging). This is the variant that OpenSpiel calls ``CFRPlusSolver``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from thirtyone_eval.solve.game import Floats, MiniGame
from thirtyone_eval.solve.judge import judge, plan_of

METHOD = "CFR+, alternating updates, linear averaging"
_EACH_UNTIL = 10  # the average is judged after each of the first iterations, then after every tenth


class Solver:
    """CFR+ on one game.

    For two players the average comes as close to an equilibrium as wanted. For more there is no such promise; `judge`
    measures what came of it.
    """

    def __init__(self, game: MiniGame) -> None:
        self.game = game
        self.iterations = 0
        self._strategy = game.uniform()
        self._plan = plan_of(game, self._strategy)
        self._regret = np.zeros(game.actions)
        self._total = np.zeros(game.actions)
        self._gain = game.blank()

    def step(self) -> None:
        """One iteration: a step of each seat."""
        from thirtyone_eval.solve import kernels

        game = self.game
        self.iterations += 1
        for seat, sets in enumerate(game.sets):
            kernels.pay_of_sequences(game.ends, game.pay, self._plan, seat, self._gain)
            kernels.improve(
                sets, game.offset, game.parent, self._gain, self._strategy, self._plan, self._regret, self._total,
                float(self.iterations),
            )  # fmt: skip

    def average(self) -> Floats:
        """The average strategy: chance of each action in each set, even where the seat never went; ``[actions]``."""
        game = self.game
        number = np.diff(game.offset)
        sums = np.repeat(np.add.reduceat(self._total, game.offset[:-1]), number)
        average = game.uniform()
        np.divide(self._total, sums, out=average, where=sums > 0)
        return average


def solve(
    game: MiniGame,
    iterations: int | None = None,
    until: float | None = None,
    watch: Callable[[int, float], bool] | None = None,
) -> tuple[Solver, list[tuple[int, float]]]:
    """Run CFR+ for a number of iterations, or until the average's exploitability is low enough, whichever comes first.

    Args:
        game: the game.
        iterations: most iterations.
        until: exploitability (mean gain of a seat by its best answer) to go below.
        watch: told iterations and exploitability each time the average is judged, and asked between two iterations with
            the last of them; True ends the run.

    Returns:
        The solver, and iterations and exploitability each time it was judged, the last time at its end.
    """
    solver = Solver(game)
    curve: list[tuple[int, float]] = []
    for count in _counts(iterations):
        solver.step()
        last = count == iterations
        if count <= _EACH_UNTIL or count % 10 == 0 or last:
            curve.append((count, judge(game, solver.average()).exploitability))
        stop = watch is not None and watch(count, curve[-1][1])
        if stop or last or (until is not None and curve[-1][1] < until):
            break
    if curve[-1][0] != solver.iterations:
        curve.append((solver.iterations, judge(game, solver.average()).exploitability))
    return solver, curve


def _counts(most: int | None) -> Iterator[int]:
    count = 0
    while most is None or count < most:
        count += 1
        yield count
