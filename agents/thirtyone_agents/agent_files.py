"""Files of trained agents: weights as safetensors, JSON beside them that says what they are; neither runs code."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pydantic

from thirtyone_agents.network import Layer
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.errors import UserError
from thirtyone_env.extras import require
from thirtyone_env.observation_table import OBSERVATION_VERSION, size
from thirtyone_env.rules import Rules

FORMAT = 1
NAME = "agent"
_PACKAGES = ("thirtyone-env", "numpy", "torch", "stable-baselines3", "sb3-contrib")


class AgentFile(pydantic.BaseModel):
    """What stands in the JSON file of an agent."""

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    format: int = FORMAT
    kind: str  # what trained it: sb3-maskable-ppo, selfplay
    rules: dict[str, Any]
    players: int
    observation_version: int
    observation_seats: int
    scaled: bool  # whether the network wants observations divided by `highs`, numbers from 0 to 1
    layers: list[int]
    activation: Literal["tanh", "relu"]
    weights_sha256: str
    seed: int | None = None
    command: str = ""
    versions: dict[str, str] = {}
    notes: dict[str, Any] = {}


def agent_paths(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """JSON and weights file of an agent: in the folder ``path``, or the two files with that name and these endings."""
    base = Path(path)
    if base.suffix in (".json", ".safetensors"):
        base = base.with_suffix("")
    elif base.is_dir():
        base = base / NAME
    return base.with_name(base.name + ".json"), base.with_name(base.name + ".safetensors")


def save_agent(
    path: str | os.PathLike[str],
    layers: Sequence[Layer],
    *,
    activation: str,
    rules: Rules,
    players: int,
    kind: str,
    seats: int | None = None,
    scaled: bool = False,
    seed: int | None = None,
    command: str = "",
    notes: Mapping[str, Any] | None = None,
) -> Path:
    """Write an agent: ``path.safetensors`` and ``path.json`` (or ``agent.*`` in the folder ``path``, if it is one).

    Args:
        path: where to; files of that name are replaced, each as a whole.
        layers: weight float32 ``[out, in]`` and bias float32 ``[out]`` of each layer, the last giving 63 logits.
        activation: between the layers: ``tanh`` or ``relu``.
        rules: the rules that it was trained on.
        players: the number of seats that it was trained on.
        kind: what trained it, such as ``sb3-maskable-ppo``.
        seats: places for seats in its observation; ``players`` by default.
        scaled: whether it was trained on observations divided by `thirtyone_env.observation.highs`.
        seed: of the training.
        command: that trained it.
        notes: anything else worth keeping, as JSON can hold it.

    Returns:
        The JSON file.

    Raises:
        UserError: the network's shape does not fit the observation or the actions.
    """
    require("train", "saving an agent")
    from safetensors.numpy import save

    places = players if seats is None else seats
    tensors: dict[str, np.ndarray[Any, Any]] = {}
    for i, (weight, bias) in enumerate(layers):
        tensors[f"layers.{i}.weight"] = np.ascontiguousarray(weight, dtype=np.float32)
        tensors[f"layers.{i}.bias"] = np.ascontiguousarray(bias, dtype=np.float32)
    sizes = [int(layers[0][0].shape[1]), *(int(weight.shape[0]) for weight, _ in layers)]
    blob = save(tensors)
    about = AgentFile(
        kind=kind,
        rules=rules.to_dict(),
        players=players,
        observation_version=OBSERVATION_VERSION,
        observation_seats=places,
        scaled=scaled,
        layers=sizes,
        activation=activation,  # type: ignore[arg-type]  # pydantic checks it
        weights_sha256=hashlib.sha256(blob).hexdigest(),
        seed=seed,
        command=command,
        versions=_versions(),
        notes=dict(notes or {}),
    )
    json_file, weights_file = agent_paths(path)
    check_shape(about, json_file)
    json_file.parent.mkdir(parents=True, exist_ok=True)
    _replace(weights_file, blob)
    _replace(json_file, (json.dumps(about.model_dump(), indent=2) + "\n").encode())
    return json_file


def read_agent(path: str | os.PathLike[str]) -> tuple[AgentFile, list[Layer], Path]:
    """What an agent's JSON says, its layers, and the JSON file.

    Raises:
        UserError: a file is missing, broken, of another version, or the two do not belong together.
    """
    require("train", "reading an agent")
    from safetensors import SafetensorError
    from safetensors.numpy import load

    json_file, weights_file = agent_paths(path)
    for file in (json_file, weights_file):
        if not file.is_file():
            raise UserError(f"there is no agent at {os.fspath(path)!r}: {file} is missing")
    about = _parse(json_file)
    check_shape(about, json_file)
    blob = weights_file.read_bytes()
    if hashlib.sha256(blob).hexdigest() != about.weights_sha256:
        raise UserError(
            f"{weights_file} holds other weights than {json_file.name} was written for (weights_sha256 differs)"
        )
    try:
        tensors = load(blob)
    except SafetensorError as error:
        raise UserError(f"{weights_file} is no safetensors file: {error}") from error
    return about, [_layer(tensors, about, i, weights_file) for i in range(len(about.layers) - 1)], json_file


def check_shape(about: AgentFile, file: Path) -> None:
    """Refuse an agent whose network, observation or format is not what this version plays with."""
    if about.format != FORMAT:
        raise UserError(f"{file} has format {about.format}; this version reads format {FORMAT}")
    if about.observation_version != OBSERVATION_VERSION:
        raise UserError(
            f"{file}: the agent was trained on observation version {about.observation_version}, and this version of "
            f"thirtyone-env makes version {OBSERVATION_VERSION} (it was trained with thirtyone-env "
            f"{about.versions.get('thirtyone-env', 'of an unknown version')}): train it again"
        )
    if not 2 <= about.players <= about.observation_seats <= 9:
        raise UserError(
            f"{file}: {about.players} players with {about.observation_seats} observed seats: 2 to 9, in that order"
        )
    wanted = size(about.observation_seats)
    sizes = about.layers
    if len(sizes) < 2 or sizes[0] != wanted or sizes[-1] != NUM_ACTIONS or min(sizes) < 1:
        raise UserError(
            f"{file}: layers {sizes} must lead from {wanted} observed numbers to {NUM_ACTIONS} actions"
        )


def _parse(file: Path) -> AgentFile:
    try:
        return AgentFile.model_validate_json(file.read_bytes())
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise UserError(f"{file} is no agent: {where}: {first['msg']}") from error


def _layer(tensors: dict[str, Any], about: AgentFile, i: int, file: Path) -> Layer:
    weight, bias = tensors.get(f"layers.{i}.weight"), tensors.get(f"layers.{i}.bias")
    shape = (about.layers[i + 1], about.layers[i])
    if weight is None or bias is None or weight.shape != shape or bias.shape != shape[:1]:
        raise UserError(f"{file}: layer {i} must have a weight {list(shape)} and a bias [{shape[0]}]")
    if any(array.dtype != np.float32 or not np.isfinite(array).all() for array in (weight, bias)):
        raise UserError(f"{file}: layer {i} must hold finite numbers of type float32")
    return weight, bias


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _replace(file: Path, content: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_bytes(content)
    os.replace(temporary, file)
