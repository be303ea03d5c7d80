"""The kernels run on the CPU, thread after thread: what can be checked of them where there is no GPU.

It is the code that numba-cuda has typed and lowered for the GPU (`lower.llvm`), not the core's CPU build; LLVM
compiles it for this processor in place of NVVM for the GPU's. Shared memory is one array, since threads follow each
other; a warp is one thread, so a vote is the thread's own voice, and what it hears from others is its own. What this
cannot show is NVVM's translation, threads that really run at once, and speed.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import binding
from numba.core import types

from thirtyone_env.cuda.catalog import Kernel
from thirtyone_env.cuda.lower import argument_types, llvm

_PLACES = ("ctaid", "tid", "ntid", "nctaid")

# Special registers, votes and functions of libdevice, as this processor has them.
_STAND_INS = "".join(
    f'@{name} = internal global i32 0\n'
    f'define i32 @"host.nvvm.read.ptx.sreg.{name}.x"() alwaysinline {{\n'
    f'  %v = load i32, ptr @{name}\n  ret i32 %v\n}}\n'
    for name in _PLACES
) + "".join(
    f'define i32 @"host.nvvm.read.ptx.sreg.{name}"() alwaysinline {{\n  ret i32 0\n}}\n' for name in ("tid.y", "tid.z")
) + """
define {i32, i1} @"host.nvvm.vote.sync"(i32 %mask, i32 %mode, i1 %voice) alwaysinline {
  %bit = zext i1 %voice to i32
  %thread = load i32, ptr @tid
  %lane = and i32 %thread, 31
  %ballot = shl i32 %bit, %lane
  %a = insertvalue {i32, i1} undef, i32 %ballot, 0
  %b = insertvalue {i32, i1} %a, i1 %voice, 1
  ret {i32, i1} %b
}
define {i32, i1} @"host.nvvm.shfl.sync.i32"(i32 %mask, i32 %mode, i32 %own, i32 %lane, i32 %c) alwaysinline {
  %a = insertvalue {i32, i1} undef, i32 %own, 0
  %b = insertvalue {i32, i1} %a, i1 true, 1
  ret {i32, i1} %b
}
declare float @llvm.log.f32(float)
define float @__nv_logf(float %x) alwaysinline {
  %v = call float @llvm.log.f32(float %x)
  ret float %v
}
declare i32 @llvm.cttz.i32(i32, i1)
define i32 @__nv_ffs(i32 %x) alwaysinline {
  %at = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %one = add i32 %at, 1
  %none = icmp eq i32 %x, 0
  %v = select i1 %none, i32 0, i32 %one
  ret i32 %v
}
define i32 @__nv_float_as_int(float %x) alwaysinline {
  %v = bitcast float %x to i32
  ret i32 %v
}
define float @__nv_int_as_float(i32 %x) alwaysinline {
  %v = bitcast i32 %x to float
  ret float %v
}
"""


class HostDevice:
    """Stands in for `gpu.GpuDevice`: arrays are numpy's, kernels run on this processor.

    Args:
        blocks: most blocks of a launch; few, so that threads take several games each.
    """

    name = "the kernels' code on the CPU"
    torch_device = "cpu"

    def __init__(self, blocks: int = 3) -> None:
        self._most_blocks = blocks
        self._built: dict[str, tuple[Any, Any]] = {}

    def empty(self, shape: int | tuple[int, ...], dtype: Any, by_column: bool = False) -> npt.NDArray[Any]:
        """A new array; ``by_column`` puts the columns of a matrix together."""
        return np.empty(shape, dtype=dtype, order="F" if by_column else "C")

    def to_host(self, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A copy in the host's memory."""
        return np.array(array)

    def fill(self, array: npt.NDArray[Any], values: npt.NDArray[Any]) -> None:
        """Copy values into an array."""
        array[...] = values

    def adopt(self, given: Any) -> npt.NDArray[Any]:
        """The caller's array, uncopied: a numpy array or a torch tensor on the CPU."""
        array = given.numpy() if hasattr(given, "numpy") else given
        if not isinstance(array, np.ndarray):
            raise TypeError(f"no array of this device: {type(given).__name__}")
        return array

    def finish(self) -> None:
        """Nothing to wait for."""

    def launch(self, kernel: Kernel, games: int, *arguments: Any) -> None:
        """Run a kernel over so many games."""
        if kernel.name not in self._built:
            self._built[kernel.name] = build(kernel)
        function = self._built[kernel.name][1]
        blocks = max(1, min(self._most_blocks, -(-games // kernel.threads)))
        given = [blocks, kernel.threads]
        for kind, value in zip(argument_types(kernel), arguments, strict=True):
            given += _flat(kind, value)
        function(*given)


def build(kernel: Kernel) -> tuple[Any, Any]:
    """A kernel compiled for this processor. Returns (who owns the code, the function of blocks, threads, arguments)."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    texts, entry = llvm(kernel)
    parameters = _parameters(argument_types(kernel))
    module = binding.parse_assembly(_STAND_INS + _launcher(entry, parameters))
    for text in texts:
        lines = [line for line in text.splitlines() if not line.startswith("target ")]
        module.link_in(binding.parse_assembly("\n".join(lines).replace("llvm.nvvm.", "host.nvvm.")))
    unknown = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
    if unknown:
        raise NotImplementedError(f"kernel {kernel.name} calls what has no stand-in here: {unknown}")
    machine = binding.Target.from_default_triple().create_target_machine(opt=1)
    tuning = binding.create_pipeline_tuning_options(speed_level=1)
    passes = binding.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(module, passes)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kinds = [ctypes.c_void_p if kind == "ptr" else getattr(ctypes, f"c_int{kind[1:]}") for kind in parameters]
    function = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_int32, *kinds)(engine.get_function_address("launch"))
    return engine, function


def _launcher(entry: str, parameters: list[str]) -> str:
    """The grid: every thread of every block, one after the other. numba's functions return a status by a pointer."""
    types_of = ", ".join(parameters)
    formal = "".join(f", {kind} %a{i}" for i, kind in enumerate(parameters))
    actual = "".join(f", {kind} %a{i}" for i, kind in enumerate(parameters))
    return f"""
declare i32 @"{entry}"(ptr, {types_of})
define void @launch(i32 %blocks, i32 %threads{formal}) {{
entry:
  %result = alloca ptr
  store i32 %blocks, ptr @nctaid
  store i32 %threads, ptr @ntid
  br label %block
block:
  %b = phi i32 [0, %entry], [%b1, %next]
  store i32 %b, ptr @ctaid
  br label %thread
thread:
  %t = phi i32 [0, %block], [%t1, %thread]
  store i32 %t, ptr @tid
  %status = call i32 @"{entry}"(ptr %result{actual})
  %t1 = add i32 %t, 1
  %again = icmp slt i32 %t1, %threads
  br i1 %again, label %thread, label %next
next:
  %b1 = add i32 %b, 1
  %more = icmp slt i32 %b1, %blocks
  br i1 %more, label %block, label %done
done:
  ret void
}}
"""


def _parameters(kinds: tuple[Any, ...]) -> list[str]:
    """LLVM types of a kernel's parameters; an array is seven or more of them."""
    out: list[str] = []
    for kind in kinds:
        if isinstance(kind, types.Array):
            out += ["ptr", "ptr", "i64", "i64", "ptr"] + ["i64"] * (2 * kind.ndim)
        else:
            out.append(f"i{kind.bitwidth}")
    return out


def _flat(kind: Any, value: Any) -> list[Any]:
    """An argument as the numbers that the compiled function takes.

    Raises:
        TypeError: the array's type or layout is not the kernel's.
    """
    if not isinstance(kind, types.Array):
        return [int(np.int64(np.uint64(value))) if kind == types.uint64 else int(value)]
    fits = value.flags.f_contiguous if kind.layout == "F" else value.flags.c_contiguous
    if str(kind.dtype) != str(value.dtype) or kind.ndim != value.ndim or not fits:
        raise TypeError(f"{kind} is wanted, not {value.dtype} {value.shape} {value.strides}")
    return [None, None, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
