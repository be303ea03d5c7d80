"""The picture of a table, drawn on a pygame surface; needs no display."""

from __future__ import annotations

import functools
import math
import os
from typing import Any

import numpy as np
import numpy.typing as npt

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from thirtyone_env.cards import CARDS
from thirtyone_env.render_scene import HIDDEN, NO_CARD, Scene, SeatScene

SIZE = (960, 640)
CARD = (56, 80)
_GAP = 6
_FELT = (30, 92, 62)
_FELT_LIGHT = (42, 110, 76)
_WHITE = (250, 249, 244)
_INK = (28, 30, 34)
_RED = (196, 38, 46)
_BACK = (58, 84, 140)
_GOLD = (240, 196, 76)
_PALE = (206, 222, 212)
_GREY = (120, 140, 130)
Colour = tuple[int, int, int]


def picture(scene: Scene) -> npt.NDArray[np.uint8]:
    """The table as ``uint8 [640, 960, 3]``."""
    surface = pygame.Surface(SIZE)
    draw(surface, scene)
    return np.ascontiguousarray(np.transpose(pygame.surfarray.array3d(surface), (1, 0, 2)))


def draw(surface: Any, scene: Scene) -> None:
    """Draw the table on a surface of `SIZE`."""
    surface.fill(_FELT)
    pygame.draw.ellipse(surface, _FELT_LIGHT, (150, 120, SIZE[0] - 300, SIZE[1] - 270))
    _text(surface, scene.title, (14, 12), 20, _PALE)
    for line, note in enumerate(scene.notes):
        _text(surface, note, (14, 38 + 20 * line), 16, _GOLD)
    _draw_middle(surface, scene)
    first = scene.viewer or 0
    players = len(scene.seats)
    for place in range(players):
        _draw_seat(surface, scene.seats[(first + place) % players], _spot(place, players), scene.viewer)


def _spot(place: int, players: int) -> tuple[float, float]:
    """Middle of a seat: place 0 at the bottom, the next ones clockwise."""
    angle = math.pi / 2 + 2 * math.pi * place / players
    return SIZE[0] / 2 + 385 * math.cos(angle), SIZE[1] / 2 - 2 + 228 * math.sin(angle)


def _draw_middle(surface: Any, scene: Scene) -> None:
    items: list[tuple[str, int | None]] = [(f"stock {scene.stock}", HIDDEN if scene.stock else None)]
    if scene.has_pile:
        items.append((f"pile {scene.pile}", None if scene.top == NO_CARD else scene.top))
    items += [(scene.open_name if i == 0 else "", card) for i, card in enumerate(scene.open_cards)]
    step = CARD[0] + 22
    x = SIZE[0] / 2 - (step * len(items) - 22) / 2
    y = SIZE[1] / 2 - CARD[1] / 2 - 10
    for label, card in items:
        if card is None:
            pygame.draw.rect(surface, _PALE, (x, y, *CARD), width=2, border_radius=7)
        else:
            _draw_card(surface, card, x, y)
        _text(surface, label, (x + CARD[0] / 2, y + CARD[1] + 12), 16, _PALE, centre=True)
        x += step


def _draw_seat(surface: Any, seat: SeatScene, spot: tuple[float, float], viewer: int | None) -> None:
    x, y = spot
    name = f"seat {seat.seat}" + (" (you)" if seat.seat == viewer else "")
    if seat.out:
        _text(surface, f"{name}: out", (x, y), 18, _GREY, centre=True)
        return
    width = len(seat.cards) * (CARD[0] + _GAP) - _GAP
    if seat.to_move:
        box = (x - width / 2 - 7, y - CARD[1] / 2 - 7, width + 14, CARD[1] + 14)
        pygame.draw.rect(surface, _GOLD, box, width=3, border_radius=10)
    for i, card in enumerate(seat.cards):
        _draw_card(surface, card, x - width / 2 + i * (CARD[0] + _GAP), y - CARD[1] / 2)
    label = f"{name}   {seat.worth}".rstrip()
    _text(surface, label, (x, y + CARD[1] / 2 + 18), 18, _WHITE, centre=True)
    marks = [mark for mark in seat.marks if mark != "to move"]
    _text(surface, "  ".join(marks), (x, y - CARD[1] / 2 - 18), 16, _GOLD, centre=True)
    _draw_lives(surface, seat.lives, x, y + CARD[1] / 2 + 36)


def _draw_lives(surface: Any, lives: int, x: float, y: float) -> None:
    if lives > 9:
        _text(surface, f"{lives} lives", (x, y), 16, _GOLD, centre=True)
        return
    for i in range(lives):
        pygame.draw.circle(surface, _GOLD, (int(x + (i - (lives - 1) / 2) * 16), int(y)), 6)


def _draw_card(surface: Any, card: int, x: float, y: float) -> None:
    face = pygame.Rect(int(x), int(y), *CARD)
    pygame.draw.rect(surface, _BACK if card == HIDDEN else _WHITE, face, border_radius=7)
    pygame.draw.rect(surface, _INK, face, width=1, border_radius=7)
    if card == HIDDEN:
        pygame.draw.rect(surface, _PALE, face.inflate(-12, -12), width=2, border_radius=4)
        return
    rank, suit = CARDS[card][0], CARDS[card][1]
    colour = _RED if suit in "DH" else _INK
    _text(surface, rank.replace("T", "10"), (face.x + 7, face.y + 5), 22, colour)
    _draw_suit(surface, suit, face.x + CARD[0] / 2 + 2, face.y + CARD[1] / 2 + 10, 15, colour)


def _draw_suit(surface: Any, suit: str, x: float, y: float, r: float, colour: Colour) -> None:
    if suit == "D":
        _polygon(surface, colour, x, y, r, ((0, -1.25), (0.95, 0), (0, 1.25), (-0.95, 0)))
        return
    if suit == "C":
        for dx, dy in ((0, -0.6), (-0.6, 0.25), (0.6, 0.25)):
            pygame.draw.circle(surface, colour, (int(x + dx * r), int(y + dy * r)), int(r * 0.52))
    else:
        flip = 1 if suit == "H" else -1
        for dx in (-0.5, 0.5):
            pygame.draw.circle(surface, colour, (int(x + dx * r), int(y - flip * 0.35 * r)), int(r * 0.56))
        _polygon(surface, colour, x, y, r, ((-1.02, -0.12 * flip), (1.02, -0.12 * flip), (0, 1.2 * flip)))
    if suit in "CS":
        _polygon(surface, colour, x, y, r, ((0, 0), (0.45, 1.25), (-0.45, 1.25)))


def _polygon(
    surface: Any, colour: Colour, x: float, y: float, r: float, points: tuple[tuple[float, float], ...]
) -> None:
    pygame.draw.polygon(surface, colour, [(x + r * dx, y + r * dy) for dx, dy in points])


@functools.lru_cache(maxsize=8)
def _font(height: int) -> Any:
    if not pygame.font.get_init():
        pygame.font.init()
    return pygame.font.Font(None, height + 6)


def _text(
    surface: Any, text: str, where: tuple[float, float], height: int, colour: Colour, centre: bool = False
) -> None:
    if not text:
        return
    image = _font(height).render(text, True, colour)
    box = image.get_rect(center=where) if centre else image.get_rect(topleft=where)
    box.clamp_ip(surface.get_rect())
    surface.blit(image, box)
