"""The keeper settles as the engine does, however the table tells the round."""

from __future__ import annotations

import random

import pytest

from tests.env.lockstep import random_rules
from tests.env.simple_chooser import play_on
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.keeper.house import House, offered, presets, used
from thirtyone_env.keeper.rounds import Round, needs, round_from, settle_round
from thirtyone_env.keeper.state import Kept
from thirtyone_env.settlement import RoundResult

NAMES = ("Ann", "Bob", "Cem", "Dee", "Eve", "Fay", "Gus", "Hal", "Ian")


def told_of(result: RoundResult) -> Round:
    """What a table would tell of a round of the engine, with all hands as cards."""
    hands = {seat: list(hand) for seat, hand in enumerate(result.hands) if hand is not None}
    ending = {"declared": "shown", "natural": "shown", "feuer": "aces", "knock": "knock"}.get(result.reason, "nobody")
    return Round(ending, result.knocker, result.declared, hands)


def just_compared(told: Round, result: RoundResult) -> Round:
    """The same round where only who was lowest, highest and below the knocker is told."""
    values = {seat: value for seat, value in enumerate(result.values) if value is not None}
    low, high = min(values.values()), max(values.values())
    limit = 0.0 if told.knocker is None else values[told.knocker]
    highest = tuple(s for s, v in values.items() if v == high)
    draw_or_all_below = len(highest) > 1 or told.knocker in highest
    return Round(
        told.ending, told.knocker, told.shown, None,
        tuple(s for s, v in values.items() if v == low), highest,
        () if draw_or_all_below else tuple(s for s, v in values.items() if v < limit),
    )


def kept_of(game: Game, dealer: int, changes: dict[str, object] | None = None) -> Kept:
    return Kept(NAMES[: game.players], House(game.rules.name, changes or {}), dealer)


def check_follows(game: Game, kept: Kept, compared: bool) -> None:
    for result in game.rounds:
        if kept.standing.winner is None:
            assert kept.standing.dealer == result.dealer
        told = told_of(result)
        if told.ending == "nobody" and result.reason == "limit":
            return  # no table counts to the engine's limit
        kept = kept.add({"kind": "round", **(just_compared(told, result) if compared else told).to_dict()})
        mine = kept.rounds[-1].result
        assert mine is not None
        assert mine.lost == result.lost
        assert mine.gained == result.gained
        assert mine.eliminated == result.eliminated
        assert kept.standing.lives == result.lives_after
        assert kept.standing.county == result.on_county
        assert kept.standing.winner == result.winner


@pytest.mark.parametrize("compared", [False, True], ids=["cards", "just who was lowest"])
@pytest.mark.parametrize("preset", presets())
def test_sections_7_and_8_keeper_follows_whole_matches_of_the_engine(preset: str, compared: bool) -> None:
    for players in (2, 3, 5, 9):
        game = play_on(Game(preset, players, seed=players), 60)
        check_follows(game, kept_of(game, game.rounds[0].dealer), compared)


def test_section_8_keeper_follows_the_engine_under_random_house_rules() -> None:
    source = random.Random(8)
    checked = 0
    for number in range(60):
        rules = random_rules(source)
        if rules.lives is None:
            continue
        game = Game(rules, source.randint(2, 6), seed=number)
        while not game.over and game.round_count < 12:
            game.play(source.choice(game.legal_actions()))
        if not game.rounds:
            continue
        house = type("AnyHouse", (), {"rules": rules, "county": "county"})()
        check_follows(game, Kept(NAMES[: game.players], house, game.rounds[0].dealer), compared=number % 2 == 0)
        checked += game.round_count
    assert checked > 200


def test_section_7_bare_worths_settle_as_cards_do() -> None:
    rules = Rules.preset("standard")
    cards = Round("knock", 1, hands={0: ["KS", "8S", "5S"], 1: ["7H", "7D", "7C"], 2: ["QC", "9H", "8H"]})
    worths = Round("knock", 1, hands={0: 23, 1: 30.5, 2: 17})
    results = [settle_round(rules, told, [3, 3, 3], (), NAMES[:3], "on the bus") for told in (cards, worths)]
    assert results[0] == results[1]
    assert results[0].lost == (0, 0, 1)


