"""The kernels by name, with the types of their arguments and the threads of a block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from thirtyone_env.cuda import gathered, lockstep, play, sample

_STATE, _WORDS, _IDS = "uint64[:, ::1]", "uint64[::1]", "int64[::1]"
_STEP = f"{_STATE}, {_IDS}, uint64, {_WORDS}, {_IDS}, float32[:, ::1], uint8[::1], {_STATE}, {_WORDS}"
_LIST = f"{_WORDS}, {_IDS}"
_ACT = f"{_STATE}, {_IDS}, {_WORDS}, {_IDS}, float32[:, ::1], uint8[::1], {_WORDS}, {_LIST}"
_SETTLE = f"{_STATE}, uint64, {_WORDS}, {_IDS}, float32[:, ::1], uint8[::1], {_STATE}, {_WORDS}, {_LIST}"


@dataclass(frozen=True)
class Kernel:
    """A kernel.

    Attributes:
        name: its name.
        function: the plain Python function.
        signature: types of its arguments; nothing else is compiled.
        threads: of a block.
        registers: the most that a thread may have; None leaves it to the compiler.
    """

    name: str
    function: Callable[..., Any]
    signature: str
    threads: int = 128
    registers: int | None = None


_LOCKSTEP = (
    Kernel("begin_all", lockstep.begin_all, f"void({_STATE}, {_WORDS}, {_WORDS})"),
    Kernel("first_illegal", lockstep.first_illegal, f"void({_WORDS}, {_IDS}, {_IDS})"),
    Kernel("step", lockstep.step, f"void({_STEP})"),
    Kernel("act", gathered.act, f"void({_ACT})"),
    Kernel("settle", gathered.settle, f"void({_SETTLE})"),
    Kernel("views", lockstep.views, f"void({_STATE}, {_STATE})"),
    Kernel("views_by_column", lockstep.views, f"void({_STATE}, uint64[::1, :])"),
    Kernel("observe", lockstep.observe, f"void({_STATE}, int8[:, ::1], int64)"),
    Kernel("observe_by_column", lockstep.observe, f"void({_STATE}, int8[::1, :], int64)"),
    Kernel("observe_bfloat16", lockstep.observe, f"void({_STATE}, int16[::1, :], int64)"),
    Kernel("random_actions", lockstep.random_actions, f"void({_WORDS}, uint64, {_IDS})"),
    Kernel("sample", sample.sample, f"void({_STATE}, int16[:, ::1], {_WORDS}, {_WORDS}, {_WORDS}, {_IDS})"),
)
KERNELS = {kernel.name: kernel for kernel in _LOCKSTEP}


def play_kernel(seats: int, gather: int = play.GATHER, registers: int | None = None) -> Kernel:
    """The fused loop for batches whose largest game has so many seats; ``gather`` as in `cuda.play`."""
    name = f"play_{seats}_{gather}_{registers or 'free'}"
    return Kernel(name, play.play_kernel(seats, gather), play.SIGNATURE, play.THREADS, registers)
