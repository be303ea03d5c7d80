"""Where the shipped YAML files are, and how a command finds the one that the user names.

In a checkout they are in ``configs/`` at the top; in an installation in ``thirtyone_env/configs/``.
"""

from __future__ import annotations

import difflib
from pathlib import Path

from thirtyone_env.errors import UserError

_PACKAGE = Path(__file__).resolve().parent
_SUFFIXES = (".yaml", ".yml")


def configs_dir() -> Path:
    """Folder of the shipped configs: ``rules/``, ``train/``, ``tournaments/``."""
    installed = _PACKAGE / "configs"
    return installed if installed.is_dir() else _PACKAGE.parent / "configs"


def shipped(kind: str) -> list[str]:
    """Names of the shipped configs of a kind (``"rules"``, ``"train"``, ``"tournaments"``), sorted."""
    return sorted(path.stem for path in (configs_dir() / kind).glob("*.yaml"))


def find_config(kind: str, name: str) -> Path:
    """File that `name` stands for: a path to a YAML file, or the name of a shipped config of that kind.

    Raises:
        UserError: there is no such file; the text names the shipped ones.
    """
    path = Path(name)
    if path.suffix in _SUFFIXES or path.parent != Path():
        if path.is_file():
            return path
        raise UserError(f"there is no file {name!r}; {_shipped_text(kind, path.stem)}")
    found = configs_dir() / kind / f"{name}.yaml"
    if found.is_file():
        return found
    raise UserError(f"{name!r} is neither a file nor a shipped config of {kind}; {_shipped_text(kind, name)}")


def _shipped_text(kind: str, name: str) -> str:
    names = shipped(kind)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {close[0]}? " if close else ""
    return f"{hint}shipped are: {', '.join(names) or 'none'}"
