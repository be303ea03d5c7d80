"""Compiling the entry points once, and finding them in a cache afterwards.

Numba's own cache looks at the one file a function stands in and misses changes in what it imports. Here the cache
folder is named by a hash of all sources of the core, the versions of Python, numba and llvmlite, and the processor; so
an upgrade or a changed line is always noticed. The folder lies in the package where that can be written, else in the
user's cache folder; ``THIRTYONE_CACHE_DIR`` overrides both. A file lock lets processes that start at once compile once.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
from llvmlite import binding
from numba.core.caching import CompileResultCacheImpl, FunctionCache

CORE = "core"  # the group of entry points that every user needs
_ENTRIES: dict[str, list[tuple[Any, str]]] = {}
_DONE = "complete"


def sources_hash(folder: Path | None = None) -> str:
    """Hash of the core's sources, the compiler's versions and the processor; hexadecimal."""
    digest = hashlib.sha256()
    for path in sorted((folder or Path(__file__).parent).glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    processor = f"{binding.get_host_cpu_name()} {sorted(binding.get_host_cpu_features().items())}"
    for part in (sys.version, numba.__version__, llvmlite.__version__, platform.machine(), processor):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:20]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path:
    """Folder of the compiled entry points of exactly these sources on this machine."""
    name = f"core-{sources_hash()}"
    chosen = os.environ.get("THIRTYONE_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thirtyone-env"
    candidates = [Path(chosen)] if chosen else [Path(__file__).parent / "__pycache__", user]
    for base in candidates:
        if _writable(base / name):
            return base / name
    return Path(tempfile.gettempdir()) / f"thirtyone-env-{os.getuid() if hasattr(os, 'getuid') else 'user'}" / name


_FOLDER = cache_folder()


class _Locator:
    """Tells numba's cache where to keep a function; the folder's name is the freshness stamp."""

    def __init__(self, py_func: Callable[..., Any]):
        self._py_func = py_func

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        del py_file
        return cls(py_func)

    def ensure_cache_path(self) -> None:
        _FOLDER.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(_FOLDER)

    def get_source_stamp(self) -> str:
        return _FOLDER.name

    def get_disambiguator(self) -> str:
        return self._py_func.__name__


class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    _locator_classes = [_Locator]


class _Cache(FunctionCache):  # type: ignore[misc]  # numba has no types
    _impl_class = _CacheImpl


def entry(signature: str, group: str = CORE) -> Callable[[Callable[..., Any]], Any]:
    """Mark a function as one that Python calls: compiled for just this signature, and cached.

    A group is compiled as a whole by `compile_entries`; so who needs the core only does not wait for the rest.
    """

    def mark(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(error_model="numpy", nogil=True, _nrt=False)(function)
        dispatcher._cache = _Cache(function)
        _ENTRIES.setdefault(group, []).append((dispatcher, signature))
        return dispatcher

    return mark


@contextlib.contextmanager
def _lock(folder: Path) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # not on Windows: two first starts at once compile twice, which does no harm
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def compile_entries(group: str = CORE, what: str = "the rules core") -> None:
    """Load a group's entry points from the cache, or compile them, with a message that names it while it lasts."""
    started = time.perf_counter()
    done = _FOLDER / f"{_DONE}-{group}"
    if done.exists():
        _compile_all(group)
        return
    with _lock(_FOLDER):
        fresh = not done.exists()
        if fresh:
            print(f"thirtyone-env: compiling {what}, once for this version ...", file=sys.stderr, flush=True)
        _compile_all(group)
        done.touch()
        if fresh:
            took = time.perf_counter() - started
            print(f"thirtyone-env: compiled in {took:.1f} s; later starts use the cache", file=sys.stderr, flush=True)


def _compile_all(group: str) -> None:
    for dispatcher, signature in _ENTRIES[group]:
        if not dispatcher.signatures:
            dispatcher.compile(signature)
            dispatcher.disable_compile()
