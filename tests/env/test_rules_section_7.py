"""RULES section 7, settlement: the whole table of who loses what, the party game, and where lives go."""

from __future__ import annotations

import itertools

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Rules, UserError
from thirtyone_env.cards import parse_cards

# Worths of four seats; seat 3 knocks unless nobody does.
ONE_OTHER = (10, 20, 25, 30)
SEVERAL_OTHERS = (10, 10, 25, 30)
KNOCKER_ALONE = (20, 20, 25, 10)
KNOCKER_AND_ONE = (10, 20, 25, 10)
KNOCKER_AND_TWO = (10, 20, 10, 10)
EVERYONE = (10, 10, 10, 10)

TABLE = {
    "safe": [(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 2), (1, 0, 0, 0), (1, 0, 1, 0), (1, 1, 1, 0)],
    "knocker_two": [(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 2), (1, 0, 0, 2), (1, 0, 1, 2), (1, 1, 1, 2)],
    "only_knocker": [(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 2), (0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 1)],
    "all_lose": [(1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 0, 2), (1, 0, 0, 1), (1, 0, 1, 1), (1, 1, 1, 1)],
}
ROWS = (ONE_OTHER, SEVERAL_OTHERS, KNOCKER_ALONE, KNOCKER_AND_ONE, KNOCKER_AND_TWO, EVERYONE)


def lost(values: tuple[float, ...], knocker: int | None = 3, **options: object) -> tuple[int, ...]:
    return Rules(lives=9, **options).settle(values, knocker=knocker).lost


