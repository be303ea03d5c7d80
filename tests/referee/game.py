"""A match, or one round of it, with every card of chance given from outside."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from .cards import in_order
from .house import House, read_house
from .pool_round import PoolRound
from .rewards import lives_rewards, match_rewards, pot_rewards
from .round import clockwise
from .settle import settle
from .stock_round import StockRound


def next_dealer(dealer: int, alive: Sequence[bool]) -> int:
    """The first seat still in, clockwise from the old dealer's (RULES 2)."""
    return clockwise(dealer, [seat for seat, still in enumerate(alive) if still], len(alive))[0]


def first_player(dealer: int, alive: Sequence[bool]) -> int:
    """The first seat still in to the left of the dealer (RULES 2)."""
    return next_dealer(dealer, alive)


class RefereeGame:
    """The game as the rules tell it: `give` when `needs_card`, otherwise `play` for the seat in `turn`."""

    def __init__(
        self,
        options: Mapping[str, Any],
        players: int,
        dealer: int = 0,
        lives: Sequence[int] | None = None,
        out: Collection[int] = (),
        episode: str = "match",
    ) -> None:
        self.house: House = read_house(options)
        self.players = players
        self.episode = episode
        self.began = [seat for seat in range(players) if seat not in out]
        self._check(dealer, lives)
        tokens = lives if lives is not None else [self.house.lives] * players
        holders = [] if self.house.pot_game else self.began
        self.lives = [tokens[seat] if seat in holders else 0 for seat in range(players)]
        self.still_in = list(self.began)
        county = self.house.county and not self.house.pot_game
        self.on_county = [seat for seat in self.still_in if county and self.lives[seat] == 0]
        self.dealer = dealer
        self.deal_number = 0
        self.winner: int | None = None
        self.placings: list[int] | None = None
        self._placed = {seat: len(self.began) + 1 for seat in out}
        self.truncated = False
        self.over = False
        self.last_round: dict[str, Any] | None = None
        self.rewards_lives = [0.0] * players
        self.rewards_match = [0.0] * players
        self._deal()

    def _check(self, dealer: int, lives: Sequence[int] | None) -> None:
        if self.episode not in ("match", "round"):
            raise ValueError(f"episode {self.episode!r} is not known: match or round")
        if len(self.began) < 2:
            raise ValueError("at least two seats must be in")
        if dealer not in self.began:
            raise ValueError(f"the dealer, seat {dealer}, is not in")
        if lives is None:
            return
        if self.house.pot_game:
            raise ValueError("there are no lives where the best hand takes the pot")
        if len(lives) != self.players:
            raise ValueError(f"{len(lives)} numbers of lives for {self.players} players")
        if not self.house.county and any(lives[seat] < 1 for seat in self.began):
            raise ValueError("without the county a seat that is in has at least one life")

    def _deal(self) -> None:
        table = StockRound if self.house.table == "stock_discard" else PoolRound
        self._round: StockRound | PoolRound = table(self.house, self.players, self.still_in, self.dealer)

    # What is asked.

    @property
    def needs_card(self) -> bool:
        """Whether chance must give a card now."""
        return not self.over and self._round.needs_card

    @property
    def turn(self) -> int | None:
        """The seat to act; None when a card is needed or the match is over."""
        return None if self.over or self.needs_card else self._round.actor

    def possible_cards(self) -> list[str]:
        """The unseen stock, lowest id first; each card is equally likely."""
        return in_order(self._round.stock) if self.needs_card else []

    def give(self, card: str) -> None:
        """Chance gives a card."""
        if card not in self.possible_cards():
            raise ValueError(f"{card!r} cannot come now")
        self._round.give(card)
        self._settle_if_ended()

    def legal_actions(self) -> list[str]:
        """The names of the legal actions, in the order of their ids."""
        return [] if self.turn is None else self._round.options_now()

    def play(self, action: str) -> None:
        """The seat in `turn` acts; an illegal action is a ValueError and changes nothing."""
        if action not in self.legal_actions():
            raise ValueError(f"{action!r} is not legal: {self.legal_actions()}")
        self._round.do(action)
        self._settle_if_ended()

    # What lies on the table.

    @property
    def hands(self) -> list[list[str]]:
        """The cards of every seat, lowest id first."""
        return self._round.sorted_hands()

    @property
    def top(self) -> str | None:
        """The card that lies open on the discard pile."""
        return self._round.top if isinstance(self._round, StockRound) else None

    @property
    def stock_count(self) -> int:
        """The cards that chance can still give."""
        return len(self._round.stock)

    @property
    def discard_count(self) -> int:
        """The cards on the discard pile, the top one too."""
        return len(self._round.pile) if isinstance(self._round, StockRound) else 0

    @property
    def pool(self) -> list[str]:
        """The open cards in the middle, lowest id first; `take_pool` counts in this order."""
        return in_order(self._round.pool) if isinstance(self._round, PoolRound) else []

    @property
    def dummy_up(self) -> list[str] | None:
        """The dummy hand once it has been turned up."""
        return self._round.dummy_up if isinstance(self._round, StockRound) else None

    @property
    def knocker(self) -> int | None:
        """Who has knocked in this deal."""
        return self._round.knocker

    @property
    def turn_number(self) -> int:
        """How many turns have ended in this deal."""
        return self._round.turn_number

    @property
    def out(self) -> list[int]:
        """The seats that are out, those that never began too."""
        return [seat for seat in range(self.players) if seat not in self.still_in]

    # The end of a round.

    def _settle_if_ended(self) -> None:
        if self._round.reason is None:
            return
        ended = self._round
        hands = [ended.hands[seat] if seat in self.still_in else None for seat in range(self.players)]
        result = settle(self.house, hands, ended.knocker, ended.declared, self.lives, self.out, ended.reason)
        shown = {"reason": ended.reason, "knocker": ended.knocker, "declared": ended.declared}
        self.last_round = {**shown, **result}
        seats, lives = self.still_in, self.lives
        self.lives = result["lives_after"]
        self.on_county = result["on_county"]
        self.still_in = [seat for seat in seats if seat not in result["eliminated"]]
        for seat in result["eliminated"]:
            self._placed[seat] = len(self.still_in) + 1
        self._see_whether_over(result)
        self._pay(seats, lives, result)
        if not self.over:
            self._next_deal(result["replayed"])

    def _see_whether_over(self, result: Mapping[str, Any]) -> None:
        self.winner = result["winner"]
        if self.house.pot_game:
            winners = result["pot_winners"]
            self._finish({seat: 1 if seat in winners else len(winners) + 1 for seat in self.still_in})
        elif self.winner is not None:
            self._finish({self.winner: 1})
        elif self.episode == "round":
            self.over = True
        elif 0 < self.house.max_deals <= self.deal_number + 1:
            self.truncated = True
            self._finish({seat: 1 + self._richer(seat) for seat in self.still_in})

    def _richer(self, seat: int) -> int:
        return sum(self.lives[other] > self.lives[seat] for other in self.still_in)

    def _finish(self, still_in: Mapping[int, int]) -> None:
        self.over = True
        places = {**self._placed, **still_in}
        self.placings = [places[seat] for seat in range(self.players)]

    def _pay(self, seats: Sequence[int], lives: Sequence[int], result: Mapping[str, Any]) -> None:
        if self.house.pot_game:
            self.rewards_lives = pot_rewards(self.began, result["pot_winners"], self.players)
            self.rewards_match = list(self.rewards_lives)
            return
        self.rewards_lives = lives_rewards(self.house, seats, lives, result, self.players)
        if self.episode == "round":
            self.rewards_match = list(self.rewards_lives)
        else:
            self.rewards_match = match_rewards(
                self.began, result["eliminated"], self.still_in, self.over, self.players
            )

    def _next_deal(self, replayed: bool) -> None:
        if not replayed:
            self.dealer = next_dealer(self.dealer, [seat in self.still_in for seat in range(self.players)])
        self.deal_number += 1
        self._deal()
