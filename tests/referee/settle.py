"""Who loses how many lives at a round's end (RULES 7 and 8)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .house import House, read_house
from .worth import is_feuer, tiebreak_key, worth

Hand = Sequence[str] | float | None


def settle(
    options: Mapping[str, Any] | House,
    hands: Sequence[Hand],
    knocker: int | None,
    declared: Sequence[int],
    lives: Sequence[int],
    out: Collection[int] = (),
    reason: str | None = None,
) -> dict[str, Any]:
    """The result of a round; a hand is cards, a bare worth, or None (out, or not shown as somebody declared)."""
    house = read_house(options)
    gone = set(out) | {seat for seat, hand in enumerate(hands) if hand is None and not declared}
    seats = [seat for seat in range(len(hands)) if seat not in gone]
    values = [hand_worth(hand, house) for hand in hands]
    if house.pot_game:
        return _settle_pot(house, hands, values, seats, declared, lives, reason)
    amounts = amounts_lost(house, hands, values, seats, knocker, declared, reason)
    gained = lives_gained(house, values, seats, declared, amounts, lives)
    return {"values": values, **apply_losses(house, seats, amounts, gained, lives), "pot_winners": []}


def hand_worth(hand: Hand, house: House) -> float | None:
    """The worth of a hand as it was given."""
    if hand is None:
        return None
    return float(hand) if isinstance(hand, int | float) else worth(hand, house)


def amounts_lost(
    house: House,
    hands: Sequence[Hand],
    values: Sequence[float | None],
    seats: Sequence[int],
    knocker: int | None,
    declared: Sequence[int],
    reason: str | None,
) -> dict[int, int]:
    """What the rule takes from each seat that is in, before capping at what it has."""
    if reason == "drawn":
        return dict.fromkeys(seats, 0)
    if declared and _feuer_was_shown(house, hands, values, declared, reason):
        return {seat: 0 if seat in declared else 1 for seat in seats}
    if declared and house.declare_effect == "others_lose":
        return others_lose(house, seats, knocker, declared)
    worths = {seat: _known(values, seat) for seat in seats}
    if declared:  # a shown 31 only ends the hand: the lowest lose one, closing costs nothing more
        return lowest_loses(worths, knocker, replace(house, knock_penalty=1, knocker_tie="all_lose"))
    if house.settlement == "below_knocker_loses":
        return below_knocker_loses(worths, knocker)
    return lowest_loses(worths, knocker, house)


def _known(values: Sequence[float | None], seat: int) -> float:
    value = values[seat]
    if value is None:
        raise ValueError(f"the hand of seat {seat} is needed to settle this round")
    return value


def _feuer_was_shown(
    house: House,
    hands: Sequence[Hand],
    values: Sequence[float | None],
    declared: Sequence[int],
    reason: str | None,
) -> bool:
    if reason is not None:
        return reason == "feuer"
    shown = hands[declared[0]]
    if isinstance(shown, int | float):
        return house.three_aces == "feuer" and values[declared[0]] == 33
    return shown is not None and is_feuer(shown, house)


def others_lose(
    house: House, seats: Sequence[int], knocker: int | None, declared: Sequence[int]
) -> dict[int, int]:
    """Somebody showed 31: everyone else loses (RULES 5)."""
    amount = house.simultaneous_31 if len(declared) > 1 else 1
    lost = {seat: 0 if seat in declared else amount for seat in seats}
    if knocker is not None and knocker not in declared:
        lost[knocker] = max(amount, house.knocker_on_31)
    return lost


def lowest_loses(worths: Mapping[int, float], knocker: int | None, house: House) -> dict[int, int]:
    """The lowest hand loses: the table of RULES 7."""
    bottom = min(worths.values())
    lowest = [seat for seat, value in worths.items() if value == bottom]
    lost = dict.fromkeys(worths, 0)
    others = [seat for seat in lowest if seat != knocker]
    tied = len(lowest) > 1
    spared = tied and house.tie_lowest == "none_lose"
    knocker_tied = tied and knocker in lowest
    if not spared and not (knocker_tied and house.knocker_tie == "only_knocker"):
        lost.update(dict.fromkeys(others, 1))
    if knocker is not None and knocker in lowest:
        lost[knocker] = _knocker_in_tie(house) if tied else house.knock_penalty
    return lost


def _knocker_in_tie(house: House) -> int:
    return {
        "safe": 0,
        "knocker_two": house.knock_penalty,
        "only_knocker": house.only_knocker_amount,
        "all_lose": 1,
    }[house.knocker_tie]


def below_knocker_loses(worths: Mapping[int, float], knocker: int | None) -> dict[int, int]:
    """The party game: everyone below the knocker loses (RULES 7)."""
    lost = dict.fromkeys(worths, 0)
    if knocker is None:
        return lost
    highest = max(worths.values())
    at_highest = [seat for seat, value in worths.items() if value == highest]
    below = [seat for seat, value in worths.items() if value < worths[knocker]]
    if len(at_highest) > 1:
        if knocker in at_highest:
            lost[knocker] = 1
    elif not below:
        lost[knocker] = 2
    else:
        lost.update(dict.fromkeys(below, 1))
    return lost


def lives_gained(
    house: House,
    values: Sequence[float | None],
    seats: Sequence[int],
    declared: Sequence[int],
    amounts: Mapping[int, int],
    lives: Sequence[int],
) -> list[int]:
    """Lost tokens go to the one best hand where the table plays so; a player gives at most what he has."""
    gained = [0] * len(lives)
    if house.life_transfer != "to_winner":
        return gained
    best = list(declared)
    if not best:
        highest = max(_known(values, seat) for seat in seats)
        best = [seat for seat in seats if values[seat] == highest]
    if len(best) == 1 and amounts[best[0]] == 0:
        gained[best[0]] = sum(min(amounts[seat], lives[seat]) for seat in seats)
    return gained


def apply_losses(
    house: House,
    seats: Sequence[int],
    amounts: Mapping[int, int],
    gained: Sequence[int],
    lives: Sequence[int],
) -> dict[str, Any]:
    """Tokens, county and who is out after the round; everyone out at once is a case of its own (RULES 8)."""
    players = range(len(lives))
    would_lose = [amounts.get(seat, 0) for seat in players]
    eliminated = [seat for seat in seats if amounts[seat] >= chances(house, lives[seat])]
    all_out = len(eliminated) == len(seats)
    if all_out:
        eliminated = []
    replayed = all_out and house.all_out == "replay"
    sudden_death = all_out and house.all_out == "sudden_death"
    if replayed:
        after = [lives[seat] if seat in seats else 0 for seat in players]
    elif sudden_death:
        one_chance = 0 if house.county else 1
        after = [one_chance if seat in seats else 0 for seat in players]
    else:
        kept = [max(0, lives[seat] - would_lose[seat]) + gained[seat] for seat in players]
        after = [kept[seat] if seat in seats else 0 for seat in players]
    still_in = [seat for seat in seats if seat not in eliminated]
    return {
        "lost": [0] * len(lives) if replayed else would_lose,
        "would_lose": would_lose,
        "gained": [0] * len(lives) if all_out else list(gained),
        "lives_after": after,
        "on_county": [seat for seat in still_in if house.county and after[seat] == 0],
        "eliminated": eliminated,
        "replayed": replayed,
        "sudden_death": sudden_death,
        "winner": still_in[0] if len(still_in) == 1 else None,
    }


def chances(house: House, tokens: int) -> int:
    """How many losses put a player out: his tokens, plus one with the county."""
    return tokens + 1 if house.county else tokens


def _settle_pot(
    house: House,
    hands: Sequence[Hand],
    values: list[float | None],
    seats: Sequence[int],
    declared: Sequence[int],
    lives: Sequence[int],
    reason: str | None,
) -> dict[str, Any]:
    winners = pot_winners(house, hands, values, seats, declared) if reason != "drawn" else []
    nothing = [0] * len(hands)
    return {
        "values": values,
        "lost": nothing,
        "would_lose": list(nothing),
        "gained": list(nothing),
        "lives_after": list(lives),
        "on_county": [],
        "eliminated": [],
        "replayed": False,
        "sudden_death": False,
        "winner": winners[0] if len(winners) == 1 else None,
        "pot_winners": winners,
    }


def pot_winners(
    house: House,
    hands: Sequence[Hand],
    values: Sequence[float | None],
    seats: Sequence[int],
    declared: Sequence[int],
) -> list[int]:
    """Who shares the pot: whoever showed 31, otherwise the best hand after the tie-break (RULES 10)."""
    if declared:
        return sorted(declared)
    highest = max(_known(values, seat) for seat in seats)
    best = [seat for seat in seats if values[seat] == highest]
    if len(best) == 1 or house.tiebreak != "highest_card":
        return best
    keys = {}
    for seat in best:
        hand = hands[seat]
        if hand is None or isinstance(hand, int | float):
            raise ValueError(f"the tie-break needs the cards of seat {seat}, not a bare worth")
        keys[seat] = tiebreak_key(hand, house)
    return [seat for seat in best if keys[seat] == max(keys.values())]
