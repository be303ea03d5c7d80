"""The table of who loses what, made by settling an example of each case."""

from __future__ import annotations

from dataclasses import dataclass

from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import Hand

KNOCKER = 0
_LIVES = [9] * 5


@dataclass(frozen=True)
class Case:
    """One case: who is where, what the knocker loses (None: nobody knocked), what each other player named loses."""

    what: str
    knocker: int | None
    others: int


def cases(rules: Rules) -> list[Case]:
    """The cases of a lives game under these rules.

    Raises:
        UserError: it is a game for a pot.
    """
    if rules.lives is None:
        raise UserError("a game for a pot has no lives to lose")
    party = rules.settlement == "below_knocker_loses"
    found = _party(rules) if party else _lowest(rules)
    if rules.declare_effect == "others_lose":
        found += _shown(rules)
    else:
        found.append(_case(rules, "31 shown: the lowest", [31, 20, 10, 20, 20], (2,), declared=(0,), nobody=True))
    if rules.three_aces == "feuer":
        found.append(_case(rules, "three aces: others", [None] * 5, (1,), declared=(0,), nobody=True, reason="feuer"))
    return found


def _lowest(rules: Rules) -> list[Case]:
    return [
        _case(rules, "one other is lowest", [20, 10, 20, 20, 20], (1,)),
        _case(rules, "several others are", [20, 10, 10, 20, 20], (1, 2)),
        _case(rules, "the knocker alone is", [10, 20, 20, 20, 20], ()),
        _case(rules, "the knocker and others", [10, 10, 20, 20, 20], (1,)),
        _nobody(rules),
    ]


def _nobody(rules: Rules) -> Case:
    if rules.stock_out == "draw":
        return _case(rules, "stock out, no knock", [10] * 5, (), nobody=True, reason="drawn")
    return _case(rules, "no knock: the lowest", [20, 10, 20, 20, 20], (1,), nobody=True)


def _party(rules: Rules) -> list[Case]:
    return [
        _case(rules, "others below the knocker", [20, 10, 10, 25, 20], (1, 2)),
        _case(rules, "nobody below the knocker", [10, 20, 20, 25, 20], (1,)),
        _case(rules, "others tie at the top", [20, 10, 10, 25, 25], (1, 3)),
        _case(rules, "the knocker in that tie", [25, 10, 10, 25, 20], (1, 3)),
        _case(rules, "nobody knocked", [20, 10, 20, 20, 25], (1,), nobody=True),
    ]


def _shown(rules: Rules) -> list[Case]:
    nothing: list[Hand] = [None] * 5
    return [
        _case(rules, "31 shown: others", nothing, (1,), declared=(4,), nobody=True),
        _case(rules, "31 shown after a knock", nothing, (1,), declared=(4,)),
        _case(rules, "several 31s: others", nothing, (1,), declared=(3, 4), nobody=True),
    ]


def _case(
    rules: Rules,
    what: str,
    hands: list[Hand],
    others: tuple[int, ...],
    declared: tuple[int, ...] = (),
    nobody: bool = False,
    reason: str | None = None,
) -> Case:
    """Settle the example; all the others named must lose the same."""
    lost = rules.settle(hands, None if nobody else KNOCKER, declared, _LIVES, (), reason).lost
    losses = {lost[seat] for seat in others} or {0}
    if len(losses) > 1:
        raise AssertionError(f"{what}: players in the same place lose {losses}")
    return Case(what, None if nobody else lost[KNOCKER], losses.pop())
