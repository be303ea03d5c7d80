"""Mini games solved exactly, and the exact exploitability of any policy on them."""

from thirtyone_eval.solve.cfr import Solver, solve
from thirtyone_eval.solve.game import MiniGame, mini_game
from thirtyone_eval.solve.judge import Exploitability, best_response, exploitability, judge, strategy_of
from thirtyone_eval.solve.save import save_solution

__all__ = [
    "Exploitability",
    "MiniGame",
    "Solver",
    "best_response",
    "exploitability",
    "judge",
    "mini_game",
    "save_solution",
    "solve",
    "strategy_of",
]
