"""Reading a policy from its decisions: what is read back is what the policy is known to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.agents.test_learned import layers, save
from tests.env.run_command import run
from thirtyone_agents import load
from thirtyone_agents.policy import Actions, Keys, Views
from thirtyone_env import Game, Rules
from thirtyone_env.actions import action_id
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_eval.explain.explain import explain
from thirtyone_eval.explain.features import FIELDS, NO_TOP, features
from thirtyone_eval.explain.watch import watch
from thirtyone_eval.study.findings import Findings, Row

PAGAT = Rules.preset("pagat")


class Remembers:
    """Plays as tips, and counts the matches that it was told of."""

    name = "remembers"

    def __init__(self) -> None:
        self.matches = 0
        self._tips = load("tips")

    def begin(self, games: int) -> None:
        self.matches += games

    def act(self, views: Views, keys: Keys) -> Actions:
        assert self.matches, "asked before its match began"
        return self._tips.act(views, keys)


class Cheats:
    """Answers an action that is never legal."""

    name = "cheats"

    def act(self, views: Views, keys: Keys) -> Actions:
        return np.full(len(views), 58)


def levels(found: Findings, by: str) -> list[Row]:
    return [row for row in found.part("knock-levels").rows if row["by"] == by]


@pytest.fixture(scope="module")
def tips() -> Findings:
    return explain("tips", games=60)


@pytest.mark.parametrize("worth", [21, 25])
def test_a_threshold_is_read_back(worth: int) -> None:
    found = explain(f"threshold:{worth}", players=3, games=60)
    for row in found.part("knock-levels").rows:
        assert row["told"].mean == 1
        if row["decisions"] > 500:  # else that very worth may not have come
            assert row["level"] == row["from"] == worth
            assert row["to"] - worth <= 1
    assert [row["level"] for row in levels(found, "turn")][:3] == [worth] * 3
    assert found.remarks[0].startswith(f"threshold:{worth} knocks from {worth} on turn 1")
    takes = {row["top_card_gains"]: row["takes_it"].mean for row in found.part("draws").rows}
    assert takes == {"nothing": 0, "0.5 to 2": 0, "2.5 to 4": 1, "4.5 to 7": 1, "7.5 or more": 1}


def test_the_knock_levels_of_tips_are_read_back_by_lap(tips: Findings) -> None:
    assert [row["level"] for row in levels(tips, "turn")][:4] == [22, 24, 26, 26]
    assert all(row["told"].mean == 1 for row in levels(tips, "turn"))
    assert levels(tips, "all")[0]["told"].mean < 1, "one level for all laps cannot tell them all"


@pytest.mark.parametrize(("name", "level"), [("tips:safe", 27), ("tips:bold", 21)])
def test_what_tips_does_on_its_last_token_is_read_back(name: str, level: int) -> None:
    by_tokens = levels(explain(name, players=2, games=60), "tokens")
    assert [row["value"] for row in by_tokens] == ["0 (county)", "1", "2", "3"]
    assert (by_tokens[0]["level"], by_tokens[0]["told"].mean) == (level, 1)
    assert all(row["level"] != level for row in by_tokens[1:])


def test_what_tips_draws_and_throws_is_read_back(tips: Findings) -> None:
    for row in tips.part("draws").rows:
        if row["top_card_gains"] == "nothing":
            assert row["takes_it"].mean == 0
        elif row["when"] == "before a knock" and row["top_card_gains"] != "0.5 to 2":
            assert row["takes_it"].mean == 1
    small = {row["of_best_suit"]: row["takes_it"] for row in tips.part("draws").rows
             if (row["when"], row["top_card_gains"]) == ("before a knock", "0.5 to 2")}  # fmt: skip
    assert small["no"].mean == 0
    assert 0 < small["yes"].mean < 1, "only where two cards of the suit are worth 20"
    thrown = {row["what"]: row["found"] for row in tips.part("throws").rows if row["when"] == "before a knock"}
    assert thrown["keeps the most that it can, share"].mean == 1
    assert thrown["points given up, mean"].mean == 0
    feeds = thrown["feeds the next seat where it need not, share"]
    assert feeds.high < thrown["the same if it threw blindly among what keeps most"].low


def test_a_random_policy_knocks_from_no_worth_on() -> None:
    found = explain("random", games=60)
    assert all(row["to"] is None for row in levels(found, "turn")[:3])
    assert found.remarks[0] == "random knocks from no worth on surely more often than not."
    thrown = {row["what"]: row["found"] for row in found.part("throws").rows if row["when"] == "before a knock"}
    assert thrown["keeps the most that it can, share"].high < 0.6
    assert thrown["points given up, mean"].above_zero


@pytest.mark.parametrize("name", ["random", "tips", "threshold:23"])
def test_a_policy_agrees_with_itself_in_everything(name: str) -> None:
    found = explain(name, games=10, others=[name, "threshold:31"])
    first, second = found.part("agreement").rows
    assert first["policy"] == name
    assert (first["all"].mean, first["turns"].mean, first["throws"].mean) == (1, 1, 1)
    assert first["all"].low > 0.99
    assert second["all"].high < 1


def test_agreement_orders_policies_by_likeness(tips: Findings) -> None:
    rows = tips.part("agreement").rows
    names = [row["policy"] for row in rows]
    assert names[0] == "tips"
    assert names[-1] == "random"
    assert names.index("threshold:26") < names.index("threshold:21")


def test_a_trained_agent_is_read_and_refused_where_it_does_not_fit(tmp_path: Path) -> None:
    weights = layers(seats=3)
    weights[-1][1][action_id("knock")] += 8  # so that its rounds end
    name = f"learned:{save(tmp_path / 'agent', layers=weights)}"
    found = explain(name, players=3, games=6, others=[name, "random"])
    assert found.part("agreement").rows[0]["all"].mean == 1
    assert found.settings["decisions"] > 20
    with pytest.raises(UserError, match="plays with 3 players, not with 4"):
        explain(name, players=4, games=6)


def test_a_policy_with_memory_is_told_of_each_match_and_not_compared_with() -> None:
    one = Remembers()
    found = explain(one, players=2, games=5, others=["tips"])
    assert one.matches == 5
    assert found.part("agreement").rows[0]["all"].mean == 1
    with pytest.raises(UserError, match="remembers remembers"):
        watch(load("tips"), PAGAT, 2, [], 2, 1, others=[one])


def test_only_the_policy_itself_is_read_against_others() -> None:
    found = explain("threshold:24", players=3, against=["random"], games=40)
    assert levels(found, "all")[0]["level"] == 24
    assert levels(found, "all")[0]["told"].mean == 1, "the random one's knocks are not read"
    assert found.settings["against"] == ["random"]


def test_seats_tokens_and_turns_are_those_of_the_game() -> None:
    rules = PAGAT.replace(lives=2)
    draw = np.random.default_rng(3)
    game = Game(rules, players=4, seed=12)
    deal, turns, seen = -1, [0] * 4, 0
    while game.turn is not None:
        seat, view = game.turn, game.view(game.turn)
        legal = game.legal_actions()
        if game.deal_number != deal:
            deal, turns = game.deal_number, [0] * 4
        at_turn = not any(name.startswith("discard") for name in legal)
        turns[seat] += at_turn
        action = str(draw.choice([name for name in legal if name != "knock"] if draw.random() < 0.9 else legal))
        row = features(view[None], np.array([action_id(action)]), np.array([7]), 4)[0]
        told = dict(zip(FIELDS, row.tolist(), strict=True))
        clockwise = [(game.dealer + step) % 4 for step in range(1, 5)]
        inside = [one for one in clockwise if one not in game.out]
        assert told["place"] == inside.index(seat) + 1
        assert (told["players"], told["tokens"]) == (len(inside), game.lives[seat])
        assert (told["game"], told["choices"]) == (7, len(legal))
        assert told["knocked"] == (game.knocker is not None)
        if at_turn:
            assert told["turn"] == turns[seat]
            assert told["worth"] == 2 * rules.worth(game.hands[seat])
            assert (told["top_gain"] != NO_TOP) == ("draw_discard" in legal)
            assert told["may_knock"] == ("knock" in legal)
        elif action.startswith("discard"):
            hand = game.hands[seat]
            names = [name.split()[1] for name in legal if name.startswith("discard")]
            kept = {card: rules.worth([one for one in hand if one != card]) for card in names}
            assert told["given_up"] == 2 * (max(kept.values()) - kept[action.split()[1]])
            assert told["alike"] == sum(worth == max(kept.values()) for worth in kept.values())
        game.play(action)
        seen += 1
    assert seen > 100


def test_matches_do_not_depend_on_those_beside_them() -> None:
    few, many = (watch(load("random"), PAGAT, 3, [], games, seed=5) for games in (3, 9))
    for game in range(3):
        assert np.array_equal(few.where(few["game"] == game).rows, many.where(many["game"] == game).rows)


@pytest.mark.parametrize("preset", ["schwimmen", "bicycle", "mini_4x2"])
def test_other_tables_are_read_too(preset: str) -> None:
    found = explain("tips", rules=preset, players=2, games=20)
    assert found.part("agreement").rows[0]["all"].mean == 1
    shares: dict[str, float] = {}
    for row in found.part("turns").rows:
        shares[row["when"]] = shares.get(row["when"], 0) + row["share"].mean
    assert list(shares.values()) == pytest.approx([1] * len(shares))
    assert ("tokens" in {row["by"] for row in found.part("knock-levels").rows}) == (preset != "bicycle")


def test_single_rounds_have_the_tokens_of_the_start() -> None:
    found = explain("threshold:24", games=300, episode="round")
    assert [(row["value"], row["level"]) for row in levels(found, "tokens")] == [("3", 24)]
    assert [row["value"] for row in levels(found, "players")] == ["4"]
    assert "in 300 rounds of pagat" in found.question


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["treshold:21"], "did you mean threshold"),
        (["tips", "--rules", "pagatt"], "did you mean pagat"),
        (["tips", "--players", "2", "--against", "random", "--against", "tips"], "only 1 seats are left"),
        (["tips", "--games", "1"], "games=1 is not allowed"),
        (["tips", "--episode", "hand"], "episode='hand' is not allowed: match, round"),
        (["tips", "--with", "nobody"], "'nobody' is not a policy"),
    ],
)
def test_wrong_input_is_one_line(words: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("explain", *words)
    assert done.code == 2
    assert text in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_policy_that_answers_something_illegal_is_named() -> None:
    with pytest.raises(IllegalAction, match="cheats answered swap_all"):
        explain(Cheats(), games=2)


def test_the_command_leaves_tables_and_a_picture(tmp_path: Path) -> None:
    folder = tmp_path / "tips"
    done = run("explain", "tips", "--games", "10", "--with", "tips", "--out", str(folder), "--json")
    assert done.code == 0, done.err
    data: dict[str, Any] = json.loads(done.out)
    assert data == json.loads((folder / "explain.json").read_text())
    assert data["tables"]["agreement"]["rows"][0]["all"]["mean"] == 1
    assert {path.name for path in folder.iterdir()} == {
        "explain.json", "explain.png", *(f"{name}.csv" for name in data["tables"])
    }  # fmt: skip
    assert run("explain", "tips", "--out", str(folder)).code == 2


def test_the_picture_has_no_empty_plot_where_there_is_no_top_card(tips: Findings) -> None:
    def titles(found: Findings) -> list[str]:
        return [axes.get_title() for axes in found.pictures["explain"].axes]

    assert len(titles(tips)) == 3
    pool = explain("tips", rules="schwimmen", games=5)
    assert titles(pool) == ["tips: how often it knocks", "decisions that others would share"]
    left = pool.pictures["explain"].axes[0]
    assert all(len(line.get_xdata()) for line in left.get_lines()), "every turn of the legend has its curve"
