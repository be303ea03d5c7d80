"""The matches of the study `token-value`, for compiled loops."""

from __future__ import annotations

from typing import Any

from thirtyone_env.core import deal, moves, policies, rounds, view
from thirtyone_env.core.bits import U0, U1, U, get, jit
from thirtyone_env.core.layout import DEAL_NO, PH_OVER, PHASE, TURN
from thirtyone_env.core.rng import GOLDEN, mix


@jit
def play_match(S: Any, V: Any, kinds: Any, base: Any) -> Any:
    """Play the match in column 0 to its end. Returns the rounds settled."""
    settled, moved, reason = U0, U0, U0
    while True:
        if reason != U0:
            rounds.end_round(S, U0, reason)
            reason = U0
            settled = settled + U1
            if get(S, U0, PHASE) == PH_OVER:
                return settled
        elif deal.chance_to_move(S, U0):
            reason = deal.chance_moves(S, U0)
        else:
            seat = get(S, U0, TURN)
            moved = moved + U1
            key = mix(base + (moved + (get(S, U0, DEAL_NO) << U(32))) * GOLDEN)
            view.write_view(S, U0, seat, V, 0)
            reason = moves.act(S, U0, policies.choose(kinds[seat, 0], kinds[seat, 1], V, 0, key))
