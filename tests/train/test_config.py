"""Configs of trainings: what is refused, by name; what is shipped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.train.small import VALUES, small
from thirtyone_env.config_files import shipped
from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules
from thirtyone_train.config import load_config, parse_config


@pytest.mark.parametrize(
    "name", ["pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen"]
)
def test_every_preset_has_a_shipped_training(name: str) -> None:
    assert name in shipped("train")
    assert Rules.of(load_config(name).rules) == Rules.preset(name)


def test_all_shipped_trainings_are_valid() -> None:
    for name in shipped("train"):
        config = load_config(name)
        assert config.description
        assert config.ppo.rollout % config.ppo.batch_size == 0


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"bugdet": {"steps": 5}}, "there is no key 'bugdet'; did you mean budget?"),
        ({"ppo": {"n_step": 5}}, "there is no key 'ppo.n_step'; did you mean n_steps?"),
        ({"players": 12}, "players=12 is not allowed: .* 9"),
        ({"players": "3"}, "players='3' is not allowed"),
        ({"opponents": ["treshold:21"]}, "'treshold:21' is not a policy; did you mean threshold"),
        ({"opponents": ["learned:x"]}, "there is no agent at 'x'"),
        ({"opponents": []}, r"opponents=\[\] is not allowed"),
        ({"rules": "pagatt"}, "'pagatt' is not a preset of rules; did you mean pagat?"),
        ({"rules": {"preset": "pagat", "knock_min": 40}}, "knock_min=40 is not allowed"),
        ({"imitation": {"teacher": "tip"}}, "'tip' is not a policy; did you mean tips"),
        ({"budget": {}}, "budget needs either steps or seconds, not neither"),
        ({"budget": {"steps": 5, "seconds": 5}}, "budget needs either steps or seconds, not both"),
        ({"evaluation": {"opponents": ["tips"]}}, "3 players need 2, one for each other seat"),
        (
            {"ppo": {"num_games": 4, "n_steps": 4, "batch_size": 64}},
            "batch_size=64 is more than a rollout has",
        ),
        (
            {"ppo": {"num_games": 5, "n_steps": 13, "batch_size": 64}},
            "leaves a batch of a single decision over",
        ),
        ({"ppo": {"learning_rate": 0}}, "ppo.learning_rate=0 is not allowed"),
        ({"rules": "bicycle", "reward": "lives"}, "a pot game has no lives"),
        ({"rules": "bicycle", "players": 20}, "players=20 is not allowed"),
    ],
)
def test_wrong_keys_and_values_are_refused_by_name(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(UserError, match=text):
        parse_config({**VALUES, **changes})


def test_set_changes_keys_inside_and_the_budget_as_a_whole() -> None:
    config = load_config(
        "pagat", ["ppo.n_steps=32", "rules.lives=4", "budget.steps=1000", "imitation.teacher=null"]
    )
    assert config.ppo.n_steps == 32
    assert Rules.of(config.rules) == Rules.preset("pagat", lives=4)
    assert (config.budget.steps, config.budget.seconds) == (1000, None)
    assert config.imitation.teacher is None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("seed", "--set seed: write it as key=value"),
        ("seed.x=1", "seed has no keys inside"),
        ("ppo.steps=1", "there is no key 'ppo.steps'"),
        ("seed=[", "is no YAML value"),
    ],
)
def test_a_wrong_set_is_refused(change: str, text: str) -> None:
    with pytest.raises(UserError, match=text):
        load_config("pagat", [change])


def test_files_that_are_no_config_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    for content, text in (
        ("- a", "must hold keys and values"),
        ("a: [", "is no YAML"),
        ("1: 2", "keywords must be"),
    ):
        file.write_text(content)
        with pytest.raises(UserError, match=text):
            load_config(str(file))
    with pytest.raises(UserError, match="neither a file nor a shipped config of train"):
        load_config("pagatt")


def test_a_pot_game_is_trained_on_its_share() -> None:
    assert small(rules="bicycle").scheme == "match"
    assert small().scheme == "lives"
