"""The compiled core for processors other than this one: the same numbers, and code for machines of another kind."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.env.game_walks import PRESETS
from thirtyone_env import Rules, VectorGame
from thirtyone_env.core import observe_entry, policy_entry
from thirtyone_env.observation import size

AVX2 = "+avx2,+bmi,+bmi2,+fma,+lzcnt,+movbe,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2"
TARGETS = {"x86-64": "", "nehalem": "+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2", "haswell": AVX2}
HERE = """
import sys
import numpy as np
from thirtyone_env.core import observe_entry, policy_entry
views = np.load(sys.argv[1])
out, masks = np.zeros((len(views), int(sys.argv[3])), np.int8), np.zeros((len(views), 63), np.int8)
observe_entry.encode(views, out, masks, 9)
actions = np.zeros((2, len(views)), np.uint64)
for kind in (1, 2):
    policy_entry.act_views(kind, 40, views, np.arange(len(views), dtype=np.uint64), actions[kind - 1])
np.savez(sys.argv[2], out=out, masks=masks, actions=actions)
"""
FOR_ARM = """
import platform, re
platform.machine = lambda: "aarch64"
from llvmlite import binding
binding.initialize_all_targets()
binding.initialize_all_asmprinters()
from thirtyone_env.backends import standby
from thirtyone_env.core import observe_entry
for function in (observe_entry.encode, standby.stand_by, standby.all_ended):
    text = "".join(function.inspect_llvm().values())
    for triple in ("aarch64-unknown-linux-gnu", "aarch64-apple-darwin"):
        machine = binding.Target.from_triple(triple).create_target_machine(opt=2)
        there = re.sub("target triple = .*", f'target triple = "{triple}"', text)
        there = re.sub("target datalayout = .*", f'target datalayout = "{machine.target_data}"', there)
        there = re.sub('"target-(cpu|features)"="[^"]*"', "", there)
        module = binding.parse_assembly(there)
        module.verify()
        assert len(machine.emit_assembly(module)) > 1000
"""


def python(code: str, cache: Path, target: str, features: str, *arguments: object) -> None:
    environment = os.environ | {
        "NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": features, "THIRTYONE_CACHE_DIR": str(cache)
    }
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-2000:]


def some_views() -> np.ndarray:
    """Views in the middle of rounds of all variants, with two to nine players."""
    rules = [Rules.preset(PRESETS[i % len(PRESETS)]) for i in range(400)]
    players = [2 + i % 3 if kind.table == "stock_discard" else 2 + i % 7 for i, kind in enumerate(rules)]
    batch = VectorGame(400, rules, players, seed=8)
    seen = []
    for number in range(24):
        batch.step(batch.random_actions(number))
        if number % 6 == 5:
            seen.append(batch.views)
    return np.concatenate(seen)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="code for x86 runs on x86 only")
@pytest.mark.parametrize("target", TARGETS)
def test_older_processors_get_the_same_numbers(target: str, tmp_path: Path) -> None:
    """Without AVX-512, without pdep, and with nothing beyond what every 64-bit x86 has."""
    views = some_views()
    out, masks = np.zeros((len(views), size(9)), np.int8), np.zeros((len(views), 63), np.int8)
    observe_entry.encode(views, out, masks, 9)
    actions = np.zeros((2, len(views)), np.uint64)
    for kind in (1, 2):
        policy_entry.act_views(kind, 40, views, np.arange(len(views), dtype=np.uint64), actions[kind - 1])
    np.save(tmp_path / "views.npy", views)
    python(
        HERE, tmp_path / "cache", target, TARGETS[target], tmp_path / "views.npy", tmp_path / "got.npz", out.shape[1]
    )
    with np.load(tmp_path / "got.npz") as got:
        assert (got["out"] == out).all()
        assert (got["masks"] == masks).all()
        assert (got["actions"] == actions).all()


@pytest.mark.slow
def test_code_is_made_for_arm(tmp_path: Path) -> None:
    """Made, not run: no vector or instruction of x86 is left in what an ARM machine is given."""
    python(FOR_ARM, tmp_path / "cache", "generic", "")
