"""A view as text for a person: what one seat knows, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import mask_to_names
from thirtyone_env.cards import pretty, set_to_ids
from thirtyone_env.core import layout as at
from thirtyone_env.core.entry import worth_of

Field = tuple[np.uint64, np.uint64, np.uint64]
_STATUS_WORD = 4  # state words whose fields stand in a view at the same places
_SEATS_WORD = 5
_VIEW_WORD = {_STATUS_WORD: at.V_STATUS, _SEATS_WORD: at.V_SEATS, 0: at.V_RULES0, 1: at.V_RULES1}


def status(view: Sequence[int], field: Field) -> int:
    """Value of a state's field in a view (fields of the words RULES0, RULES1, STATUS and SEATS)."""
    return (int(view[_VIEW_WORD[int(field[0])]]) >> int(field[1])) & int(field[2])


def counted(view: Sequence[int], field: Field) -> int:
    """Value of a field of the view's own word of counts."""
    return (int(view[int(field[0])]) >> int(field[1])) & int(field[2])


def lives(view: Sequence[int], seat: int) -> int:
    """Tokens of a seat."""
    return (int(view[at.V_LIVES]) >> (int(at.LIVES_OF[1]) * seat)) & int(at.LIVES_OF[2])


def cards_text(cards: int) -> str:
    """Cards of a set as ``7♥ K♠``; ``-`` for none."""
    return " ".join(pretty(card) for card in set_to_ids(cards)) or "-"


def points_text(half_points: int) -> str:
    """Worth in half points as ``30.5`` or ``31``."""
    return f"{half_points / 2:g}"


def describe(view: npt.NDArray[np.uint64]) -> str:
    """What a view says, in a few lines.

    Args:
        view: ``uint64 [32]``.
    """
    words = [int(word) for word in view]
    lines = [_first_line(words), *_seat_lines(words), *_card_lines(words)]
    legal = mask_to_names(words[at.V_LEGAL])
    lines.append(f"legal: {', '.join(_grouped(legal))}" if legal else "not to move")
    return "\n".join(lines)


def _first_line(view: Sequence[int]) -> str:
    me = counted(view, at.VF_ME)
    phase = at.PHASE_NAMES[status(view, at.PHASE)]
    deal, turn = counted(view, at.VF_DEAL_NO) + 1, status(view, at.TURN_NO)
    return f"seat {me}, deal {deal}, after {turn} turns, phase {phase}"


def _seat_lines(view: Sequence[int]) -> list[str]:
    return [f"  seat {seat}: {_seat_text(view, seat)}" for seat in range(status(view, at.NUM_SEATS))]


def _seat_text(view: Sequence[int], seat: int) -> str:
    bit = 1 << seat
    if status(view, at.OUT) & bit:
        return "out"
    county = status(view, at.ON_COUNTY) & bit
    parts = ["on the county" if county else f"lives {lives(view, seat)}"]
    for field, word in ((at.DEALER, "deals"), (at.KNOCKER, "knocked"), (at.TURN, "to move")):
        if status(view, field) == seat:
            parts.append(word)
    if seat != counted(view, at.VF_ME):
        known, thrown = view[at.V_KNOWN + seat], view[at.V_THROWN + seat]
        parts += [f"holds {cards_text(known)}"] if known else []
        parts += [f"threw {cards_text(thrown)}"] if thrown else []
    return ", ".join(parts)


def _card_lines(view: Sequence[int]) -> list[str]:
    hand, rules1 = view[at.V_HAND], view[at.V_RULES1]
    worth = points_text(worth_of(hand, rules1)) if 0 < hand.bit_count() <= 3 else ""
    lines = [f"hand: {cards_text(hand)}" + (f" (worth {worth})" if worth else "")]
    drawn = status(view, at.DRAWN)
    if drawn != int(at.NONE_CARD) and (hand >> drawn) & 1:
        taken = "taken from the pile" if status(view, at.TAKEN) else "drawn from the stock"
        lines.append(f"just {taken}: {pretty(drawn)}")
    top = status(view, at.TOP)
    if status(view, at.TABLE) == 0:
        lines.append(f"top: {'-' if top == int(at.NONE_CARD) else pretty(top)}; {_piles(view)}")
        lines.append(f"in the pile: {cards_text(view[at.V_PILE])}")
    if view[at.V_EXTRA]:
        name = "dummy hand" if status(view, at.TABLE) == 0 else "pool"
        lines.append(f"{name}: {cards_text(view[at.V_EXTRA])}")
    if view[at.V_RESHUFFLED]:
        lines.append(f"shuffled back and not seen since: {cards_text(view[at.V_RESHUFFLED])}")
    return lines


def _piles(view: Sequence[int]) -> str:
    return f"stock {counted(view, at.VF_STOCK_COUNT)}, pile {counted(view, at.VF_PILE_COUNT)}"


def _grouped(names: list[str]) -> list[str]:
    """Names of actions, the discards as one word with their cards."""
    throws = [name.split()[1] for name in names if name.startswith("discard ")]
    plain = [name for name in names if not name.startswith("discard ")]
    return plain + ([f"discard {' '.join(throws)}"] if throws else [])
