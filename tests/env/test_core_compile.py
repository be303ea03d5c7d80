"""The cache of compiled code: a changed line is always noticed, also in an imported file; nothing compiles twice."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from thirtyone_env.core import compile as cache

CORE = Path(cache.__file__).parent
ENTRY_MODULES = sorted(p for p in CORE.glob("*.py") if "compile_entries(" in p.read_text() and p.stem != "compile")
# An entry point of its own: small enough to compile in a moment, and leaning on `worth`, which imports others.
PROBE = '''
from thirtyone_env.core import worth
from thirtyone_env.core.compile import compile_entries, entry

@entry("uint64(uint64, uint64)", group="probe")
def probe(hand, rules1):
    """Worth of a hand in half points."""
    return worth.worth(hand, rules1)

compile_entries("probe", "the probe")
'''
RUN = "from thirtyone_env.core.probe_entry import probe; print(probe(1 << 51 | 1 << 50 | 1 << 49, 0))"
MESSAGE = "thirtyone-env: compiling the probe, once for this version ..."


@pytest.fixture
def installation(tmp_path: Path) -> Path:
    """A copy of the package without any cache, and with the probe."""
    package = tmp_path / "site" / "thirtyone_env"
    shutil.copytree(CORE.parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    (package / "core" / "probe_entry.py").write_text(PROBE, encoding="utf-8")
    return tmp_path


def start(installation: Path) -> subprocess.Popen[str]:
    environment = {k: v for k, v in os.environ.items() if k not in ("THIRTYONE_CACHE_DIR", "PYTHONPATH")}
    environment |= {"PYTHONPATH": str(installation / "site"), "XDG_CACHE_HOME": str(installation / "user")}
    return subprocess.Popen(
        [sys.executable, "-c", RUN], env=environment, cwd=installation, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def run(installation: Path) -> tuple[int, bool]:
    """What the probe says in a fresh process, and whether that compiled."""
    return outcome(start(installation))


def outcome(process: subprocess.Popen[str]) -> tuple[int, bool]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return int(out), MESSAGE in err


def change(installation: Path, module: str, old: str, new: str) -> None:
    path = installation / "site" / "thirtyone_env" / "core" / f"{module}.py"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_changed_line_of_an_imported_file_changes_the_result(installation: Path) -> None:
    assert run(installation) == (62, True)
    change(installation, "tips", "from __future__", "# another comment\nfrom __future__")
    assert run(installation) == (62, False), "the cache serves the second start; the probe does not import tips"
    change(installation, "lanes", "POINTS = U(0xBAAAA98765432)", "POINTS = U(0x9AAAA98765432)")
    assert run(installation) == (58, True), "an ace is nine now"
    change(installation, "lanes", "POINTS = U(0x9AAAA98765432)", "POINTS = U(0xBAAAA98765432)")
    assert run(installation) == (62, False), "the old sources find their old cache"


def test_two_first_starts_at_once_compile_once(installation: Path) -> None:
    processes = [start(installation) for _ in range(2)]
    results = [outcome(process) for process in processes]
    assert [result for result, _ in results] == [62, 62]
    assert sum(compiled for _, compiled in results) == 1


def test_a_read_only_installation_uses_the_users_cache(installation: Path) -> None:
    """A file stands where the cache folder would be made, which stops root too."""
    (installation / "site" / "thirtyone_env" / "core" / "__pycache__").write_text("no folder")
    assert run(installation) == (62, True)
    assert run(installation) == (62, False)
    kept = list((installation / "user" / "thirtyone-env").iterdir())
    assert [path.name.split("-")[0] for path in kept] == ["probe_entry"]
    (kept[0] / "complete").unlink()
    assert run(installation) == (62, True), "a first start that was cut off is made good"


@pytest.mark.parametrize("module", ENTRY_MODULES, ids=lambda path: path.stem)
def test_every_imported_file_is_part_of_the_hash(module: Path, tmp_path: Path) -> None:
    folder = tmp_path / "thirtyone_env" / "core"
    shutil.copytree(CORE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    copy = folder / module.name
    before = cache.sources_hash(copy)
    sources = cache.imported_sources(copy)
    assert copy in sources
    assert {"bits.py", "layout.py"} <= {path.name for path in sources}
    all_of_them = module.stem == "entry"  # elsewhere the ends of the chain will do
    for path in sources if all_of_them else (copy, folder / "bits.py", folder / "layout.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text + "\n# changed\n", encoding="utf-8")
        assert cache.sources_hash(copy) != before, path.name
        path.write_text(text, encoding="utf-8")
    assert cache.sources_hash(copy) == before


def test_a_module_outside_the_core_is_hashed_with_the_core_it_uses_and_with_its_neighbours(tmp_path: Path) -> None:
    package = tmp_path / "thirtyone_lab"
    (package / "deep").mkdir(parents=True)
    (package / "near.py").write_text("from thirtyone_env.core.bits import jit\n")
    (package / "deep" / "probe.py").write_text("from thirtyone_lab import near\nimport numpy\n")
    sources = cache.imported_sources(package / "deep" / "probe.py")
    assert [path.name for path in sources if path.is_relative_to(package)] == ["probe.py", "near.py"]
    assert CORE / "bits.py" in sources


def test_core_files_import_each_other_only_in_the_forms_that_the_hash_follows() -> None:
    """`from thirtyone_env.core import x` and `from thirtyone_env.core.x import y`; anything else would be missed."""
    missed = []
    for path in CORE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                missed += [f"{path.name}: import {a.name}" for a in node.names if a.name.startswith("thirtyone_env")]
            elif isinstance(node, ast.ImportFrom) and (node.level or node.module == "thirtyone_env"):
                missed.append(f"{path.name}: from {'.' * node.level}{node.module or ''} import ...")
    assert missed == []


def test_entry_modules_are_found() -> None:
    assert "entry" in [path.stem for path in ENTRY_MODULES]


def test_importing_the_package_loads_neither_numba_nor_anything_that_learns() -> None:
    heavy = ("numba", "llvmlite", "pettingzoo", "torch", "stable_baselines3", "matplotlib", "pygame", "pyspiel")
    program = f"import sys, thirtyone_env; print([m for m in {heavy} if m in sys.modules], thirtyone_env.__version__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[] ")
    assert done.stderr == ""
