"""Drawing a table: as text (``ansi``), as a picture without a display (``rgb_array``), in a window (``human``).

What is drawn comes from views: `scene_of_view` for what one seat knows, `scene_of_views` for a spectator who sees all
hands. Pictures and windows need the extra ``render``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.cards import pretty
from thirtyone_env.extras import require
from thirtyone_env.render_scene import (
    HIDDEN,
    NO_CARD,
    Scene,
    SeatScene,
    scene_of_game,
    scene_of_view,
    scene_of_views,
)

__all__ = [
    "RENDER_MODES",
    "Window",
    "ansi",
    "check_render_mode",
    "rgb_array",
    "scene_of_game",
    "scene_of_view",
    "scene_of_views",
]

RENDER_MODES = ("human", "rgb_array", "ansi")
_BACK = "▒▒"


def ansi(scene: Scene) -> str:
    """The table as text, some lines."""
    lines = [f"{scene.title}   {_middle(scene)}"]
    lines += [_seat_line(seat, scene.viewer) for seat in scene.seats]
    return "\n".join([*lines, *scene.notes]) + "\n"


def _middle(scene: Scene) -> str:
    parts = [f"stock {scene.stock}"]
    if scene.has_pile:
        top = "-" if scene.top == NO_CARD else pretty(scene.top)
        parts.append(f"pile {scene.pile}, top {top}")
    if scene.open_cards:
        parts.append(f"{scene.open_name} {' '.join(pretty(card) for card in scene.open_cards)}")
    return "   ".join(parts)


def _seat_line(seat: SeatScene, viewer: int | None) -> str:
    arrow = ">" if seat.to_move else " "
    name = f"seat {seat.seat}" + (" (you)" if seat.seat == viewer else "")
    if seat.out:
        return f"{arrow} {name:<13} out"
    cards = " ".join(_BACK if card == HIDDEN else pretty(card) for card in seat.cards)
    worth = f"= {seat.worth}" if seat.worth else ""
    return f"{arrow} {name:<13} {'●' * seat.lives:<5} {cards:<15} {worth:<7} {', '.join(seat.marks)}".rstrip()


def rgb_array(scene: Scene) -> npt.NDArray[np.uint8]:
    """The table as a picture: ``uint8 [640, 960, 3]``. Needs no display.

    Raises:
        UserError: the extra ``render`` is not installed.
    """
    require("render", "render_mode='rgb_array'")
    from thirtyone_env import render_picture

    return render_picture.picture(scene)


def check_render_mode(mode: str | None) -> str | None:
    """The mode, checked; where it needs the extra ``render``, that is looked for now.

    Raises:
        UserError: there is no such mode, or the extra is missing.
    """
    from thirtyone_env.errors import UserError

    if mode is not None and mode not in RENDER_MODES:
        raise UserError(f"render_mode={mode!r}: allowed are None, {', '.join(RENDER_MODES)}")
    if mode in ("human", "rgb_array"):
        require("render", f"render_mode={mode!r}")
    return mode


class Window:
    """A window that shows tables one after the other. Its state is not copied: a copy opens a window of its own."""

    def __init__(self, frames_a_second: int = 4) -> None:
        self.frames_a_second = frames_a_second
        self._screen: Any = None
        self._clock: Any = None

    def show(self, scene: Scene) -> None:
        """Show a table, and wait so that one can see it.

        Raises:
            UserError: the extra ``render`` is not installed.
        """
        require("render", "render_mode='human'")
        import pygame

        from thirtyone_env import render_picture

        if self._screen is None:
            pygame.display.init()
            self._screen = pygame.display.set_mode(render_picture.SIZE)
            pygame.display.set_caption("Thirty-One")
            self._clock = pygame.time.Clock()
        render_picture.draw(self._screen, scene)
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self.frames_a_second)

    def close(self) -> None:
        """Close the window, if it is open."""
        if self._screen is not None:
            import pygame

            pygame.display.quit()
            self._screen = self._clock = None

    def __deepcopy__(self, memo: dict[int, Any]) -> Window:
        return Window(self.frames_a_second)

    def __reduce__(self) -> Any:
        return Window, (self.frames_a_second,)
