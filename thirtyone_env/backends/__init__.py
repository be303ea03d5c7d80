"""What a `VectorGame` does its work with: one class a device, all with the same methods.

A backend makes arrays (`zeros`, `empty`), takes the caller's uncopied (`adopt`, `actions`), copies from and to the
host's memory (`to_device`, `fill`, `to_host`), and runs what the batch is asked for: `begin_all`, `first_illegal`,
`step`, `views`, `observe`, `random_actions`, `play`. Dtypes and shapes are those of `core.batch` on every device.
"""

from __future__ import annotations

from typing import Any

from thirtyone_env.errors import UserError

DEVICES = ("cpu", "cuda")


def backend_of(device: Any, threads: int) -> Any:
    """The backend for a device's name; an object that is none of them is taken for a backend.

    Raises:
        UserError: there is no such device, or it cannot be used here; the text says what is missing.
    """
    if device == "cpu":
        from thirtyone_env.backends.cpu import CpuBackend

        return CpuBackend(threads)
    if device == "cuda":
        from thirtyone_env.backends.cuda import CudaBackend

        return CudaBackend()
    if hasattr(device, "random_actions"):
        return device
    raise UserError(f"device={device!r} is not allowed: {', '.join(DEVICES)}")
