"""Scoring an agent on mirrored deals, as a tournament does: by the policy that will play, with its masks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

import numpy as np

from thirtyone_agents.learned import AgentFile, LearnedPolicy
from thirtyone_agents.network import Layer
from thirtyone_agents.play import play_matches
from thirtyone_agents.policy import Policy
from thirtyone_agents.registry import load
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_key
from thirtyone_env.observation_table import OBSERVATION_VERSION
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult

KIND = "sb3-maskable-ppo"
_SEED_BITS = 53  # a tournament's deals under the same seed are the same cards
_ALL_SEATINGS = 4  # players up to which every seating of a deal is played


class Score(NamedTuple):
    """An agent's score over rounds.

    Attributes:
        lost: mean lives that it lost a round, less those it gained.
        margin: mean lives that the others of its table lost more than it did.
        lost_half, margin_half: half widths of the 95 % intervals, by deal.
        deals: deals played, each in several seatings.
    """

    lost: float
    lost_half: float
    margin: float
    margin_half: float
    deals: int


def player_of(layers: Sequence[Layer], rules: Rules, players: int, name: str = "agent") -> LearnedPolicy:
    """The policy that these weights will be once they are saved."""
    about = AgentFile(
        kind=KIND,
        rules=rules.to_dict(),
        players=players,
        observation_version=OBSERVATION_VERSION,
        observation_seats=players,
        scaled=True,
        layers=[layers[0][0].shape[1], *(weight.shape[0] for weight, _ in layers)],
        activation="relu",
        weights_sha256="",
    )
    return LearnedPolicy(about, [(weight.copy(), bias.copy()) for weight, bias in layers], name)


def seatings(players: int) -> list[tuple[int, ...]]:
    """Who sits where, by number: all seatings up to four players, the rotations above."""
    if players <= _ALL_SEATINGS:
        return list(permutations(range(players)))
    return [tuple((seat + turn) % players for seat in range(players)) for turn in range(players)]


def score(policy: Policy, opponents: Sequence[str], rules: Rules, deals: int, seed: int) -> Score:
    """Play single rounds of ``policy`` against opponents, the same cards in every seating.

    Args:
        policy: whom to score.
        opponents: names, one for each other seat.
        rules: of the games.
        deals: deals to play.
        seed: fixes the cards and the opponents' randomness.
    """
    table = [policy, *(load(name, allow_code=True) for name in opponents)]
    order = seatings(len(table))
    plan = [(deal, seats) for deal in range(deals) for seats in order]
    games = [
        Game(rules, len(table), seed=decision_key(seed, deal) >> (64 - _SEED_BITS), episode="round")
        for deal, _ in plan
    ]
    play_matches(games, [[table[i] for i in seats] for _, seats in plan], seed, [deal for deal, _ in plan])
    pot = rules.settlement == "highest_takes_pot"
    lost = np.zeros((deals, len(order)))
    margin = np.zeros((deals, len(order)))
    for number, (game, (_, seats)) in enumerate(zip(games, plan, strict=True)):
        row, column = divmod(number, len(order))
        paid = [sum(_cost(one, seat, pot) for one in game.rounds) for seat in range(len(table))]
        mine = paid[seats.index(0)]
        lost[row, column] = mine
        margin[row, column] = (sum(paid) - mine) / (len(table) - 1) - mine
    return Score(*_mean(lost.mean(axis=1)), *_mean(margin.mean(axis=1)), deals)


def _cost(result: RoundResult, seat: int, pot: bool) -> float:
    """Lives that a round cost a seat; in a pot game what it lost of the pot (less than 0 for a winner)."""
    return -result.rewards_match[seat] if pot else result.lost[seat] - result.gained[seat]


def _mean(by_deal: np.ndarray) -> tuple[float, float]:
    """Mean and half width of its 95 % interval."""
    return float(by_deal.mean()), 1.96 * float(by_deal.std(ddof=1)) / math.sqrt(len(by_deal))
