"""Names find policies; wrong ones are refused with what would be right; names from strangers run no code."""

from __future__ import annotations

import json
import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from thirtyone_agents import Kind, Policy, fingerprint, has_memory, has_probabilities, load, names, registry
from thirtyone_agents.commands import app
from thirtyone_env import UserError

OWN = """
import numpy as np
from thirtyone_env.core.layout import V_LEGAL
IMPORTED = True
class Mine:
    name = "mine"
    def act(self, views, keys):
        return np.array([int(mask).bit_length() - 1 for mask in views[:, V_LEGAL]])
class Nothing:
    pass
class Init(Mine):
    def __init__(self, x):
        self.x = x
def make(x):
    return Mine()
class Faulty(Mine):
    def __init__(self):
        raise TypeError("a fault of its own")
"""


@pytest.fixture
def own_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_own_agents.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "my_own_agents", raising=False)
    return "my_own_agents"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("random", "random"),
        ("threshold:21", "threshold:21"),
        ("threshold:30.5", "threshold:30.5"),
        (" threshold:21.0 ", "threshold:21"),
        ("tips", "tips"),
        ("tips:safe", "tips:safe"),
        ("tips:bold", "tips:bold"),
    ],
)
def test_names_find_policies(text: str, name: str) -> None:
    policy = load(text)
    assert policy.name == name
    assert isinstance(policy, Policy)
    assert has_probabilities(policy)
    assert not has_memory(policy)
    assert fingerprint(policy).startswith(name)


def test_a_policy_is_returned_as_it_is() -> None:
    policy = load("tips")
    assert load(policy) is policy
    with pytest.raises(UserError, match="no policy"):
        load(3)  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("threshhold:21", "did you mean threshold"),
        ("Tips", "did you mean tips"),
        ("tisp:bold", "did you mean tips"),
        ("zebra", "there are random, threshold:K"),
        ("", "there are random"),
        ("threshold", "a worth from 0 to 33"),
        ("threshold:x", "a worth from 0 to 33"),
        ("threshold:34", "a worth from 0 to 33"),
        ("threshold:-1", "a worth from 0 to 33"),
        ("threshold:20.25", "a worth from 0 to 33"),
        ("threshold:nan", "a worth from 0 to 33"),
        ("tips:brave", "tips:safe and tips:bold"),
        ("random:3", "takes nothing"),
    ],
)
def test_a_wrong_name_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(text)
    with pytest.raises(UserError, match=message):
        load(text, allow_code=True)


def test_names_that_read_files_or_import_code_are_refused_unless_allowed(own_package: str) -> None:
    with pytest.raises(UserError, match="imports code; allowed are random"):
        load(f"{own_package}:Mine")
    assert own_package not in sys.modules
    with pytest.raises(UserError, match="reads files or runs code; allowed are random"):
        load("learned:somewhere")


def test_a_policy_of_ones_own(own_package: str) -> None:
    policy = load(f"{own_package}:Mine", allow_code=True)
    assert policy.name == "mine"
    assert fingerprint(policy).startswith("mine sha256:")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no_such_package:Mine", "no module no_such_package"),
        ("my_own_agents:Yours", "has no Yours"),
        ("my_own_agents:Nothing", "needs a text `name` and a function"),
        ("my_own_agents:IMPORTED", "needs a text `name` and a function"),
    ],
)
def test_ones_own_policy_that_is_not_there(own_package: str, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        load(text, allow_code=True)


def make_echo(argument: str) -> Policy:
    """Echoes what comes after the colon."""

    class Echo:
        name = f"echo:{argument}"

        def act(self, views: Any, keys: Any) -> Any:
            return load("random").act(views, keys)

    return Echo()


@pytest.mark.parametrize("safe", [True, False])
def test_other_packages_add_kinds_by_entry_points(safe: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "echo"

        def load(self) -> Any:
            return Kind(make_echo, "echo:TEXT", "says it again") if safe else make_echo

    monkeypatch.setattr(
        registry, "entry_points", lambda group: [Entry()] if group == "thirtyone.agents" else []
    )
    assert load("echo:hello", allow_code=True).name == "echo:hello"
    help_lines = names()
    if safe:
        assert load("echo:hello").name == "echo:hello"
        assert help_lines["echo:TEXT"] == "says it again"
    else:
        assert help_lines["echo[:...]"] == "Echoes what comes after the colon."
        with pytest.raises(UserError, match="reads files or runs code"):
            load("echo:hello")


def test_an_entry_point_cannot_replace_a_kind_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("tips", "no_such_package:x", "thirtyone.agents")
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    assert load("tips").name == "tips"


def test_every_name_has_a_line_of_help() -> None:
    found = names()
    assert {"random", "threshold:K", "tips[:safe|:bold]", "your_package:YourPolicy"} <= set(found)
    assert all(text and "\n" not in text and len(text) <= 120 for text in found.values())


def test_the_command_lists_the_names() -> None:
    result = CliRunner().invoke(app, ["--json"])
    assert result.exit_code == 0
    assert {row["name"]: row["help"] for row in json.loads(result.output)} == names()
    shown = CliRunner().invoke(app, [])
    assert shown.exit_code == 0
    assert all(name in shown.output for name in names())


@pytest.mark.parametrize("attribute", ["Init", "make"])
def test_a_class_or_function_that_needs_arguments_is_refused_by_name(own_package: str, attribute: str) -> None:
    with pytest.raises(UserError, match=f"'{own_package}:{attribute}' needs arguments; name an object instead"):
        load(f"{own_package}:{attribute}", allow_code=True)


def test_a_type_error_inside_a_class_is_not_taken_for_missing_arguments(own_package: str) -> None:
    with pytest.raises(TypeError, match="a fault of its own"):
        load(f"{own_package}:Faulty", allow_code=True)


@pytest.mark.parametrize("name", ["stubborn:Stubborn", "learned:/nosuch"])
def test_a_refusal_names_the_way_out(name: str) -> None:
    with pytest.raises(UserError) as refusal:
        load(name)
    assert f"load({name!r}, allow_code=True)" in str(refusal.value)


def test_a_suggested_name_can_be_loaded() -> None:
    with pytest.raises(UserError, match=r"did you mean threshold:21\?"):
        load("treshold")


def test_a_class_in_place_of_an_object_is_refused_by_name() -> None:
    class Mine:
        name = "mine"

        def act(self, views: Any, keys: Any) -> Any:
            return load("random").act(views, keys)

    assert load(Mine()).name == "mine"
    with pytest.raises(UserError, match="Mine'> is no policy: give a name such as threshold:21, or an object"):
        load(Mine)  # type: ignore[arg-type]  # the class, not an object of it
