"""A game of six cards that can be gone through whole: every pack and either dealer, 1,440 rounds."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from thirtyone_agents.play import play_matches
from thirtyone_agents.policy import Policy
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules

CARDS = ("3C", "5C", "6C", "7C", "9C", "AC")
RULES = Rules.preset("pagat", cards=list(CARDS), hand_size=1, max_turns=8, stock_out="draw")


def exact_reward(policy: Policy, opponent: Policy) -> float:
    """Exact mean reward a round of a policy that does not draw lots, in seat 0 against another such."""
    games = [
        Game(RULES, players=2, deck=list(deck), seed=0, dealer=dealer, episode="round")
        for deck in permutations(CARDS)
        for dealer in (0, 1)
    ]
    play_matches(games, [[policy, opponent]] * len(games))
    paid = [sum(one.lost[1] - one.lost[0] for one in game.rounds) for game in games]
    return float(np.mean(paid))
