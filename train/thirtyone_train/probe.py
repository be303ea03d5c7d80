"""How many steps fit into a number of seconds on this machine: a rollout, a little imitation and scoring, timed."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from thirtyone_env.opponents import load_opponent
from thirtyone_env.rules import Rules
from thirtyone_train.config import TrainConfig
from thirtyone_train.evaluation import player_of, score
from thirtyone_train.imitate import imitate, record_lesson
from thirtyone_train.policy import actor_layers

_LEAST_DEALS = 4  # of a scoring that are timed, or a tenth of them
_BATCHES = 12  # gradient steps of imitation that are timed


def steps_for(
    config: TrainConfig, make_model: Callable[[TrainConfig], Any], say: Callable[[str], Any]
) -> int:
    """Steps that this machine does in the config's seconds beside imitation and scoring; at least one rollout.

    Args:
        config: with a budget in seconds.
        make_model: makes the model of a config; a throw-away one is timed.
        say: told what was measured.
    """
    seconds = config.budget.seconds or 0.0
    model = make_model(config)
    model.learn(1)  # what the first call of everything costs is not counted
    started = time.monotonic()
    model.learn(config.ppo.rollout)
    per_rollout = time.monotonic() - started
    beside = _imitation_seconds(config, model) + _scoring_seconds(config, model)
    rollouts = max(1, round((seconds - beside) / per_rollout))
    steps = rollouts * config.ppo.rollout
    speed = config.ppo.rollout / per_rollout
    say(
        f"{seconds:g} seconds are turned into {steps} steps: a probe did {speed:.0f} steps a second; imitation and "
        f"scoring take about {beside:.0f} s"
    )
    return steps


def _imitation_seconds(config: TrainConfig, model: Any) -> float:
    part = config.imitation
    if part.teacher is None:
        return 0.0
    teacher = load_opponent(part.teacher)
    games = model.get_env().games
    wanted = _BATCHES * part.batch_size
    lesson = record_lesson(games, teacher, -(-wanted // games.num_games), config.ppo.gamma)
    started = time.monotonic()
    imitate(
        model.policy,
        lesson,
        np.random.default_rng(0),
        1,
        part.batch_size,
        part.learning_rate,
        lambda a, b: None,
    )
    per_decision = (time.monotonic() - started) / len(lesson.actions)
    return per_decision * part.decisions * part.epochs


def _scoring_seconds(config: TrainConfig, model: Any) -> float:
    part = config.evaluation
    if part.times == 0:
        return 0.0
    rules = Rules.of(config.rules)
    policy = player_of(actor_layers(model.policy), rules, config.players)
    score(policy, part.opponents, rules, 2, 0)  # compiles what is not compiled yet
    deals = min(part.deals, max(_LEAST_DEALS, part.deals // 10))
    started = time.monotonic()
    score(policy, part.opponents, rules, deals, 0)
    return (time.monotonic() - started) / deals * part.deals * part.times
