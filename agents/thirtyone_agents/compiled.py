"""The baselines: `random`, `threshold:K` and `tips`, each a kind and a parameter of one compiled function.

The playing itself is `thirtyone_env.core.policies`, which loops of the core can call too; a `CompiledPolicy` has the
``kind`` and ``parameter`` to hand to it.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from thirtyone_agents.policy import Actions, Keys, Views
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.errors import UserError

VERSION = 1  # raised when a baseline plays differently than before
RANDOM, THRESHOLD, TIPS = 0, 1, 2
MOST = 33  # the highest worth there is: three aces as feuer
LAST_CHANCE = {"": 0, "safe": 1, "bold": 2}


class CompiledPolicy:
    """A baseline.

    Attributes:
        name: such as ``threshold:21``.
        kind: 0 `random`, 1 `threshold`, 2 `tips`.
        parameter: `threshold`: the knock level in half points; `tips`: 0 as ever on the last chance, 1 safe, 2 bold.
    """

    def __init__(self, name: str, kind: int, parameter: int = 0) -> None:
        self.name = name
        self.kind = kind
        self.parameter = parameter

    def __repr__(self) -> str:
        return f"CompiledPolicy({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """Name and version of the baselines."""
        return f"{self.name} v{VERSION}"

    def act(self, views: Views, keys: Keys) -> Actions:
        """See `policy.Policy.act`."""
        from thirtyone_env.core import policy_entry

        actions = np.empty(len(views), dtype=np.uint64)
        policy_entry.act_views(
            self.kind, self.parameter, np.ascontiguousarray(views), np.ascontiguousarray(keys), actions
        )
        return actions.astype(np.int64)

    def probabilities(self, views: Views) -> npt.NDArray[np.float64]:
        """See `policy.WithProbabilities.probabilities`."""
        if self.kind == RANDOM:
            from thirtyone_env.observation import action_masks

            legal = action_masks(views).astype(np.float64)
            return legal / legal.sum(axis=1, keepdims=True)
        chances = np.zeros((len(views), NUM_ACTIONS))
        chances[np.arange(len(views)), self.act(views, np.zeros(len(views), dtype=np.uint64))] = 1.0
        return chances


def make_random(argument: str) -> CompiledPolicy:
    """`random`: any legal action, each equally likely."""
    if argument:
        raise UserError(f"random:{argument} is not a policy: random takes nothing after a colon")
    return CompiledPolicy("random", RANDOM)


def make_threshold(argument: str) -> CompiledPolicy:
    """`threshold:K`: knocks from a worth of K; K in steps of a half, 0 to 33."""
    worth = _number(argument)
    if worth is None or not 0 <= worth <= MOST or worth * 2 != int(worth * 2):
        raise UserError(
            f"threshold:{argument} is not a policy: after the colon comes a worth from 0 to {MOST}, "
            "such as threshold:21"
        )
    return CompiledPolicy(f"threshold:{worth:g}", THRESHOLD, int(worth * 2))


def make_tips(argument: str) -> CompiledPolicy:
    """`tips`, `tips:safe`, `tips:bold`: the common advice to players."""
    if argument not in LAST_CHANCE:
        raise UserError(f"tips:{argument} is not a policy: there are tips, tips:safe and tips:bold")
    return CompiledPolicy(f"tips:{argument}" if argument else "tips", TIPS, LAST_CHANCE[argument])


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
