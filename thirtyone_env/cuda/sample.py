"""Choosing actions from a network's logits: on the device, among the legal ones alone, by each decision's own key.

A draw from the softmax over the legal actions is the largest of logit plus Gumbel noise, and noise is needed for legal
actions only: a turn has three or four of them, so no more of a row of logits is read than that.
"""

from __future__ import annotations

import importlib

from thirtyone_env.core.batch_game import deal_base, decision_key
from thirtyone_env.core.bits import U0, U1, U, get, lowest
from thirtyone_env.core.layout import TURN
from thirtyone_env.core.rng import GOLDEN, mix
from thirtyone_env.cuda.load import load
from thirtyone_env.cuda.words import use_own_instructions

cuda = load()
use_own_instructions()
libdevice = importlib.import_module("numba.cuda.libdevice")
_WORD_TO_UNIT = 1.0 / (1 << 24)


def sample(S, logits, masks, seeds, decisions, actions):
    """An action for each game: ``actions`` int64 ``[games]``.

    ``logits``: the bits of bfloat16 numbers as int16, ``[games, 63 or more]``.
    """
    for i in range(cuda.grid(1), masks.shape[0], cuda.gridsize(1)):
        g = U(i)
        key = decision_key(deal_base(S, g, seeds[i]), decisions[i], get(S, g, TURN))
        best, chosen = cuda.float32(-3.0e38), U0
        rest = masks[i]
        while rest != U0:
            action = lowest(rest)
            rest = rest & (rest - U1)
            word = mix(key + (action + U1) * GOLDEN) >> U(40)
            unit = (cuda.float32(cuda.int64(word)) + cuda.float32(0.5)) * cuda.float32(_WORD_TO_UNIT)
            noise = -libdevice.logf(-libdevice.logf(unit))
            value = libdevice.int_as_float(cuda.int32(logits[i, action]) << 16) + noise
            if value > best:
                best, chosen = value, action
        actions[i] = chosen
