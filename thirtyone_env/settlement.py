"""The end of a round as an object, and settling one outside a game (`Rules.settle`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thirtyone_env.cards import CARDS, cards_to_set
from thirtyone_env.errors import UserError

if TYPE_CHECKING:
    from thirtyone_env.rules import Rules

REASONS = ("knock", "declared", "natural", "stock_out", "drawn", "limit", "feuer")
SHOWN = ("declared", "natural", "feuer")
FEUER = 33.0
MAX_TABLE = 17  # a table with tokens may be larger than the engine's nine seats

Hand = Sequence[str | int] | float | int | None


@dataclass(frozen=True)
class Settlement:
    """What a round's end does to the tokens. Seats count from 0.

    Attributes:
        values: worth of each hand in points, None for a seat that is out or did not show.
        lost: lives that the rule takes from each seat, before capping at what it has; all 0 in a replayed round.
        gained: tokens that each seat receives.
        lives_after: tokens of each seat afterwards, 0 also for a seat that is out.
        on_county: seats on the county afterwards.
        eliminated: seats that go out by this round.
        replayed: everyone left would have gone out and the hand is void.
        would_lose: what a void hand would have cost; else the same as ``lost``.
        sudden_death: seats that play on with one chance each.
        winner: the one seat left, if only one is.
        pot_winners: seats that share the pot, in pot games.
        why: sentences that say who loses what by which rule.
    """

    values: tuple[float | None, ...]
    lost: tuple[int, ...]
    gained: tuple[int, ...]
    lives_after: tuple[int, ...]
    on_county: tuple[int, ...]
    eliminated: tuple[int, ...]
    replayed: bool
    would_lose: tuple[int, ...]
    sudden_death: tuple[int, ...]
    winner: int | None
    pot_winners: tuple[int, ...]
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class RoundResult(Settlement):
    """A settled round of a game: the settlement, how the round ended, and what it paid.

    Attributes:
        reason: knock, declared, natural, stock_out, drawn, limit or feuer.
        knocker: seat that knocked, or None.
        declared: seats that showed 31 (or three aces).
        dealer: seat that dealt.
        deal: number of the deal in the match, from 0; void deals count.
        hands: cards of each seat at the end, None for a seat that was out.
        rewards_lives: reward of each seat under the scheme ``lives``; they sum to zero.
        rewards_match: reward of each seat under the scheme ``match``.
    """

    reason: str = ""
    knocker: int | None = None
    declared: tuple[int, ...] = ()
    dealer: int = 0
    deal: int = 0
    hands: tuple[tuple[str, ...] | None, ...] = ()
    rewards_lives: tuple[float, ...] = ()
    rewards_match: tuple[float, ...] = ()


@dataclass(frozen=True)
class _Table:
    """Checked input of `settle`."""

    seats: int  # set of the seats that are in
    values: list[float | None]
    ranks: list[float]  # what the hands are compared by; -1 where there is none
    lives: list[int]
    knocker: int | None
    declared: tuple[int, ...]
    reason: str


def settle(
    rules: Rules,
    hands: Sequence[Hand],
    knocker: int | None,
    declared: Sequence[int],
    lives: Sequence[int] | None,
    out: Sequence[int],
    reason: str | None,
) -> Settlement:
    """Settle a round; see `Rules.settle`."""
    from thirtyone_env.core import entry
    from thirtyone_env.explain import explain

    table = _check(rules, hands, knocker, declared, lives, out, reason)
    seats = _members(table.seats)
    present = {seat: table.ranks[seat] for seat in seats if table.values[seat] is not None}
    low = _extreme(present, min)
    high = _extreme(present, max)
    knocked = present.get(table.knocker) if table.knocker is not None else None
    below = sum(1 << s for s, rank in present.items() if knocked is not None and rank < knocked)
    if rules.settlement == "highest_takes_pot":
        drawn = table.reason == "drawn"  # then nobody takes the pot
        winners = table.declared if table.reason in SHOWN else () if drawn else _members(high)
        result = _pot(table, winners)
    else:
        one, two, receiver = entry.losers(
            rules.packed[1], REASONS.index(table.reason) + 1, table.seats,
            0 if table.knocker is None else 1 << table.knocker,
            sum(1 << s for s in table.declared), low, high, below,
        )
        result = _lives(rules, table, int(one), int(two), int(receiver))
    why = explain(rules, result, table.reason, table.knocker, table.declared)
    return Settlement(**{**result.__dict__, "why": why})


def _members(seats: int) -> tuple[int, ...]:
    return tuple(i for i in range(MAX_TABLE) if seats >> i & 1)


def _extreme(ranks: dict[int, float], pick: object) -> int:
    if not ranks:
        return 0
    best = pick(ranks.values())  # type: ignore[operator]  # min or max
    return sum(1 << seat for seat, rank in ranks.items() if rank == best)


def _check(
    rules: Rules,
    hands: Sequence[Hand],
    knocker: int | None,
    declared: Sequence[int],
    lives: Sequence[int] | None,
    out: Sequence[int],
    reason: str | None,
) -> _Table:
    n = len(hands)
    if not 2 <= n <= MAX_TABLE:
        raise UserError(f"{n} hands given; a table has 2 to {MAX_TABLE} seats")
    gone = {_seat(seat, n, "out") for seat in out}
    shown = tuple(sorted({_seat(seat, n, "declared") for seat in declared}))
    if knocker is not None:
        _seat(knocker, n, "knocker")
    for seat in (*shown, *(() if knocker is None else (knocker,))):
        if seat in gone:
            raise UserError(f"seat {seat} is out and can neither knock nor show")
    if knocker is not None and knocker in shown:
        raise UserError(f"seat {knocker} cannot both knock and show 31 (RULES section 5)")
    if len(gone) > n - 2:
        raise UserError(f"{len(gone)} of {n} seats are out; at least two must be in")
    why = _reason(reason, knocker, shown)
    values, ranks = _values(rules, hands, gone, may_hide=why in SHOWN or why == "drawn")
    if reason is None and rules.three_aces == "feuer" and shown and all(values[seat] == FEUER for seat in shown):
        why = "feuer"
    tokens = _tokens(rules, lives, n, gone)
    return _Table(sum(1 << s for s in range(n) if s not in gone), values, ranks, tokens, knocker, shown, why)


def _seat(seat: int, n: int, what: str) -> int:
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise UserError(f"{what}: {seat!r} is no seat; allowed are the whole numbers 0 to {n - 1}")
    if not 0 <= seat < n:
        raise UserError(f"{what}: seat {seat} is not at this table; allowed are 0 to {n - 1}")
    return seat


def _reason(reason: str | None, knocker: int | None, declared: tuple[int, ...]) -> str:
    if reason is None:
        return "declared" if declared else ("knock" if knocker is not None else "stock_out")
    if reason not in REASONS:
        raise UserError(f"reason '{reason}' is unknown; allowed are {', '.join(REASONS)}")
    if (reason in SHOWN) != bool(declared):
        raise UserError(f"reason '{reason}' does not go with declared={list(declared)}")
    if reason == "knock" and knocker is None:
        raise UserError("reason 'knock' needs a knocker")
    return reason


def _values(
    rules: Rules, hands: Sequence[Hand], gone: set[int], may_hide: bool
) -> tuple[list[float | None], list[float]]:
    seen: dict[str, int] = {}
    values: list[float | None] = []
    ranks: list[float] = []
    for seat, hand in enumerate(hands):
        if seat in gone:
            if hand is not None:
                raise UserError(f"seat {seat} is out and has no hand; give None")
            values.append(None)
            ranks.append(-1.0)
            continue
        value, rank = _value(rules, hand, seat, seen, may_hide)
        values.append(value)
        ranks.append(rank)
    return values, ranks


def _value(
    rules: Rules, hand: Hand, seat: int, seen: dict[str, int], may_hide: bool
) -> tuple[float | None, float]:
    if hand is None:
        if may_hide:
            return None, -1.0
        raise UserError(f"seat {seat} is in and must show a hand")
    if isinstance(hand, int | float):
        if rules.tiebreak == "highest_card":
            raise UserError(f"seat {seat}: tiebreak highest_card needs the cards, not the bare worth {hand}")
        if not 2 <= hand <= 33 or (2 * hand) % 1:
            raise UserError(f"seat {seat}: a worth of {hand} is impossible; allowed are 2 to 33 in halves")
        return float(hand), float(hand)
    if isinstance(hand, str):
        raise UserError(f"seat {seat}: give a list of cards, not the text '{hand}'")
    cards = [CARDS[i] for i in sorted(_ids(hand))]
    for card in cards:
        if card in seen:
            raise UserError(f"the card {card} is in the hands of seats {seen[card]} and {seat}")
        seen[card] = seat
    value = rules.worth(cards)
    return value, value * 2.0**14 + (rules.tiebreak_key(cards) if rules.tiebreak == "highest_card" else 0)


def _ids(hand: Sequence[str | int]) -> list[int]:
    from thirtyone_env.cards import card_id

    cards_to_set(hand)
    return [card_id(card) for card in hand]


def _tokens(rules: Rules, lives: Sequence[int] | None, n: int, gone: set[int]) -> list[int]:
    if rules.settlement == "highest_takes_pot":
        if lives is not None and any(lives):
            raise UserError("a pot game (settlement highest_takes_pot) has no lives")
        return [0] * n
    tokens = [rules.lives or 0] * n if lives is None else list(lives)
    if len(tokens) != n:
        raise UserError(f"{len(tokens)} lives given for {n} seats")
    for seat, count in enumerate(tokens):
        if not isinstance(count, int) or not 0 <= count <= 9 * MAX_TABLE:
            raise UserError(f"seat {seat} cannot have {count} tokens; allowed are 0 to {9 * MAX_TABLE}")
        if seat in gone:
            tokens[seat] = 0
        elif count == 0 and not rules.county:
            raise UserError(f"seat {seat} has no tokens and there is no county: it must be in out")
    return tokens


def _pot(table: _Table, winners: tuple[int, ...]) -> Settlement:
    n = len(table.values)
    nothing = (0,) * n
    winner = winners[0] if len(winners) == 1 else None
    return Settlement(tuple(table.values), nothing, nothing, nothing, (), (), False, nothing, (), winner, winners)


def _lives(rules: Rules, table: _Table, one: int, two: int, receiver: int) -> Settlement:
    n = len(table.values)
    seats = _members(table.seats)
    extra = 1 if rules.county else 0
    loss = tuple(2 if two >> s & 1 else one >> s & 1 for s in range(n))
    lives = list(table.lives)
    county = {s for s in seats if rules.county and lives[s] == 0}
    out = tuple(s for s in seats if loss[s] and loss[s] >= lives[s] + extra)
    none = (0,) * n
    if out and len(out) == len(seats):
        if rules.all_out == "replay":
            return Settlement(tuple(table.values), none, none, tuple(lives), tuple(sorted(county)), (), True, loss, (),
                              None, ())
        chance = tuple((1 - extra) if s in seats else 0 for s in range(n))
        return Settlement(tuple(table.values), loss, none, chance, seats if extra else (), (), False, loss, seats,
                          None, ())
    given = [min(loss[s], lives[s]) for s in range(n)]
    for seat in seats:
        lives[seat] -= given[seat]
        if loss[seat] and lives[seat] == 0 and seat not in out:
            county.add(seat)
    county -= set(out)
    gained = [0] * n
    if rules.life_transfer == "to_winner" and receiver and sum(given):
        seat = _members(receiver)[0]
        gained[seat] = sum(given)
        lives[seat] += sum(given)
        county.discard(seat)
    left = [s for s in seats if s not in out]
    winner = left[0] if len(left) == 1 else None
    return Settlement(tuple(table.values), loss, tuple(gained), tuple(lives), tuple(sorted(county)), out, False, loss,
                      (), winner, ())
