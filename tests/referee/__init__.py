"""A slow referee for Thirty-One, written from the rules' text alone and sharing no code with the library.

The library's compiled core and this package were written apart; where they agree on many random rounds, the
rules are read the same way twice. What the text leaves open is listed in `CHOICES.md`.
"""

from .game import RefereeGame, first_player, next_dealer
from .settle import settle
from .worth import worth

__all__ = ["RefereeGame", "first_player", "next_dealer", "settle", "worth"]
