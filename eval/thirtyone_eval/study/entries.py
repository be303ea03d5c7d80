"""What Python calls for the studies that play whole rounds, compiled together since that takes hardly longer than one.

Importing this module compiles it (a group of its own).
"""

from __future__ import annotations

from typing import Any

from thirtyone_env.core import deal, match
from thirtyone_env.core.bits import U0, U, get_of, put
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import LIVES, ON_COUNTY, PLACE_OF
from thirtyone_env.core.rng import mix
from thirtyone_env.core.rounds import hand_word, seats_in
from thirtyone_eval.study.start import begin, lay_table
from thirtyone_eval.study.token_play import play_match
from thirtyone_eval.study.turn_play import NOTHING, play_round

GROUP = "studies"


@entry("void(uint64[::1], uint64[:, ::1], uint64[::1], int64, int64, uint64[::1])", group=GROUP)
def deal_hands(table: Any, S: Any, seeds: Any, first: Any, players: Any, hands: Any) -> None:
    """The hand dealt to one seat of each game, the seats in turn.

    Args:
        table: uint64 ``[words]``, a state with rules and seats set.
        S: uint64 ``[words, 1]``, scratch.
        seeds: uint64 ``[games]``.
        first: number of the first of these games; game *i* gives the hand of seat ``(first + i) % players``.
        players: seats.
        hands: uint64 ``[games]``, written.
    """
    for i in range(seeds.shape[0]):
        begin(table, S, seeds[i])
        deal.chance_moves(S, U0)
        hands[i] = S[hand_word(U((first + i) % players)), U0]


@entry(
    "void(uint64[::1], uint64[:, ::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], uint64, uint64, int64[:, ::1],"
    " int64[:, :, ::1], int64[::1])",
    group=GROUP,
)
def play_rounds(
    table: Any, S: Any, copy: Any, seeds: Any, V: Any, kind: Any, parameter: Any, before: Any, tally: Any, still_on: Any
) -> None:
    """Play a round for each seed.

    Args:
        table: uint64 ``[words]``, a state with rules and seats set.
        S: uint64 ``[words, 1]``, scratch: the round.
        copy: uint64 ``[words, 1]``, scratch: the copy in which somebody knocks.
        seeds: uint64 ``[rounds]``.
        V: uint64 ``[1, 32]``, scratch.
        kind: of the policy that all play but for knocking.
        parameter: of the policy.
        before: int64 ``[seats, 2]``, scratch: turn and worth of each seat's last chance to knock.
        tally: int64 ``[turns, WORTHS, COUNTS]``, added to. By turn of the seat (0 the first) and worth of its hand:
            how many such hands there were; lives lost by knocking then, and whether any was; lives lost by knocking at
            the next turn in its place, or by what ended the round before that.
        still_on: int64 ``[turns]``, added to: rounds that came so far.
    """
    turns = tally.shape[0]
    seats = before.shape[0]
    for i in range(seeds.shape[0]):
        begin(table, S, seeds[i])
        for seat in range(seats):
            before[seat, 0] = NOTHING
        play_round(S, copy, V, seeds[i], kind, parameter, before, tally, still_on, turns, seats)


@entry(
    "void(uint64[::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], uint64[:, ::1], uint64, uint64, int64[:, ::1])",
    group=GROUP,
)
def play_matches(
    table: Any, S: Any, seeds: Any, V: Any, kinds: Any, lives: Any, on_county: Any, places: Any
) -> None:
    """Play a match for each seed.

    Args:
        table: uint64 ``[words]``, a state with rules and seats set.
        S: uint64 ``[words, 1]``, scratch.
        seeds: uint64 ``[matches]``, of the cards and of the policies.
        V: uint64 ``[1, 32]``, scratch.
        kinds: uint64 ``[seats, 2]``, kind and parameter of each seat's policy.
        lives: the word of all seats' tokens at the start.
        on_county: set of the seats that begin on the county.
        places: int64 ``[matches, seats]``, written: placings, and 0 for a seat that has none.
    """
    for i in range(seeds.shape[0]):
        lay_table(table, S, seeds[i])
        S[LIVES, 0] = lives
        put(S, U0, ON_COUNTY, on_county)
        seats = seats_in(S, U0)
        match.begin_with(S, U0, seats, match.first_dealer(S, U0, seats))
        play_match(S, V, kinds, mix(seeds[i]))
        for seat in range(places.shape[1]):
            places[i, seat] = get_of(S, U0, PLACE_OF, U(seat))


compile_entries(GROUP, "the studies")
