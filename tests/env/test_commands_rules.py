"""`thirtyone rules`: presets listed, shown and compared."""

from __future__ import annotations

import json

import pytest

from tests.env.run_command import run
from thirtyone_env import Rules
from thirtyone_env.options import OPTIONS


def test_list_names_every_preset_with_a_line() -> None:
    done = run("rules")
    assert done.code == 0
    for name in Rules.presets():
        assert any(line.startswith(name + " ") and len(line.split()) > 3 for line in done.out.splitlines()), name


def test_json_list_has_name_description_and_source() -> None:
    data = json.loads(run("rules", "--json").out)
    assert [preset["name"] for preset in data] == list(Rules.presets())
    assert all(preset["description"] and preset["source"] for preset in data)


@pytest.mark.parametrize("preset", Rules.presets())
def test_section_13_shown_preset_has_each_option_with_value_meaning_and_source(preset: str) -> None:
    out = run("rules", preset).out
    data = json.loads(run("rules", preset, "--json").out)
    rules = Rules.preset(preset)
    assert {row["option"]: row["value"] for row in data["options"]} == {o.name: getattr(rules, o.name) for o in OPTIONS}
    for option in OPTIONS:
        assert f"  {option.name} = " in out
        assert option.meaning in out
        assert option.source in out


def test_diff_shows_exactly_the_options_that_differ() -> None:
    data = json.loads(run("rules", "--diff", "pagat", "standard", "--json").out)
    first, second = Rules.preset("pagat"), Rules.preset("standard")
    expected = {o.name for o in OPTIONS if getattr(first, o.name) != getattr(second, o.name)}
    assert {row["option"] for row in data} == expected
    out = run("rules", "--diff", "pagat", "standard").out
    assert "knocker_tie       safe     knocker_two" in out
    assert len(out.splitlines()) == len(expected) + 1


def test_diff_of_a_preset_with_itself_says_so() -> None:
    assert run("rules", "--diff", "kids", "kids").out == "kids and kids do not differ\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["pagta"], "'pagta' is not a preset of rules; did you mean pagat?"),
        (["--diff", "pagat", "nothing"], "'nothing' is not a preset of rules; there are pagat"),
        (["pagat", "--diff", "pagat", "kids"], "not both"),
    ],
)
def test_bad_name_gets_one_line_and_exit_code_2(words: list[str], part: str) -> None:
    done = run("rules", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
    assert part in done.err


def test_capitals_find_the_preset_that_was_meant() -> None:
    done = run("rules", "PAGAT")
    assert done.code == 2
    assert "did you mean pagat?" in done.err
