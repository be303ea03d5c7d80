# mypy: disable-error-code="no-untyped-def"
"""Compiled: games played with the luck of each seat measured (`luck_core`), and what the guess of it is fitted from.

Importing this module compiles it (a group of its own).
"""

from __future__ import annotations

from thirtyone_env.core import deal, legal, match, moves, policies, rounds, view
from thirtyone_env.core.batch_arena import FIRST_DEALER, PLACES, ROUNDS, count_round
from thirtyone_env.core.bits import U0, U1, U2, U, get, get_of, jit, put
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import (
    DEAL_NO,
    DEALER,
    HAND_SIZE,
    KEY,
    LAST1,
    LOST_OF,
    MATCH_NO,
    NONE_SEAT,
    PH_DEAL,
    PH_DRAW,
    PH_OVER,
    PHASE,
    PLACE_OF,
    TURN,
    VALUE_OF,
)
from thirtyone_env.core.rng import GOLDEN, decision_key, game_key, mix
from thirtyone_env.core.worth import rule
from thirtyone_eval.luck_core import (
    MOST_EVENTS,
    OPEN,
    best_other,
    deal_luck,
    draw_luck,
    level_of,
    look_round,
    row_of,
    shift_of,
)

GROUP = "luck"
GIVEN = U(63)  # stands for the kind of a policy where the actions are given


@jit
def keep_draw(ints, event, count):
    """Keep what the seats had at a draw, for `count_ends`."""
    shift = shift_of(best_other(ints, -1, count))
    for seat in range(count):
        kind = ints[1, seat]
        ints[3 + 2 * event, seat] = ints[0, seat]
        ints[4 + 2 * event, seat] = kind + shift if kind == OPEN else kind


@jit
def keep_deal(S, g, ints, count):
    """Keep the dealt hands; out: -1."""
    look_round(S, g, ints)
    for seat in range(count):
        ints[3, seat] = ints[0, seat]


@jit
def count_ends(S, g, ints, events, ends, dealt, count):
    """At the end of a round add what became of the hands that were kept, and what the dealt ones lost."""
    for event in range(1, events):
        for seat in range(count):
            now = ints[3 + 2 * event, seat]
            if now >= 0:
                end = level_of(get_of(S, g, VALUE_OF, U(seat)))
                ends[ints[4 + 2 * event, seat], now, end] += 1.0
    for seat in range(count):
        if ints[3, seat] >= 0:
            dealt[0, ints[3, seat]] += 1.0
            dealt[1, ints[3, seat]] += float((S[LAST1, g] >> (LOST_OF[1] * U(seat))) & LOST_OF[2])


@jit
def play_out(
    S, g, kinds, row, V, base, result, seats, actions, at, last, tables, hopes, ints, floats, luck, ends, dealt
):
    """Play a game that has begun to its end, or as far as its actions are given."""
    dealer = get(S, g, DEALER)
    fits = ends.shape[0] > 0
    decision, settled, reason = U0, U0, U0
    events = 1
    deal_key = mix(base + GOLDEN)
    while True:
        if reason != U0:
            rounds.end_round(S, g, reason)
            reason = U0
            decision = U0
            settled = settled + U1
            count_round(S, g, result, seats)
            if fits:
                count_ends(S, g, ints, events, ends, dealt, seats)
            if get(S, g, PHASE) == PH_OVER:
                break
            deal_key = mix(base + (get(S, g, DEAL_NO) + U1) * GOLDEN)
        elif deal.chance_to_move(S, g):
            phase = get(S, g, PHASE)
            if phase == PH_DRAW:
                draw_luck(S, g, deal.draw_card(S, g), tables, ints, floats, luck, seats)
                if fits and events < MOST_EVENTS:
                    keep_draw(ints, events, seats)
                    events += 1
            reason = deal.chance_moves(S, g)
            if phase == PH_DEAL:
                deal_luck(S, g, hopes, luck, seats)
                events = 1
                if fits:
                    keep_deal(S, g, ints, seats)
        else:
            seat = get(S, g, TURN)
            kind = kinds[row, U2 * seat]
            if kind == GIVEN:
                if at == last:
                    break
                action = U(actions[at])
                at += 1
            elif kind == policies.RANDOM:
                key = decision_key(deal_key, decision, seat)
                action = policies.random_legal(legal.legal_actions(S, g), key)
            else:
                view.write_view(S, g, seat, V, 0)
                action = policies.choose(kind, kinds[row, U2 * seat + U1], V, 0, U0)
            reason = moves.act(S, g, action)
            decision = decision + U1
    for seat in range(seats):
        result[PLACES * seats + seat] = get_of(S, g, PLACE_OF, U(seat))
    result[3 * seats + FIRST_DEALER] = dealer
    result[3 * seats + ROUNDS] = settled


