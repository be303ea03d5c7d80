"""Who sits where: mirrored deals play the same cards in several seatings.

A seating is a tuple: entry *s* is the place in the table's list of policies of the one who sits in seat *s*. The seat
on a player's left is the next one, the last seat's left is seat 0.
"""

from __future__ import annotations

from itertools import permutations

Seating = tuple[int, ...]

ALL_UP_TO = 4
MIRRORS = ("auto", "all", "rotations", "none")


def seatings(players: int, mirror: str = "auto", deal: int = 0) -> list[Seating]:
    """Seatings in which the cards of one deal are played.

    Args:
        players: policies at the table.
        mirror: ``all``: each of the k! seatings. ``rotations``: k seatings, see `rotations`. ``auto``: ``all`` up to
            four players, ``rotations`` above. ``none``: one seating only, another one each deal.
        deal: number of the deal.
    """
    if mirror == "auto":
        mirror = "all" if players <= ALL_UP_TO else "rotations"
    if mirror == "all":
        return list(permutations(range(players)))
    if mirror == "rotations":
        return rotations(players, deal)
    circle = circles(players)[deal // players % len(circles(players))]
    return [_turned(circle, deal % players)]


def rotations(players: int, deal: int) -> list[Seating]:
    """The k rotations of one order around the table; each deal takes the next of `circles`.

    So in every deal each policy sits once in each seat, and over ``deals_to_balance(players)`` deals each policy is as
    often as any other on the left of each other one.
    """
    circle = circles(players)[deal % len(circles(players))]
    return [_turned(circle, shift) for shift in range(players)]


def deals_to_balance(players: int) -> int:
    """Deals after which the rotations have put each policy equally often on the left of each other one."""
    return len(circles(players))


def circles(players: int) -> list[Seating]:
    """Orders around the table in which together each policy has each other one on its left equally often.

    This is Walecki's way to split a complete graph into circles: one policy stays, the others go round a zigzag
    (0, 1, n-1, 2, n-2, ...), moved on by one each time. With an odd number of players that takes k - 1 orders and each
    neighbourhood comes once; with an even one the mirror images are needed too, and each comes twice.
    """
    others = players - 1
    zigzag = [(step + 1) // 2 if step % 2 else -step // 2 for step in range(others)]
    found = [(others, *((place + shift) % others for place in zigzag)) for shift in range(others)]
    if players % 2 == 0 and players > 2:
        found += [tuple(reversed(circle)) for circle in found]
    return found


def _turned(circle: Seating, shift: int) -> Seating:
    return circle[shift:] + circle[:shift]
