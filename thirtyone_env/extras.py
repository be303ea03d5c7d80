"""The optional parts of the distribution, and whether they are installed; nothing is imported to find out."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec

from thirtyone_env.errors import UserError

# extra -> modules that it brings (top-level names), as in pyproject.toml
EXTRAS: dict[str, tuple[str, ...]] = {
    "train": ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors"),
    "eval": ("openskill", "matplotlib", "jinja2", "scipy"),
    "parquet": ("pyarrow",),
    "render": ("pygame",),
    "openspiel": ("pyspiel",),
    "ray": ("ray",),
    "cuda": ("numba_cuda",),
    "web": ("nicegui",),
}


def missing_modules(extra: str) -> list[str]:
    """Modules of an extra that are not installed, in the order of `EXTRAS`."""
    return [module for module in EXTRAS[extra] if find_spec(module) is None]


def missing_extras(extras: Iterable[str]) -> list[str]:
    """Those of the extras of which some module is not installed."""
    return [extra for extra in extras if missing_modules(extra)]


def extra_of(module: str) -> str | None:
    """The extra that brings a module (``"torch.nn"`` counts as ``"torch"``), or None."""
    top = module.partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def install_hint(extras: Iterable[str]) -> str:
    """The command that installs the extras."""
    return f'pip install "thirtyone-env[{",".join(extras)}]"'


def require(extra: str, what: str) -> None:
    """Raise `UserError` with the command to type if an extra that `what` needs is not installed."""
    missing = missing_modules(extra)
    if missing:
        raise UserError(f"{what} needs {', '.join(missing)}: {install_hint([extra])}")
