"""A training in a process of its own that kills itself, as `kill -9` would, once it has done so many decisions.

Run as ``python -m tests.train.kill_me FOLDER DECISIONS``.
"""

from __future__ import annotations

import os
import signal
import sys

from tests.train.small import small
from thirtyone_train.trainer import train


def main() -> None:
    folder, most = sys.argv[1], int(sys.argv[2])

    def report(stage: str, done: int, total: int) -> None:
        if stage == "training" and done >= most:
            os.kill(os.getpid(), signal.SIGKILL)

    train(small(), folder, report, say=lambda line: None)


if __name__ == "__main__":
    main()
