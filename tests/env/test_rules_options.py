"""The options of `Rules` as a whole: defaults, values, what is refused and with which words, and `Rules` as a value."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tests.env.lockstep import random_rules
from tests.referee.presets import NAMES, preset
from thirtyone_env import Rules, UserError
from thirtyone_env.cards import CARDS
from thirtyone_env.options import BY_NAME, OPTIONS, Option

DEFAULTS = {
    "deck": 52, "ace": "eleven", "three_of_a_kind": "off", "three_aces": "same", "first_dealer": "any",
    "dealer_upcard_swap": False, "dummy_hand": False, "return_taken_discard": False, "final_lap_stand": False,
    "first_turn_knock": "allowed", "knock_min": 0, "second_knock": False, "early_knock_shows_now": False,
    "declare": "auto", "natural_31": "at_once", "declare_effect": "others_lose", "simultaneous_31": 1,
    "knocker_on_31": 1, "stock_out": "reshuffle", "settlement": "lowest_loses", "tie_lowest": "all_lose",
    "knock_penalty": 2, "knocker_tie": "safe", "only_knocker_amount": None, "life_transfer": "none",
    "tiebreak": "none", "lives": 3, "county": True, "all_out": "replay", "table": "stock_discard",
    "pool_exchange": None, "all_pass_renews": None, "dealer_packet": None, "max_turns": 200, "max_deals": 500,
    "hand_size": 3, "target": 31,
}
# What an option needs beside it, so that each of its values can be set.
COMPANY: dict[str, dict[str, Any]] = {
    "only_knocker_amount": {"knocker_tie": "only_knocker"},
    "pool_exchange": {"table": "pool"},
    "all_pass_renews": {"table": "pool"},
    "dealer_packet": {"table": "pool"},
}
COMPANY_OF_VALUE: dict[tuple[str, Any], dict[str, Any]] = {
    ("three_aces", "feuer"): {"table": "pool", "three_of_a_kind": "30.5"},
    ("declare_effect", "takes_pot"): {"settlement": "highest_takes_pot"},
    ("settlement", "highest_takes_pot"): {"declare_effect": "takes_pot"},
    ("tiebreak", "highest_card"): {"settlement": "highest_takes_pot", "declare_effect": "takes_pot"},
}


def values_of(option: Option) -> tuple[Any, ...]:
    return option.values or (option.low, option.low + 1, option.high - 1, option.high)


EVERY_VALUE = [pytest.param(o.name, v, id=f"{o.name}={v}") for o in OPTIONS for v in values_of(o)]


# --- every option and value ------------------------------------------------------------------------------------------


def test_every_option_has_its_default() -> None:
    assert {option.name: getattr(Rules(), option.name) for option in OPTIONS} == DEFAULTS


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_says_what_it_means_and_who_says_so(option: Option) -> None:
    assert option.meaning
    assert "\n" not in option.meaning
    assert option.source
    assert 1 <= option.section <= 12
    assert option.default in values_of(option) or option.low <= option.default <= option.high


@pytest.mark.parametrize(("name", "value"), EVERY_VALUE)
def test_every_value_can_be_set_and_read(name: str, value: Any) -> None:
    rules = Rules(**{**COMPANY.get(name, {}), **COMPANY_OF_VALUE.get((name, value), {}), name: value})
    assert getattr(rules, name) == value
    assert type(getattr(rules, name)) is type(value)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
@pytest.mark.parametrize("wrong", ["banana", -1, 5000, 0.5, "", [1], b"x"])
def test_every_option_refuses_a_wrong_value_by_name_with_what_is_allowed(option: Option, wrong: Any) -> None:
    with pytest.raises(UserError) as error:
        Rules(**{**COMPANY.get(option.name, {}), option.name: wrong})
    text = str(error.value)
    assert text.startswith(f"{option.name}={wrong!r} is not allowed: {option.allowed()}")
    assert option.meaning in text
    assert "\n" not in text


@pytest.mark.parametrize("name", [option.name for option in OPTIONS if option.values == (False, True)])
def test_yes_and_no_are_no_numbers_and_no_words(name: str) -> None:
    for wrong in (0, 1, "yes", "true"):
        with pytest.raises(UserError, match=f"{name}=.* is not allowed: false, true"):
            Rules(**{**COMPANY.get(name, {}), name: wrong})


@pytest.mark.parametrize("name", ["lives", "knock_min", "max_turns", "knock_penalty", "deck"])
def test_numbers_are_no_booleans(name: str) -> None:
    with pytest.raises(UserError, match=f"{name}=True is not allowed"):
        Rules(**{name: True})


def test_none_stands_for_the_default() -> None:
    assert Rules(lives=None, declare=None) == Rules()


@pytest.mark.parametrize(
    ("wrong", "right"), [("knock_mim", "knock_min"), ("Lives", "lives"), ("three_of_kind", "three_of_a_kind")]
)
def test_an_unknown_option_is_named_with_the_closest(wrong: str, right: str) -> None:
    with pytest.raises(UserError, match=f"'{wrong}' is not a rule option; did you mean {right}\\?"):
        Rules(**{wrong: 3})


def test_an_unknown_option_far_from_all_is_named() -> None:
    with pytest.raises(UserError, match="'zzzz' is not a rule option"):
        Rules(zzzz=3)


# --- options of no use -----------------------------------------------------------------------------------------------

POT = {"settlement": "highest_takes_pot", "declare_effect": "takes_pot"}
STOCK_ONLY = ("dealer_upcard_swap", "dummy_hand", "return_taken_discard", "knock_min", "stock_out")
LIVES_ONLY = (
    "simultaneous_31", "knocker_on_31", "tie_lowest", "knock_penalty", "knocker_tie", "life_transfer", "lives",
    "county", "all_out",
)
NO_USE = [
    *[(name, {"table": table}, "it needs table stock_discard") for name in STOCK_ONLY for table in ("widow", "pool")],
    *[(name, {}, "it needs table pool") for name in ("all_pass_renews", "dealer_packet")],
    *[(name, {"table": "widow"}, "it needs table pool") for name in ("all_pass_renews", "dealer_packet")],
    ("pool_exchange", {}, "it needs table widow or pool"),
    *[(name, {"table": "widow"}, "it needs table stock_discard or pool")
      for name in ("three_aces", "final_lap_stand", "first_turn_knock")],
    *[(name, {"table": "pool"}, "it needs table stock_discard or widow")
      for name in ("early_knock_shows_now", "tiebreak")],
    *[(name, POT, "a pot game .* has no lives") for name in LIVES_ONLY],
    *[(name, {"settlement": "below_knocker_loses"}, "it needs settlement lowest_loses")
      for name in ("tie_lowest", "knock_penalty", "knocker_tie")],
    ("only_knocker_amount", {}, "it needs knocker_tie only_knocker"),
]


@pytest.mark.parametrize(("name", "others", "needs"), NO_USE, ids=lambda value: str(value)[:40])
def test_an_option_of_no_use_is_none_and_setting_it_is_refused_with_who_uses_it(
    name: str, others: dict[str, Any], needs: str
) -> None:
    assert getattr(Rules(**others), name) is None
    value = BY_NAME[name].default
    with pytest.raises(UserError, match=f"{name}={re.escape(repr(value))} is of no use to this variant: {needs}"):
        Rules(**others, **{name: value})


def test_replace_drops_what_the_change_makes_useless() -> None:
    rules = Rules(knock_min=21, dummy_hand=True).replace(table="pool", pool_exchange="one_or_all")
    assert (rules.knock_min, rules.dummy_hand, rules.stock_out, rules.pool_exchange) == (None, None, None, "one_or_all")
    with pytest.raises(UserError, match="knock_min=17 is of no use"):
        Rules().replace(table="pool", knock_min=17)


# --- contradictions --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"settlement": "highest_takes_pot"}, ["settlement", "declare_effect", "contradict"]),
        ({"declare_effect": "takes_pot"}, ["settlement", "declare_effect", "contradict"]),
        ({"knocker_tie": "only_knocker", "only_knocker_amount": 2, "knock_penalty": 1},
         ["only_knocker_amount=2", "knock_penalty=1", "contradict"]),
        ({"early_knock_shows_now": True, "first_turn_knock": "banned_first_turn"},
         ["early_knock_shows_now=True", "first_turn_knock='banned_first_turn'", "contradict"]),
        ({"early_knock_shows_now": True, "first_turn_knock": "banned_first_lap"},
         ["early_knock_shows_now=True", "first_turn_knock='banned_first_lap'", "contradict"]),
        ({"tiebreak": "highest_card"}, ["tiebreak='highest_card'", "settlement highest_takes_pot"]),
        ({"three_aces": "feuer"}, ["three_aces='feuer'", "table pool", "three_of_a_kind"]),
        ({"hand_size": 2, "three_of_a_kind": "30"}, ["hand_size=2", "three_of_a_kind off"]),
        ({"hand_size": 1, "dummy_hand": True}, ["hand_size=1", "no dummy_hand"]),
        ({"hand_size": 2, "table": "pool"}, ["hand_size=2", "table stock_discard"]),
        ({"cards": CARDS[:20], "deck": 32}, ["cards and deck contradict"]),
    ],
)
def test_options_that_contradict_each_other_are_refused_together(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UserError) as error:
        Rules(**options)
    assert all(word in str(error.value) for word in words)


# --- Rules as a value ------------------------------------------------------------------------------------------------


def many_rules() -> list[Rules]:
    source = random.Random(31)
    mixes = [random_rules(source) for _ in range(120)]
    small = [Rules(cards=CARDS[:12], hand_size=2), Rules(cards=["AS", "KS", "QS", "2C", "3C"], hand_size=1, target=11)]
    return [*(Rules.preset(name) for name in Rules.presets()), *mixes, *small]


def test_rules_cannot_be_changed() -> None:
    rules = Rules()
    with pytest.raises(AttributeError, match=r"Rules cannot be changed; use rules.replace\(lives=4\)"):
        rules.lives = 4  # type: ignore[misc]  # refused is the point
    with pytest.raises(AttributeError):
        rules.no_such_option  # noqa: B018  # asking is the point
    assert rules == Rules()


def test_rules_come_back_equal_from_everything_that_writes_them_down() -> None:
    for rules in many_rules():
        data = rules.to_dict()
        for again in (
            pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules), copy.copy(rules), eval(repr(rules)),
            Rules.of(data), Rules.of(json.loads(json.dumps(data))), rules.replace(), Rules.of(rules),
        ):
            assert again == rules
            assert hash(again) == hash(rules)
            assert again.packed == rules.packed
            assert again.to_dict() == rules.to_dict()


def test_rules_differ_where_one_option_differs() -> None:
    base = Rules()
    seen = {base}
    for option in OPTIONS:
        for value in values_of(option):
            extra = {**COMPANY.get(option.name, {}), **COMPANY_OF_VALUE.get((option.name, value), {})}
            other = Rules(**{**extra, option.name: value})
            assert (other == base) == (not extra and value == option.default)
            seen.add(other)
    assert len(seen) == len({json.dumps(rules.to_dict()) for rules in seen})
    assert base != "pagat"


def test_rules_pack_differently_where_they_play_differently() -> None:
    """Only ace, first_dealer and second_knock do not reach the packed words: they change nothing in a deal."""
    packed: dict[tuple[int, int], Rules] = {}
    for rules in set(many_rules()):
        played = rules.replace(ace="eleven", first_dealer="any")
        assert packed.setdefault(rules.packed, played) == played


def test_replace_changes_only_what_is_named() -> None:
    rules = Rules.preset("standard").replace(lives=5, county=False)
    assert {k: v for k, v in rules.to_dict().items() if Rules.preset("standard").to_dict()[k] != v} == {
        "lives": 5, "county": False,
    }
    assert rules.replace(lives=3, county=True) == Rules.preset("standard")


def test_of_takes_rules_names_and_mappings() -> None:
    assert Rules.of("pagat") == Rules.preset("pagat")
    assert Rules.of({"preset": "pagat", "lives": 4}) == Rules.preset("pagat", lives=4)
    assert Rules.of({"lives": 4}) == Rules(lives=4)
    with pytest.raises(UserError, match="rules must be Rules, a preset's name or a mapping of options, not int"):
        Rules.of(31)  # type: ignore[arg-type]  # the wrong type is the point


def test_an_unknown_preset_is_named_with_the_closest_and_all_there_are() -> None:
    with pytest.raises(UserError, match=r"'pagatt' is not a preset of rules; did you mean pagat\? there are pagat, "):
        Rules.preset("pagatt")
    with pytest.raises(UserError, match="lives=77 is not allowed"):
        Rules.preset("pagat", lives=77)


def test_a_preset_knows_its_name() -> None:
    assert [Rules.preset(name).name for name in Rules.presets()] == list(Rules.presets())
    assert Rules.preset("pagat", lives=5).name == "custom"


# --- the presets of section 13 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_section_13_presets_equal_the_table_of_the_rules(name: str) -> None:
    """`tests/referee/presets.py` is a copy of the table made without looking at the configuration files."""
    rules = Rules.preset(name)
    added = {"pool_exchange": None, "all_pass_renews": False, "dealer_packet": False}  # the referee's for "not used"
    for option, value in preset(name).items():
        mine = getattr(rules, option)
        if option in added and mine is None:
            assert value == added[option]
        else:
            assert str(mine) == str(value), option


def test_section_13_the_seven_presets_come_first() -> None:
    assert Rules.presets()[:7] == NAMES


def test_section_13_bicycle_cuts_lowest_for_the_deal_the_others_any_way() -> None:
    assert [Rules.preset(name).first_dealer for name in NAMES] == [*["any"] * 5, "low_card", "any"]


# --- every line of the tables has a test -----------------------------------------------------------------------------


def test_every_option_and_value_of_sections_1_to_11_has_a_test_named_for_it() -> None:
    """A test's name carries the section, the option and the value: ``test_section_7_knock_penalty_1_...``."""
    folder = Path(__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("test_rules_*.py"))
    names = re.findall(r"^def (test_section_\w+)\(", text, re.M)
    missing = []
    for option in OPTIONS:
        if option.section > 11:
            continue
        for value in option.values or (None,):
            word = "" if value is None else "_" + str(value).lower().replace(".", "_")
            pattern = re.compile(rf"test_section_\d+_{option.name}{word}(_|$)")
            if not any(pattern.match(name) for name in names):
                missing.append(f"section {option.section}: {option.name} {value}")
    assert missing == []
