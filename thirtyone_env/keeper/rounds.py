"""A round as the table tells it, and its settling by `Rules.settle`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from thirtyone_env.errors import UserError
from thirtyone_env.explain import explain
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import Hand, Settlement

ENDINGS = ("knock", "nobody", "shown", "aces")
_LOW, _MIDDLE, _HIGH = 10, 20, 25  # bare worths that stand for who was lower than whom


@dataclass(frozen=True)
class Round:
    """What the table told of a round; seats count from 0.

    Attributes:
        ending: ``knock``; ``nobody`` knocked; a 31 was ``shown``; three ``aces`` were.
        knocker: who knocked, also before a 31 was shown; or None.
        shown: who showed.
        hands: cards or bare worth of each seat, where hands were told.
        lowest, highest, below: who was lowest, highest, below the knocker, where only that was told.
    """

    ending: str
    knocker: int | None = None
    shown: tuple[int, ...] = ()
    hands: Mapping[int, Sequence[str] | float] | None = None
    lowest: tuple[int, ...] = ()
    highest: tuple[int, ...] = ()
    below: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        data: dict[str, Any] = {"ending": self.ending, "knocker": self.knocker}
        if self.hands is not None:
            data["hands"] = {str(s): list(h) if not isinstance(h, float | int) else h for s, h in self.hands.items()}
        return data | {
            name: list(getattr(self, name)) for name in ("shown", "lowest", "highest", "below") if getattr(self, name)
        }


def round_from(data: Mapping[str, Any]) -> Round:
    """A round from plain data.

    Raises:
        UserError: it is none.
    """
    try:
        hands = data.get("hands")
        told = Round(
            data["ending"], data.get("knocker"), tuple(data.get("shown", ())),
            None if hands is None else {int(seat): hand for seat, hand in hands.items()},
            tuple(data.get("lowest", ())), tuple(data.get("highest", ())), tuple(data.get("below", ())),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UserError(f"not a round: {dict(data)!r}") from error
    if told.ending not in ENDINGS:
        raise UserError(f"a round ends by {', '.join(ENDINGS)}, not by {told.ending!r}")
    return told


def needs(rules: Rules, ending: str) -> tuple[str, ...]:
    """What has to be known of the hands: nothing, or some of ``lowest``, ``highest`` and ``below``."""
    party = rules.settlement == "below_knocker_loses"
    if ending == "aces" or (ending == "shown" and rules.declare_effect == "others_lose"):
        return ()
    if ending == "nobody" and (party or rules.stock_out == "draw"):
        return ()
    if ending == "shown":
        return ("lowest",)
    if party:
        return ("highest", "below")
    return ("lowest", "highest") if rules.life_transfer == "to_winner" else ("lowest",)


def settle_round(
    rules: Rules, told: Round, lives: Sequence[int], out: Sequence[int], names: Sequence[str], county: str
) -> Settlement:
    """Settle a round with `Rules.settle`, with reasons that name the players.

    Args:
        lives: tokens before the round.
        out: seats that are out.
        names: what each seat is called.
        county: what the table says of a player who has only the last chance left.

    Raises:
        UserError: something does not fit together.
    """
    seats = [seat for seat in range(len(names)) if seat not in out]
    for seat in (*told.shown, *told.lowest, *told.highest, *told.below, *(told.hands or ())):
        if seat not in seats:
            raise UserError(f"{names[seat] if 0 <= seat < len(names) else seat} is not in this round")
    reason = reason_of(rules, told)
    hands = _hands(rules, told, seats, names)
    listed = [hands.get(seat) for seat in range(len(names))]
    result = rules.settle(listed, told.knocker, told.shown, lives, out, reason)
    why = explain(rules, result, reason, told.knocker, told.shown, lambda seat: names[seat], county)
    skipped = [names[s] for s in result.eliminated if rules.county and lives[s] == 1]
    extra = tuple(f"{name} had one token and loses two: out at once (section 8)" for name in skipped)
    return Settlement(**{**result.__dict__, "why": why + extra})


def reason_of(rules: Rules, told: Round) -> str:
    """Why the round ended, as `Rules.settle` calls it."""
    if told.ending == "aces":
        return "feuer"
    if told.ending == "shown":
        return "natural" if len(told.shown) > 1 else "declared"
    if told.ending == "nobody":
        return "drawn" if rules.stock_out == "draw" else "stock_out"
    return "knock"


def _hands(rules: Rules, told: Round, seats: Sequence[int], names: Sequence[str]) -> dict[int, Hand]:
    """A hand for each seat that is in: as told, or a worth that stands for how it compares."""
    wanted = needs(rules, told.ending)
    if not wanted:
        return dict.fromkeys(seats, None if told.shown or reason_of(rules, told) == "drawn" else _MIDDLE)
    if told.hands is not None:
        full: dict[int, Hand] = dict.fromkeys(told.shown, 31) | dict(told.hands)
        missing = [names[seat] for seat in seats if seat not in full]
        if missing:
            raise UserError(f"no hand of {', '.join(missing)}")
        return full
    if "below" in wanted:
        return _against_knocker(told, seats, names)
    worths: dict[int, Hand] = dict.fromkeys(seats, _MIDDLE)
    worths |= dict.fromkeys(told.shown, 31)
    worths |= dict.fromkeys(told.highest, _HIGH)
    if not told.lowest or ("highest" in wanted and not told.highest):
        raise UserError("nobody was named")
    all_level = set(told.lowest) == set(told.highest) == set(seats)
    both = [names[seat] for seat in told.lowest if seat in (*told.highest, *told.shown)]
    if both and not all_level:
        raise UserError(f"{', '.join(both)} cannot be both lowest and highest")
    return worths | dict.fromkeys(told.lowest, _LOW)


def _against_knocker(told: Round, seats: Sequence[int], names: Sequence[str]) -> dict[int, Hand]:
    """Worths for the party game: who was highest, and who was below the knocker."""
    if not told.highest:
        raise UserError("nobody was named as highest")
    knocker_high = told.knocker in told.highest
    both = [names[seat] for seat in told.below if seat in told.highest or seat == told.knocker]
    if both:
        raise UserError(f"{', '.join(both)} cannot be below the knocker")
    worths: dict[int, Hand] = dict.fromkeys(seats, _LOW if knocker_high else _MIDDLE)
    return worths | dict.fromkeys(told.below, _LOW) | dict.fromkeys(told.highest, _HIGH)
