"""The README's examples run as they stand, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_readme_example_runs(number: int) -> None:
    exec(compile(BLOCKS[number], f"README.md, example {number + 1}", "exec"), {"__name__": "readme"})


def test_readme_has_an_example_for_each_kind_of_user() -> None:
    assert len(BLOCKS) >= 6


def test_readme_links_lead_to_files() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", TEXT)
    missing = [target for target in targets if not (ROOT / target).exists()]
    assert targets
    assert missing == []


def test_readme_names_every_main_preset() -> None:
    from thirtyone_env import Rules

    main = [name for name in Rules.presets() if not name.startswith("mini")]
    assert [name for name in main if f"| `{name}` |" not in TEXT] == []
