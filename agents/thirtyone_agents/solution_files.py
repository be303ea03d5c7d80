"""Files of solutions: one ``.npz`` of plain arrays, read without running code.

``header`` is JSON as uint8 (`SolutionFile`); ``views`` uint64 ``[n, 32]`` the positions as `solved_views.plain_views`
tells them; ``chances`` float64, for each position those of its legal actions in the order of their ids, end to end.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pydantic

from thirtyone_agents.solved_views import Words, players_of
from thirtyone_env.core.layout import V_LEGAL, V_RULES0, V_RULES1, VIEW_WORDS
from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules

FORMAT = 1
ENDING = ".npz"
Floats = npt.NDArray[np.float64]


class SolutionFile(pydantic.BaseModel):
    """What a solution says of itself. The numbers are in lives a round (in pot games: shares of the pot).

    Attributes:
        method: how it was solved.
        iterations: of the method.
        exploitability: exact, of the solution as it plays: the mean of what a seat gains by its best answer.
        nash_conv: the sum of it over the seats.
        values: what each seat gets where all play the solution.
        interrupted: whether it was stopped before it was as good as asked.
        curve: iterations and exploitability of the average play, as it fell.
    """

    model_config = pydantic.ConfigDict(extra="forbid", strict=True)

    format: int = FORMAT
    rules: dict[str, Any]
    players: int
    method: str
    iterations: int
    exploitability: float
    nash_conv: float
    values: list[float]
    information_sets: int
    positions: int
    interrupted: bool = False
    seconds: float = 0.0
    command: str = ""
    versions: dict[str, str] = {}
    curve: list[tuple[int, float]] = []


def write_solution(path: str | os.PathLike[str], about: SolutionFile, views: Words, chances: Floats) -> Path:
    """Write a solution whole: to a temporary name first, then renamed.

    Raises:
        UserError: it cannot be written; nothing is left behind.
    """
    path = Path(path)
    header = np.frombuffer(about.model_dump_json().encode(), dtype=np.uint8)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, header=header, views=views, chances=chances)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    return path


def read_solution(path: str | os.PathLike[str]) -> tuple[SolutionFile, Words, Floats]:
    """Read a solution: what it says of itself, views uint64 ``[n, 32]``, chances float64 (see above). Runs no code.

    Raises:
        UserError: there is no such file, or it is no solution, or not a whole one.
    """
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as file:
            header, views, chances = (file[name] for name in ("header", "views", "chances"))
    except FileNotFoundError:
        raise UserError(f"there is no solution {path} (thirtyone solve PRESET --out FILE makes one)") from None
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from error
    except KeyError as error:
        raise UserError(f"{path} is no solution: it has no {str(error.args[0]).partition(' ')[0]}") from error
    except (ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile, zlib.error) as error:
        raise UserError(f"{path} is no solution: it is not a whole .npz file of plain arrays") from error
    about = _parsed(header, path)
    _check(about, views, chances, path)
    return about, views, chances


def _parsed(header: npt.NDArray[Any], path: Path) -> SolutionFile:
    if header.dtype != np.uint8 or header.ndim != 1:
        raise UserError(f"{path} is no solution: its header must be text")
    try:
        return SolutionFile.model_validate_json(header.tobytes())
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the header"
        raise UserError(f"{path} is no solution: {where}: {first['msg']}") from error


def _check(about: SolutionFile, views: npt.NDArray[Any], chances: npt.NDArray[Any], path: Path) -> None:
    """Refuse what would not play: another format, wrong shapes, other rules' views, chances that are none."""
    if about.format != FORMAT:
        raise UserError(f"{path} has format {about.format}; this version reads format {FORMAT}")
    if views.dtype != np.uint64 or views.ndim != 2 or views.shape[1] != VIEW_WORDS or not len(views):
        raise UserError(f"{path}: views must be uint64 [n, {VIEW_WORDS}], not {views.dtype} {list(views.shape)}")
    try:
        packed = np.array(Rules.of(about.rules).packed, dtype=np.uint64)
    except UserError as error:
        raise UserError(f"{path}: {error}") from error
    if (views[:, [V_RULES0, V_RULES1]] != packed).any() or (players_of(views) != about.players).any():
        raise UserError(f"{path}: its positions are not those of its rules and {about.players} players")
    number = np.bitwise_count(views[:, V_LEGAL]).astype(np.int64)
    if not number.all() or chances.dtype != np.float64 or chances.shape != (number.sum(),):
        raise UserError(f"{path}: chances must be float64 [{number.sum()}], one for each legal action")
    sums = np.add.reduceat(chances, np.cumsum(number) - number)
    if not (chances >= 0).all() or not (np.abs(sums - 1) < 1e-9).all():
        raise UserError(f"{path}: the chances of a position must be 0 or more and sum to 1")
