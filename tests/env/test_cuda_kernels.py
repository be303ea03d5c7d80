"""The GPU's kernels, as far as a machine without a GPU can check them, and on a GPU where there is one.

Without a GPU the kernels' code, typed and lowered for CUDA, runs on this processor (`cuda.on_host`), and PTX is made
and assembled. `bench/gpu.py` checks more on a machine with one.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_env import IllegalAction, UserError, VectorGame

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip('numba-cuda is not installed: pip install "thirtyone-env[cuda]"', allow_module_level=True)

from thirtyone_env.backends.cuda import CudaBackend
from thirtyone_env.cuda import check
from thirtyone_env.cuda.catalog import KERNELS, Kernel, play_kernel
from thirtyone_env.cuda.load import load
from thirtyone_env.cuda.on_host import HostDevice

ALL = {**KERNELS, "play": play_kernel(4)}
USES_FRACTIONS = {"step", "settle", "sample", "observe_bfloat16"}  # rewards, logits, a network's numbers


def _has_nvvm() -> bool:
    if any(importlib.util.find_spec(name) is None for name in ("cuda", "cuda.pathfinder")):
        return False
    from cuda.pathfinder import DynamicLibNotFoundError, load_nvidia_dynamic_lib

    try:
        return all(load_nvidia_dynamic_lib(name) for name in ("nvvm", "nvrtc"))
    except DynamicLibNotFoundError:
        return False


def _gpu() -> bool:
    return bool(load().is_available())


needs_nvvm = pytest.mark.skipif(not _has_nvvm(), reason="NVVM or NVRTC is not installed: numba-cuda[cu13]")


@pytest.fixture(scope="module")
def host() -> CudaBackend:
    """The kernels' code on the CPU: built once for all tests here, since that takes half a minute."""
    return CudaBackend(HostDevice())


@pytest.fixture(params=["host", "gpu"])
def backend(request: pytest.FixtureRequest, host: CudaBackend) -> CudaBackend:
    if request.param == "host":
        return host
    if not _gpu():
        pytest.skip("no NVIDIA GPU on this machine")
    return CudaBackend()


def test_the_same_games_as_on_the_cpu_in_mixed_variants_and_sizes(backend: CudaBackend) -> None:
    played = check.lock_step(backend, games=500, steps=300, seed=4)
    assert played["matches"] > 1000
    assert check.lock_step(backend, games=130, steps=60, seed=5, reward="match")["rounds"] > 100
    assert check.lock_step(backend, games=130, steps=60, seed=6, episode="round")["rounds"] > 100


def test_a_step_in_one_kernel_gives_the_same_games_as_in_two(backend: CudaBackend) -> None:
    backend.gathers = False
    try:
        assert check.lock_step(backend, games=500, steps=100, seed=8)["matches"] > 300
    finally:
        backend.gathers = True


def test_fused_play_leaves_the_same_states_and_tallies_as_on_the_cpu(backend: CudaBackend) -> None:
    assert check.fused(backend, games=400, rounds=6)["matches"] > 100


def test_cards_are_fair(backend: CudaBackend) -> None:
    assert check.fair_cards(backend, games=20_000)["drawn cards"]["counted"] == 20_000


def test_a_batch_of_one_game_and_one_that_fills_no_block(backend: CudaBackend) -> None:
    for games in (1, 129):
        mine, theirs = check.pair(backend, games, seed=games)
        for step in range(30):
            actions = mine.random_actions(step)
            mine.step(actions)
            theirs.step(actions)
        check.compare(mine, theirs, check.STEPPED + check.KEPT, f"{games} games")
        check.compare_seen(mine, theirs)


def test_an_illegal_action_is_refused_by_game_and_the_batch_stays_as_it_was(backend: CudaBackend) -> None:
    batch = VectorGame(300, "pagat", 3, seed=1, device=backend)
    actions = np.array(backend.to_host(batch.random_actions(1)))
    before = batch.save()
    actions[[271, 299]] = 60
    with pytest.raises(IllegalAction, match=r"'take_pool 0' is not legal in game 271 for seat [0-2]; legal are draw_"):
        batch.step(actions)
    actions[5] = -1
    with pytest.raises(IllegalAction, match="action -1 is not legal in game 5"):
        batch.step(actions)
    assert batch.save() == before
    batch.step(batch.random_actions(1))


def test_a_saved_batch_goes_on_on_the_other_device(backend: CudaBackend) -> None:
    mine, theirs = check.pair(backend, 200, seed=7)
    for step in range(40):
        mine.step(mine.random_actions(step))
        theirs.step(theirs.random_actions(step))
    assert mine.save() == theirs.save()
    there, back = VectorGame.load(mine.save(), device=backend), VectorGame.load(theirs.save())
    for step in range(40, 80):
        there.step(there.random_actions(step))
        back.step(back.random_actions(step))
    check.compare(back, there, check.STEPPED + check.KEPT, "loaded")
    assert (there.state_of(150) == back.state_of(150)).all()


