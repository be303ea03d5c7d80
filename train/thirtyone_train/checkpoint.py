"""Checkpoints between rollouts: all that decides how a run goes on, as one safetensors file. Reading runs no code.

A checkpoint holds the weights, the optimizer's state, the generators of numpy and torch, and the games. What decides
and is not here (rules, settings, schedules) stands in the run's config; schedules depend on the steps done alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO

from thirtyone_agents.policy import fingerprint
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_env.observation_table import OBSERVATION_VERSION
from thirtyone_train.config import TrainConfig
from thirtyone_train.vec_env import LearnerVecEnv

NAME = "checkpoint.safetensors"
FORMAT = 1
Arrays = dict[str, npt.NDArray[Any]]


def config_hash(config: TrainConfig) -> str:
    """Hash of all settings, and of the opponents' and the teacher's versions or files."""
    names = [*config.opponents, *([config.imitation.teacher] if config.imitation.teacher else [])]
    who = [fingerprint(load(name, allow_code=True)) for name in names]
    return hashlib.sha256("\n".join([config.model_dump_json(), *who]).encode()).hexdigest()[:16]


def save_checkpoint(
    folder: Path, model: MaskablePPO, env: LearnerVecEnv, config: TrainConfig, notes: dict[str, Any]
) -> None:
    """Write the checkpoint of a run, replacing the last one as a whole.

    Args:
        folder: of the run.
        model: between two rollouts.
        env: its games.
        config: of the run.
        notes: anything that JSON can hold, given back by `load_checkpoint`.
    """
    from safetensors.numpy import save

    arrays: Arrays = {}
    for name, tensor in model.policy.state_dict().items():
        arrays[f"policy/{name}"] = tensor.detach().cpu().numpy()
    for index, state in model.policy.optimizer.state_dict()["state"].items():
        for name, tensor in state.items():
            arrays[f"optimizer/{index}/{name}"] = tensor.detach().cpu().numpy()
    for name, array in env.save().items():
        arrays[f"games/{name}"] = array
    numpy_state: Any = np.random.get_state(legacy=False)  # noqa: NPY002  # SB3 draws from it
    arrays["random/numpy"] = numpy_state["state"]["key"]
    arrays["random/torch"] = torch.get_rng_state().numpy()
    arrays["last/observations"] = np.asarray(model._last_obs)
    arrays["last/starts"] = np.asarray(model._last_episode_starts).astype(np.bool_)
    about = {
        "format": FORMAT,
        "observation_version": OBSERVATION_VERSION,
        "torch": torch.__version__,
        "config": config_hash(config),
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "numpy_state": {k: numpy_state[k] for k in ("has_gauss", "gauss")}
        | {"pos": numpy_state["state"]["pos"]},
        "episodes": list(model.ep_info_buffer or []),
        "notes": notes,
    }
    blob = save(
        {name: np.ascontiguousarray(array) for name, array in arrays.items()},
        {"thirtyone": json.dumps(about)},
    )
    temporary = folder / f".{NAME}.{os.getpid()}"
    temporary.write_bytes(blob)
    os.replace(temporary, folder / NAME)


def read_checkpoint(folder: Path, config: TrainConfig) -> tuple[dict[str, Any], Arrays] | None:
    """What a run's checkpoint says and its arrays; None where the run was stopped before the first one.

    Raises:
        UserError: it is broken, or belongs to another version or other settings.
    """
    from safetensors import SafetensorError, safe_open

    file = folder / NAME
    if not file.is_file():
        return None
    try:
        with safe_open(file, framework="numpy") as opened:
            about = json.loads((opened.metadata() or {}).get("thirtyone", "{}"))
            arrays = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118  # not a dict
    except (SafetensorError, OSError, ValueError) as error:
        raise UserError(f"{file} is no checkpoint: {error}") from None
    wanted = {"format": FORMAT, "observation_version": OBSERVATION_VERSION, "config": config_hash(config)}
    for key, value in wanted.items():
        if about.get(key) != value:
            raise UserError(f"{file} does not fit: its {key} is {about.get(key)}, this run's is {value}")
    return about, arrays


def steps_saved(folder: Path) -> int | None:
    """Decisions that a run's checkpoint has behind it; None where there is no checkpoint that can be read."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / NAME, framework="numpy") as opened:
            return int(json.loads((opened.metadata() or {})["thirtyone"])["steps"])
    except (SafetensorError, OSError, ValueError, KeyError):
        return None


def restore(model: MaskablePPO, env: LearnerVecEnv, about: dict[str, Any], arrays: Arrays) -> None:
    """Put a checkpoint into a fresh model and its games.

    Raises:
        UserError: an array does not fit.
    """
    try:
        model.policy.load_state_dict(
            {name: torch.as_tensor(a) for name, a in _under(arrays, "policy/").items()}
        )
        optimizer = model.policy.optimizer
        states: dict[int, dict[str, torch.Tensor]] = {}
        for name, array in _under(arrays, "optimizer/").items():
            index, _, part = name.partition("/")
            states.setdefault(int(index), {})[part] = torch.as_tensor(array)
        optimizer.load_state_dict({"state": states, "param_groups": optimizer.state_dict()["param_groups"]})
        env.load(_under(arrays, "games/"))
        model._last_obs = arrays["last/observations"]
        model._last_episode_starts = arrays["last/starts"]
        _restore_generators(about["numpy_state"], arrays)
    except (RuntimeError, KeyError, ValueError) as error:
        raise UserError(f"the checkpoint does not fit this run: {error}") from error
    model.num_timesteps = int(about["steps"])
    model._n_updates = int(about["updates"])
    model.ep_info_buffer = deque(about["episodes"], maxlen=model._stats_window_size)
    model.ep_success_buffer = deque(maxlen=model._stats_window_size)


def _restore_generators(numpy_state: dict[str, Any], arrays: Arrays) -> None:
    state = {"key": arrays["random/numpy"], "pos": numpy_state["pos"]}
    np.random.set_state(  # noqa: NPY002  # SB3 draws from it
        {
            "bit_generator": "MT19937",
            "state": state,
            "has_gauss": numpy_state["has_gauss"],
            "gauss": numpy_state["gauss"],
        }
    )
    torch.set_rng_state(torch.as_tensor(arrays["random/torch"]))


def _under(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
