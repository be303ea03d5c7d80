"""Loading numba-cuda, and saying what is missing where that fails."""

from __future__ import annotations

from typing import Any

import numpy as np

from thirtyone_env.errors import UserError
from thirtyone_env.extras import require

WANTED_BY = 'device="cuda"'


def load() -> Any:
    """The module ``numba.cuda`` of numba-cuda; no GPU is needed for that.

    Raises:
        UserError: numba-cuda is not installed; the text has the command that installs it.
    """
    require("cuda", WANTED_BY)
    vars(np).setdefault("row_stack", np.vstack)  # gone in numpy 2.5; numba-cuda 0.30 asks for it when it is imported
    from numba import cuda

    return cuda


def load_with_gpu() -> Any:
    """The module ``numba.cuda`` on a machine with a GPU that it can use.

    Raises:
        UserError: numba-cuda or a part of CUDA is not installed, or there is no GPU; the text says which.
    """
    cuda = load()
    if not cuda.is_available():
        raise UserError(f"{WANTED_BY} needs an NVIDIA GPU and its driver, and there is none to be found "
                        f'({_reason(cuda)}); device="cpu" steps the same games')
    return cuda


def _reason(cuda: Any) -> str:
    """numba-cuda's own words, on one line."""
    return " ".join(str(cuda.cuda_error() or "no device answers").split()).rstrip(":. ")
