"""Policies that are not ours answer from a process of their own, within a time limit.

Whatever such a policy does (crash, hang, take its process down, answer nonsense), it becomes a `Fault` here, and the
tournament goes on. The process is started again when it is needed next.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, NoReturn

import numpy as np

from thirtyone_agents.policy import Keys, Policy, Views, has_memory
from thirtyone_agents.registry import load
from thirtyone_env.errors import UserError
from thirtyone_eval.orphans import end_with_parent

START_SECONDS = 120.0  # to import what the policy needs and to make it
_OURS = ("thirtyone_env.", "thirtyone_agents.", "thirtyone_train.")


class Fault(Exception):
    """A policy did not give an answer that can be played.

    Attributes:
        reason: ``crash``, ``died`` (its process did), ``illegal``, ``nonsense`` or ``timeout``.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def is_ours(policy: Policy) -> bool:
    """Whether a policy is of this project's own code, which plays without a process of its own."""
    return type(policy).__module__.startswith(_OURS)


class Guarded:
    """A policy that is asked in a process of its own; call `close` at the end.

    Args:
        name: by which the process finds the policy; None sends ``policy`` itself, pickled.
        policy: it.
        seconds: limit for one question, however many views it holds.

    Raises:
        UserError: the policy itself is to be sent and cannot be pickled.
    """

    def __init__(self, name: str | None, policy: Policy, seconds: float) -> None:
        self.name = policy.name
        self.seconds = seconds
        self._what: str | Policy = policy if name is None else name
        if name is None:
            _check_pickles(policy)
        self._process: Any = None
        self._pipe: Connection | None = None
        if has_memory(policy):
            self.begin: Callable[[int], None] = self._begin

    def act(self, views: Views, keys: Keys) -> Any:
        """The policy's answer, unchecked.

        Raises:
            Fault: there is none.
        """
        return self._ask("act", views, keys)

    def _begin(self, games: int) -> None:
        self._ask("begin", games)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process.close()
            assert self._pipe is not None
            self._pipe.close()
            self._process = self._pipe = None

    def _ask(self, *question: Any) -> Any:
        if self._process is None:
            self._start()
        assert self._pipe is not None
        try:
            self._pipe.send(question)
        except (BrokenPipeError, ConnectionError):
            self._died()
        return self._answer(self.seconds)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there, self._what), daemon=True)
        self._process.start()
        there.close()
        try:
            self._answer(START_SECONDS)
        except Fault as fault:
            self.close()
            raise Fault("died", f"{fault} when it was started") from None

    def _answer(self, seconds: float) -> Any:
        assert self._pipe is not None
        try:
            if not self._pipe.poll(seconds):
                self.close()
                raise Fault("timeout", f"{self.name} gave no answer within {seconds:g} s")
            kind, value = self._pipe.recv()
        except (EOFError, ConnectionError):
            self._died()
        if kind == "error":
            raise Fault("crash", f"{self.name} failed: {value}")
        return value

    def _died(self) -> NoReturn:
        self._process.join(5)
        code = self._process.exitcode
        self.close()
        raise Fault("died", f"the process of {self.name} died with exit code {code}")


def _check_pickles(policy: Policy) -> None:
    try:
        pickle.dumps(policy)
    except Exception as error:
        raise UserError(
            f"the policy {policy.name} cannot be sent to a process of its own ({error}): put its class into a module "
            "and name it your_package:YourPolicy"
        ) from error


def _serve(pipe: Connection, what: str | Policy) -> None:
    """In the process of its own: answer questions until the pipe closes."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["OMP_NUM_THREADS"] = "1"
    os.dup2(2, 1)  # what the policy prints must not mix with our output
    policy: Any = None

    def answer(question: tuple[Any, ...]) -> Any:
        nonlocal policy
        if policy is None:
            policy = load(what, allow_code=True)
            return None
        if question[0] == "begin":
            policy.begin(question[1])
            return None
        return _plain(policy.act(*question[1:]))

    question: tuple[Any, ...] = ()
    while True:
        try:
            reply = ("answer", answer(question))
        except Exception as error:
            reply = ("error", f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
        try:
            pipe.send(reply)
            question = pipe.recv()
        except (EOFError, ConnectionError):
            return


def _plain(answer: Any) -> Any:
    """An answer as an array that unpickles without the policy's code, or as text where it is none."""
    try:
        array = np.asarray(answer)
    except Exception:
        array = None
    if array is None or array.dtype.kind not in "iufb":
        return f"{type(answer).__name__}: {str(answer)[:60]}"
    return array
