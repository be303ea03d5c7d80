"""Trained agents that play: `learned:path`, with ``?sample=1`` to draw actions instead of taking the likeliest one."""

from __future__ import annotations

import os
from urllib.parse import parse_qsl

import numpy as np
import numpy.typing as npt

from thirtyone_agents.agent_files import AgentFile, agent_paths, read_agent, save_agent
from thirtyone_agents.network import Layer, Network, chances
from thirtyone_agents.policy import Actions, Keys, Views
from thirtyone_env.core.layout import NUM_SEATS, V_LEGAL, V_RULES0, V_RULES1, V_SEATS
from thirtyone_env.errors import UserError
from thirtyone_env.keys import decision_keys
from thirtyone_env.observation import encode, highs
from thirtyone_env.rules import Rules

__all__ = [
    "AgentFile",
    "LearnedPolicy",
    "agent_paths",
    "load_agent",
    "load_named",
    "read_agent",
    "save_agent",
]

_OPTIONS = ("sample", "any_rules")


class LearnedPolicy:
    """A trained network that answers views.

    Args:
        about: what its file says of it.
        layers: weight float32 ``[out, in]`` and bias float32 ``[out]`` of each layer.
        name: its name.
        sample: draw each action from the network's probabilities, by the key; else take the likeliest.
        any_rules: play also under rules that it was not trained on.
    """

    def __init__(
        self, about: AgentFile, layers: list[Layer], name: str, sample: bool = False, any_rules: bool = False
    ) -> None:
        self.about = about
        self.name = name
        self.sample = sample
        self.any_rules = any_rules
        self.rules = Rules.of(about.rules)
        self._packed = np.array(self.rules.packed, dtype=np.uint64)
        self._network = Network(_unscaled(layers, about), about.activation)

    def __repr__(self) -> str:
        return f"LearnedPolicy({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """Name and hash of the weights."""
        return f"{self.name} sha256:{self.about.weights_sha256[:16]}"

    def check(self, rules: Rules, players: int) -> None:
        """Refuse rules or a number of players that the agent was not trained on.

        Raises:
            UserError: they differ; the text names the options that do.
        """
        if players != self.about.players:
            raise UserError(f"{self.name} plays with {self.about.players} players, not with {players}")
        if rules.packed == self.rules.packed or self.any_rules:
            return
        mine, asked = self.rules.to_dict(), rules.to_dict()
        keys = [key for key in {**mine, **asked} if mine.get(key) != asked.get(key)]
        differ = [f"{key}={mine.get(key)} (here {asked.get(key)})" for key in keys]
        raise UserError(f"{self.name} was trained on other rules: {', '.join(differ)}; {_hint(self.name)}")

    def act(self, views: Views, keys: Keys) -> Actions:
        """See `policy.Policy.act`."""
        logits = self._logits(views)
        legal = np.ascontiguousarray(views[:, V_LEGAL])
        if not self.sample:
            bits = (legal[:, None] >> np.arange(logits.shape[1], dtype=np.uint64)) & np.uint64(1)
            return np.where(bits == 1, logits, -np.inf).argmax(axis=1).astype(np.int64)
        return draw(chances(logits, legal), keys)

    def probabilities(self, views: Views) -> npt.NDArray[np.float64]:
        """Chance with which it plays each action: float64 ``[n, 63]``; 1 for the likeliest unless it samples."""
        if self.sample:
            return chances(self._logits(views), np.ascontiguousarray(views[:, V_LEGAL]))
        sure = np.zeros((len(views), int(self._network.sizes[-1])))
        sure[np.arange(len(views)), self.act(views, np.zeros(len(views), dtype=np.uint64))] = 1.0
        return sure

    def _logits(self, views: Views) -> npt.NDArray[np.float32]:
        self._check_views(views)
        return self._network.logits(encode(views, seats=self.about.observation_seats))

    def _check_views(self, views: Views) -> None:
        players = (views[:, V_SEATS] >> NUM_SEATS[1]) & NUM_SEATS[2]
        other = players != self.about.players
        if other.any():
            raise UserError(
                f"{self.name} plays with {self.about.players} players, not with {int(players[other][0])}"
            )
        if not self.any_rules and (views[:, [V_RULES0, V_RULES1]] != self._packed).any():
            raise UserError(
                f"{self.name} was trained on other rules than those of this game; {_hint(self.name)}"
            )


def draw(chances: npt.NDArray[np.float64], keys: Keys) -> Actions:
    """An action of each row by its key: the first whose summed chance is beyond a number in [0, 1) made from the key.

    Args:
        chances: float64 ``[n, m]``, rows summing to 1.
        keys: uint64 ``[n]``.

    Returns:
        int64 ``[n]``; never an action of chance zero.
    """
    mixed = decision_keys(
        keys, 0, 0, 0, 0
    )  # once more, so that keys in a row give numbers all over the place
    uniform = (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53
    sums = np.cumsum(chances, axis=1)
    sums /= sums[:, -1:]
    return (sums <= uniform[:, None]).sum(axis=1).astype(np.int64)


def load_agent(path: str | os.PathLike[str], sample: bool = False, any_rules: bool = False) -> LearnedPolicy:
    """The agent saved at ``path``: its folder, or its file with or without the ending.

    Raises:
        UserError: there is none, or it does not fit this version; nothing of it is run.
    """
    return _load(path, f"learned:{os.fspath(path)}", sample, any_rules)


def load_named(argument: str) -> LearnedPolicy:
    """The agent of a name ``learned:argument``: a path, and options as ``?sample=1&any_rules=1``."""
    path, _, query = argument.partition("?")
    if not path:
        raise UserError("learned: needs a path, such as learned:runs/first/agent")
    options = {key: _switch(key, value) for key, value in parse_qsl(query, keep_blank_values=True)}
    return _load(path, f"learned:{argument}", **options)


def _load(
    path: str | os.PathLike[str], name: str, sample: bool = False, any_rules: bool = False
) -> LearnedPolicy:
    about, layers, file = read_agent(path)
    try:
        return LearnedPolicy(about, layers, name, sample, any_rules)
    except UserError as error:
        raise UserError(f"{file}: {error}") from error


def _switch(key: str, value: str) -> bool:
    if key not in _OPTIONS or value not in ("0", "1"):
        raise UserError(f"learned:...?{key}={value} is not allowed: there are sample=0|1 and any_rules=0|1")
    return value == "1"


def _hint(name: str) -> str:
    return f"to play all the same name it {name}{'&' if '?' in name else '?'}any_rules=1"


def _unscaled(layers: list[Layer], about: AgentFile) -> list[Layer]:
    """The layers for observations as they are: the division by `highs` goes into the first one's weights."""
    if not about.scaled:
        return layers
    divisor = np.asarray(highs(about.observation_seats), dtype=np.float32)
    return [(layers[0][0] / divisor, layers[0][1]), *layers[1:]]
