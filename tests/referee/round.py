"""One deal, from the first card to the show: what all tables have in common (RULES 2, 4, 5)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from .cards import in_order
from .house import House
from .worth import may_be_shown, worth

# Where the next card of chance goes: a pile's name, or a seat.
Place = str | int


def clockwise(start: int, seats: Sequence[int], players: int) -> list[int]:
    """The seats that are in, clockwise from the left of `start`; `start` itself comes last if it is in."""
    around = [(start + step) % players for step in range(1, players + 1)]
    return [seat for seat in around if seat in seats]


class Round(ABC):
    """The state of a deal. `phase` says what is asked of `actor`; `reason` is set when the round has ended."""

    def __init__(self, house: House, players: int, seats: Sequence[int], dealer: int) -> None:
        self.house = house
        self.dealer = dealer
        self.order = clockwise(dealer, seats, players)
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.stock = house.full_pack()
        self.expected: list[Place] = [*self.order * house.hand_size, *self.places_after_hands()]
        if len(self.expected) > len(self.stock):
            raise ValueError(f"{len(self.stock)} cards are too few for {len(self.order)} players")
        self.after_cards: Callable[[], None] = self.deal_done
        self.phase = "deal"
        self.actor: int | None = None
        self.knocker: int | None = None
        self.turn_number = 0
        self.reason: str | None = None
        self.declared: list[int] = []

    # What each table says for itself.

    @abstractmethod
    def places_after_hands(self) -> list[Place]:
        """Where the cards go that are dealt after the players' hands."""

    def put(self, card: str, place: Place) -> None:
        """Lay a card of chance where it belongs."""
        self.hands[int(place)].append(card)

    def before_first_turn(self) -> None:
        """What happens between the deal and the first turn."""
        self.begin_turn(self.order[0])

    @abstractmethod
    def options_now(self) -> list[str]:
        """The legal actions of the present phase, in the order of their ids."""

    @abstractmethod
    def do(self, action: str) -> None:
        """Carry out a legal action."""

    def drawn_for_want_of_stock(self) -> bool:
        """Whether the round is drawn because the stock ran out in the turn that just ended."""
        return False

    def shown_for_want_of_stock(self) -> bool:
        """Whether everyone shows because the stock ran out in the turn that just ended."""
        return False

    def move_on(self) -> None:
        """Nobody ended the round: the next seat plays."""
        self.begin_turn(self.left_of_actor())

    # Chance.

    @property
    def needs_card(self) -> bool:
        """Whether chance must give a card now."""
        return self.reason is None and bool(self.expected)

    def give(self, card: str) -> None:
        """Chance gives a card."""
        self.stock.remove(card)
        self.put(card, self.expected.pop(0))
        if not self.expected:
            self.after_cards()

    def deal_done(self) -> None:
        """Every dealt 31 is shown, where that is the rule; otherwise play begins."""
        if self.house.natural_31 == "at_once":
            holders = [seat for seat in self.order if self.holds_31(seat)]
            if holders:
                self.show("natural", holders)
                return
        self.before_first_turn()

    # Turns.

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        if self.actor is None:
            raise RuntimeError("no seat is asked now")
        return self.actor

    def holds_31(self, seat: int) -> bool:
        """Whether a hand may be shown to end the round."""
        return may_be_shown(self.hands[seat], self.house)

    def first_own_turn(self) -> bool:
        """Whether the seat to play has had no turn in this deal."""
        return self.turn_number < len(self.order)

    def begin_turn(self, seat: int) -> None:
        """A seat's turn starts; a dealt 31 that is shown by itself on one's own turn is shown here."""
        self.actor = seat
        self.phase = "turn"
        by_itself = self.house.natural_31 == "own_turn" and self.house.declare == "auto"
        if by_itself and self.first_own_turn() and self.holds_31(seat):
            self.show("natural", [seat])

    def may_knock(self) -> bool:
        """Whether the seat to play may knock (RULES 4)."""
        if self.knocker is not None or worth(self.hands[self.seat], self.house) < self.house.knock_min:
            return False
        if self.house.first_turn_knock == "banned_first_turn":
            return self.turn_number > 0
        if self.house.first_turn_knock == "banned_first_lap":
            return not self.first_own_turn()
        return True

    def may_declare_before_drawing(self) -> bool:
        """Whether a 31 in hand may be shown at the start of the turn (RULES 5)."""
        if not self.holds_31(self.seat):
            return False
        if self.house.declare == "hold":
            return True
        return self.dealt_31_is_own_turn() and self.house.declare == "claim"

    def dealt_31_is_own_turn(self) -> bool:
        """Whether a 31 held at the start of this turn was dealt and belongs to this turn."""
        return self.house.natural_31 == "own_turn" and self.first_own_turn()

    def knock(self) -> None:
        """Knock, or close: the others get one more turn each."""
        self.knocker = self.seat
        if self.house.early_knock_shows_now and self.turn_number == 0:
            self.show("knock")
        else:
            self.end_turn()

    def end_turn(self) -> None:
        """A turn is over: an empty stock comes first, then the final lap or the limit, then the next seat."""
        self.turn_number += 1
        may_be_cut = self.knocker is None or self.house.stock_out == "show"
        if self.knocker is None and self.drawn_for_want_of_stock():
            self.show("drawn")
        elif self.knocker is not None and self.left_of_actor() == self.knocker:
            self.show("knock")
        elif self.shown_for_want_of_stock():
            self.show("stock_out")
        elif may_be_cut and 0 < self.house.max_turns <= self.turn_number:
            self.show("limit")
        else:
            self.move_on()

    def left_of_actor(self) -> int:
        """The next seat that is in."""
        return self.order[(self.order.index(self.seat) + 1) % len(self.order)]

    def show(self, reason: str, declared: Sequence[int] = ()) -> None:
        """The round ends."""
        self.reason = reason
        self.declared = sorted(declared)
        self.actor = None
        self.expected = []

    def show_31(self) -> None:
        """The seat to play shows 31; a dealt one, shown before anything was drawn, is a natural."""
        natural = self.phase == "turn" and self.dealt_31_is_own_turn()
        self.show("natural" if natural else "declared", [self.seat])

    def sorted_hands(self) -> list[list[str]]:
        """All hands, each lowest id first."""
        return [in_order(hand) for hand in self.hands]
