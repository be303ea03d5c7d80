"""Views written by hand, for asking policies what they would do there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from thirtyone_agents import Policy
from thirtyone_env import Rules
from thirtyone_env.actions import ACTION_NAMES, action_id
from thirtyone_env.cards import card_id, cards_to_set
from thirtyone_env.core import layout

PHASES = {name: i for i, name in enumerate(layout.PHASE_NAMES)}


def view(
    hand: str,
    legal: Sequence[str],
    *,
    top: str | None = None,
    phase: str | None = None,
    rules: Rules | None = None,
    players: int = 3,
    me: int = 0,
    turn_number: int = 6,
    knocker: int | None = None,
    laps_left: int = 0,
    pool: str = "",
    known: Mapping[int, str] | None = None,
    thrown: Mapping[int, str] | None = None,
    lives: Sequence[int] | None = None,
    out: Sequence[int] = (),
) -> npt.NDArray[np.uint64]:
    """A view ``[32]`` of seat ``me``; ``legal`` are actions, ``"throws"`` standing for a throw of each card in hand."""
    rules = rules or Rules.preset("pagat")
    cards = hand.split()
    names = [
        *(f"discard {card}" for card in cards if "throws" in legal),
        *(name for name in legal if name != "throws"),
    ]
    if phase is None:
        phase = "discard" if any(name.startswith("discard") for name in names) else "turn"
    words = [0] * layout.VIEW_WORDS
    words[layout.V_RULES0], words[layout.V_RULES1] = rules.packed
    words[layout.V_STATUS] = (
        _at(layout.PHASE, PHASES[phase])
        | _at(layout.TURN, me)
        | _at(layout.TOP, 63 if top is None else card_id(top))
        | _at(layout.DRAWN, card_id(cards[-1]) if phase in ("discard", "pool") else 63)
        | _at(layout.KNOCKER, 15 if knocker is None else knocker)
        | _at(layout.LAPS_LEFT, laps_left)
        | _at(layout.TURN_NO, turn_number)
    )
    words[layout.V_SEATS] = _at(layout.NUM_SEATS, players) | _at(layout.OUT, sum(1 << seat for seat in out))
    words[layout.V_LIVES] = sum(n << 7 * seat for seat, n in enumerate(lives or [3] * players))
    words[layout.V_LEGAL] = sum(1 << action_id(name) for name in names)
    words[layout.V_HAND] = cards_to_set(cards)
    words[layout.V_EXTRA] = cards_to_set(pool.split())
    words[layout.V_COUNTS] = me
    for seat, text in (known or {}).items():
        words[layout.V_KNOWN + seat] = cards_to_set(text.split())
    for seat, text in (thrown or {}).items():
        words[layout.V_THROWN + seat] = cards_to_set(text.split())
    return np.array(words, dtype=np.uint64)


def _at(field: tuple[np.uint64, np.uint64, np.uint64], value: int) -> int:
    return value << int(field[1])


def answer(policy: Policy, one: npt.NDArray[np.uint64], key: int = 0) -> str:
    """Name of the action that a policy chooses for one view."""
    return ACTION_NAMES[int(policy.act(one[None], np.array([key], dtype=np.uint64))[0])]
