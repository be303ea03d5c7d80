"""What a forfeit costs. One rule for all: whoever crashes, answers nonsense or illegally, or takes too long, forfeits.

The game ends there. Rounds settled before it count as they were. The round under way counts as played by all who are in
it: it costs the offender two lives, the most that any rule takes in a round, and the others none. The offender has the
last place, also behind seats that went out before; those still in share the first place and the win; seats that went
out keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence

from thirtyone_env.game import Game
from thirtyone_eval.outcomes import End, lives_lost, ranked

RULE = (
    "A policy that crashes, answers something illegal or no action at all, or takes longer than its time limit "
    "forfeits the game. The game ends there: the offender has the last place, those still in share the win, and the "
    "round under way costs the offender two lives and the others none. A forfeit that is stored is not judged again."
)
COST = 2


def forfeited(game: Game, offender: int) -> End:
    """The end of a game that a seat forfeits where it stands."""
    before, played = lives_lost(game)
    lost, places = lost_and_places(game, before, offender)
    taking_part = [int(seat not in game.out) for seat in range(game.players)]
    dealer = game.rounds[0].dealer if game.rounds else game.dealer
    return End(
        tuple(lost), tuple(a + b for a, b in zip(played, taking_part, strict=True)), tuple(places), dealer,
        game.round_count,
    )


def lost_and_places(game: Game, before: Sequence[int], offender: int) -> tuple[list[int], list[int]]:
    """Lives lost and places when a seat forfeits; ``before``: lives lost in the rounds that were settled."""
    lost = [count + COST * (seat == offender) for seat, count in enumerate(before)]
    last = game.players + 1
    worse = [last if seat == offender else place or 0 for seat, place in enumerate(game.placings)]
    return lost, ranked(worse)
