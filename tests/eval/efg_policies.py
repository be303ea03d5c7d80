"""Strategies of ours as OpenSpiel's policies on the same game, which it reads as an EFG text, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from thirtyone_env.actions import mask_to_names
from thirtyone_env.tree_efg import to_efg
from thirtyone_eval.solve import MiniGame


class Efg:
    """A mini game read by OpenSpiel.

    Its text of an information set is "seat-seat-number-", numbers of each seat from 1 in our order; its ids of actions
    are its own and differ from set to set, so they are found by name.
    """

    def __init__(self, mini: MiniGame) -> None:
        self.mini = mini
        self.game: Any = pyspiel.load_efg_game(to_efg(mini.tree))
        ids: dict[str, dict[str, int]] = {}
        waiting = [self.game.new_initial_state()]
        while waiting:
            state = waiting.pop()
            if state.current_player() >= 0:
                named = {state.action_to_string(action): action for action in state.legal_actions()}
                ids[state.information_state_string()] = named
            waiting.extend(state.child(action) for action in state.legal_actions())
        self.texts = [""] * len(mini.parent)
        for seat, sets in enumerate(mini.sets):
            for number, row in enumerate(sets.tolist(), start=1):
                self.texts[row] = f"{seat}-{seat}-{number}-"
        self.actions = [
            [ids[text][name] for name in mask_to_names(int(mask))]
            for text, mask in zip(self.texts, mini.tree.set_mask, strict=True)
        ]

    def policy(self, strategy: npt.NDArray[np.float64]) -> Any:
        """OpenSpiel's policy that plays a strategy of ours."""
        parts = np.split(strategy, self.mini.offset[1:-1])
        rows = zip(self.texts, self.actions, parts, strict=True)
        return pyspiel.TabularPolicy({text: list(zip(ids, part.tolist(), strict=True)) for text, ids, part in rows})

    def strategy(self, policy: Any) -> npt.NDArray[np.float64]:
        """Our strategy that plays as a tabular policy of OpenSpiel."""
        told = [dict(policy.get_state_policy(text)) for text in self.texts]
        return np.array([one[action] for one, ids in zip(told, self.actions, strict=True) for action in ids])

    def values(self, policy: Any) -> list[float]:
        """What each seat gets where all play the policy."""
        return list(pyspiel.expected_returns(self.game.new_initial_state(), policy, -1, False))
