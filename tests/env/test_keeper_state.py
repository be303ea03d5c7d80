"""A kept game: tables of up to 17, the deal, the county, undoing, correcting and leaving."""

from __future__ import annotations

from typing import Any

import pytest

from thirtyone_env import UserError
from thirtyone_env.keeper.house import House, on_county
from thirtyone_env.keeper.state import Kept, NoFit, kept_from


def lost(knocker: int | None, *lowest: int) -> dict[str, Any]:
    return {"kind": "round", "ending": "nobody" if knocker is None else "knock", "knocker": knocker, "lowest": lowest}


def shown(*seats: int, knocker: int | None = None) -> dict[str, Any]:
    return {"kind": "round", "ending": "shown", "knocker": knocker, "shown": seats}


def game(names: str = "Ann Bob Cem", preset: str = "pagat", dealer: int = 0, **changes: Any) -> Kept:
    return Kept(tuple(names.split()), House(preset, changes), dealer)


def played(kept: Kept, *entries: dict[str, Any]) -> Kept:
    for entry in entries:
        kept = kept.add(entry)
    return kept


def test_section_8_tokens_then_county_then_out() -> None:
    kept = played(game(), lost(0, 1), lost(0, 1), lost(0, 1))
    assert kept.standing.lives == (3, 0, 3)
    assert kept.standing.county == (1,)
    kept = kept.add(lost(0, 1))
    assert (kept.standing.out, kept.standing.county, kept.standing.winner) == ((1,), (), None)


def test_section_8_one_token_and_losing_two_is_out_two_tokens_are_the_county() -> None:
    kept = played(game(), lost(0, 0), lost(0, 0))
    assert kept.standing.out == (0,)
    kept = played(game(), lost(1, 0), lost(0, 0))
    assert (kept.standing.county, kept.standing.out) == ((0,), ())


def test_section_2_deal_moves_on_over_seats_that_are_out() -> None:
    kept = game(lives=1, county=False)
    assert kept.standing.dealer == 0
    kept = kept.add(lost(0, 1))
    assert kept.standing.dealer == 2
    kept = kept.add(lost(None, 2, 0))  # both would go out: void, same dealer
    assert kept.standing.dealer == 2
    assert kept.rounds[-1].result is not None
    assert kept.rounds[-1].result.replayed
    assert kept.standing.lives == (1, 0, 1)


def test_section_8_sudden_death_goes_on_with_one_chance_each() -> None:
    kept = game("Ann Bob", "standard", lives=1)
    kept = played(kept, lost(None, 0, 1), lost(None, 0, 1))
    assert kept.standing.county == (0, 1)
    assert kept.standing.winner is None
    assert played(kept, lost(0, 1)).standing.winner == 0


def test_section_5_several_dealt_31s_cost_what_the_house_says() -> None:
    assert game().add(shown(0, 1)).standing.lives == (3, 3, 2)
    assert game(preset="standard").add(shown(0, 1)).standing.lives == (3, 3, 1)
    assert game(knocker_on_31=2).add(shown(0, knocker=1)).standing.lives == (3, 1, 2)


def test_section_7_party_lives_go_to_the_highest_hand() -> None:
    kept = game(preset="party").add({"kind": "round", "ending": "knock", "knocker": 0, "highest": [1], "below": [2]})
    assert kept.standing.lives == (3, 4, 2)


def test_seventeen_play() -> None:
    names = " ".join(f"P{number:02}" for number in range(17))
    kept = game(names).add(lost(16, *range(16)))
    assert kept.standing.lives == (*(2,) * 16, 3)
    kept = kept.add({"kind": "round", "ending": "knock", "knocker": 0, "hands": {str(s): 2 + s for s in range(17)}})
    assert kept.standing.lives[0] == 0
    assert kept.standing.county == (0,)


def test_player_who_leaves_counts_as_out_and_his_tokens_go_to_nobody() -> None:
    kept = played(game(), {"kind": "leave", "seat": 1})
    assert kept.standing.lives == (3, 0, 3)
    assert (kept.standing.out, kept.standing.left) == ((1,), (1,))
    assert kept.add({"kind": "leave", "seat": 0}).standing.winner == 2


