"""The seven presets of RULES 13, copied from its table row by row. A dash there is None here."""

from typing import Any

NAMES = ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen")
BELOW = "below_knocker_loses"
_ROWS = f"""
deck                  52 52 52 52 52 52 32
table                 stock_discard stock_discard stock_discard stock_discard stock_discard widow pool
ace                   eleven eleven eleven eleven eleven eleven eleven
three_of_a_kind       off 30.5 30.5 off off off 30.5
three_aces            same same same same same - feuer
dealer_upcard_swap    no no no no no - -
dummy_hand            no no no no no - -
return_taken_discard  no no no no no - -
final_lap_stand       no no no no yes - yes
first_turn_knock      allowed allowed banned_first_turn allowed allowed - banned_first_lap
knock_min             0 0 0 0 0 - -
second_knock          no no no no no no no
early_knock_shows_now no no no no no yes -
declare               claim auto auto auto auto claim auto
natural_31            at_once at_once at_once at_once at_once at_once at_once
declare_effect        others_lose others_lose others_lose others_lose others_lose takes_pot lowest_loses
simultaneous_31       1 1 2 1 1 - 1
knocker_on_31         1 1 1 1 1 - 1
stock_out             play_on reshuffle reshuffle reshuffle draw - -
settlement            lowest_loses {BELOW} lowest_loses lowest_loses lowest_loses highest_takes_pot lowest_loses
tie_lowest            all_lose - all_lose all_lose all_lose - all_lose
knock_penalty         2 - 2 2 2 - 1
knocker_tie           safe - knocker_two safe all_lose - all_lose
life_transfer         none to_winner none none none - none
tiebreak              none none none none none highest_card -
lives                 3 3 3 3 3 - 3
county                yes no yes no yes - yes
all_out               replay replay sudden_death replay replay - replay
pool_exchange         - - - - - one one_or_all
all_pass_renews       no no no no no no yes
dealer_packet         no no no no no no yes
"""
_WRITTEN_AS_TEXT = {"deck", "three_of_a_kind", "three_aces"}


def preset(name: str, **changes: Any) -> dict[str, Any]:
    """The options of a preset with some changed."""
    column = NAMES.index(name) + 1
    rows = [line.split() for line in _ROWS.strip().splitlines()]
    return {**{row[0]: _value(row[0], row[column]) for row in rows}, **changes}


def _value(option: str, text: str) -> Any:
    plain = {"-": None, "yes": True, "no": False}
    if text in plain:
        return plain[text]
    return int(text) if text.isdigit() and option not in _WRITTEN_AS_TEXT else text
