"""A deal at a table with open cards in the middle: Bicycle's widow and Schwimmen's pool (RULES 10 and 11)."""

from collections.abc import Sequence

from .actions import discards
from .cards import in_order
from .house import House
from .round import Place, Round
from .worth import is_feuer


class PoolRound(Round):
    """Change cards with the pool, pass, or close."""

    def __init__(self, house: House, players: int, seats: Sequence[int], dealer: int) -> None:
        self.pool: list[str] = []
        self.packet: list[str] = []
        self.aside: list[str] = []  # pool cards of earlier renewals
        self.taken: str | None = None  # the card just taken, while four are in hand
        self.put_down: list[str] = []  # the cards put down in this turn
        self.passes = 0  # passes in a row
        super().__init__(house, players, seats, dealer)

    def places_after_hands(self) -> list[Place]:
        """The pool, or the dealer's second packet, which becomes the pool."""
        place = "packet" if self.house.dealer_packet else "pool"
        return [place] * self.house.hand_size

    def put(self, card: str, place: Place) -> None:
        """Lay a card of chance where it belongs."""
        if place == "pool":
            self.pool.append(card)
        elif place == "packet":
            self.packet.append(card)
        else:
            super().put(card, place)

    # The deal.

    def deal_done(self) -> None:
        """The dealer first chooses his packet; only then does anything dealt count."""
        if self.house.dealer_packet and not self.pool:
            self.actor = self.dealer
            self.phase = "packet"
            return
        holders = [seat for seat in self.order if self.holds_feuer(seat)]
        if holders:
            self.show("feuer", holders)
        else:
            super().deal_done()

    def holds_feuer(self, seat: int) -> bool:
        """Three aces end the hand at the Schwimmen table."""
        return self.house.table == "pool" and is_feuer(self.hands[seat], self.house)

    def begin_turn(self, seat: int) -> None:
        """A new turn: every card of the pool may be taken."""
        self.put_down = []
        super().begin_turn(seat)

    # What may be done.

    def options_now(self) -> list[str]:
        """The legal actions, in the order of their ids."""
        if self.phase == "packet":
            return ["pass", "swap_all"]
        if self.phase == "pool discard":
            return discards([card for card in self.hands[self.seat] if card != self.taken])
        if self.phase == "exchanged":
            declare = ["declare"] if self._may_declare_after_exchange() else []
            return [*declare, "pass", *self._takes()] if self._more_exchanges() else [*declare, "pass"]
        return self._turn_options()

    def _turn_options(self) -> list[str]:
        possible = {
            "knock": self.may_knock(),
            "declare": self.may_declare_before_drawing(),
            "pass": True,
            "swap_all": self.house.pool_exchange == "one_or_all",
        }
        return [action for action, legal in possible.items() if legal] + self._takes()

    def _takes(self) -> list[str]:
        """A card put down in this turn may not be taken up again."""
        return [f"take_pool {i}" for i, card in enumerate(in_order(self.pool)) if card not in self.put_down]

    def _more_exchanges(self) -> bool:
        return self.house.pool_exchange == "any"

    def _may_declare_after_exchange(self) -> bool:
        return self.house.declare in ("claim", "hold") and self.holds_31(self.seat)

    # What happens.

    def do(self, action: str) -> None:
        """Carry out a legal action."""
        if self.phase == "packet":
            self._choose_packet(action)
        elif action == "knock":
            self.knock()
        elif action == "declare":
            self.show_31()
        elif action == "pass":
            self._pass()
        elif action == "swap_all":
            self._swap_all()
        elif action.startswith("take_pool "):
            self._take(in_order(self.pool)[int(action.removeprefix("take_pool "))])
        else:
            self._put_down(action.removeprefix("discard "))

    def _choose_packet(self, action: str) -> None:
        if action == "swap_all":
            self.hands[self.dealer], self.packet = self.packet, self.hands[self.dealer]
        self.pool, self.packet = self.packet, []
        self.deal_done()

    def _pass(self) -> None:
        if self.phase == "turn":
            self.passes += 1
        self.end_turn()

    def _take(self, card: str) -> None:
        self.pool.remove(card)
        self.hands[self.seat].append(card)
        self.taken = card
        self.phase = "pool discard"

    def _put_down(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.pool.append(card)
        self.put_down.append(card)
        self.taken = None
        self._exchange_done(more=self._more_exchanges())

    def _swap_all(self) -> None:
        self.hands[self.seat], self.pool = self.pool, self.hands[self.seat]
        self._exchange_done(more=False)

    def _exchange_done(self, more: bool) -> None:
        self.passes = 0
        self.phase = "exchanged"
        if self.holds_feuer(self.seat):
            self.show("feuer", [self.seat])
        elif self.house.declare == "auto" and self.holds_31(self.seat):
            self.show_31()
        elif not more and not self._may_declare_after_exchange():
            self.end_turn()

    # All have passed.

    def move_on(self) -> None:
        """The next seat plays; where all have passed in a row, with new pool cards."""
        all_passed = self.passes >= len(self.order) and self.knocker is None
        if all_passed and self.house.all_pass_renews:
            self._renew()
        else:
            super().move_on()

    def _renew(self) -> None:
        """Cards put aside earlier come back if the stock is short; if it is still short everyone shows."""
        if len(self.stock) < self.house.hand_size:
            self.stock = in_order(self.stock + self.aside)
            self.aside = []
        if len(self.stock) < self.house.hand_size:
            self.show("stock_out")
            return
        self.aside += self.pool
        self.pool = []
        self.passes = 0
        self.expected = ["pool"] * self.house.hand_size
        self.after_cards = super().move_on
