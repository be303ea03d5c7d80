"""A training run from its config to the saved agent: imitation, MaskablePPO, scores and checkpoints on the way."""

from __future__ import annotations

import contextlib
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
import yaml
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from thirtyone_agents.learned import save_agent
from thirtyone_env.errors import UserError
from thirtyone_env.files import make_folder
from thirtyone_env.learner_games import LearnerGames
from thirtyone_env.opponents import load_opponent
from thirtyone_env.rules import Rules
from thirtyone_train.checkpoint import read_checkpoint, restore
from thirtyone_train.config import TrainConfig, parse_config
from thirtyone_train.evaluation import KIND
from thirtyone_train.imitate import imitate, record_lesson
from thirtyone_train.policy import PlainPolicy, actor_layers, policy_options
from thirtyone_train.probe import steps_for
from thirtyone_train.result import TrainResult
from thirtyone_train.watch import Judge, Watch

CONFIG = "config.yaml"
RESULT = "training.json"
_LESSON_SEED = 1 << 40  # the lesson's games are other games than those of the training

Report = Callable[[str, int, int], Any]
Say = Callable[[str], Any]


def train(
    config: TrainConfig,
    out: str | os.PathLike[str],
    progress: Report | None = None,
    command: str = "",
    say: Say = print,
    judge: Judge | None = None,
) -> TrainResult:
    """Train an agent in a new folder.

    Args:
        config: what to train.
        out: folder of the run; made, or empty.
        progress: called with the stage (``imitation``, ``training``), what is done of it and how much there is.
        command: as typed, kept with the agent.
        say: called with lines that the user should read.
        judge: scores the agent, given its layers (`evaluation.player_of` makes a policy of them), at the times that
            the config sets, in place of the config's opponents and deals.

    Raises:
        UserError: the folder holds something already, or cannot be written into; told before anything is computed.
    """
    folder = Path(out)
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UserError(
            f"{folder} is there already and is not written over: choose another --out, or --resume it"
        )
    make_folder(folder)
    with _one_run(config):
        try:
            config = _with_steps(config, say)
        except BaseException:
            folder.rmdir()
            raise
        _write(folder / CONFIG, yaml.safe_dump(config.model_dump(), sort_keys=False))
        return _run(config, folder, progress or _silent, command, say, judge)


def resume(
    folder: str | os.PathLike[str], progress: Report | None = None, command: str = "", say: Say = print
) -> TrainResult:
    """Go on with a run that was stopped, from its last checkpoint; with the same number of threads the agent is
    bit-equal to that of a run that never stopped.

    Raises:
        UserError: there is no run, it is finished, or its checkpoint does not fit.
    """
    place = Path(folder)
    if not (place / CONFIG).is_file():
        raise UserError(f"there is no run at {place}: {CONFIG} is missing")
    if (place / RESULT).is_file():
        raise UserError(f"the run at {place} is finished: its agent is learned:{place / 'agent'}")
    config = parse_config(yaml.safe_load((place / CONFIG).read_text(encoding="utf-8")), str(place / CONFIG))
    with _one_run(config):
        return _run(config, place, progress or _silent, command, say)


@contextlib.contextmanager
def _one_run(config: TrainConfig) -> Iterator[None]:
    """The global generators and torch's threads are the run's while it lasts, and the caller's again afterwards."""
    numpy_state = np.random.get_state()  # noqa: NPY002  # SB3 seeds them all
    python_state, torch_state, threads = random.getstate(), torch.get_rng_state(), torch.get_num_threads()
    torch.set_num_threads(config.threads)
    try:
        yield
    finally:
        np.random.set_state(numpy_state)  # noqa: NPY002  # the global generator is what is meant
        random.setstate(python_state)
        torch.set_rng_state(torch_state)
        torch.set_num_threads(threads)


