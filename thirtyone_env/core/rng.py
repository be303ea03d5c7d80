"""Chance: a counter-based generator, so that no state of a generator is kept.

The word drawn depends only on (key, match, deal, draw, stream). The key of a game is made from (seed, game index). So
batch size, thread count and the order of play cannot change a game, and the k-th stock card of a deal is the same
whatever was played before it (until a reshuffle). The mixing function is the finaliser of SplitMix64 (Steele, Lea and
Flood, 2014).
"""

from __future__ import annotations

from thirtyone_env.core.bits import U1, U, get, jit
from thirtyone_env.core.layout import COUNT, DEAL_NO, KEY, MATCH_NO

GOLDEN = U(0x9E3779B97F4A7C15)
_C1 = U(0xBF58476D1CE4E5B9)
_C2 = U(0x94D049BB133111EB)
STREAM_CARDS = U(0)
STREAM_POLICY = U(0xA0761D6478BD642F)
STREAM_DEALER = U(0xE7037ED1A0B428DB)


@jit
def mix(x):
    """Spread the bits of a word over all of it (a bijection)."""
    x = (x ^ (x >> U(30))) * _C1
    x = (x ^ (x >> U(27))) * _C2
    return x ^ (x >> U(31))


@jit
def game_key(seed, game):
    """Key of game ``game`` under ``seed``."""
    return mix(mix(seed + GOLDEN) + (game + U1) * GOLDEN)


@jit
def stream_base(key, stream):
    """Where a stream of a key begins; `word_of` makes its words."""
    return mix(key ^ stream)


@jit
def word_of(base, counter):
    """Random word number ``counter`` of the stream that begins at ``base``."""
    return mix(base + (counter + U1) * GOLDEN)


@jit
def random_word(key, counter, stream):
    """Random word number ``counter`` of a stream."""
    return word_of(stream_base(key, stream), counter)


@jit
def below(word, n):
    """Number in 0..n-1 from a random word; uneven by less than 2^-25 for n up to 64."""
    return ((word >> U(32)) * n) >> U(32)


@jit
def card_word(S, g):
    """Random word for the next card of game ``g``; keyed by match, deal and draw number."""
    return random_word(S[KEY, g], S[COUNT, g], STREAM_CARDS)


@jit
def deal_base(S, g, seed):
    """The part of `thirtyone_env.keys.decision_key` that is the same for all decisions of a deal."""
    key = mix(seed ^ STREAM_POLICY)
    key = mix(key + (get(S, g, MATCH_NO) + U1) * GOLDEN)
    return mix(key + (get(S, g, DEAL_NO) + U1) * GOLDEN)


@jit
def decision_key(base, decision, seat):
    """The key of `thirtyone_env.keys.decision_key`, from the `deal_base`."""
    key = mix(base + (decision + U1) * GOLDEN)
    return mix(key + (seat + U1) * GOLDEN)


def python_game_key(seed: int, game: int = 0) -> int:
    """`game_key` outside compiled code."""
    mask = (1 << 64) - 1

    def py_mix(x: int) -> int:
        x = ((x ^ (x >> 30)) * int(_C1)) & mask
        x = ((x ^ (x >> 27)) * int(_C2)) & mask
        return x ^ (x >> 31)

    golden = int(GOLDEN)
    return py_mix((py_mix((seed + golden) & mask) + (game + 1) * golden) & mask)


