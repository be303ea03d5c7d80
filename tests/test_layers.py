"""Imports point one way: thirtyone_env <- thirtyone_agents <- thirtyone_train, thirtyone_eval.

One exception: two commands of thirtyone_eval train an agent, so files named ``demo*.py`` there, and
``exploit/learner.py``, may import thirtyone_train, inside functions only.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "thirtyone_env": ROOT / "thirtyone_env",
    "thirtyone_agents": ROOT / "agents" / "thirtyone_agents",
    "thirtyone_train": ROOT / "train" / "thirtyone_train",
    "thirtyone_eval": ROOT / "eval" / "thirtyone_eval",
}
MAY_IMPORT = {
    "thirtyone_env": set(),
    "thirtyone_agents": {"thirtyone_env"},
    "thirtyone_train": {"thirtyone_env", "thirtyone_agents"},
    "thirtyone_eval": {"thirtyone_env", "thirtyone_agents"},
}
CORE_MAY_IMPORT = {"numpy", "numba", "llvmlite"}  # llvmlite is the half of numba that names the CPU


class Import(NamedTuple):
    module: str
    line: int
    in_function: bool


def imports_of(path: Path, package: str) -> Iterator[Import]:
    """Every import statement of a file, as absolute module names; `package` is the file's own package."""
    tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    lazy = {id(child) for function in functions for child in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, id(node) in lazy)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, base]).rstrip(".")
            for alias in node.names:
                yield Import(f"{base}.{alias.name}", node.lineno, id(node) in lazy)


def package_of(path: Path, name: str) -> str:
    inside = path.relative_to(FOLDERS[name]).parent
    return ".".join([name, *inside.parts])


def may_train(path: Path) -> bool:
    eval_folder = FOLDERS["thirtyone_eval"]
    demo = path.is_relative_to(eval_folder) and path.stem.startswith("demo")
    return demo or path == eval_folder / "exploit" / "learner.py"


@pytest.mark.parametrize("name", FOLDERS)
def test_imports_point_one_way(name: str) -> None:
    wrong = []
    for path in FOLDERS[name].rglob("*.py"):
        for found in imports_of(path, package_of(path, name)):
            top = found.module.split(".")[0]
            if top not in FOLDERS or top == name or top in MAY_IMPORT[name]:
                continue
            if may_train(path) and top == "thirtyone_train" and found.in_function:
                continue
            wrong.append(f"{path.relative_to(ROOT)}:{found.line} imports {found.module}")
    assert wrong == []


def test_the_check_sees_all_forms_of_import(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text("import a.b\nfrom c import d\ndef f():\n    from ..g import h\n    from . import i\n")
    found = {(one.module, one.in_function) for one in imports_of(file, "p.q")}
    assert found == {("a.b", False), ("c.d", False), ("p.g.h", True), ("p.q.i", True)}


def own_file(module: str) -> Path | None:
    """File of a module of thirtyone_env named by an import such as ``thirtyone_env.core.bits.get``."""
    parts = module.split(".")
    for length in range(len(parts), 1, -1):
        stem = ROOT.joinpath(*parts[:length])
        for path in (stem.with_suffix(".py"), stem / "__init__.py"):
            if path.is_file():
                return path
    return None


def core_files() -> list[Path]:
    """The rules core and whatever of thirtyone_env it imports, to the end."""
    waiting = [*sorted((ROOT / "thirtyone_env" / "core").rglob("*.py")), ROOT / "thirtyone_env" / "cards.py"]
    seen: list[Path] = []
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        seen.append(path)
        for found in imports_of(path, package_of(path, "thirtyone_env")):
            own = own_file(found.module) if found.module.startswith("thirtyone_env.") else None
            if own is not None:
                waiting.append(own)
    return seen


def test_pains_e7_core_imports_only_the_standard_library_numpy_and_numba() -> None:
    allowed = set(sys.stdlib_module_names) | CORE_MAY_IMPORT | {"thirtyone_env"}
    wrong = [
        f"{path.relative_to(ROOT)}:{found.line} imports {found.module}"
        for path in core_files()
        for found in imports_of(path, package_of(path, "thirtyone_env"))
        if found.module.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_pains_e7_importing_the_core_loads_no_other_dependency() -> None:
    files = sorted((ROOT / "thirtyone_env" / "core").rglob("*.py"))
    modules = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files
    ]
    others = ["gymnasium", "pettingzoo", "typer", "rich", "pydantic", "torch", "pygame"]
    # the package itself registers the Gymnasium id, so an empty one stands in for it here
    package = str(ROOT / "thirtyone_env")
    program = (
        "import sys, types\n"
        "sys.modules['thirtyone_env'] = stand_in = types.ModuleType('thirtyone_env')\n"
        f"stand_in.__path__ = [{package!r}]\n"
        f"import thirtyone_env.cards, {', '.join(modules)}\n"
        f"print([name for name in {others} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