def _with_steps(config: TrainConfig, say: Say) -> TrainConfig:
    """The config with its budget in steps, whole rollouts."""
    rollout = config.ppo.rollout
    steps = config.budget.steps
    if config.budget.seconds is not None:
        steps = steps_for(config, make_model, say)
    rollouts = max(1, -(-(steps or 0) // rollout))
    return config.model_copy(
        update={"budget": config.budget.model_copy(update={"steps": rollouts * rollout, "seconds": None})}
    )


def make_games(config: TrainConfig, seed: int) -> LearnerGames:
    """The games that a config trains on."""
    return LearnerGames(
        config.ppo.num_games,
        config.rules,
        config.players,
        config.opponents,
        seed=seed,
        episode=config.episode,
        reward=config.scheme,
        hands=config.critic_sees_hands,
    )


def make_model(config: TrainConfig) -> MaskablePPO:
    """A fresh MaskablePPO and its games; seeds the global generators, as Stable-Baselines3 does."""
    from thirtyone_train.vec_env import LearnerVecEnv

    ppo = config.ppo
    games = make_games(config, config.seed)

    def rate(left: float) -> float:
        return ppo.learning_rate * (ppo.learning_rate_end + (1 - ppo.learning_rate_end) * left)

    return MaskablePPO(
        PlainPolicy,
        LearnerVecEnv(games),
        learning_rate=rate,
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.ent_coef,
        vf_coef=ppo.vf_coef,
        max_grad_norm=ppo.max_grad_norm,
        target_kl=ppo.target_kl,
        policy_kwargs=policy_options(config.hidden, games.columns),
        seed=config.seed,
        device="cpu",
    )


def _run(
    config: TrainConfig, folder: Path, report: Report, command: str, say: Say, judge: Judge | None = None
) -> TrainResult:
    started = time.monotonic()
    found = read_checkpoint(folder, config)
    model = make_model(config)
    env: Any = model.get_env()
    watch = Watch(config, folder, env, report, judge)
    if found is None:
        watch.agreement = _imitation(config, model, report)
    else:
        about, arrays = found
        restore(model, env, about, arrays)
        watch.recall(about["notes"])
        say(f"going on from the checkpoint at {model.num_timesteps} of {config.budget.steps} steps")
    model.set_logger(configure(str(folder / "tensorboard"), ["tensorboard"]))
    total = config.budget.steps or 0
    if model.num_timesteps < total:
        model.learn(total - model.num_timesteps, callback=watch, reset_num_timesteps=found is None)
    watch.finish(model)
    result = TrainResult(
        folder,
        config,
        watch.agreement,
        watch.points,
        watch.scores,
        watch.seconds + time.monotonic() - started,
    )
    _save(result, model, command)
    return result


def _imitation(config: TrainConfig, model: MaskablePPO, report: Report) -> float | None:
    part = config.imitation
    if part.teacher is None:
        return None
    games = make_games(config, config.seed + _LESSON_SEED)
    steps = max(1, -(-part.decisions // games.num_games))
    lesson = record_lesson(games, load_opponent(part.teacher), steps, config.ppo.gamma)
    policy: Any = model.policy
    return imitate(
        policy,
        lesson,
        np.random.default_rng(config.seed),
        part.epochs,
        part.batch_size,
        part.learning_rate,
        lambda done, total: report("imitation", done, total),
    )


def _save(result: TrainResult, model: MaskablePPO, command: str) -> None:
    """The agent, and last of all the file that says that the run is finished."""
    config = result.config
    policy: Any = model.policy
    notes = {"describe": result.describe(), "config": config.model_dump(mode="json"), "scores": result.scores}
    save_agent(
        result.folder / "agent",
        actor_layers(policy),
        activation="relu",
        rules=Rules.of(config.rules),
        players=config.players,
        kind=KIND,
        scaled=True,
        seed=config.seed,
        command=command,
        notes=notes,
    )
    data = {
        "steps": result.steps,
        "seconds": round(result.seconds, 1),
        "agreement": result.agreement,
        "describe": result.describe(),
        "scores": result.scores,
        "points": result.points,
    }
    _write(result.folder / RESULT, json.dumps(data, indent=1) + "\n")


def _write(file: Path, text: str) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, file)


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody is told."""


__all__ = ["TrainResult", "make_games", "make_model", "resume", "train"]
