"""The one fixed action space: 63 actions, their names and their ids.

====== =====================================================
id     name
====== =====================================================
0      ``draw_stock``
1      ``draw_discard``
2      ``knock``
3      ``declare``
4..55  ``discard <card>``, 4 + card id
56     ``pass``
57     ``swap_dummy``
58     ``swap_all``
59     ``swap_upcard``
60..62 ``take_pool 0`` .. ``take_pool 2``
====== =====================================================

A mask of legal actions is an integer whose bit *i* stands for action *i*.
"""

from __future__ import annotations

import operator

from thirtyone_env.cards import CARDS, card_id
from thirtyone_env.errors import UserError

DRAW_STOCK = 0
DRAW_DISCARD = 1
KNOCK = 2
DECLARE = 3
DISCARD = 4
PASS = 56
SWAP_DUMMY = 57
SWAP_ALL = 58
SWAP_UPCARD = 59
TAKE_POOL = 60
NUM_ACTIONS = 63

ACTION_NAMES: tuple[str, ...] = (
    "draw_stock",
    "draw_discard",
    "knock",
    "declare",
    *(f"discard {card}" for card in CARDS),
    "pass",
    "swap_dummy",
    "swap_all",
    "swap_upcard",
    "take_pool 0",
    "take_pool 1",
    "take_pool 2",
)
_IDS = {name: i for i, name in enumerate(ACTION_NAMES)}
_NAME_OF_BIT = {1 << i: name for i, name in enumerate(ACTION_NAMES)}


def action_id(action: str | int) -> int:
    """Id of an action given by name or id.

    Raises:
        UserError: there is no such action.
    """
    if isinstance(action, str):
        found = _IDS.get(action)
        return found if found is not None else _parse(action)
    try:
        number = operator.index(action)
    except TypeError:
        raise UserError(f"{action!r} is not an action: give a name, or an id from 0 to {NUM_ACTIONS - 1}") from None
    if 0 <= number < NUM_ACTIONS:
        return number
    raise UserError(f"action id {action} is outside 0 to {NUM_ACTIONS - 1}")


def _parse(text: str) -> int:
    words = text.strip().split()
    if len(words) == 2 and words[0].lower() == "discard":
        return DISCARD + card_id(words[1])
    plain = " ".join(words).lower()
    if plain in _IDS:
        return _IDS[plain]
    names = ", ".join([*ACTION_NAMES[:DISCARD], "discard <card>", *ACTION_NAMES[PASS:TAKE_POOL], "take_pool 0..2"])
    raise UserError(f"'{text}' is not an action: allowed are {names}")


_AT_TURN = [[i for i in range(4) if mask >> i & 1] for mask in range(16)]  # most masks at the start of a turn


def mask_to_ids(mask: int) -> list[int]:
    """Ids of the actions of a mask, ascending."""
    rest = int(mask)
    if rest < len(_AT_TURN):
        return list(_AT_TURN[rest])
    ids = []
    while rest:
        low = rest & -rest
        ids.append(low.bit_length() - 1)
        rest ^= low
    return ids


def mask_to_names(mask: int) -> list[str]:
    """Names of the actions of a mask, in the order of their ids."""
    rest = int(mask)
    names = []
    while rest:
        low = rest & -rest
        names.append(_NAME_OF_BIT[low])
        rest ^= low
    return names
