"""A settled round in words: who loses what, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thirtyone_env.rules import Rules
    from thirtyone_env.settlement import Settlement

Name = Callable[[int], str]


def seat_name(seat: int) -> str:
    """Default name of a seat."""
    return f"seat {seat}"


def explain(
    rules: Rules,
    result: Settlement,
    reason: str,
    knocker: int | None,
    declared: Sequence[int],
    name: Name = seat_name,
    county: str = "on the county",
) -> tuple[str, ...]:
    """Sentences on a settled round.

    ``name`` turns a seat into what the table calls it; ``county`` is what it says of a player with no token left who
    has one more chance.
    """
    lines = [_ending(reason, knocker, declared, name)]
    if rules.settlement == "highest_takes_pot":
        lines.append(_pot(rules, result, reason, name))
        return tuple(lines)
    lines.append(_losses(rules, result, reason, knocker, declared, name))
    lines.extend(_consequences(rules, result, name, county))
    return tuple(line for line in lines if line)


def _list(seats: Sequence[int], name: Name) -> str:
    names = [name(seat) for seat in seats]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _ending(reason: str, knocker: int | None, declared: Sequence[int], name: Name) -> str:
    after = f" after {name(knocker)} had knocked" if knocker is not None else ""
    shown = _list(declared, name)
    return {
        "knock": f"{name(knocker) if knocker is not None else 'somebody'} knocked and everyone had one more turn",
        "declared": f"{shown} showed 31{after} (section 5)",
        "natural": f"{shown} showed a dealt 31 (section 5, natural_31)",
        "stock_out": f"the stock was used up{after} and everyone showed (section 6, stock_out)",
        "drawn": "the stock was used up and nobody had knocked: the round is drawn (section 6, stock_out draw)",
        "limit": f"the most turns of a deal were played{after} and everyone showed (section 12, max_turns)",
        "feuer": f"{shown} showed three aces (section 1, three_aces feuer)",
    }[reason]


def _pot(rules: Rules, result: Settlement, reason: str, name: Name) -> str:
    if not result.pot_winners:
        return "nobody takes the pot"
    how = "a shown 31" if reason in ("declared", "natural") else "the highest hand"
    if rules.tiebreak == "highest_card" and how == "the highest hand":
        how += ", ties by the higher cards"
    verb = "takes" if len(result.pot_winners) == 1 else "share"
    return f"{_list(result.pot_winners, name)} {verb} the pot: {how} (section 10)"


def _losses(
    rules: Rules, result: Settlement, reason: str, knocker: int | None, declared: Sequence[int], name: Name
) -> str:
    loss = result.would_lose
    one = [seat for seat, lost in enumerate(loss) if lost == 1]
    two = [seat for seat, lost in enumerate(loss) if lost == 2]
    if not one and not two:
        return "nobody loses a life" + _spared(rules, reason)
    parts = [f"{_list(seats, name)} {'loses' if len(seats) == 1 else 'lose'} {count}"
             for seats, count in ((two, "two"), (one, "one")) if seats]
    return "; ".join(parts) + f" ({_rule(rules, result, reason, knocker, declared)})"


def _spared(rules: Rules, reason: str) -> str:
    if reason == "drawn":
        return ""
    if rules.settlement == "below_knocker_loses":
        return " (section 7, below_knocker_loses)"
    return f" (section 7, tie_lowest {rules.tie_lowest})"


def _rule(rules: Rules, result: Settlement, reason: str, knocker: int | None, declared: Sequence[int]) -> str:
    """The rule that took the lives."""
    loss = result.would_lose
    if reason == "feuer":
        return "section 1: three aces, everyone else loses one"
    if reason in ("declared", "natural") and rules.declare_effect == "others_lose":
        return _shown_rule(rules, loss, knocker, declared)
    if reason in ("declared", "natural"):
        return "section 5: a shown 31 ends the hand and the lowest loses, declare_effect lowest_loses"
    if rules.settlement == "below_knocker_loses":
        if knocker is None or not loss[knocker]:
            return "section 7: every hand below the knocker's loses one, below_knocker_loses"
        if loss[knocker] == 2:
            return "section 7: nobody is below the knocker, who loses two"
        return "section 7: a tie at the top is a draw, but a knocker in it loses one"
    return _lowest_rule(rules, result, knocker)


def _shown_rule(rules: Rules, loss: Sequence[int], knocker: int | None, declared: Sequence[int]) -> str:
    if len(declared) > 1:
        return f"section 5: several 31s at once, simultaneous_31 {rules.simultaneous_31}"
    if knocker is not None and loss[knocker] == 2:
        return "section 5: a 31 after the knock costs the knocker two, knocker_on_31 2"
    return "section 5: a 31 was shown, everyone else loses one"


def _lowest_rule(rules: Rules, result: Settlement, knocker: int | None) -> str:
    """Which case of the table of section 7 it was."""
    shown = [value for value in result.values if value is not None]
    tied = knocker is not None and result.values[knocker] == min(shown)
    others = sum(1 for seat, value in enumerate(result.values) if value == min(shown) and seat != knocker)
    if not tied:
        return "section 7: the lowest hand loses one" + (", all who tie lose" if others > 1 else "")
    if not others:
        return f"section 7: the knocker alone is lowest, knock_penalty {rules.knock_penalty}"
    if rules.tie_lowest == "none_lose":
        return f"section 7: the knocker ties at the bottom, knocker_tie {rules.knocker_tie}, tie_lowest none_lose"
    count = "two" if rules.knock_penalty == 2 else "one"
    words = {
        "safe": "the knocker ties at the bottom and is safe, the others lose one",
        "knocker_two": f"the knocker ties at the bottom and loses {count}, the others one",
        "only_knocker": "the knocker ties at the bottom and loses alone",
        "all_lose": "the knocker ties at the bottom and all there lose one",
    }[rules.knocker_tie]
    return f"section 7: {words}, knocker_tie {rules.knocker_tie}"


def _consequences(rules: Rules, result: Settlement, name: Name, county: str) -> list[str]:
    if result.replayed:
        return ["everyone left would go out: the hand is void and dealt again (section 8, all_out replay)"]
    if result.sudden_death:
        left = _list(result.sudden_death, name)
        return [f"everyone left would go out: {left} play on with one chance each (section 8, all_out sudden_death)"]
    lines = [f"{name(seat)} receives {count} (section 7, life_transfer {rules.life_transfer})"
             for seat, count in enumerate(result.gained) if count]
    new = [s for s in result.on_county if result.lost[s]]
    if new:
        lines.append(f"{_list(new, name)}: no token left, {county} (section 8)")
    if result.eliminated:
        verb = "is" if len(result.eliminated) == 1 else "are"
        lines.append(f"{_list(result.eliminated, name)} {verb} out (section 8)")
    if result.winner is not None:
        lines.append(f"{name(result.winner)} has won")
    return lines