def column(tie: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return list(zip(ROWS, TABLE[tie], strict=True))


@pytest.mark.parametrize(("values", "expected"), column("safe"))
def test_section_7_knocker_tie_safe_column(values: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert lost(values, knocker_tie="safe") == expected


@pytest.mark.parametrize(("values", "expected"), column("knocker_two"))
def test_section_7_knocker_tie_knocker_two_column(values: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert lost(values, knocker_tie="knocker_two") == expected


@pytest.mark.parametrize(("values", "expected"), column("only_knocker"))
def test_section_7_knocker_tie_only_knocker_column(values: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert lost(values, knocker_tie="only_knocker") == expected


@pytest.mark.parametrize(("values", "expected"), column("all_lose"))
def test_section_7_knocker_tie_all_lose_column(values: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert lost(values, knocker_tie="all_lose") == expected


@pytest.mark.parametrize("tie", TABLE)
def test_section_7_nobody_knocked_the_lowest_lose_one_each(tie: str) -> None:
    assert lost((10, 20, 25, 30), None, knocker_tie=tie) == (1, 0, 0, 0)
    assert lost((10, 10, 25, 10), None, knocker_tie=tie) == (1, 1, 0, 1)


def test_section_7_knock_penalty_2_is_the_table() -> None:
    assert lost(KNOCKER_ALONE, knock_penalty=2) == (0, 0, 0, 2)
    assert lost(KNOCKER_AND_ONE, knock_penalty=2, knocker_tie="knocker_two") == (1, 0, 0, 2)


def test_section_7_knock_penalty_1_makes_each_2_a_1() -> None:
    for tie, rows in TABLE.items():
        for values, expected in zip(ROWS, rows, strict=True):
            softer = tuple(min(loss, 1) for loss in expected)
            assert lost(values, knocker_tie=tie, knock_penalty=1) == softer


def test_section_7_only_knocker_amount_1() -> None:
    assert lost(KNOCKER_AND_ONE, knocker_tie="only_knocker", only_knocker_amount=1) == (0, 0, 0, 1)


def test_section_7_only_knocker_amount_2() -> None:
    assert lost(KNOCKER_AND_ONE, knocker_tie="only_knocker", only_knocker_amount=2) == (0, 0, 0, 2)
    assert lost(KNOCKER_ALONE, knocker_tie="only_knocker", only_knocker_amount=2) == (0, 0, 0, 2)


def test_section_7_only_knocker_amount_2_with_knock_penalty_1_is_refused() -> None:
    with pytest.raises(UserError, match="only_knocker_amount=2 and knock_penalty=1 contradict"):
        Rules(knocker_tie="only_knocker", only_knocker_amount=2, knock_penalty=1)


def test_section_7_getting_caught_knocking_costs_one_alone_or_tied() -> None:
    options = {"knocker_tie": "only_knocker", "knock_penalty": 1}
    assert lost(KNOCKER_ALONE, **options) == (0, 0, 0, 1)
    assert lost(KNOCKER_AND_TWO, **options) == (0, 0, 0, 1)


def test_section_7_tie_lowest_all_lose() -> None:
    assert lost(SEVERAL_OTHERS, tie_lowest="all_lose") == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("tie", "knocker_loses"), [("safe", 0), ("knocker_two", 2), ("only_knocker", 1), ("all_lose", 1)]
)
def test_section_7_tie_lowest_none_lose_spares_everyone_but_the_knocker(tie: str, knocker_loses: int) -> None:
    options = {"tie_lowest": "none_lose", "knocker_tie": tie}
    assert lost(SEVERAL_OTHERS, **options) == (0, 0, 0, 0)
    assert lost(KNOCKER_AND_ONE, **options) == (0, 0, 0, knocker_loses)
    assert lost(KNOCKER_AND_TWO, **options) == (0, 0, 0, knocker_loses)
    assert lost(ONE_OTHER, **options) == (1, 0, 0, 0)
    assert lost(KNOCKER_ALONE, **options) == (0, 0, 0, 2)
    assert lost((10, 10, 20, 30), None, **options) == (0, 0, 0, 0)
    assert lost((10, 20, 20, 30), None, **options) == (1, 0, 0, 0)


def test_section_7_a_knocker_lowest_of_all_pays_not_one_whom_anybody_beats() -> None:
    assert lost((10, 20, 25, 15)) == (1, 0, 0, 0)


def test_section_7_settlement_lowest_loses() -> None:
    assert lost((30, 20, 10, 15), settlement="lowest_loses") == (0, 0, 1, 0)


def test_section_7_settlement_highest_takes_pot() -> None:
    rules = Rules.preset("bicycle")
    hands = [parse_cards("KS QS 9H"), parse_cards("2C 3D 4H"), parse_cards("AD KD 9D")]
    result = rules.settle(hands, knocker=0)
    assert (result.pot_winners, result.winner, result.lost) == ((2,), 2, (0, 0, 0))


# --- the party game --------------------------------------------------------------------------------------------------

PARTY = Rules.preset("party")


@pytest.mark.parametrize(
    ("values", "knocker", "expected"),
    [
        ((20, 25, 25, 10), 0, (0, 0, 0, 0)),  # 1: two tie at the top: a draw
        ((25, 20, 25, 10), 0, (1, 0, 0, 0)),  # 1: but a knocker who is one of them loses one
        ((10, 25, 25, 20), 0, (0, 0, 0, 0)),  # 1: the draw comes before the penalty for beating nobody
        ((10, 25, 20, 15), 0, (2, 0, 0, 0)),  # 2: nobody is below the knocker
        ((10, 25, 10, 15), 0, (2, 0, 0, 0)),  # 2: a player level with him is not below
        ((20, 25, 15, 10), 0, (0, 0, 1, 1)),  # 3: everyone below loses one
        ((20, 25, 20, 10), 0, (0, 0, 0, 1)),  # 3: level with the knocker is safe
        ((30, 25, 20, 10), 0, (0, 1, 1, 1)),  # 3: the knocker at the top
        ((30, 30, 30, 30), 2, (0, 0, 1, 0)),  # 1: everybody level
    ],
)
def test_section_7_settlement_below_knocker_loses(
    values: tuple[int, ...], knocker: int, expected: tuple[int, ...]
) -> None:
    assert PARTY.settle(values, knocker=knocker).lost == expected


def test_section_7_settlement_below_knocker_loses_nobody_without_a_knocker() -> None:
    for reason in ("stock_out", "limit"):
        assert PARTY.settle((20, 25, 15, 10), reason=reason).lost == (0, 0, 0, 0)


def test_section_7_party_at_most_all_but_one_lose() -> None:
    rules = PARTY.replace(lives=1)
    for values in itertools.product((10, 20, 30), repeat=4):
        for knocker in range(4):
            result = rules.settle(values, knocker=knocker)
            assert sum(loss > 0 for loss in result.lost) <= 3
            assert not result.replayed
            assert len(result.eliminated) < 4


def test_section_7_life_transfer_none_gives_to_nobody() -> None:
    result = PARTY.replace(life_transfer="none").settle((20, 25, 15, 10), knocker=0)
    assert (result.gained, result.lives_after) == ((0, 0, 0, 0), (3, 3, 2, 2))


def test_section_7_life_transfer_to_winner_gives_to_the_highest_hand() -> None:
    result = PARTY.settle((20, 25, 15, 10), knocker=0)
    assert (result.gained, result.lives_after) == ((0, 2, 0, 0), (3, 5, 2, 2)), "tokens may rise above the start"
    assert PARTY.settle((10, 25, 20, 15), knocker=0).gained == (0, 2, 0, 0), "the knocker's two go there too"


def test_section_7_life_transfer_to_winner_goes_to_nobody_in_a_draw_or_with_several_31s() -> None:
    assert PARTY.settle((25, 20, 25, 10), knocker=0).gained == (0, 0, 0, 0)
    result = PARTY.settle((31, 31, 20, 10), declared=[0, 1], reason="natural")
    assert (result.lost, result.gained) == ((0, 0, 1, 1), (0, 0, 0, 0))


def test_section_7_life_transfer_to_winner_to_the_one_who_showed_31() -> None:
    result = PARTY.settle((31, 31, 20, 10), declared=[1])
    assert (result.lost, result.gained) == ((1, 0, 1, 1), (0, 3, 0, 0))


def test_section_7_life_transfer_to_winner_a_player_gives_at_most_what_it_has() -> None:
    result = PARTY.settle((10, 25, 20, 15), knocker=0, lives=[1, 3, 3, 3])
    assert (result.lost, result.gained) == ((2, 0, 0, 0), (0, 1, 0, 0))
    assert (result.eliminated, result.lives_after) == ((0,), (0, 4, 3, 3))


def test_section_7_life_transfer_to_winner_in_a_game() -> None:
    """Seat 0 knocks with 20, seat 1 has 28, seat 2 has 4; the lives reward shows what was gained."""
    game = laid_out("party", 3, {0: "KS QS 9H", 1: "JD 8D TD", 2: "2C 3D 4H"}, up="2S", stock="2H 5C")
    result = play(game, "knock", "-", "-").last_round
    assert result is not None
    assert (result.lost, result.gained, result.lives_after) == ((0, 0, 1), (0, 1, 0), (3, 4, 2))
    assert result.rewards_lives == (0, 1.5, -1.5)


# --- ties in a pot game ----------------------------------------------------------------------------------------------

KQ6, Q97 = parse_cards("KS QS 6S"), parse_cards("QD 9D 7D")


def test_section_7_tiebreak_none_shares_the_pot() -> None:
    result = Rules.preset("bicycle", tiebreak="none").settle([KQ6, Q97, parse_cards("2C 3D 4H")], knocker=0)
    assert (result.pot_winners, result.winner, result.values[:2]) == ((0, 1), None, (26, 26))


def test_section_7_tiebreak_highest_card_then_the_next() -> None:
    rules = Rules.preset("bicycle", tiebreak="highest_card")
    assert rules.settle([KQ6, Q97], knocker=1).pot_winners == (0,)
    assert rules.settle([parse_cards("KS 9S 7S"), parse_cards("KD 8D TH")], knocker=0).pot_winners == (0,)
    assert rules.settle([parse_cards("KS 9S 7S"), parse_cards("KD TD 6D")], knocker=0).pot_winners == (1,)


def test_section_7_tiebreak_highest_card_needs_the_cards() -> None:
    with pytest.raises(UserError, match="needs the cards, not the bare worth 26"):
        Rules.preset("bicycle").settle([26, KQ6], knocker=0)
