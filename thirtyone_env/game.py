"""`Game`: one game as an object, over the compiled core."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import NUM_ACTIONS, action_id, mask_to_names
from thirtyone_env.cards import CARDS, card_id, cards_to_set, set_to_cards
from thirtyone_env.core import entry, layout
from thirtyone_env.decode import decode_round, field, seat_field
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game_start import EPISODES, begin, checked_match, checked_seed, first_state, listed
from thirtyone_env.refusals import why_refused
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult

_STOPS = entry.ENDED | entry.OVER | entry.NEEDS_CARD
_step = entry.step
_write_view = entry.write_view
_ONE_VIEW = (1, layout.VIEW_WORDS)
_PLAY, _PLAY_ON, _ADVANCE, _GIVE = int(entry.PLAY), int(entry.PLAY_ON), int(entry.ADVANCE), int(entry.GIVE)


class Entry(NamedTuple):
    """One input to a game, linked to the one before it; so a copy of a game shares its history."""

    before: Entry | None
    kind: str  # "action", "card" or "deck"
    value: Any
    state: bytes  # the state before it
    rounds: int  # rounds settled before it
    deck: tuple[int, ...]  # scripted cards still to come before it
    dealer: int


class Game:
    """A match (or one round) of Thirty-One.

    Args:
        rules: `Rules`, a preset's name, or a mapping of options.
        players: seats, 2 to 9.
        seed: whole number that fixes every card; None takes a fresh one, found in ``game.seed``.
        dealer: first dealer, or None to choose as the rules say (by the seed).
        lives: tokens of each seat at the start, the rules' number by default; 0 is on the county.
        out: seats that are out from the start.
        episode: ``"match"`` or ``"round"``.
        deck: the first deal's pack, top first. Later deals need a seed or `deal`.
        chance: ``"seed"``: cards come by themselves; ``"manual"``: each is given with `give`.
        match: number of the match under this seed; each has cards of its own.

    Raises:
        UserError: an argument is wrong; the text names it and what is allowed.
    """

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "pagat",
        players: int = 4,
        seed: int | None = None,
        dealer: int | None = None,
        lives: Sequence[int] | None = None,
        out: Sequence[int] = (),
        episode: str = "match",
        deck: Sequence[str | int] | None = None,
        chance: str = "seed",
        match: int = 0,
    ) -> None:
        self.rules = Rules.of(rules)
        self.players = self.rules.check_players(players)
        if chance not in ("seed", "manual"):
            raise UserError(f"chance={chance!r} is not allowed: seed or manual")
        if episode not in EPISODES:
            raise UserError(f"episode={episode!r} is not allowed: match or round")
        if deck is not None and chance == "manual":
            raise UserError("deck and chance='manual' contradict each other: give one of them")
        self.episode = episode
        self.seeded = seed is not None or (deck is None and chance == "seed")
        self.seed = checked_seed(seed) if seed is not None else (secrets.randbits(63) if self.seeded else 0)
        self.chance = chance
        tokens = None if lives is None else listed("lives", lives)
        self.start = {"dealer": dealer, "lives": tokens, "out": listed("out", out)}
        self.match = checked_match(match)
        self._state = first_state(self.rules, self.players, self.seed, episode, self.match)
        begin(self._state, self.rules, self.players, dealer, lives, out)
        self.first_state = self._state.tobytes()
        self.resampled = False
        self._log: Entry | None = None
        self._rounds: list[tuple[bytes, int, int]] = []
        self._decoded: list[RoundResult] = []
        self._deck = () if deck is None else self._checked_deck(deck)
        self.first_deck = None if deck is None else list(self._deck)
        self._command = _PLAY
        self._dealer = self.dealer
        self._mask = 0
        self._turn: int | None = None
        self.over = False
        self.needs_card = False
        self._settle_in(*_step(self._state, int(entry.PEEK), 0))

    def __repr__(self) -> str:
        seed = f"seed={self.seed}" if self.seeded else "no seed"
        return f"<Game {self.rules.name}, {self.players} players, {seed}, {self._now()}, rounds: {self.round_count}>"

    def _now(self) -> str:
        if self.over:
            return "over"
        return "waits for a card" if self._turn is None else f"seat {self._turn} to move"

    # --- playing -----------------------------------------------------------------------------------------------

    def play(self, action: str | int) -> None:
        """Play an action of the seat to move, by name or id.

        Raises:
            IllegalAction: it is not legal now; nothing has changed.
            UserError: there is no such action.
        """
        number = action if isinstance(action, int) else action_id(action)
        if not 0 <= number < NUM_ACTIONS or not self._mask >> number & 1:
            raise IllegalAction(why_refused(self, action_id(action)))
        state = self._state
        before = (self._log, "action", number, state.tobytes(), len(self._rounds), self._deck, self._dealer)
        self._log = tuple.__new__(Entry, before)  # an Entry, made in half the time
        mask, info = _step(state, self._command, number)
        if info & _STOPS:
            self._settle_in(mask, info)
        else:
            self._mask = mask
            self._turn = info >> 8

    def give(self, card: str | int) -> None:
        """Chance gives a card, under ``chance="manual"``.

        Raises:
            UserError: no card is wanted, or this one is not possible.
        """
        if self.chance != "manual":
            raise UserError("cards come by themselves in this game; give() needs chance='manual'")
        number = card_id(card)
        if not self.needs_card or not int(entry.possible_cards(self._state)) >> number & 1:
            wanted = f"possible are {' '.join(self.possible_cards())}" if self.needs_card else "no card is wanted now"
            raise UserError(f"the card {CARDS[number]} cannot be given: {wanted}")
        self._remember("card", number)
        self._settle_in(*_step(self._state, _GIVE, number))

    def deal(self, deck: Sequence[str | int]) -> None:
        """The pack of the next deal, top first, when a game with a scripted deck and no seed waits for it.

        Raises:
            UserError: no deal is waited for, or the cards are no pack.
        """
        if not self.needs_card or self.chance == "manual":
            raise UserError("no deal is waited for: deal() serves games with a deck and no seed, between rounds")
        cards = self._checked_deck(deck)
        self._remember("deck", cards)
        self._deck = cards
        self._settle_in(*_step(self._state, int(entry.PEEK), 0))

    def undo(self) -> None:
        """Take back the last action (or the last card or pack given), and what chance did after it.

        Raises:
            UserError: nothing has been played.
        """
        last = self._log
        if last is None:
            raise UserError("nothing to undo: no action has been played")
        self._state = np.frombuffer(last.state, dtype=np.uint64).reshape(-1, 1).copy()
        self._log = last.before
        del self._rounds[last.rounds :]
        del self._decoded[last.rounds :]
        self._deck, self._dealer = last.deck, last.dealer
        mask, info = _step(self._state, int(entry.PEEK), 0)
        self._finish(mask, info)

    def clone(self) -> Game:
        """An independent copy that shares the history so far."""
        copy = object.__new__(Game)
        copy.__dict__.update(self.__dict__)
        copy._state = self._state.copy()
        copy._rounds = self._rounds.copy()
        copy._decoded = self._decoded.copy()
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        del memo
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        entries = []
        node = self._log
        while node is not None:
            entries.append(tuple(node[1:]))
            node = node.before
        state["_log"] = entries[::-1]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        node: Entry | None = None
        for values in state["_log"]:
            node = Entry(node, *values)
        self._log = node

    def _remember(self, kind: str, value: Any) -> None:
        self._log = Entry(
            self._log, kind, value, self._state.tobytes(), len(self._rounds), self._deck, self._dealer
        )

    def _settle_in(self, mask: int, info: int) -> None:
        """Note the rounds that ended, and let chance move until a seat, the caller or nobody is to move."""
        while True:
            if info & entry.ENDED:
                self._rounds.append((self._state.tobytes(), self._dealer, len(self._rounds)))
                self._dealer = self.dealer
                self._deck = ()
            if not info & entry.NEEDS_CARD or self.chance == "manual":
                break
            if self._deck:
                card, self._deck = self._deck[0], self._deck[1:]
                mask, info = _step(self._state, _GIVE, card)
            elif self.seeded or not self._at_deal():
                mask, info = _step(self._state, _ADVANCE, 0)
            else:
                break
        self._finish(mask, info)

    def _finish(self, mask: int, info: int) -> None:
        self._mask = mask
        turn = info >> 8
        self._turn = None if turn == 15 else turn
        self.over = bool(info & entry.OVER)
        self.needs_card = bool(info & entry.NEEDS_CARD)
        by_itself = self.chance == "seed" and self.seeded and not self._deck  # undo may bring scripted cards back
        self._command = _PLAY_ON if by_itself else _PLAY

    def _at_deal(self) -> bool:
        return field(self._state, layout.PHASE) == int(layout.PH_DEAL)

    def _checked_deck(self, deck: Sequence[str | int]) -> tuple[int, ...]:
        if isinstance(deck, str):
            raise UserError("deck must be a list of cards, not a text")
        cards = cards_to_set(deck)
        pack = self.rules.deck_set
        if cards != pack:
            missing = set_to_cards(pack & ~cards)
            extra = set_to_cards(cards & ~pack)
            text = f"missing {' '.join(missing)}" if missing else f"not in the pack: {' '.join(extra)}"
            raise UserError(f"deck must be the full pack of {pack.bit_count()} cards, top first: {text}")
        return tuple(card_id(card) for card in deck)

    # --- what can be done --------------------------------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """Seat to move; None where chance is to move or the match is over."""
        return self._turn

    @property
    def mask(self) -> int:
        """Legal actions of the seat to move as bits; 0 where no seat is to move."""
        return self._mask

    def legal_actions(self) -> list[str]:
        """Names of the legal actions of the seat to move, in the order of their ids."""
        return mask_to_names(self._mask)

    def possible_cards(self) -> list[str]:
        """Cards that chance may give now, each equally likely."""
        return set_to_cards(int(entry.possible_cards(self._state))) if self.needs_card else []

    # --- what is on the table ----------------------------------------------------------------------------------

    @property
    def state(self) -> npt.NDArray[np.uint64]:
        """The words of the state, uint64 ``[words, 1]``; a copy."""
        return self._state.copy()

    @property
    def hands(self) -> list[list[str]]:
        """Cards of each seat in the order of their ids; empty for a seat that is out."""
        return [set_to_cards(int(self._state[int(layout.HAND) + 2 * seat, 0])) for seat in range(self.players)]

    @property
    def top(self) -> str | None:
        """Top card of the discard pile; None while a taken card is in a hand, and at tables without a pile."""
        card = field(self._state, layout.TOP)
        return None if card == int(layout.NONE_CARD) else CARDS[card]

    @property
    def stock_count(self) -> int:
        """Cards in the stock."""
        return int(self._state[int(layout.STOCK), 0]).bit_count()

    @property
    def discard_count(self) -> int:
        """Cards in the discard pile (at pool tables: pool cards put aside)."""
        return int(self._state[int(layout.PILE), 0]).bit_count()

    @property
    def pool(self) -> list[str]:
        """Open cards in the middle at pool tables, in the order of ``take_pool``."""
        if self.rules.table == "stock_discard" or field(self._state, layout.PHASE) == int(layout.PH_PACKET):
            return []
        return set_to_cards(int(self._state[int(layout.EXTRA), 0]))

    @property
    def dummy(self) -> list[str] | None:
        """The dummy hand once it lies open."""
        if not field(self._state, layout.TURNED):
            return None
        return set_to_cards(int(self._state[int(layout.EXTRA), 0]))

    @property
    def phase(self) -> str:
        """deal, draw, renew, turn, discard, upcard, packet, pool or over."""
        return layout.PHASE_NAMES[field(self._state, layout.PHASE)]

    @property
    def drawn(self) -> str | None:
        """Card that the seat to move has just drawn or taken."""
        card = field(self._state, layout.DRAWN)
        return None if card == int(layout.NONE_CARD) else CARDS[card]

    @property
    def lives(self) -> list[int]:
        """Tokens of each seat."""
        return [seat_field(self._state, layout.LIVES_OF, seat) for seat in range(self.players)]

    @property
    def on_county(self) -> list[int]:
        """Seats on the county."""
        return _seats(field(self._state, layout.ON_COUNTY))

    @property
    def out(self) -> list[int]:
        """Seats that are out."""
        return _seats(field(self._state, layout.OUT))

    @property
    def knocker(self) -> int | None:
        """Seat that has knocked in this deal."""
        return _seat_or_none(field(self._state, layout.KNOCKER))

    @property
    def dealer(self) -> int:
        """Seat that deals this round."""
        return field(self._state, layout.DEALER)

    @property
    def turn_number(self) -> int:
        """Turns ended in this deal."""
        return field(self._state, layout.TURN_NO)

    @property
    def deal_number(self) -> int:
        """Number of this deal in the match, from 0; void deals count."""
        return field(self._state, layout.DEAL_NO)

    @property
    def winner(self) -> int | None:
        """The one seat left at the end of a match, or the sole winner of a pot."""
        return _seat_or_none(field(self._state, layout.WINNER))

    @property
    def pot_winners(self) -> list[int]:
        """Seats that share the pot at the end of a pot game."""
        return _seats(field(self._state, layout.POT))

    @property
    def truncated(self) -> bool:
        """Whether the match was cut off at ``max_deals``."""
        return bool(field(self._state, layout.TRUNCATED))

    @property
    def placings(self) -> list[int | None]:
        """Place of each seat, 1 the best; seats that go out in one round share one; None while undecided."""
        return [seat_field(self._state, layout.PLACE_OF, seat) or None for seat in range(self.players)]

    @property
    def rounds(self) -> list[RoundResult]:
        """Results of the rounds settled so far."""
        for raw, dealer, deal in self._rounds[len(self._decoded) :]:
            self._decoded.append(decode_round(self.rules, self.players, raw, dealer, deal))
        return self._decoded

    @property
    def round_count(self) -> int:
        """Rounds settled so far."""
        return len(self._rounds)

    @property
    def last_round(self) -> RoundResult | None:
        """Result of the round settled last."""
        return self.rounds[-1] if self._rounds else None

    # --- what a seat knows -------------------------------------------------------------------------------------

    def view(self, seat: int) -> npt.NDArray[np.uint64]:
        """What a seat may know: uint64 ``[32]``, the words of ``core.layout`` named ``V_*``."""
        if not 0 <= seat < self.players:
            self._checked_seat(seat)
        out = np.empty(_ONE_VIEW, dtype=np.uint64)
        _write_view(self._state, seat, out, 0)
        return out[0]

    def write_view(self, seat: int, out: npt.NDArray[np.uint64], row: int = 0) -> None:
        """Write a view into ``out[row]``: uint64 ``[rows, 32]``, contiguous."""
        entry.write_view(self._state, seat, out, row)

    def _checked_seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise UserError(f"seat {seat} is not in this game: 0 to {self.players - 1}")
        return seat

    @property
    def events(self) -> tuple[Any, ...]:
        """Everything that has happened, as `thirtyone_env.events.Event`."""
        from thirtyone_env.events import events_of

        return events_of(self)

    def information_state(self, seat: int) -> tuple[str, ...]:
        """All that a seat has seen since the match began, a line an event (perfect recall)."""
        from thirtyone_env.events import seen_by

        return seen_by(self, self._checked_seat(seat))

    def inputs(self) -> list[Entry]:
        """Actions, cards and packs given so far, in order."""
        result = []
        node = self._log
        while node is not None:
            result.append(node)
            node = node.before
        return result[::-1]

    def resample(self, seat: int, key: int) -> Game:
        """A game in the same situation as far as ``seat`` knows, with the hidden cards dealt anew by ``key``.

        It goes on with cards of its own and has no history: it cannot be undone beyond this point, nor recorded.

        Raises:
            UserError: no seat is to move.
        """
        from thirtyone_env.redeal import resample

        states = resample(self.view(seat)[None], np.array([key], dtype=np.uint64))
        copy = self.clone()
        copy._state = states[: layout.state_words(self.players)].copy()
        copy.first_state, copy.first_deck = copy._state.tobytes(), None
        copy._log, copy._rounds, copy._decoded, copy._deck = None, [], [], ()
        copy.seeded, copy.chance, copy.resampled = True, "seed", True
        copy._settle_in(*_step(copy._state, int(entry.PEEK), 0))
        return copy

    # --- records -----------------------------------------------------------------------------------------------

    def record(self, names: Sequence[str] | None = None) -> dict[str, Any]:
        """The game as plain data that `replay` plays again; see `thirtyone_env.record`."""
        from thirtyone_env.record import make_record

        return make_record(self, names)

    @staticmethod
    def replay(record: Mapping[str, Any]) -> Game:
        """Play a record again to the same end.

        Raises:
            UserError: the record is no record, or says where it breaks.
        """
        from thirtyone_env.record import replay_record

        return replay_record(record)


def _seats(members: int) -> list[int]:
    return [seat for seat in range(layout.MAX_SEATS) if members >> seat & 1]


def _seat_or_none(seat: int) -> int | None:
    return None if seat == int(layout.NONE_SEAT) else seat
