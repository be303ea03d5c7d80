"""The questions of a round: who knocked or showed 31, then the hands, or just who was lowest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thirtyone_env.errors import UserError
from thirtyone_env.hand_count import count_hand, split_cards
from thirtyone_env.keeper.asking import Asker, find_seat, find_seats
from thirtyone_env.keeper.rounds import Round, needs
from thirtyone_env.keeper.screen import Screen
from thirtyone_env.rules import Rules

SHOWN = "31"
ACES = "3a"
NOBODY = ("-", "nobody")


def first_question(rules: Rules, number: int) -> str:
    """The question that begins a round."""
    aces = ", 3a: three aces" if rules.three_aces == "feuer" else ""
    return f"Round {number}: who knocked? (-: nobody, {SHOWN}: a 31 was shown{aces}, ?: keys)"


class Telling:
    """Asks for a round.

    Args:
        rules: the table's rules.
        names: what each seat is called.
        seats: seats that are in.
    """

    def __init__(self, asker: Asker, screen: Screen, rules: Rules, names: Sequence[str], seats: Sequence[int]) -> None:
        self.asker = asker
        self.screen = screen
        self.rules = rules
        self.names = names
        self.seats = list(seats)

    def tell(self, answer: str) -> Round:
        """The round that begins with this answer to the first question.

        Raises:
            UserError: the answer names nobody.
        """
        if answer in NOBODY:
            return self._hands(Round("nobody"))
        if answer.split()[:1] == [SHOWN]:
            return self._shown(None, answer[len(SHOWN) :].strip())
        if answer == ACES and self.rules.three_aces == "feuer":
            return self._aces(None)
        return self._knocked(find_seat(answer, self.seats, self.names))

    def _knocked(self, knocker: int) -> Round:
        return self._hands(Round("knock", knocker))

    def _shown(self, knocker: int | None, answer: str = "") -> Round:
        """Who showed 31; several only if they were dealt, so without a knock."""
        others = [seat for seat in self.seats if seat != knocker]
        several = "" if knocker is not None else " (several if dealt)"

        def read(text: str) -> tuple[int, ...]:
            shown = find_seats(text, others, self.names)
            if knocker is not None and len(shown) > 1:
                raise UserError("after a knock only one can show 31")
            return shown

        shown = read(answer) if answer else self.asker.ask(f"Who showed 31?{several}", read)
        told = Round("shown", knocker, shown)
        return self._hands(told) if needs(self.rules, "shown") else told

    def _aces(self, knocker: int | None) -> Round:
        others = [seat for seat in self.seats if seat != knocker]
        seat = self.asker.ask("Who showed three aces?", lambda text: find_seat(text, others, self.names))
        return Round("aces", knocker, (seat,))

    def _hands(self, told: Round) -> Round:
        """Ask what is needed of the hands, or for the hands themselves."""
        wanted = needs(self.rules, told.ending)
        if not wanted:
            return told
        more = "h: hands"
        if told.ending == "knock":
            more += f", {SHOWN}: a 31 was shown" + (f", {ACES}: three aces" if self.rules.three_aces == "feuer" else "")
            self.screen.say(f"{self.names[told.knocker or 0]} knocked.")
        asked = self.asker.ask(f"Who was {wanted[0]}? ({more})", lambda text: self._extreme(text, told))
        if asked == "h":
            return replace(told, hands=self._each_hand(told))
        if asked == SHOWN:
            return self._shown(told.knocker)
        if asked == ACES:
            return self._aces(told.knocker)
        assert isinstance(asked, tuple)
        if wanted == ("lowest",):
            return replace(told, lowest=asked)
        return self._compared(told, wanted, asked)

    def _extreme(self, text: str, told: Round) -> str | tuple[int, ...]:
        """Seats that are named, or the key that was pressed."""
        keys = {"h": "h"}
        if told.ending == "knock":
            keys |= {SHOWN: SHOWN} | ({ACES: ACES} if self.rules.three_aces == "feuer" else {})
        if text in keys:
            return keys[text]
        found = find_seats(text, self.seats, self.names)
        both = [self.names[seat] for seat in found if seat in told.shown]
        if both and len(found) < len(self.seats):
            raise UserError(f"{', '.join(both)} showed 31 and was not lowest")
        return found

    def _compared(self, told: Round, wanted: tuple[str, ...], first: tuple[int, ...]) -> Round:
        """The second question of rules that need two: who was highest too, or who was below the knocker."""
        if "lowest" in wanted:
            highest = self.asker.ask("Who was highest?", lambda text: find_seats(text, self.seats, self.names))
            return replace(told, lowest=first, highest=highest)
        if len(first) > 1 or told.knocker in first:
            return replace(told, highest=first)  # a draw, or all the others are below
        others = [seat for seat in self.seats if seat != told.knocker and seat not in first]
        if not others:
            return replace(told, highest=first)
        knocker = self.names[told.knocker or 0]
        below = self.asker.ask(
            f"Who was below {knocker}? (-: nobody)",
            lambda text: () if text in NOBODY else find_seats(text, others, self.names),
        )
        return replace(told, highest=first, below=below)

    def _each_hand(self, told: Round) -> dict[int, list[str] | float]:
        """Ask for the hand of each seat that did not show 31."""
        hands: dict[int, list[str] | float] = {}
        seats = [seat for seat in self.seats if seat not in told.shown]
        while len(hands) < len(seats):
            seat = seats[len(hands)]
            taken = {card: s for s, hand in hands.items() if isinstance(hand, list) for card in hand}
            back = ", b: back" if hands else ""
            hand = self.asker.ask(
                f"{self.names[seat]}'s hand? (cards or worth{back})",
                lambda text, taken=taken: None if text == "b" else self._hand(text, taken),  # type: ignore[misc]  # mypy cannot infer the lambda
            )
            if hand is not None:
                hands[seat] = hand
            elif hands:
                hands.popitem()
        return hands

    def _hand(self, text: str, taken: dict[str, int]) -> list[str] | float:
        """A hand as cards or as its bare worth."""
        if text.replace(".", "", 1).replace(",", "", 1).isdecimal():
            return checked_worth(self.rules, float(text.replace(",", ".")))
        cards = split_cards(text)
        count = count_hand(self.rules, cards)
        for card in cards:
            if card in taken:
                raise UserError(f"{card} is in {self.names[taken[card]]}'s hand already")
        self.screen.say(count.text)
        return cards


def checked_worth(rules: Rules, worth: float) -> float:
    """A bare worth.

    Raises:
        UserError: no hand is worth that under these rules.
    """
    more = set() if rules.three_of_a_kind == "off" else {float(rules.three_of_a_kind)}
    more |= {"32.5": {32.5}, "feuer": {33.0}}.get(str(rules.three_aces), set()) if more else set()
    if worth in more or (worth % 1 == 0 and 2 <= worth <= 31):
        return int(worth) if worth % 1 == 0 else worth
    also = f", or {' or '.join(f'{value:g}' for value in sorted(more))}" if more else ""
    raise UserError(f"no hand is worth {worth:g}; a worth is a whole number from 2 to 31{also}")
