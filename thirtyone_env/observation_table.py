"""What each column of an observation means: the one table that sizes, spaces and docs are made from.

The blocks stand in the order in which `thirtyone_env.core.observe` writes them.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.core.layout import MAX_SEATS, PHASE_NAMES

OBSERVATION_VERSION = 1
SEAT_COLUMNS = 20


class Block(NamedTuple):
    """Columns ``start`` to ``stop - 1`` of an observation; each holds 0 to ``high``."""

    start: int
    stop: int
    name: str
    meaning: str
    high: int


_CARD_SETS = (
    ("hand", "own hand, by card id", 1),
    ("drawn", "the card just drawn, while it is in the own hand", 1),
    ("top", "top card of the discard pile", 1),
    ("pile", "cards in the discard pile, the top with them", 1),
    ("open", "cards of the pool, or of the dummy hand once it lies open", 1),
    ("reshuffled", "cards of the last reshuffle that have not been seen since", 1),
    ("kept_worth", "worth in half points that is kept by throwing this card; 0 where it may not go", 66),
)
_GLANCE = (
    ("worth", "worth of the own hand in half points; with four cards, of the best three that may be kept", 66),
    ("is_target", "the own hand is 31 in one suit", 1),
    ("top_worth", "worth in half points with the top card and another thrown", 66),
    ("top_lifts", "that is more than the own worth", 1),
    ("top_target", "that is 31 in one suit", 1),
    *((f"suit_points_{s}", f"points in the suit {s} of the own (kept) hand", 31) for s in "CDHS"),
    *((f"lifting_{s}", f"unseen cards of the suit {s} that would make the hand better", 13) for s in "CDHS"),
    ("target_cards", "unseen cards that would make it 31", 4),
    ("unseen", "cards whose place is not known", 52),
)
_ACTIONS = [name.replace(" ", "_") for name in ACTION_NAMES if not name.startswith("discard ")]
_TABLE = (
    *((f"phase_{name}", f"phase: {name}", 1) for name in PHASE_NAMES),
    *((f"may_{name}", f"{name.replace('_', ' ')} is legal", 1) for name in _ACTIONS),
    ("to_move", "the viewer is to move", 1),
    ("taken", "the card just drawn came from the discard pile", 1),
    ("forbidden", "it may not be thrown back in this turn", 1),
    ("knocked", "somebody has knocked", 1),
    ("laps_left", "turns left in the final lap", 9),
    ("turn_number", "turns played in this deal, up to 127", 127),
    ("turns_left", "turns left before the engine's limit, up to 127; 127 where there is none", 127),
    ("deal_number", "deals played before this one, up to 127", 127),
    ("deals_left", "deals left before the engine's limit, up to 127; 127 where there is none", 127),
    ("stock", "cards in the stock", 52),
    ("pile_count", "cards in the discard pile", 52),
    ("passes", "passes in a row at a pool table", 15),
    ("exchanged", "this turn's exchange with the pool is done", 1),
    ("setup", "the dealer is changing the up-card", 1),
    ("was_reshuffled", "the discards were shuffled in this deal", 1),
    ("dummy_open", "the dummy hand lies open", 1),
    ("players_in", "seats still in", 9),
    ("round_episode", "the episode is a round, not a match", 1),
)
_RULES = (
    ("deck_cards", "rule: cards in the deck", 52),
    ("hand_size", "rule: cards in a hand", 3),
    ("target", "rule: worth that may be shown", 31),
    ("start_lives", "rule: lives at the start", 9),
    ("knock_min", "rule: least worth to knock", 31),
    ("three_of_a_kind_30", "rule: three of a kind counts 30", 1),
    ("three_of_a_kind_30.5", "rule: three of a kind counts 30.5", 1),
    ("three_aces_32.5", "rule: three aces count 32.5", 1),
    ("three_aces_feuer", "rule: three aces are Feuer", 1),
    ("banned_first_turn", "rule: no knock on the first turn", 1),
    ("banned_first_lap", "rule: no knock in the first lap", 1),
    ("declare_claim", "rule: 31 may be claimed when drawn", 1),
    ("declare_hold", "rule: 31 may be held back", 1),
    ("effect_lowest_loses", "rule: a shown 31 makes the lowest lose", 1),
    ("effect_takes_pot", "rule: a shown 31 takes the pot", 1),
    ("stock_out_play_on", "rule: stock used up: play on with the discard (or, with the next, everyone shows)", 1),
    ("stock_out_draw", "rule: stock used up: the round is drawn", 1),
    ("below_knocker_loses", "rule: all below the knocker lose", 1),
    ("highest_takes_pot", "rule: the highest takes the pot", 1),
    ("knocker_tie_knocker_two", "rule: a knocker tied for lowest pays like a lowest one", 1),
    ("knocker_tie_only_knocker", "rule: of a tie with the knocker only he pays", 1),
    ("knocker_tie_all_lose", "rule: of a tie with the knocker all pay", 1),
    ("table_widow", "rule: table with a widow", 1),
    ("table_pool", "rule: table with a pool", 1),
    ("exchange_any", "rule: any number of pool cards may be changed", 1),
    ("exchange_one_or_all", "rule: one or all pool cards may be changed", 1),
    ("dealer_upcard_swap", "rule: the dealer may change a card for the up-card", 1),
    ("dummy_hand", "rule: a dummy hand is dealt", 1),
    ("return_taken_discard", "rule: a taken discard may be thrown back", 1),
    ("final_lap_stand", "rule: one may stand in the final lap", 1),
    ("early_knock_shows_now", "rule: a knock on the first turn shows at once", 1),
    ("natural_31_own_turn", "rule: a dealt 31 is shown on the own turn", 1),
    ("simultaneous_31_two", "rule: several dealt 31s cost two", 1),
    ("knocker_on_31_two", "rule: the knocker pays two to a 31", 1),
    ("tie_lowest_none_lose", "rule: tied lowest hands lose nothing", 1),
    ("knock_penalty_two", "rule: a lowest knocker pays two", 1),
    ("only_knocker_two", "rule: only_knocker costs two", 1),
    ("life_transfer", "rule: lives go to the winner of the round", 1),
    ("tiebreak", "rule: ties go to the higher card", 1),
    ("county", "rule: the county is played", 1),
    ("sudden_death", "rule: everyone out at once plays on", 1),
    ("all_pass_renews", "rule: the pool is renewed when all pass", 1),
    ("dealer_packet", "rule: the dealer chooses between two packets", 1),
)
_SEAT = (
    ("present", "there is such a seat in the game", 1),
    ("began", "it was in when the match began", 1),
    ("in", "it is still in", 1),
    ("lives", "its lives", 127),
    ("on_county", "it is on the county", 1),
    ("turn", "it is to move", 1),
    ("dealer", "it deals", 1),
    ("knocker", "it has knocked", 1),
    ("last_turn", "it still has its turn of the final lap", 1),
    ("known_count", "cards known to be in its hand", 4),
    ("hidden_draws", "hidden cards it has drawn since the deal or the last reshuffle", 63),
    ("known_worth", "best points over one suit of its known cards", 41),
    *((f"known_points_{s}", f"points in the suit {s} of its known cards", 41) for s in "CDHS"),
    *((f"thrown_{s}", f"cards of the suit {s} it has thrown in this deal", 13) for s in "CDHS"),
)


def index_table(seats: int) -> list[Block]:
    """The blocks of an observation for so many places for seats, in order, without gaps.

    Raises:
        ValueError: `seats` is outside 2 to 9.
    """
    if not 2 <= seats <= MAX_SEATS:
        raise ValueError(f"seats={seats} is outside 2 to {MAX_SEATS}")
    blocks: list[Block] = []
    for name, meaning, high in _CARD_SETS:
        _add(blocks, 52, name, meaning, high)
    for name, meaning, high in (*_GLANCE, *_TABLE, *_RULES):
        _add(blocks, 1, name, meaning, high)
    for place in range(seats):
        for name, meaning, high in _SEAT:
            _add(blocks, 1, f"seat{place}_{name}", f"{_place(place)}: {meaning}", high)
    for place in range(1, seats):
        _add(blocks, 52, f"seat{place}_known", f"{_place(place)}: cards known to be in its hand", 1)
    return blocks


def _add(blocks: list[Block], width: int, name: str, meaning: str, high: int) -> None:
    start = blocks[-1].stop if blocks else 0
    blocks.append(Block(start, start + width, name, meaning, high))


def _place(place: int) -> str:
    return "the viewer" if place == 0 else f"the seat {place} to the left"


@functools.cache
def size(seats: int) -> int:
    """Columns of an observation with so many places for seats."""
    return index_table(seats)[-1].stop


def highs(seats: int) -> np.ndarray:
    """Greatest value of each column: int8 ``[d]``. The least is 0; dividing by this gives numbers in 0 to 1."""
    out = np.zeros(size(seats), dtype=np.int8)
    for block in index_table(seats):
        out[block.start : block.stop] = block.high
    return out


def markdown_table() -> str:
    """The columns for three seats, for the docs."""
    head = ["| columns | name | meaning | 0 to |", "|---|---|---|---|"]
    return "\n".join([*head, *(_row(block) for block in index_table(3))])


def _row(block: Block) -> str:
    last = block.stop - 1
    columns = f"{block.start}" if last == block.start else f"{block.start}..{last}"
    return f"| {columns} | `{block.name}` | {block.meaning} | {block.high} |"


def markdown_sizes() -> str:
    """The number of columns for each number of seats, for the docs."""
    seats = range(2, MAX_SEATS + 1)
    head = ["`seats`", *(str(n) for n in seats)]
    rows = (head, ["---"] * len(head), ["columns", *(str(size(n)) for n in seats)])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


_WHEN = {
    "draw_stock": "start of a turn: draw the top card of the stock",
    "draw_discard": "start of a turn: take the top card of the discard pile",
    "knock": "start of a turn, if nobody has knocked: everyone else has one more turn",
    "declare": "show 31, where the rules leave that to the player",
    "pass": "leave the discard when there is no stock; stand in the final lap; leave the pool, up-card or packet",
    "swap_dummy": "start of a turn: change the whole hand for the dummy hand",
    "swap_all": "take all cards of the pool, or the dealer's other packet",
    "swap_upcard": "the dealer, before the first turn: take the up-card, then throw a card",
}


def markdown_actions() -> str:
    """The actions, for the docs."""
    rows = [f"| {i} | `{name}` | {_when(name)} |" for i, name in enumerate(ACTION_NAMES)]
    return "\n".join(["| id | name | when |", "|---|---|---|", *rows])


def _when(name: str) -> str:
    if name.startswith("discard"):
        return "after a draw: throw this card"
    if name.startswith("take_pool"):
        return "pool tables: take this card of the pool, counted by card id, then put one down"
    return _WHEN[name]
