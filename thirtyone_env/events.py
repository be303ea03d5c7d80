"""What has happened in a game, event by event, and what of it a seat has seen.

Events are made when they are asked for, by playing the game's inputs again one card at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from thirtyone_env.actions import ACTION_NAMES, TAKE_POOL
from thirtyone_env.cards import CARDS, set_to_cards
from thirtyone_env.core import entry, layout
from thirtyone_env.decode import decode_round, field

if TYPE_CHECKING:
    from thirtyone_env.game import Entry, Game
    from thirtyone_env.settlement import RoundResult

PUBLIC = None
_GIVE, _PLAY = int(entry.GIVE), int(entry.PLAY)


@dataclass(frozen=True)
class Event:
    """One thing that happened.

    Attributes:
        kind: ``deal``, ``dealt`` (cards to a seat), ``open`` (up-card, pool or dummy), ``action``, ``drew`` (a stock
            card), ``reshuffle``, ``round`` (settled) or ``over``.
        seat: whose it is, or None.
        text: the event for those who see all of it.
        hidden: the event for the others; the same as ``text`` where everything is open, empty where they see nothing.
        seen_by: seats that see ``text``; None for all.
        result: the round's result, for kind ``round``.
    """

    kind: str
    seat: int | None
    text: str
    hidden: str
    seen_by: tuple[int, ...] | None = PUBLIC
    result: RoundResult | None = None

    def for_seat(self, seat: int) -> str:
        """The event as a seat sees it; empty where it sees nothing."""
        return self.text if self.seen_by is None or seat in self.seen_by else self.hidden


def events_of(game: Game) -> tuple[Event, ...]:
    """All events of a game so far."""
    return tuple(_Player(game).events)


def seen_by(game: Game, seat: int) -> tuple[str, ...]:
    """The events as one seat saw them."""
    lines = (event.for_seat(seat) for event in events_of(game))
    return tuple(line for line in lines if line)


class _Player:
    """Plays the inputs of a game again, one card at a time, and notes the events."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events: list[Event] = []
        self.rounds = 0
        inputs = game.inputs()
        self.state: Any = np.frombuffer(game.first_state, dtype=np.uint64).reshape(-1, 1).copy()
        self.deck = list(game.first_deck or ())
        states = [item.state for item in inputs] + [game.state.tobytes()]
        self._chance(states[0])
        for item, after in zip(inputs, states[1:], strict=True):
            self._input(item)
            self._chance(after)

    def _input(self, item: Entry) -> None:
        self.deck = list(item.value if item.kind == "deck" else item.deck)
        if item.kind == "action":
            self._action(item.value)
        elif item.kind == "card":
            self._card(item.value)

    def _note(self, kind: str, seat: int | None, text: str, hidden: str | None = None, only: Any = PUBLIC) -> None:
        self.events.append(Event(kind, seat, text, text if hidden is None else hidden, only))

    def _action(self, action: int) -> None:
        seat = field(self.state, layout.TURN)
        before = int(self.state[int(layout.STOCK), 0])
        pool = set_to_cards(int(self.state[int(layout.EXTRA), 0]))
        phase = field(self.state, layout.PHASE)
        name = ACTION_NAMES[action]
        text = f"seat {seat}: {name}"
        if action == int(layout.A_DRAW_DISCARD) or name == "swap_upcard":
            text += f" {CARDS[field(self.state, layout.TOP)]}"
        if action >= TAKE_POOL:
            text += f" {pool[action - TAKE_POOL]}"
        if name in ("swap_all", "swap_dummy"):
            self._swap(seat, name, phase, pool)
        else:
            self._note("action", seat, text)
        _, info = entry.step(self.state, _PLAY, action)
        if action == 0 and before == 0:
            self._note("reshuffle", None, "the discards are shuffled and become the stock")
        if phase == int(layout.PH_PACKET) and name == "pass":
            self._note("open", None, f"pool {' '.join(pool)}")  # the packet not taken
        self._ended(info)

    def _swap(self, seat: int, name: str, phase: int, pool: list[str]) -> None:
        old = " ".join(set_to_cards(int(self.state[int(layout.HAND) + 2 * seat, 0])))
        new = " ".join(pool)
        if name == "swap_all" and phase != int(layout.PH_PACKET):
            self._note("action", seat, f"seat {seat}: swap_all takes {new} leaves {old}")
            return
        self._note("action", seat, f"seat {seat}: {name} takes {new} leaves {old}",
                   f"seat {seat}: {name} leaves {old}", (seat,))

    def _card(self, card: int) -> None:
        phase, seat = field(self.state, layout.PHASE), field(self.state, layout.TURN)
        _, info = entry.step(self.state, _GIVE, card)
        if phase == int(layout.PH_DRAW):
            self._note("drew", seat, f"seat {seat} draws {CARDS[card]}", "", (seat,))
        elif phase == int(layout.PH_RENEW) and field(self.state, layout.PHASE) != int(layout.PH_RENEW):
            pool = " ".join(set_to_cards(int(self.state[int(layout.EXTRA), 0])))
            self._note("open", None, f"new pool {pool}")
        elif phase == int(layout.PH_DEAL) and (
            info & entry.ENDED or field(self.state, layout.PHASE) != int(layout.PH_DEAL)
        ):
            self._dealt(self.state)
        self._ended(info)

    def _dealt(self, state: Any) -> None:
        """The deal is complete: each seat sees its hand, all see the up-card or the pool."""
        game = self.game
        ended = field(state, layout.PHASE) in (int(layout.PH_OVER), int(layout.PH_DEAL))  # by a dealt 31
        dealer = game._rounds[self.rounds][1] if ended else field(state, layout.DEALER)
        self._note("deal", dealer, f"seat {dealer} deals")
        for seat in range(game.players):
            hand = set_to_cards(int(state[int(layout.HAND) + 2 * seat, 0]))
            if hand:
                self._note("dealt", seat, f"seat {seat} holds {' '.join(hand)}", "", (seat,))
        if game.rules.table == "stock_discard":
            self._note("open", None, f"up-card {CARDS[field(state, layout.TOP)]}")
        elif not game.rules.dealer_packet:
            self._note("open", None, f"pool {' '.join(set_to_cards(int(state[int(layout.EXTRA), 0])))}")

    def _chance(self, after: bytes) -> None:
        """Cards that came by themselves until the state before the next input."""
        while self.state.tobytes() != after:
            self._card(self._next_card())

    def _next_card(self) -> int:
        """The card that came: from the scripted deck, else from the game's own stream."""
        return self.deck.pop(0) if self.deck else int(entry.next_card(self.state))

    def _ended(self, info: int) -> None:
        if not info & entry.ENDED:
            return
        raw, dealer, deal = self.game._rounds[self.rounds]
        self.rounds += 1
        self.deck = []
        result = decode_round(self.game.rules, self.game.players, raw, dealer, deal)
        shown = " ".join(f"{s}:{'-' if h is None else ' '.join(h)}" for s, h in enumerate(result.hands))
        costs = f"lost {list(result.lost)}; lives {list(result.lives_after)}"
        text = f"round ends ({result.reason}); hands {shown}; {costs}"
        self.events.append(Event("round", None, text, text, PUBLIC, result))
        if info & entry.OVER:
            self._note("over", self.game.winner, f"match over, winner {self.game.winner}")