def test_torch_tensors_of_the_device_are_taken_uncopied(backend: CudaBackend) -> None:
    torch = pytest.importorskip("torch")
    where = backend.device.torch_device
    batch = VectorGame(64, "pagat", 4, seed=3, device=backend)
    masks = torch.zeros(64, dtype=torch.int64, device=where)
    ended = torch.zeros(64, dtype=torch.uint8, device=where)
    batch.use(masks=masks, ended=ended)
    other = VectorGame(64, "pagat", 4, seed=3)
    rounds = 0
    for step in range(40):
        actions = torch.zeros(64, dtype=torch.int64, device=where)
        batch.random_actions(step, actions)
        batch.step(actions)
        other.step(actions.cpu().numpy())
        assert (masks.cpu().numpy().view(np.uint64) == other.masks).all()
        assert (ended.cpu().numpy() == other.ended).all()
        rounds += int(ended.sum())
    assert rounds > 0
    with pytest.raises(UserError, match="masks must be a contiguous uint64 array of shape"):
        batch.use(masks=torch.zeros(63, dtype=torch.int64, device=where))


def test_a_torch_network_steps_a_batch_and_samples_by_its_logits(backend: CudaBackend) -> None:
    torch = pytest.importorskip("torch")
    from thirtyone_env.cuda.torch_policy import PolicyLoop, sample

    where = backend.device.torch_device
    games = 4000
    batch = VectorGame(games, "pagat", 4, seed=9, device=backend, checked=False)
    logits = torch.full((games, 64), -1.0, device=where, dtype=torch.bfloat16)
    logits[:, 0], logits[:, 2] = 1.0, 0.0  # draw_stock, knock; draw_discard has -1
    actions = torch.zeros(games, dtype=torch.int64, device=where)
    sample(batch, logits, actions)
    turns = torch.as_tensor(np.array(backend.to_host(batch.masks)).view(np.int64)) & 7 == 7
    counts = np.bincount(actions.cpu()[turns].numpy(), minlength=3)
    share = np.exp([1.0, -1.0, 0.0]) / np.exp([1.0, -1.0, 0.0]).sum()
    expected = share * counts.sum()
    assert counts.sum() > games / 2
    assert len(counts) == 3
    assert ((counts - expected) ** 2 / expected).sum() < 20  # two degrees of freedom

    loop = PolicyLoop(batch, lambda observations: observations[:, :64].contiguous())
    ended = 0
    for _ in range(60):
        loop.step()
        ended += int((np.array(backend.to_host(batch.ended)) > 0).sum())
    assert ended > games


@pytest.fixture(scope="module")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """PTX of every kernel, and what ptxas says to it ("" where there is no ptxas)."""
    from thirtyone_env.cuda.lower import ptx

    folder = tmp_path_factory.mktemp("ptx")
    return {name: (text := ptx(kernel), _ptxas(text, kernel, folder)) for name, kernel in ALL.items()}


def _ptxas(text: str, kernel: Kernel, folder: Path) -> str:
    program = shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
    if program is None:
        return ""
    source = folder / f"{kernel.name}.ptx"
    source.write_text(text, encoding="utf-8")
    command: list[Any] = [program, "-arch=sm_90", "-v", source, "-o", source.with_suffix(".cubin")]
    made = subprocess.run(command, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return made.stderr


@needs_nvvm
def test_every_kernel_compiles_for_hopper_and_assembles_without_spilling(assembled: dict[str, tuple[str, str]]) -> None:
    for name, (text, said) in assembled.items():
        assert ".target sm_90" in text, name
        assert "call" not in re.findall(r"^\s*(\w+)", text, re.MULTILINE), f"{name}: something was not inlined"
        if said:
            assert " 0 bytes spill stores, 0 bytes spill loads" in said, (name, said)


@needs_nvvm
def test_words_stay_whole_numbers_and_rewards_are_not_contracted(assembled: dict[str, tuple[str, str]]) -> None:
    for name, (text, _) in assembled.items():
        fractions = re.findall(r"\.f(?:16|32|64)\b", text)
        assert bool(fractions) == (name in USES_FRACTIONS), name
        if name in ("step", "settle"):
            assert "fma." not in text


@needs_nvvm
def test_bits_are_counted_by_the_gpus_own_instruction(assembled: dict[str, tuple[str, str]]) -> None:
    assert all("popc.b64" in assembled[name][0] for name in ("step", "observe", "random_actions", "play"))
    assert "shared" in assembled["play"][0]


class _Stub:
    """Takes the place of ``numba.cuda`` where only what is asked of it matters."""

    def __init__(self) -> None:
        self.launched: list[tuple[Any, ...]] = []

    def get_current_device(self) -> Any:
        return type("Device", (), {"name": b"stub", "MULTIPROCESSOR_COUNT": 2})

    def default_stream(self) -> str:
        return "default"

    def external_stream(self, pointer: int) -> str:
        return f"stream {pointer}"

    def __getitem__(self, configuration: tuple[Any, ...]) -> Any:
        self.launched.append(configuration)
        return lambda *arguments: None


def test_kernels_are_queued_on_torchs_current_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    from thirtyone_env.cuda import gpu

    stub = _Stub()
    monkeypatch.setattr(gpu, "load_with_gpu", lambda: stub)
    monkeypatch.setitem(gpu.sys.modules, "torch", None)
    device = gpu.GpuDevice()
    monkeypatch.setattr(device, "_build", lambda kernel: stub)
    device.launch(KERNELS["views"], 300)
    in_use = type("Torch", (), {})()
    in_use.cuda = type("Cuda", (), {})()
    in_use.cuda.is_initialized = lambda: True
    in_use.cuda.current_stream = lambda: type("Stream", (), {"cuda_stream": 77})
    monkeypatch.setitem(gpu.sys.modules, "torch", in_use)
    device.launch(KERNELS["views"], 1 << 20)
    assert device.name == "stub"
    assert stub.launched == [(3, 128, "default"), (32, 128, "stream 77")]
