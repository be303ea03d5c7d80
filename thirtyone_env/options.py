"""The table of rule options: what each means, its values, its default and who says so.

One `Option` a line of the rules; `thirtyone_env.rules` checks against this table and the rules page is made from it.
Sources: Pagat, Wikipedia and Bicycle are the public pages of those names; "lives page", "party page", "complete rules"
and "children's page" are the four rule texts that the presets ``pagat``, ``party``, ``standard`` and ``kids`` follow;
"engine" marks what no rule text has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Value = Any


@dataclass(frozen=True)
class Option:
    """One rule option.

    Attributes:
        name: its name, a field of `Rules`.
        section: section of the rules page.
        values: the allowed values, in the order of their packed numbers; empty where ``low``..``high`` is the range.
        default: value where the option is in use and nothing else is said.
        meaning: one line.
        source: who says so.
        low, high: range of a whole number.
    """

    name: str
    section: int
    values: tuple[Value, ...]
    default: Value
    meaning: str
    source: str
    low: int = 0
    high: int = 0

    def allowed(self) -> str:
        """The allowed values as text."""
        if self.values:
            return ", ".join(_show(v) for v in self.values)
        return f"a whole number from {self.low} to {self.high}"

    def code(self, value: Value) -> int:
        """Packed number of a value."""
        return self.values.index(value) if self.values else int(value)


def _show(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


_YES_NO = (False, True)

OPTIONS: tuple[Option, ...] = (
    Option(
        "deck", 1, (52, 32), 52, "cards in the pack; 32 is seven up", "52: all; 32: Schwimmen, Dutch rules"
    ),
    Option(
        "ace",
        1,
        ("eleven", "one_or_eleven"),
        "eleven",
        "what an ace counts; with three cards eleven is never worse, so the two play alike",
        "11: all; soft ace: complete rules",
    ),
    Option(
        "three_of_a_kind",
        1,
        ("off", "30", "30.5"),
        "off",
        "worth of three cards of one rank",
        "off: Pagat, children's page; 30, 30.5: house rules; 30.5: party page, complete rules, Schwimmen",
    ),
    Option(
        "three_aces",
        1,
        ("same", "32.5", "feuer"),
        "same",
        "three aces: like any three of a kind, 32.5 at the showdown, or Feuer (33), which ends the hand at once",
        "same: complete rules; 32.5: some variants; feuer: Schwimmen",
    ),
    Option(
        "first_dealer",
        2,
        ("any", "high_card", "low_card", "rotation"),
        "any",
        "who deals first: a seat by lot, the highest or lowest card cut, or the next seat each match",
        "any: Pagat; the others: complete rules; lowest cut: Bicycle",
    ),
    Option(
        "dealer_upcard_swap",
        2,
        _YES_NO,
        False,
        "before the first turn the dealer may change a card for the up-card",
        "complete rules",
    ),
    Option(
        "dummy_hand",
        9,
        _YES_NO,
        False,
        "a spare hand lies face down; once a round a seat may change its whole hand for it",
        "complete rules",
    ),
    Option(
        "return_taken_discard",
        3,
        _YES_NO,
        False,
        "a card taken from the discard pile may be thrown back in that turn",
        "false: Pagat, complete rules, children's page; true: a minor page",
    ),
    Option(
        "final_lap_stand",
        3,
        _YES_NO,
        False,
        "after a knock a seat may keep its three cards and pass",
        "true: older Wikipedia; false: complete rules",
    ),
    Option(
        "first_turn_knock",
        4,
        ("allowed", "banned_first_turn", "banned_first_lap"),
        "allowed",
        "whether the first seat may knock on the first turn, or anyone in the first lap",
        "allowed: party page; banned on the first turn: complete rules; first lap: Schwimmen",
    ),
    Option(
        "knock_min", 4, (), 0, "least worth with which one may knock", "17, 19, 21: Pagat's variations", 0, 31
    ),
    Option("second_knock", 4, (False,), False, "whether a second seat may knock; no source has it", "all"),
    Option(
        "early_knock_shows_now",
        4,
        _YES_NO,
        False,
        "a knock on the very first turn of a deal shows all hands at once",
        "true: Bicycle",
    ),
    Option(
        "declare",
        5,
        ("auto", "claim", "hold"),
        "auto",
        "a 31 is shown by itself, may be shown right after the draw that makes it, or may be held back",
        "auto: party page, complete rules; claim: Pagat; hold: alternative of the complete rules",
    ),
    Option(
        "natural_31",
        5,
        ("at_once", "own_turn"),
        "at_once",
        "a dealt 31 is shown at the deal, or on the holder's first turn",
        "at_once: complete rules; own_turn: another line of the same",
    ),
    Option(
        "declare_effect",
        5,
        ("others_lose", "lowest_loses", "takes_pot"),
        "others_lose",
        "what a shown 31 does: everyone else loses one, the hand just ends, or it takes the pot",
        "others_lose: all lives games; lowest_loses: Schwimmen; takes_pot: Bicycle",
    ),
    Option(
        "simultaneous_31",
        5,
        (1, 2),
        1,
        "lives that each other player loses when several 31s are shown at once",
        "2: complete rules; else silent",
    ),
    Option(
        "knocker_on_31",
        5,
        (1, 2),
        1,
        "lives that the knocker loses to a 31 shown after the knock",
        "1: Pagat, children's page; 2: a Pagat variation",
    ),
    Option(
        "stock_out",
        6,
        ("reshuffle", "play_on", "draw", "show"),
        "reshuffle",
        "when the stock is used up: the discards are shuffled, play goes on with the discard alone, the round is "
        "drawn, or everyone shows at the end of that turn (then max_turns too ends a deal at once, a final lap or not)",
        "play_on: Pagat; reshuffle: complete rules; draw: older Wikipedia; show: engine, for small games",
    ),
    Option(
        "settlement",
        7,
        ("lowest_loses", "below_knocker_loses", "highest_takes_pot"),
        "lowest_loses",
        "who pays at the showdown",
        "lowest: Pagat, complete rules, children's page; below the knocker: party page; pot: Bicycle",
    ),
    Option(
        "tie_lowest",
        7,
        ("all_lose", "none_lose"),
        "all_lose",
        "several at the bottom: all of them lose, or none",
        "all_lose: all; none_lose: house rule of the complete rules",
    ),
    Option(
        "knock_penalty",
        7,
        (1, 2),
        2,
        "lives that a knocker loses who is lowest",
        "2: Pagat, complete rules; 1: house rule",
    ),
    Option(
        "knocker_tie",
        7,
        ("safe", "knocker_two", "only_knocker", "all_lose"),
        "safe",
        "the knocker and others at the bottom: who loses",
        "safe: Pagat; knocker_two: complete rules; all_lose: Wikipedia",
    ),
    Option(
        "only_knocker_amount",
        7,
        (1, 2),
        1,
        "lives lost under knocker_tie only_knocker",
        "complete rules; 2: choice",
    ),
    Option(
        "life_transfer",
        7,
        ("none", "to_winner"),
        "none",
        "where lost lives go: to nobody, or to the highest hand",
        "party page",
    ),
    Option(
        "tiebreak",
        7,
        ("none", "highest_card"),
        "none",
        "equal hands in a pot game: shared, or the higher cards win",
        "Bicycle",
    ),
    Option("lives", 8, (), 3, "tokens at the start", "3: most; 4, 5: Pagat", 1, 9),
    Option(
        "county",
        8,
        _YES_NO,
        True,
        "with no tokens left a player has one more chance",
        "true: Pagat, complete rules, Wikipedia",
    ),
    Option(
        "all_out",
        8,
        ("replay", "sudden_death"),
        "replay",
        "everyone left would go out at once: the hand is void, or they play on with one chance each",
        "replay: Pagat; sudden_death: complete rules",
    ),
    Option(
        "table",
        11,
        ("stock_discard", "widow", "pool"),
        "stock_discard",
        "where cards are exchanged",
        "widow: Bicycle; pool: Schwimmen",
    ),
    Option(
        "pool_exchange",
        11,
        ("one", "any", "one_or_all"),
        "one",
        "cards that may be changed with the open ones in a turn",
        "one, any: Bicycle; one_or_all: Schwimmen",
    ),
    Option(
        "all_pass_renews",
        11,
        _YES_NO,
        False,
        "when all have passed in a row three new cards are laid out",
        "Schwimmen",
    ),
    Option(
        "dealer_packet",
        11,
        _YES_NO,
        False,
        "the dealer looks at one of two packets and keeps it or takes the other",
        "Schwimmen",
    ),
    Option(
        "max_turns",
        12,
        (),
        200,
        "turns of all seats in a deal before a knock; then everyone shows (0: no limit)",
        "engine",
        0,
        1023,
    ),
    Option("max_deals", 12, (), 500, "deals in a match; then it is cut off (0: no limit)", "engine", 0, 4095),
    Option("hand_size", 12, (3, 2, 1), 3, "cards in a hand", "engine, for small games"),
    Option("target", 12, (), 31, "the worth that may be shown", "engine, for small games", 2, 31),
)

BY_NAME: dict[str, Option] = {option.name: option for option in OPTIONS}

_STOCK_ONLY = ("dealer_upcard_swap", "dummy_hand", "return_taken_discard", "knock_min", "stock_out")
_POOL_ONLY = ("all_pass_renews", "dealer_packet")
_LIVES_ONLY = (
    "simultaneous_31",
    "knocker_on_31",
    "tie_lowest",
    "knock_penalty",
    "knocker_tie",
    "only_knocker_amount",
    "life_transfer",
    "lives",
    "county",
    "all_out",
)
_LOWEST_ONLY = ("tie_lowest", "knock_penalty", "knocker_tie", "only_knocker_amount")
_NOT_WIDOW = ("three_aces", "final_lap_stand", "first_turn_knock")


def unused_because(name: str, values: dict[str, Value]) -> str | None:
    """Why a variant has no use for an option, as words for a message; None where it has.

    Args:
        name: name of an option.
        values: the variant's ``table``, ``settlement`` and ``knocker_tie``.
    """
    table, settlement = values["table"], values["settlement"]
    if name in _STOCK_ONLY and table != "stock_discard":
        return "it needs table stock_discard"
    if name == "pool_exchange" and table == "stock_discard":
        return "it needs table widow or pool"
    if name in _POOL_ONLY and table != "pool":
        return "it needs table pool"
    if name in _NOT_WIDOW and table == "widow":
        return "it needs table stock_discard or pool"
    if name in ("early_knock_shows_now", "tiebreak") and table == "pool":
        return "it needs table stock_discard or widow"
    if name in _LIVES_ONLY and settlement == "highest_takes_pot":
        return "a pot game (settlement highest_takes_pot) has no lives"
    if name in _LOWEST_ONLY and settlement == "below_knocker_loses":
        return "it needs settlement lowest_loses"
    if name == "only_knocker_amount" and values["knocker_tie"] != "only_knocker":
        return "it needs knocker_tie only_knocker"
    return None
