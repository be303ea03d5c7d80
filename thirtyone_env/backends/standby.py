"""Waiting for another thread without going to sleep: waking a thread takes longer than a step of thousands of games.

Threads tell each other where they are by numbers in ``flags``, int64 ``[8 * threads]``, eight apart so that each has
a line of the cache to itself: ``flags[0]`` is the number of the call to work on, ``flags[8 * k]`` the last call that
helper ``k`` has ended. Importing this module compiles it (a group of its own).
"""

from __future__ import annotations

import platform

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from thirtyone_env.core.compile import compile_entries, entry

GROUP = "standby"
APART = 8
_LET_GO = 150  # pauses that give the caller time to enter compiled code, where it holds the interpreter's lock no more
_IS_X86 = platform.machine().lower() in ("x86_64", "amd64", "i386", "i686")


@intrinsic
def _seen(typing_context, flags, index):
    """The number that another thread has written, read anew each time."""

    def build(context, builder, signature, args):
        return builder.load_atomic(_place(context, builder, signature, args), "acquire", 8)

    return types.int64(flags, index), build


@intrinsic
def _tell(typing_context, flags, index, number):
    """Write a number after everything that was written before it."""

    def build(context, builder, signature, args):
        builder.store_atomic(args[2], _place(context, builder, signature, args), "release", 8)
        return context.get_dummy_value()

    return types.void(flags, index, number), build


def _place(context, builder, signature, args):
    array = context.make_array(signature.args[0])(context, builder, args[0])
    return builder.gep(array.data, [args[1]])


@intrinsic
def _pause(typing_context):
    """Let the core's other thread work for a moment, where the processor can."""

    def build(context, builder, signature, args):
        if _IS_X86:
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), [])
        return context.get_dummy_value()

    return types.void(), build


@entry("int64(int64[::1], int64, int64, int64)", group=GROUP)
def stand_by(flags, helper, ended, pauses):
    """Tell that call ``ended`` is ended, and wait for another, but no longer than so many pauses.

    Returns the number of the call to work on; ``ended`` where none has come.
    """
    _tell(flags, APART * helper, ended)
    for _ in range(pauses):
        if _seen(flags, 0) != ended:
            for _ in range(_LET_GO):
                _pause()
            break
        _pause()
    return _seen(flags, 0)


@entry("boolean(int64[::1], int64, int64)", group=GROUP)
def all_ended(flags, number, pauses):
    """Wait until every helper has ended call ``number``, but no longer than so many pauses each."""
    for place in range(APART, flags.shape[0], APART):
        left = pauses
        while _seen(flags, place) != number:
            if left == 0:
                return False
            left -= 1
            _pause()
    return True


compile_entries(GROUP, "the threads' waiting")
