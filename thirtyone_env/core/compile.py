"""Compiling the entry points once, and finding them in a cache afterwards.

Numba's own cache looks at the one file a function stands in and misses changes in what it imports. Here each module of
entry points has a cache folder named by a hash of its source and of all our modules that it imports, directly or not,
the versions of Python, numba and llvmlite, and the processor; so an upgrade or a changed line is always noticed. The
folder lies in the package where that can be written, else in the user's cache folder; ``THIRTYONE_CACHE_DIR``
overrides both. A file lock lets processes that start at once compile once.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import llvmlite
import numba
from llvmlite import binding
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache

CORE = "core"
_OURS = "thirtyone_"
_DONE = "complete"
_ENTRIES: dict[str, list[tuple[Any, str]]] = {}


def imported_sources(module: Path) -> list[Path]:
    """A module and every module of ours that it imports with ``from``, directly or not; sorted.

    Modules that compile functions of their own may live outside the core, and beside other modules of their package.
    """
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.add(path)
            waiting.extend(_file_of(name, path) for name in _imports(path))
    return sorted(found)


def _file_of(name: str, importer: Path) -> Path:
    """File of the module ``name`` (dotted), beside the importer where it is of the same package."""
    package, *rest = name.split(".")
    roots = [folder for folder in importer.parents if folder.name == package]
    root = roots[0] if roots else Path(__file__).parent.parent
    return root.joinpath(*rest).with_suffix(".py")


def _imports(path: Path) -> list[str]:
    """Dotted names of our modules that a file imports; names of functions among them, which have no file."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_OURS):
            names.append(str(node.module))
            names.extend(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def sources_hash(module: Path) -> str:
    """Hash of a module's sources, the compiler's versions and the processor; hexadecimal."""
    digest = hashlib.sha256()
    for path in imported_sources(module):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    processor = f"{binding.get_host_cpu_name()} {sorted(binding.get_host_cpu_features().items())}"
    processor += f" {config.CPU_NAME} {config.CPU_FEATURES}"  # another one to compile for, where the user names it
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


@functools.cache
def cache_folder(module: Path) -> Path:
    """Folder of the compiled entry points of one module, for exactly these sources on this machine."""
    name = f"{module.stem}-{sources_hash(module)}"
    chosen = os.environ.get("THIRTYONE_CACHE_DIR")
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "thirtyone-env"
    candidates = [Path(chosen)] if chosen else [module.parent / "__pycache__", user]
    for base in candidates:
        if _writable(base / name):
            return base / name
    return Path(tempfile.gettempdir()) / f"thirtyone-env-{os.getuid() if hasattr(os, 'getuid') else 'user'}" / name


class _Locator:
    """Tells numba's cache where to keep a function; the folder's name is the freshness stamp."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        return cls(cache_folder(Path(py_file).resolve()), py_func.__name__)

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return self._name


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes: ClassVar[list[type]] = [_Locator]


class _Cache(FunctionCache):
    _impl_class = _CacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function, or None where there is none; a damaged file (a disk was full) is as none."""
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            print(f"thirtyone-env: {self._name} is compiled anew, its cache is damaged: {error!r}", file=sys.stderr)
            self.flush()
            return None


def entry(signature: str, group: str = CORE) -> Callable[[Callable[..., Any]], Any]:
    """Mark a function as one that Python calls: compiled for just this signature, and cached.

    A group is the entry points of one module and is compiled as a whole by `compile_entries`; so who needs the core
    only does not wait for the rest.
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
    folder = Path(_ENTRIES[group][0][0]._cache.cache_path)
    done = folder / _DONE
    if done.exists():
        _compile_all(group)
        return
    with _lock(folder):
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
