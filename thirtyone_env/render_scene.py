"""What there is to see at a table: taken from views, and drawn as text or as a picture by others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from thirtyone_env.cards import set_to_ids
from thirtyone_env.core import layout as at
from thirtyone_env.core.entry import worth_of
from thirtyone_env.game import Game
from thirtyone_env.view_text import counted, lives, points_text, status

NO_CARD = int(at.NONE_CARD)
HIDDEN = -1


@dataclass
class SeatScene:
    """A seat as it is drawn.

    Attributes:
        seat: its number.
        cards: card ids, `HIDDEN` for each card that lies face down.
        lives: tokens.
        marks: short words: dealer, knocked, to move, county.
        out: whether it is out.
        worth: worth of a whole hand that is seen, as text, else empty.
    """

    seat: int
    cards: list[int]
    lives: int
    marks: list[str]
    out: bool
    worth: str
    to_move: bool


@dataclass
class Scene:
    """A table as it is drawn. ``viewer`` is the seat that looks, None for a spectator who sees all hands."""

    viewer: int | None
    seats: list[SeatScene]
    top: int
    stock: int
    pile: int
    has_pile: bool
    open_cards: list[int]
    open_name: str
    title: str
    notes: list[str] = field(default_factory=list)


def scene_of_view(view: npt.NDArray[np.uint64], notes: Sequence[str] = ()) -> Scene:
    """The table as one seat sees it; ``view`` is ``uint64 [32]``."""
    words = [int(word) for word in view]
    me = counted(words, at.VF_ME)
    hands = [words[at.V_KNOWN + seat] for seat in range(status(words, at.NUM_SEATS))]
    hands[me] = words[at.V_HAND]
    return _scene(words, hands, me, notes)


def scene_of_views(views: Sequence[npt.NDArray[np.uint64]], notes: Sequence[str] = ()) -> Scene:
    """The table as a spectator sees it who looks into every hand; one view for each seat, in order."""
    hands = [int(view[at.V_HAND]) for view in views]
    return _scene([int(word) for word in views[0]], hands, None, notes)


def scene_of_game(game: Game, viewer: int | None) -> Scene:
    """The table as a seat sees it, or for None as a spectator does, with how the last round ended."""
    last = game.last_round
    notes = () if last is None else last.why
    if viewer is None:
        return scene_of_views([game.view(seat) for seat in range(game.players)], notes)
    return scene_of_view(game.view(viewer), notes)


def _scene(words: list[int], hands: list[int], viewer: int | None, notes: Sequence[str]) -> Scene:
    stock_table = status(words, at.TABLE) == 0
    return Scene(
        viewer=viewer,
        seats=[_seat(words, seat, hand) for seat, hand in enumerate(hands)],
        top=status(words, at.TOP),
        stock=counted(words, at.VF_STOCK_COUNT),
        pile=counted(words, at.VF_PILE_COUNT),
        has_pile=stock_table,
        open_cards=set_to_ids(words[at.V_EXTRA]),
        open_name="dummy" if stock_table else "pool",
        title=f"deal {counted(words, at.VF_DEAL_NO) + 1}, turn {status(words, at.TURN_NO) + 1}",
        notes=list(notes),
    )


def _seat(words: list[int], seat: int, hand: int) -> SeatScene:
    bit = 1 << seat
    out = bool(status(words, at.OUT) & bit)
    over = status(words, at.PHASE) == int(at.PH_OVER)
    to_move = status(words, at.TURN) == seat and not over
    seen = set_to_ids(hand)
    size = status(words, at.HAND_SIZE)
    held = size + (1 if to_move and _four_cards(words) else 0)
    cards = [] if out and not hand else seen + [HIDDEN] * max(0, held - len(seen))
    worth = points_text(worth_of(hand, words[at.V_RULES1])) if len(seen) == size else ""
    return SeatScene(seat, cards, lives(words, seat), _marks(words, seat, to_move), out, worth, to_move)


def _four_cards(words: list[int]) -> bool:
    return status(words, at.PHASE) in (int(at.PH_DISCARD), int(at.PH_POOL))


def _marks(words: list[int], seat: int, to_move: bool) -> list[str]:
    marks = []
    if status(words, at.DEALER) == seat:
        marks.append("dealer")
    if status(words, at.ON_COUNTY) >> seat & 1:
        marks.append("county")
    if status(words, at.KNOCKER) == seat:
        marks.append("knocked")
    if to_move:
        marks.append("to move")
    return marks
