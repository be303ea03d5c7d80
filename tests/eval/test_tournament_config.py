"""A tournament's config: what is wrong is named before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thirtyone_env.config_files import shipped
from thirtyone_env.errors import UserError
from thirtyone_eval.config import TournamentConfig, load_config, parse_config
from thirtyone_eval.entrants import check_entrants, load_entrants

TWO = {"policies": ["random", "tips"], "players": 2}


@pytest.mark.parametrize("name", shipped("tournaments"))
def test_shipped_config_is_valid_and_its_policies_exist(name: str) -> None:
    config = load_config(name)
    assert config.description
    check_entrants(load_entrants(config.policies), config)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({**TWO, "polices": []}, ["'polices'", "did you mean policies"]),
        ({**TWO, "colour": 1}, ["'colour'", "keys are", "mirror"]),
        ({"players": 2}, ["'policies' is missing"]),
        ({**TWO, "deals": 1}, ["deals=1", "greater than or equal to 2"]),
        ({**TWO, "deals": "many"}, ["deals='many'", "integer"]),
        ({**TWO, "players": 10}, ["players=10", "less than or equal to 9"]),
        ({**TWO, "players": []}, ["players=[]", "at least 1"]),
        ({**TWO, "episode": "game"}, ["episode='game'", "'round' or 'match'"]),
        ({**TWO, "mirror": "some"}, ["mirror='some'", "rotations"]),
        ({**TWO, "seed": -1}, ["seed=-1"]),
        ({**TWO, "rules": "pagatt"}, ["'pagatt'", "did you mean pagat"]),
        ({**TWO, "rules": {"preset": "pagat", "lifes": 2}}, ["'lifes'", "did you mean lives"]),
        ({**TWO, "players": 3}, ["a table of 3", "there are 2", "name one twice"]),
        ({**TWO, "players": [2, 2]}, ["names one twice"]),
        ({**TWO, "rules": "bicycle", "episode": "match"}, ["bicycle is a pot game", "episode=round"]),
        ({**TWO, "rules": "bicycle", "rank_by": "lives"}, ["bicycle is a pot game", "wins"]),
    ],
)
def test_wrong_config_is_refused_by_name(values: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(UserError) as error:
        parse_config(values, "my.yaml")
    assert all(word in str(error.value) for word in words), str(error.value)


def test_every_mistake_is_told_at_once() -> None:
    with pytest.raises(UserError, match=r"my\.yaml: .*deals=0.*; .*'polices'"):
        parse_config({**TWO, "deals": 0, "polices": 1}, "my.yaml")


def test_a_single_value_stands_for_a_list() -> None:
    config = parse_config({**TWO, "rules": "kids"})
    assert config.rules == ["kids"]
    assert config.players == [2]


def test_set_changes_keys_and_rule_options(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text("policies: [random, tips]\nplayers: 2\nrules: [pagat, kids]\n", encoding="utf-8")
    config = load_config(str(path), ["deals=7", "players=[2]", "rules.lives=4"])
    assert config.deals == 7
    assert config.rules == [{"preset": "pagat", "lives": 4}, {"preset": "kids", "lives": 4}]
    assert [rules.lives for _, rules in config.variants()] == [4, 4]
    assert [name for name, _ in config.variants()] == ["pagat with lives=4", "kids with lives=4"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("deals", "key=value"),
        ("deal=3", "did you mean deals"),
        ("deals=[", "no YAML value"),
        ("players.two=3", "only rules has keys inside"),
        ("rules.live=3", "did you mean lives"),
    ],
)
def test_wrong_set_is_refused(change: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load_config("baselines", [change])


@pytest.mark.parametrize("text", ["just words", "- a\n- b\n", "a: [", "1: 2\n", ""])
def test_a_file_that_is_no_config_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"bad\.yaml"):
        load_config(str(path))


def test_unknown_policy_is_refused_by_name() -> None:
    with pytest.raises(UserError, match=r"treshold:21.*did you mean threshold"):
        load_entrants(["random", "treshold:21"])


def test_copies_of_a_policy_get_labels_of_their_own_and_order_does_not_matter() -> None:
    labels = [one.label for one in load_entrants(["tips", "random", "tips"])]
    assert labels == ["random", "tips", "tips#2"]
    assert labels == [one.label for one in load_entrants(["random", "tips", "tips"])]


def test_a_config_cannot_be_changed() -> None:
    config = TournamentConfig(policies=["random", "tips"])
    with pytest.raises(ValueError, match="frozen"):
        config.deals = 3
