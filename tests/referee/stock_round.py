"""A deal at the table with a stock and a discard pile (RULES 2 to 6 and 9)."""

from collections.abc import Sequence

from .actions import discards
from .cards import in_order
from .house import House
from .round import Place, Round
from .worth import may_be_shown


class StockRound(Round):
    """Draw from the stock or the pile, then discard; knock; show 31."""

    def __init__(self, house: House, players: int, seats: Sequence[int], dealer: int) -> None:
        self.pile: list[str] = []
        self.dummy: list[str] = []
        self.dummy_up: list[str] | None = None
        self.drawn: str | None = None
        self.taken: str | None = None  # the card in hand that came from the pile in this turn
        super().__init__(house, players, seats, dealer)

    def places_after_hands(self) -> list[Place]:
        """A dummy hand where there is one, then the up-card."""
        dummy: list[Place] = ["dummy"] * self.house.hand_size if self.house.dummy_hand else []
        return [*dummy, "pile"]

    @property
    def top(self) -> str | None:
        """The card that lies open; while a taken card is in hand there is none."""
        return self.pile[-1] if self.pile and self.taken is None else None

    def put(self, card: str, place: Place) -> None:
        """Lay a card of chance where it belongs."""
        if place == "dummy":
            self.dummy.append(card)
        elif place == "pile":
            self.pile.append(card)
        else:
            super().put(card, place)
            self.drawn = card

    def before_first_turn(self) -> None:
        """The dealer may first change a card for the up-card."""
        self.drawn = None
        if self.house.dealer_upcard_swap:
            self.actor = self.dealer
            self.phase = "upcard"
        else:
            super().before_first_turn()

    # What may be done.

    def options_now(self) -> list[str]:
        """The legal actions, in the order of their ids."""
        if self.phase == "upcard":
            return ["pass", "swap_upcard"]
        if self.phase == "upcard discard":
            return discards([card for card in self.hands[self.seat] if card != self.taken])
        if self.phase == "discard":
            declare = ["declare"] if self.may_declare_after_drawing() else []
            return declare + discards([card for card in self.hands[self.seat] if self.may_discard(card)])
        return self._turn_options()

    def _turn_options(self) -> list[str]:
        possible = {
            "draw_stock": bool(self.stock) or self._can_reshuffle(),
            "draw_discard": bool(self.pile),
            "knock": self.may_knock(),
            "declare": self.may_declare_before_drawing(),
            "pass": self._may_pass(),
            "swap_dummy": bool(self.dummy) and self.dummy_up is None,
        }
        return [action for action, legal in possible.items() if legal]

    def _can_reshuffle(self) -> bool:
        return self.house.stock_out == "reshuffle" and len(self.pile) > 1

    def _may_pass(self) -> bool:
        """No stock and the discard is not wanted, or the hand is kept in the final lap."""
        if not self.stock and self.house.stock_out == "play_on":
            return True
        final_lap = self.knocker is not None
        no_stock = not self.stock and self.house.stock_out == "draw"
        return final_lap and (no_stock or self.house.final_lap_stand)

    def may_discard(self, card: str) -> bool:
        """A card taken from the pile may not go back in the same turn."""
        return card != self.taken or self.house.return_taken_discard

    def may_declare_after_drawing(self) -> bool:
        """Whether 31 can be shown from the four cards in hand."""
        return self.house.declare in ("claim", "hold") and self.left_over() is not None

    def left_over(self) -> str | None:
        """The card left over when three of the four cards show 31: the lowest that may be thrown, or None."""
        for card in in_order(self.hands[self.seat]):
            shown = [other for other in self.hands[self.seat] if other != card]
            needs_drawn = self.house.declare != "hold" and card == self.drawn
            if not needs_drawn and self.may_discard(card) and may_be_shown(shown, self.house):
                return card
        return None

    # What happens.

    def do(self, action: str) -> None:
        """Carry out a legal action."""
        if self.phase in ("upcard", "upcard discard"):
            self._upcard(action)
        elif action == "draw_stock":
            self._draw_stock()
        elif action == "draw_discard":
            self._take_top()
            self._after_draw()
        elif action == "knock":
            self.knock()
        elif action == "declare":
            self._declare()
        elif action == "pass":
            self._pass()
        elif action == "swap_dummy":
            self._swap_dummy()
        else:
            self._throw(action.removeprefix("discard "))
            self.end_turn()

    def _upcard(self, action: str) -> None:
        if action == "pass":
            super().before_first_turn()
        elif action == "swap_upcard":
            self._take_top()
            self.phase = "upcard discard"
        else:
            self._throw(action.removeprefix("discard "))
            if self.holds_31(self.dealer):
                self.show("declared", [self.dealer])
            else:
                super().before_first_turn()

    def _draw_stock(self) -> None:
        if not self.stock:  # shuffled at the next need; the top card stays
            self.stock = in_order(self.pile[:-1])
            self.pile = self.pile[-1:]
        self.expected = [self.seat]
        self.after_cards = self._after_draw

    def _take_top(self) -> None:
        card = self.pile.pop()
        self.hands[self.seat].append(card)
        self.drawn = self.taken = card

    def _after_draw(self) -> None:
        if self.house.declare == "auto" and self.left_over() is not None:
            self._declare_from_four()
        else:
            self.phase = "discard"

    def _declare(self) -> None:
        if self.phase == "discard":
            self._declare_from_four()
        else:
            self.show_31()

    def _declare_from_four(self) -> None:
        card = self.left_over()
        if card is None:
            raise RuntimeError("there is no 31 to show")
        self.phase = "discard"
        self._throw(card)
        self.show_31()

    def _throw(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.pile.append(card)
        self.drawn = self.taken = None

    def _pass(self) -> None:
        if not self.stock and self.house.stock_out == "play_on":
            self.show("stock_out")
        else:
            self.end_turn()

    def _swap_dummy(self) -> None:
        self.dummy_up = in_order(self.hands[self.seat])
        self.hands[self.seat] = self.dummy
        if self.holds_31(self.seat):
            self.show("declared", [self.seat])
        else:
            self.end_turn()

    def drawn_for_want_of_stock(self) -> bool:
        """Under `draw` the round is drawn once the turn has ended in which the last stock card was drawn."""
        return self.house.stock_out == "draw" and not self.stock

    def shown_for_want_of_stock(self) -> bool:
        """Under `show` a used up stock ends the round, a final lap or not."""
        return self.house.stock_out == "show" and not self.stock
