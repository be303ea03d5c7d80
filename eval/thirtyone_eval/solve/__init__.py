"""Mini games solved exactly, and the exact exploitability of any policy on them."""

from thirtyone_eval.solve.game import MiniGame, mini_game
from thirtyone_eval.solve.judge import Exploitability, best_response, exploitability, judge, strategy_of

__all__ = [
    "Exploitability",
    "MiniGame",
    "best_response",
    "exploitability",
    "judge",
    "mini_game",
    "strategy_of",
]