@pytest.mark.parametrize(
    ("changes", "ending", "expected"),
    [
        ({}, "knock", ("lowest",)),
        ({}, "nobody", ("lowest",)),
        ({}, "shown", ()),
        ({"stock_out": "draw"}, "nobody", ()),
        ({"life_transfer": "to_winner"}, "knock", ("lowest", "highest")),
        ({"declare_effect": "lowest_loses"}, "shown", ("lowest",)),
        ({"settlement": "below_knocker_loses"}, "knock", ("highest", "below")),
        ({"settlement": "below_knocker_loses"}, "nobody", ()),
    ],
)
def test_no_question_that_the_bookkeeping_does_not_need(
    changes: dict[str, object], ending: str, expected: tuple[str, ...]
) -> None:
    assert needs(Rules.preset("pagat", **changes), ending) == expected


def test_menu_offers_only_options_that_change_the_bookkeeping() -> None:
    for preset in presets():
        rules = Rules.preset(preset)
        names = used(rules)
        assert "knock_min" not in names
        assert "declare" not in names
        assert all(getattr(rules, name) is not None for name in names)
        assert all("takes_pot" not in str(value) for name in names for value in offered(name, preset))
    assert "bicycle" not in presets()


def test_reasons_name_the_players_the_rule_and_the_tables_word_for_the_county() -> None:
    rules = Rules.preset("standard")
    told = Round("knock", 0, lowest=(0, 1))
    why = settle_round(rules, told, [2, 1, 3], (), NAMES[:3], "on the bus").why
    assert why[1].startswith("Ann loses two; Bob loses one (section 7: the knocker ties at the bottom and loses two")
    assert why[2] == "Ann and Bob: no token left, on the bus (section 8)"


def test_section_8_one_token_and_losing_two_is_out_in_words() -> None:
    result = settle_round(Rules.preset("pagat"), Round("knock", 0, lowest=(0,)), [1, 3], (), NAMES[:2], "floating")
    assert result.eliminated == (0,)
    assert result.why[-1] == "Ann had one token and loses two: out at once (section 8)"


@pytest.mark.parametrize(
    ("told", "part"),
    [
        (Round("knock", 0), "nobody was named"),
        (Round("knock", 0, lowest=(3,)), "Dee is not in this round"),
        (Round("knock", 0, hands={0: 20, 1: 21}), "no hand of Cem"),
        (Round("knock", 0, hands={0: ["AS", "KS", "2D"], 1: ["AS", "3D", "4D"], 2: 5}), "the card AS is in the hands"),
        (Round("knock", 0, hands={0: ["AS", "KS"], 1: 20, 2: 20}), "a hand has 3 cards, not 2"),
        (Round("shown", 0, (0,)), "cannot both knock and show 31"),
    ],
)
def test_round_that_does_not_fit_is_refused(told: Round, part: str) -> None:
    with pytest.raises(UserError, match=part):
        settle_round(Rules.preset("pagat"), told, [3, 3, 3, 0], (3,), NAMES[:4], "on the county")


def test_party_round_that_contradicts_itself_is_refused() -> None:
    rules = Rules.preset("party")
    with pytest.raises(UserError, match="Ann cannot be below the knocker"):
        settle_round(rules, Round("knock", 0, highest=(1,), below=(0,)), [3, 3, 3], (), NAMES[:3], "")
    with pytest.raises(UserError, match="nobody was named as highest"):
        settle_round(rules, Round("knock", 0), [3, 3, 3], (), NAMES[:3], "")


def test_round_as_data_comes_back_equal() -> None:
    for told in (
        Round("knock", 2, lowest=(0, 1)),
        Round("shown", None, (1, 2)),
        Round("nobody", hands={0: ["AS", "KS", "2D"], 1: 30.5}),
    ):
        assert round_from(told.to_dict()) == told
    for data in ({}, {"ending": "sleep"}, {"ending": "knock", "hands": 3}):
        with pytest.raises(UserError, match="round"):
            round_from(data)
