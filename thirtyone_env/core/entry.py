"""The compiled functions that Python calls, each for one signature. Nothing else of the core is called from Python.

Importing this module loads them from the cache, or compiles them (once for each version of the core).
A state is ``S: uint64 [words, games]``; a single game is a column of its own. All numbers are ``uint64``.
"""

from __future__ import annotations

from thirtyone_env.core import deal, legal, match, moves, pay, rounds, settle, view, worth
from thirtyone_env.core.bits import U0, U, get
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import NONE_SEAT, PH_OVER, PHASE, TURN

ENDED = 1  # a round has just ended
OVER = 2  # the match is over
NEEDS_CARD = 4  # chance is to move
PEEK, PLAY, PLAY_ON, ADVANCE, GIVE = U(0), U(1), U(2), U(3), U(4)
TURN_SHIFT = 8  # the seat to move, 15 for none, lies this high


@legal.jit
def _info(S, flags):
    phase = get(S, U0, PHASE)
    if phase == PH_OVER:
        return flags | U(OVER) | (NONE_SEAT << U(TURN_SHIFT))
    if deal.chance_to_move(S, U0):
        return flags | U(NEEDS_CARD) | (NONE_SEAT << U(TURN_SHIFT))
    return flags | (get(S, U0, TURN) << U(TURN_SHIFT))


@entry("UniTuple(uint64, 2)(uint64[:, ::1], uint64, uint64)")
def step(S, command, argument):
    """One step of game 0. Returns (mask of legal actions, info).

    ``command``: `PEEK` changes nothing; `PLAY` plays action ``argument``, a legal one; `PLAY_ON` does that and then
    lets the game's own stream move; `ADVANCE` does only the latter; `GIVE` lets chance give card ``argument``, a
    possible one. A round's end stops each of them: the hands still lie in the state, and `ADVANCE` deals on.
    """
    reason = U0
    if command == PLAY or command == PLAY_ON:
        reason = moves.act(S, U0, argument)
    own_stream = command == PLAY_ON or command == ADVANCE
    while reason == U0 and (own_stream or command == GIVE) and deal.chance_to_move(S, U0):
        reason = deal.chance_moves(S, U0) if own_stream else deal.give(S, U0, argument)
        if not own_stream:
            break
    if reason != U0:
        rounds.end_round(S, U0, reason)
    return legal.legal_actions(S, U0), _info(S, U(ENDED) if reason != U0 else U0)


@entry("uint64(uint64[:, ::1])")
def possible_cards(S):
    """Set of the cards that chance may give in game 0."""
    return deal.possible_cards(S, U0)


@entry("uint64(uint64[:, ::1])")
def next_card(S):
    """The card that the game's own stream gives next in game 0, where chance is to move."""
    return deal.draw_card(S, U0)


@entry("void(uint64[:, ::1], uint64, uint64)")
def begin(S, seats, dealer):
    """Begin a match in game 0: with fresh tokens where ``seats`` is 0, else of those seats with the tokens set."""
    if seats == U0:
        match.begin_match(S, U0, dealer)
    else:
        match.begin_with(S, U0, seats, match.first_dealer(S, U0, seats) if dealer == NONE_SEAT else dealer)


@entry("void(uint64[:, ::1], uint64, uint64[:, ::1], int64)")
def write_view(S, seat, V, row):
    """Write the view of a seat of game 0 to ``V[row]``: uint64 ``[rows, 32]``."""
    view.write_view(S, U0, seat, V, row)


@entry("void(uint64[:, ::1], float64[:, ::1])")
def rewards(S, out):
    """Rewards of the round just ended: ``out[0]`` by ``lives``, ``out[1]`` by ``match``; float64 ``[2, 9]``."""
    for scheme in range(2):
        for seat in range(out.shape[1]):
            out[scheme, seat] = pay.round_reward(S, U0, U(seat), U(scheme))


@entry("uint64(uint64, uint64)")
def worth_of(hand, rules1):
    """Worth of a set of cards in half points."""
    return worth.worth(hand, rules1)


@entry("uint64(uint64, uint64)")
def tiebreak_of(hand, rules1):
    """Ranks of the scoring suit as bits, for the tie-break of pot games."""
    return worth.tiebreak_key(hand, worth.worth(hand, rules1))


@entry("UniTuple(uint64, 3)(uint64, uint64, uint64, uint64, uint64, uint64, uint64, uint64)")
def losers(rules1, reason, seats, knocker, declared, low, high, below):
    """Sets of seats that lose one and two lives, and the one that they go to; see `settle.losers`."""
    return settle.losers(rules1, reason, seats, knocker, declared, low, high, below)


compile_entries()
