"""What a player sees, as OpenSpiel's observers: tensors and texts, at every state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyspiel

from thirtyone_env import observation
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.bounds import most_decisions
from thirtyone_env.core import layout

if TYPE_CHECKING:
    from thirtyone_env.openspiel.game import ThirtyOneGame, ThirtyOneState

_HAND = int(layout.HAND)


class ThirtyOneObserver:
    """Observer of one kind.

    With perfect recall the tensor has a row for the deal and for every action since: the action, the player's own hand
    after it (and after the card that chance gave), and the cards that lie open. Without, it is the observation of the
    library's environments (`thirtyone_env.observation.encode`).

    Attributes:
        tensor: float32, flat.
        dict: its pieces by name, as views with their shapes.
    """

    def __init__(self, game: ThirtyOneGame, kind: Any = None, params: Any = None) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or not kind.public_info:
            raise ValueError("an observation is what is public and what its one player sees; nothing else is offered")
        self._recall: bool = kind.perfect_recall
        self._cards = np.flatnonzero(_bits(game.rules.deck_set, 52))
        pieces = self._pieces(game)
        sizes = [int(np.prod(shape)) for _, shape in pieces]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), dtype=np.float32)
        ends = np.cumsum(sizes)
        self.dict: dict[str, npt.NDArray[np.float32]] = {
            name: self.tensor[end - size : end].reshape(shape)
            for (name, shape), size, end in zip(pieces, sizes, ends, strict=True)
        }

    def _pieces(self, game: ThirtyOneGame) -> list[tuple[str, tuple[int, ...]]]:
        if not self._recall:
            return [("observation", (observation.size(game.num_players()),))]
        rows, pack = most_decisions(game.rules, game.num_players()) + 1, len(self._cards)
        return [
            ("player", (game.num_players(),)),
            ("action", (rows, NUM_ACTIONS)),
            ("hand", (rows, pack)),
            ("open", (rows, pack)),
        ]

    def set_from(self, state: ThirtyOneState, player: int) -> None:
        """Write what ``player`` sees in ``state`` to the tensor."""
        self.tensor.fill(0)
        game = state.game_of_cards
        if not self._recall:
            self.dict["observation"][:] = observation.encode(game.view(player))
            return
        self.dict["player"][player] = 1
        inputs = game.inputs()
        states = [entry.state for entry in inputs[1:]] + [game.state.tobytes()]
        row = 0
        for entry, after in zip(inputs, states, strict=False):
            if entry.kind == "action":
                row += 1
                self.dict["action"][row, entry.value] = 1
            self._cards_of(np.frombuffer(after, dtype=np.uint64), player, row)

    def _cards_of(self, words: npt.NDArray[np.uint64], player: int, row: int) -> None:
        """The player's hand and the cards that lie open, once the deal is complete."""
        phase = int(words[int(layout.PHASE[0])] >> layout.PHASE[1]) & int(layout.PHASE[2])
        if phase == int(layout.PH_DEAL):
            return
        self.dict["hand"][row] = _bits(int(words[_HAND + 2 * player]), 52)[self._cards]
        self.dict["open"][row] = _bits(_lies_open(words, phase), 52)[self._cards]

    def string_from(self, state: ThirtyOneState, player: int) -> str:
        """What ``player`` sees in ``state``, as text."""
        if self._recall:
            return state.seen_by(player)
        return observation.describe(state.game_of_cards.view(player))


def _bits(word: int, count: int) -> npt.NDArray[np.bool_]:
    return np.unpackbits(np.frombuffer(word.to_bytes(8, "little"), dtype=np.uint8), bitorder="little")[:count] != 0


def _lies_open(words: npt.NDArray[np.uint64], phase: int) -> int:
    """The pool, or the dummy once it lies open with the top of the discard pile."""
    table = int(words[int(layout.TABLE[0])] >> layout.TABLE[1]) & int(layout.TABLE[2])
    extra = int(words[int(layout.EXTRA)])
    if table:
        return 0 if phase == int(layout.PH_PACKET) else extra
    turned = int(words[int(layout.TURNED[0])] >> layout.TURNED[1]) & 1
    top = int(words[int(layout.TOP[0])] >> layout.TOP[1]) & int(layout.TOP[2])
    shown = 0 if top == int(layout.NONE_CARD) else 1 << top
    return shown | (extra if turned else 0)
