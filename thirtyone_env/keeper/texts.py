"""What the keeper can show at one key: the short rules, who loses what, the keys."""

from __future__ import annotations

from thirtyone_env.keeper.house import House, on_county
from thirtyone_env.rules import Rules
from thirtyone_env.who_loses import cases

HELP = """\
At any question:
 r  the short rules
 t  who loses what
 ?  these keys
 x  leave this question
 q  stop; all is saved
At the start of a round:
 Ann  Ann knocked
 -    nobody knocked
 31   somebody showed 31
 u  undo the last entry
 c  correct an earlier round
 l  a player leaves
 n  a new game, same names
 s  a new game, other names or rules
A player is named by name, by the first letters, or by number; several with spaces, or: all
Hands: KS 8S 5S, or the worth: 23"""

_KNOCK = {
    "banned_first_turn": "Not on the very first turn.",
    "banned_first_lap": "Not in the first lap.",
}


def short_rules(house: House) -> list[str]:
    """The rules of a table, a sentence a line."""
    rules = house.rules
    lines = [
        f"Rules: {house.title}",
        "Aim: the most points in one suit. Ace 11, K Q J 10, others their number.",
    ]
    if rules.three_of_a_kind != "off":
        lines.append(f"Three of a kind is worth {rules.three_of_a_kind}." + _aces(rules))
    return lines + [_turn(rules), _knock(rules), *_showing(rules), *_lives(house)]


def _aces(rules: Rules) -> str:
    return {"32.5": " Three aces 32.5.", "feuer": " Three aces end the hand."}.get(rules.three_aces or "", "")


def _turn(rules: Rules) -> str:
    if rules.table == "stock_discard":
        kept = "" if rules.return_taken_discard else " A discard taken must be kept that turn."
        return f"Turn: draw from stock or discard pile, then throw a card.{kept}"
    if rules.pool_exchange == "one_or_all":
        return "Turn: change one card or all three with the open ones, or pass."
    return "Turn: change a card with the open ones, or pass."


def _knock(rules: Rules) -> str:
    least = f" You need {rules.knock_min}." if rules.knock_min else ""
    return (
        "Or knock: you play no more, each other player has one more turn, then all show."
        f"{least} {_KNOCK.get(rules.first_turn_knock or '', '')}"
    ).rstrip()


def _showing(rules: Rules) -> list[str]:
    if rules.declare_effect == "lowest_loses":
        return ["31 shown ends the hand; the lowest loses one."]
    lines = ["31 shown ends the hand; everyone else loses one."]
    if rules.simultaneous_31 == 2:
        lines.append("Several 31s at once: the others lose two.")
    if rules.knocker_on_31 == 2:
        lines.append("A knocker beaten by a 31 loses two.")
    return lines


def _lives(house: House) -> list[str]:
    rules = house.rules
    tokens = f"{rules.lives} token{'' if rules.lives == 1 else 's'} each."
    if rules.county:
        lines = [f"{tokens} Without one you are {on_county(house.county)}: the next loss puts you out."]
    else:
        lines = [f"{tokens} Without one you are out."]
    if rules.life_transfer == "to_winner":
        lines.append("Lost tokens go to the highest hand.")
    if rules.all_out == "replay":
        lines.append("If all left would go out, the hand is dealt again.")
    else:
        lines.append("If all left would go out, they play on with one chance each.")
    return lines


def who_loses(house: House) -> list[str]:
    """The table of who loses what, at most 40 columns wide."""
    lines = ["Who loses what", f"{'':<26}{'knocker':>7}{'others':>7}"]
    for case in cases(house.rules):
        knocker = "-" if case.knocker is None else str(case.knocker)
        lines.append(f"{case.what:<26}{knocker:>7}{case.others:>7}")
    return lines
