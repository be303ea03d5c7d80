"""The GPU itself: its memory, the stream that work is queued on, and starting kernels."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.core.compile import _Locator
from thirtyone_env.cuda.catalog import Kernel
from thirtyone_env.cuda.load import load_with_gpu

_BLOCKS_PER_MULTIPROCESSOR = 16


class GpuDevice:
    """The current CUDA device. Work is queued on torch's current stream where torch is in use, else on the default one.

    Nothing here waits for the GPU but `to_host` and `finish`.

    Raises:
        UserError: numba-cuda or a GPU is missing; see `load_with_gpu`.
    """

    torch_device = "cuda"

    def __init__(self) -> None:
        self._cuda = load_with_gpu()
        device = self._cuda.get_current_device()
        name = device.name
        self.name = name.decode() if isinstance(name, bytes) else str(name)
        self._most_blocks = _BLOCKS_PER_MULTIPROCESSOR * int(device.MULTIPROCESSOR_COUNT)
        self._built: dict[str, Any] = {}
        self._streams: dict[int, Any] = {0: self._cuda.default_stream()}

    def stream(self) -> Any:
        """The stream to queue work on."""
        torch = sys.modules.get("torch")
        pointer = torch.cuda.current_stream().cuda_stream if torch and torch.cuda.is_initialized() else 0
        if pointer not in self._streams:
            self._streams[pointer] = self._cuda.external_stream(pointer)
        return self._streams[pointer]

    def empty(self, shape: int | tuple[int, ...], dtype: Any, by_column: bool = False) -> Any:
        """A new array on the device; ``by_column`` puts the columns of a matrix together."""
        return self._cuda.device_array(shape, dtype=np.dtype(dtype), order="F" if by_column else "C")

    def to_host(self, array: Any) -> npt.NDArray[Any]:
        """A copy in the host's memory, once all that was queued is done."""
        stream = self.stream()
        copied = array.copy_to_host(stream=stream)
        stream.synchronize()
        return np.asarray(copied)

    def fill(self, array: Any, values: Any) -> None:
        """Copy the host's values, or another array of the device, into an array."""
        if array.size == 0:
            return
        if not self._cuda.is_cuda_array(values):
            order: Any = "C" if array.is_c_contiguous() else "F"
            values = np.array(values, dtype=array.dtype, order=order)
        array.copy_to_device(values, stream=self.stream())

    def adopt(self, given: Any) -> Any:
        """The caller's array on the device, uncopied: a torch tensor, or whatever shows ``__cuda_array_interface__``.

        Raises:
            TypeError: it is not on the device.
        """
        if not self._cuda.is_cuda_array(given):
            raise TypeError(f"no array of this device: {type(given).__name__}")
        return self._cuda.as_cuda_array(given, sync=False)

    def finish(self) -> None:
        """Wait until all that was queued is done."""
        self.stream().synchronize()

    def launch(self, kernel: Kernel, games: int, *arguments: Any) -> None:
        """Queue a kernel over so many games."""
        if kernel.name not in self._built:
            self._built[kernel.name] = self._build(kernel)
        blocks = max(1, min(self._most_blocks, -(-games // kernel.threads)))
        self._built[kernel.name][blocks, kernel.threads, self.stream()](*arguments)

    def _build(self, kernel: Kernel) -> Any:
        """Compile a kernel for this GPU, or find it in the cache (named as the CPU's, by a hash of all its sources)."""
        from numba.cuda.dispatcher import CUDACache, CUDACacheImpl

        from thirtyone_env.cuda.lower import argument_types

        class Impl(CUDACacheImpl):
            _locator_classes = (_Locator,)

        class Cache(CUDACache):
            _impl_class = Impl

        started = time.perf_counter()
        dispatcher = self._cuda.jit(kernel.function, max_registers=kernel.registers)
        dispatcher._cache = Cache(kernel.function)
        kept = any(Path(dispatcher._cache.cache_path).glob(f"*.{kernel.function.__name__}-*"))
        if not kept:
            print(f"thirtyone-env: compiling the GPU's {kernel.name}, once for this version ...", file=sys.stderr)
        dispatcher.compile(argument_types(kernel))
        dispatcher.disable_compile()
        if not kept:
            print(f"thirtyone-env: compiled in {time.perf_counter() - started:.1f} s", file=sys.stderr)
        return dispatcher
