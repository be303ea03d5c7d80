"""Lines of at most 40 columns, and how a game stands in them."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence

from thirtyone_env.keeper.house import on_county
from thirtyone_env.keeper.rounds import Round
from thirtyone_env.keeper.state import Kept, Played, Standing

WIDTH = 40
NAME_WIDTH = 14
_DOTS = 10  # more tokens than that are a number


def on_terminal() -> bool:
    """Whether a terminal shows what is printed; a file or another program gets whole lines."""
    return sys.stdout.isatty()


class Screen:
    """Prints, wrapped to 40 columns on a terminal; silent while `muted`."""

    def __init__(self) -> None:
        self.muted = False
        self.wraps = on_terminal()

    def say(self, *lines: str) -> None:
        """Print lines, each wrapped where a terminal shows them; an empty one stays empty."""
        if self.muted:
            return
        for line in lines:
            print("\n".join(wrapped(line)) if self.wraps else line, flush=True)


def wrapped(line: str) -> list[str]:
    """A line in pieces of at most 40 columns; what follows the first is indented by two more than it."""
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False) or [""]


def standing_lines(kept: Kept) -> list[str]:
    """How the game stands: a line a player, ``D`` before the dealer of the coming round."""
    standing = kept.standing
    lines = ["-" * WIDTH]
    for seat, name in enumerate(kept.names):
        dealer = "D" if seat == standing.dealer and standing.winner is None else " "
        lines.append(f"{dealer}{seat + 1:>3} {name:<{NAME_WIDTH}} {_tokens(kept, standing, seat)}".rstrip())
    return [*lines, "-" * WIDTH]


def _tokens(kept: Kept, standing: Standing, seat: int) -> str:
    if seat == standing.winner:
        return "has won"
    if seat in standing.left:
        return "has left"
    if seat in standing.out:
        return "out"
    if seat in standing.county:
        return on_county(kept.house.county)
    count = standing.lives[seat]
    return "●" * count if count <= _DOTS else f"{count} ●"


def names_text(seats: Sequence[int], names: Sequence[str]) -> str:
    """Names as words: ``Ann, Bob and Cem``."""
    words = [names[seat] for seat in seats]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def round_line(played: Played, kept: Kept) -> str:
    """A round in short: how it ended and who lost what."""
    assert played.told is not None
    assert played.result is not None
    losses = [
        f"{kept.names[seat]} -{lost}" for seat, lost in enumerate(played.result.lost) if lost
    ]
    what = "void" if played.result.replayed else (", ".join(losses) or "nobody loses")
    return f"{played.number:>2} {_ending(played.told, kept.names)}: {what}"


def _ending(told: Round, names: Sequence[str]) -> str:
    if told.shown:
        return f"{names_text(told.shown, names)} showed"
    return "no knock" if told.knocker is None else f"{names[told.knocker]} knocked"