@entry(
    "void(uint64[::1], uint64[:, ::1], uint64[::1], uint64[::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1],"
    " uint8[::1], int64[::1], float64[:, :, ::1], float64[::1], int64[:, ::1], float64[:, ::1], float64[:, ::1],"
    " float64[:, :, ::1], float64[:, ::1])",
    group=GROUP,
)
def play_games(
    table, S, seeds, bases, kinds, V, results, actions, starts, tables, hopes, ints, floats, luck, ends, dealt
):
    """`batch_arena.play_games`, and each seat's luck; or games whose actions are given.

    ``actions``: uint8 of all games, those of game i from ``starts[i]`` to ``starts[i + 1]`` (int64 ``[games + 1]``),
    for seats whose kind is `GIVEN`; ``tables``: float64 ``[CLASSES, ROWS, LEVELS + 1]``: for each class and hand now
    the chance of a worth of so much at least in the end; ``hopes``: see `deal_luck`; ``ints``: int64 ``[INTS, ROWS]``
    and ``floats``: float64 ``[FLOATS, ROWS]``, scratch; ``luck``: float64 ``[games, 2 * seats]``, zeros: `DRAWS` and
    then `DEALS` of each seat; ``ends``: float64 ``[CLASSES, ROWS, LEVELS]``, to count what became of hands, or no rows;
    ``dealt``: float64 ``[2, ROWS]``: how many such hands were dealt and the lives that they lost.
    """
    seats = kinds.shape[1] // 2
    for i in range(seeds.shape[0]):
        for word in range(S.shape[0]):
            S[word, 0] = table[word]
        S[KEY, U0] = game_key(seeds[i], U0)
        put(S, U0, MATCH_NO, U0)
        match.begin_match(S, U0, NONE_SEAT)
        play_out(
            S, U0, kinds, i, V, bases[i], results[i], seats, actions, starts[i], starts[i + 1], tables, hopes, ints,
            floats, luck[i], ends, dealt,
        )  # fmt: skip


@entry(
    "void(uint64[:, ::1], uint64, float64[:, :, ::1], int64[:, ::1], float64[:, ::1], float64[::1])", group=GROUP
)
def one_draw(S, card, tables, ints, floats, luck):
    """`draw_luck` of one state, uint64 ``[words, 1]``; ``luck``: float64 ``[2 * seats]``."""
    draw_luck(S, U0, card, tables, ints, floats, luck, luck.shape[0] // 2)


@entry("void(uint64[:, ::1], float64[::1], float64[::1])", group=GROUP)
def one_deal(S, hopes, luck):
    """`deal_luck` of one state whose hands have been dealt; ``luck``: float64 ``[2 * seats]``."""
    deal_luck(S, U0, hopes, luck, luck.shape[0] // 2)


@entry("void(uint64, uint64, float64[::1])", group=GROUP)
def count_hands(deck, rules1, counts):
    """How many hands of the pack stand in each row: ``counts``, float64 ``[ROWS]``, added to."""
    size = rule(rules1, HAND_SIZE)
    first = deck
    while first != U0:
        one = first & (~first + U1)
        first = first ^ one
        second = first if size > U1 else U1
        while second != U0:
            two = second & (~second + U1)
            second = second ^ two
            third = second if size > U2 else U1
            while third != U0:
                three = third & (~third + U1)
                third = third ^ three
                hand = one | (two if size > U1 else U0) | (three if size > U2 else U0)
                counts[row_of(hand, rules1)] += 1.0


compile_entries(GROUP, "the measure of luck")
