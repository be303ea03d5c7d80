"""What a machine without numba-cuda or without a GPU is told."""

from __future__ import annotations

import subprocess
import sys

import pytest

from thirtyone_env import UserError, VectorGame, extras
from thirtyone_env.backends import backend_of


def test_without_numba_cuda_the_extra_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r'device="cuda" needs numba_cuda: pip install "thirtyone-env\[cuda\]"'):
        VectorGame(4, device="cuda")


def test_an_unknown_device_is_named_with_those_there_are() -> None:
    with pytest.raises(UserError, match="device='tpu' is not allowed: cpu, cuda"):
        backend_of("tpu", 1)


def test_the_cpu_alone_loads_nothing_of_cuda() -> None:
    code = (
        "import sys; from thirtyone_env import VectorGame; batch = VectorGame(4); batch.step(batch.random_actions(1));"
        "print([m for m in sys.modules if m.startswith(('numba_cuda', 'numba.cuda.', 'thirtyone_env.cuda', 'torch'))])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