def test_dealer_who_leaves_passes_the_deal_on() -> None:
    assert game(dealer=2).add({"kind": "leave", "seat": 2}).standing.dealer == 0


def test_undo_takes_back_rounds_leavings_and_corrections_one_by_one() -> None:
    steps = [lost(0, 1), {"kind": "leave", "seat": 2}, {"kind": "correct", "number": 1, "round": lost(1, 0)}]
    kept = game()
    standings = [kept.standing]
    for step in steps:
        kept = kept.add(step)
        standings.append(kept.standing)
    for expected in reversed(standings[:-1]):
        kept = kept.undo()
        assert kept.standing == expected


def test_corrected_round_changes_all_that_follows() -> None:
    kept = played(game(), lost(0, 1), lost(1, 1), shown(2))
    kept = kept.add({"kind": "correct", "number": 1, "round": lost(1, 0)})
    assert kept.standing == played(game(), lost(1, 0), lost(1, 1), shown(2)).standing


def test_correction_that_later_rounds_do_not_fit_is_refused_unless_they_are_dropped() -> None:
    kept = played(game(lives=1, county=False), lost(0, 2), lost(0, 1))
    assert kept.standing.winner == 0
    correction = {"kind": "correct", "number": 1, "round": lost(2, 1)}
    with pytest.raises(NoFit, match="Bob is not in this round"):
        kept.add(correction)
    assert kept.standing.winner == 0
    assert kept.add({**correction, "drop": True}).standing.out == (1,)


def test_nothing_can_be_entered_after_the_end() -> None:
    kept = played(game("Ann Bob", lives=1, county=False), lost(0, 1))
    with pytest.raises(NoFit, match="Ann has won before that"):
        kept.add(lost(0, 1))


def test_new_game_keeps_names_and_rules_and_the_deal_moves_on() -> None:
    kept = played(game(lives=1, county=False), lost(0, 1), lost(0, 2))
    again = kept.again()
    assert (again.names, again.house, again.entries) == (kept.names, kept.house, ())
    assert again.standing.dealer == kept.standing.dealer
    assert again.standing.lives == (1, 1, 1)


@pytest.mark.parametrize(
    ("name", "words"),
    [("county", "on the county"), ("bus", "on the bus"), ("Swimming", "swimming"), ("hole", "in the hole")],
)
def test_last_chance_has_the_name_that_the_table_uses(name: str, words: str) -> None:
    assert on_county(name) == words


def test_house_rules_show_what_is_changed_and_a_change_back_is_none() -> None:
    house = House().change("lives", 5).change("knocker_tie", "knocker_two")
    assert house.title == "pagat; changed: tokens at the start: 5, knocker ties for lowest: pays as alone"
    assert house.change("lives", 3).change("knocker_tie", "safe") == House()


def test_change_that_makes_another_useless_drops_it() -> None:
    house = House().change("knocker_tie", "only_knocker").change("only_knocker_amount", 2)
    assert house.change("knocker_tie", "safe") == House()


def test_house_rules_that_contradict_each_other_are_refused() -> None:
    house = House().change("knocker_tie", "only_knocker").change("only_knocker_amount", 2)
    with pytest.raises(UserError, match="contradict each other"):
        house.change("knock_penalty", 1)
    with pytest.raises(UserError, match="no lives to keep"):
        House("bicycle").rules  # noqa: B018  # asking is the point


def test_game_as_data_comes_back_equal() -> None:
    kept = played(game("Ann Bob Cem Dee", lives=4), lost(0, 1), {"kind": "leave", "seat": 3}, shown(1))
    assert kept_from(kept.to_dict()).standing == kept.standing
    for data in (None, {}, {**kept.to_dict(), "names": ["Ann"]}, {**kept.to_dict(), "entries": [{"kind": "dance"}]},
                 {**kept.to_dict(), "entries": [lost(0, 9)]}, {**kept.to_dict(), "dealer": 9}):
        with pytest.raises(UserError):
            kept_from(data)
