"""The rules of one table, read from a dictionary of options; None: the table has no use for the option."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .cards import in_order, pack

# Options that change nothing here: a name, and how the first dealer is found (he is given to the game).
IGNORED = {"preset", "name", "players", "first_dealer", "second_knock"}
# Values that may come as numbers or as text.
WRITTEN = {"deck", "three_of_a_kind", "three_aces"}


@dataclass(frozen=True)
class House:
    """Every option of RULES 1 to 11, and the engine's own, with the value that an absent one stands for."""

    deck: str = "52"
    cards: tuple[str, ...] = ()
    hand_size: int = 3
    target: int = 31
    table: str = "stock_discard"
    ace: str = "eleven"
    three_of_a_kind: str = "off"
    three_aces: str = "same"
    dealer_upcard_swap: bool = False
    dummy_hand: bool = False
    return_taken_discard: bool = False
    final_lap_stand: bool = False
    first_turn_knock: str = "allowed"
    knock_min: int = 0
    early_knock_shows_now: bool = False
    declare: str = "auto"
    natural_31: str = "at_once"
    declare_effect: str = "others_lose"
    simultaneous_31: int = 1
    knocker_on_31: int = 1
    stock_out: str = "none"
    settlement: str = "lowest_loses"
    tie_lowest: str = "all_lose"
    knock_penalty: int = 2
    knocker_tie: str = "safe"
    only_knocker_amount: int = 1
    life_transfer: str = "none"
    tiebreak: str = "none"
    lives: int = 0
    county: bool = False
    all_out: str = "replay"
    pool_exchange: str = "one"
    all_pass_renews: bool = False
    dealer_packet: bool = False
    max_turns: int = 0
    max_deals: int = 0

    @property
    def pot_game(self) -> bool:
        """The best hand takes the pot: there are no lives, and a match is one round."""
        return self.settlement == "highest_takes_pot"

    def full_pack(self) -> list[str]:
        """All cards of a deal, lowest id first."""
        return in_order(self.cards) if self.cards else pack(self.deck)


def read_house(options: Mapping[str, Any] | House) -> House:
    """A `House` from options; an unknown name or a combination without meaning is a ValueError."""
    if isinstance(options, House):
        return options
    known = {field.name for field in fields(House)}
    chosen: dict[str, Any] = {}
    for name, value in options.items():
        if name == "second_knock" and value:
            raise ValueError("second_knock is true in no known rules")
        if value is None or name in IGNORED:
            continue
        if name not in known:
            raise ValueError(f"option {name!r} is not known to the referee")
        chosen[name] = _plain(name, value)
    house = House(**chosen)
    if house.declare_effect == "takes_pot" and not house.pot_game:
        raise ValueError("declare_effect takes_pot needs settlement highest_takes_pot")
    return house


def _plain(name: str, value: Any) -> Any:
    if name == "cards":
        return tuple(value)
    if name in WRITTEN and not isinstance(value, str):
        return f"{value:g}"
    return value
