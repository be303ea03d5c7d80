"""Compiling the kernels on a machine without a GPU: to PTX, and to the LLVM code that PTX is made from.

Both are what numba-cuda makes on its way to a GPU; only the question for the GPU's kind is answered beforehand.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from thirtyone_env.cuda.catalog import Kernel
from thirtyone_env.cuda.load import load

HOPPER = (9, 0)
_MARKS = re.compile(r'(?:%"[^"]*"|%[\w.$-]+|\b[a-z]+\d*\b|\{[^{}]*\}|\[[^\[\]]*\]|<[^<>]*>)\*')


class _Kind:
    """Stands in for the GPU that numba-cuda asks for its kind."""

    compute_capability = HOPPER


@contextlib.contextmanager
def _as_if_there_were_one() -> Iterator[None]:
    from numba.cuda import dispatcher

    asked = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: _Kind
    try:
        yield
    finally:
        dispatcher.get_current_device = asked


def argument_types(kernel: Kernel) -> tuple[Any, ...]:
    """numba's types of a kernel's arguments."""
    from numba.core import sigutils

    return tuple(sigutils.normalize_signature(kernel.signature)[0])


def ptx(kernel: Kernel) -> str:
    """A kernel as PTX for sm_90."""
    cuda = load()
    with _as_if_there_were_one():
        text, _ = cuda.compile_ptx(kernel.function, argument_types(kernel), cc=HOPPER)
    return str(text)


def llvm(kernel: Kernel) -> tuple[list[str], str]:
    """A kernel as LLVM modules, before NVVM sees them, with plain pointers; and the name of its function."""
    from numba.cuda.compiler import compile_cuda

    with _as_if_there_were_one():
        made = compile_cuda(
            kernel.function, None, argument_types(kernel), cc=HOPPER, nvvm_options={"opt": 3, "fastmath": False}
        )
    return [_plain_pointers(text) for text in made.library.llvm_strs], str(made.fndesc.llvm_func_name)


def _plain_pointers(text: str) -> str:
    """numba-cuda writes pointers with the type they point to, which LLVM of today does not read any more."""
    text = text.replace(" addrspace(3)", "").replace("addrspacecast", "bitcast")
    while True:
        text, count = _MARKS.subn("ptr", text)
        if count == 0:
            return text
