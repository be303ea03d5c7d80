"""Lives, the county and going out (RULES section 8), for one seat at a time."""

from __future__ import annotations

from thirtyone_env.core.bits import U0, U1, U2, jit


@jit
def amount(seat_bit, one, two):
    """Lives that the rule takes from a seat: 0, 1 or 2."""
    if two & seat_bit != U0:
        return U2
    return U1 if one & seat_bit != U0 else U0


@jit
def chances(tokens, county):
    """Losses that a seat can bear: its tokens, and one more where the county is played."""
    return tokens + county


@jit
def goes_out(tokens, loss, county):
    """Whether a loss puts a seat out. One token left and two lost is out, also with the county."""
    return loss > U0 and loss >= chances(tokens, county)


@jit
def tokens_given(tokens, loss):
    """Tokens that leave a seat: it gives at most what it has."""
    return loss if loss < tokens else tokens
