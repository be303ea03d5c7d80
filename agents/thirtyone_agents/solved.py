"""Solutions of mini games that play: ``solved:FILE``, made by ``thirtyone solve``."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import numpy.typing as npt

from thirtyone_agents.learned import draw
from thirtyone_agents.policy import Actions, Keys, Views
from thirtyone_agents.solution_files import Floats, SolutionFile, read_solution
from thirtyone_agents.solved_views import Places, Words, plain_views, players_of, with_lives_of
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.core.layout import V_LEGAL, V_RULES0, V_RULES1
from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules


class SolvedPolicy:
    """A solution that answers views: it draws each action with the solution's chances, by the key.

    It knows the rounds that begin as the solved one did: under its rules, with its number of players, all in and with
    the tokens of the start; any seat may deal. A view alone tells what it plays, it remembers nothing.

    Args:
        about: what its file says of it.
        views: the positions; uint64 ``[n, 32]``.
        chances: of their legal actions, end to end; float64.
        name: its name.
        any_lives: whether it also plays with other tokens, as it would with those of the start.
        digest: hash of its file.
    """

    def __init__(
        self,
        about: SolutionFile,
        views: Words,
        chances: Floats,
        name: str,
        any_lives: bool = False,
        digest: str = "",
    ) -> None:
        self.about = about
        self.name = name
        self.rules = Rules.of(about.rules)
        self.any_lives = any_lives
        self._digest = digest
        self._packed = np.array(self.rules.packed, dtype=np.uint64)
        self._places = Places(views)
        self._first = np.concatenate([[0], np.cumsum(np.bitwise_count(views[:, V_LEGAL]).astype(np.int64))])
        self._chances = chances

    def __repr__(self) -> str:
        return f"SolvedPolicy({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """Name and hash of the file."""
        return f"{self.name} sha256:{self._digest[:16]}"

    def check(self, rules: Rules, players: int) -> None:
        """Refuse rules or a number of players other than those that were solved.

        Raises:
            UserError: they differ; the text says how.
        """
        if players != self.about.players:
            raise UserError(f"{self.name} is solved for {self.about.players} players, not for {players}")
        if rules.packed != self.rules.packed:
            mine, asked = self.rules.to_dict(), rules.to_dict()
            keys = [key for key in {**mine, **asked} if mine.get(key) != asked.get(key)]
            differ = ", ".join(f"{key}={mine.get(key)} (here {asked.get(key)})" for key in keys)
            raise UserError(f"{self.name} is a solution of other rules: {differ}")

    def act(self, views: Views, keys: Keys) -> Actions:
        """See `policy.Policy.act`."""
        return draw(self.probabilities(views), keys)

    def probabilities(self, views: Views) -> npt.NDArray[np.float64]:
        """Chance with which it plays each action: float64 ``[n, 63]``.

        Raises:
            UserError: a view is not of the solved round.
        """
        rows = self._rows(views)
        legal = (views[:, V_LEGAL, None] >> np.arange(NUM_ACTIONS, dtype=np.uint64)) & np.uint64(1) != 0
        number = legal.sum(axis=1)
        within = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
        found = np.zeros(legal.shape)
        found[legal] = self._chances[np.repeat(self._first[rows], number) + within]
        return found

    def _rows(self, views: Views) -> npt.NDArray[np.int64]:
        if (players_of(views) != self.about.players).any() or (views[:, [V_RULES0, V_RULES1]] != self._packed).any():
            raise UserError(
                f"{self.name} is a solution of {self._game()}, and was asked in another game"
            )
        plain = plain_views(views, self.about.players)
        start = self._places.views[0]
        rows = self._places.find(with_lives_of(plain, start) if self.any_lives else plain)
        if (rows >= 0).all():
            return rows
        unknown = plain[rows < 0][:1]
        if not self.any_lives and self._places.find(with_lives_of(unknown, start))[0] >= 0:
            sign = "&" if "?" in self.name else "?"
            raise UserError(
                f"{self.name} is solved for the tokens of the start, and was asked with others; to play as with those "
                f"name it {self.name}{sign}any_lives=1"
            )
        raise UserError(f"{self.name} does not know this position: it is not one of {self._game()}")

    def _game(self) -> str:
        return f"a round of {self.rules.name} with {self.about.players} players"


def load_solved(path: str | os.PathLike[str], any_lives: bool = False) -> SolvedPolicy:
    """The solution in a file.

    Raises:
        UserError: there is none, or it does not fit this version; nothing of it is run.
    """
    return _load(path, f"solved:{os.fspath(path)}", any_lives)


def load_named(argument: str) -> SolvedPolicy:
    """The solution of a name ``solved:argument``: a file, and ``?any_lives=1`` to play with other tokens too."""
    path, _, query = argument.partition("?")
    if not path:
        raise UserError("solved: needs a file, such as solved:runs/mini_4x2.npz")
    any_lives = False
    for key, value in parse_qsl(query, keep_blank_values=True):
        if key != "any_lives" or value not in ("0", "1"):
            raise UserError(f"solved:...?{key}={value} is not allowed: there is any_lives=0|1")
        any_lives = value == "1"
    return _load(path, f"solved:{argument}", any_lives)


def _load(path: str | os.PathLike[str], name: str, any_lives: bool) -> SolvedPolicy:
    about, views, chances = read_solution(path)
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
    try:
        return SolvedPolicy(about, views, chances, name, any_lives, digest)
    except ValueError as error:  # positions that are there twice
        raise UserError(f"{path} is no solution: {error}") from error
