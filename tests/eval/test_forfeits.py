"""Policies that fail forfeit their games, by name, and the tournament goes on; a stored forfeit is not judged again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import load_entrants
from thirtyone_eval.forfeits import forfeited
from thirtyone_eval.guard import Guarded
from thirtyone_eval.outcomes import end_of
from thirtyone_eval.records import read_records, replay
from thirtyone_eval.run import Result, run_tournament

# What outsiders might bring. They fail at some decisions only, chosen by the key.
STRANGERS = '''
import os, sys, time
import numpy as np

class Stranger:
    wrong = 5  # a decision in so many goes wrong

    def act(self, views, keys):
        legal = views[:, 5]
        bad = keys % np.uint64(self.wrong) == 0
        if bad.any():
            self.fail()
        return np.array([(int(mask) & -int(mask)).bit_length() - 1 for mask in legal])

class Good(Stranger):
    name = "good"
    def fail(self):
        print("a word that must not reach the table of results")

class Crashes(Stranger):
    name = "crashes"
    def fail(self):
        raise ZeroDivisionError("no such luck")

class Hangs(Stranger):
    name = "hangs"
    wrong = 40
    def fail(self):
        time.sleep(3600)

class Dies(Stranger):
    name = "dies"
    wrong = 40
    def fail(self):
        os._exit(7)

class Nonsense(Stranger):
    name = "nonsense"
    def act(self, views, keys):
        return {"hello": "world"}

class Fractions(Stranger):
    name = "fractions"
    def act(self, views, keys):
        return np.full(len(views), 2.5)

class Illegal(Stranger):
    name = "illegal"
    def act(self, views, keys):
        good = self.good(views)
        return np.where(keys % np.uint64(5) == 0, 62, good)
    def good(self, views):
        return np.array([(int(mask) & -int(mask)).bit_length() - 1 for mask in views[:, 5]])

class Forgets(Stranger):
    """Has memory, and fails when a match begins."""
    name = "forgets"
    def begin(self, games):
        raise RuntimeError("forgot how to begin")
    def act(self, views, keys):
        raise AssertionError("never asked")

class NeverStarts(Stranger):
    name = "neverstarts"
    def __init__(self):
        if os.environ.get("STARTED"):
            raise RuntimeError("once only")
        os.environ["STARTED"] = "yes"
'''


@pytest.fixture
def strangers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "strangers.py").write_text(STRANGERS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    yield folder
    sys.modules.pop("strangers", None)


def played(who: str, folder: Path | None = None, **keys: object) -> tuple[TournamentConfig, Result]:
    policies = ["tips", "threshold:25", f"strangers:{who}"]
    config = parse_config({"policies": policies, "deals": 4, "seed": 3, "time_limit": 2.0, **keys})
    return config, run_tournament(config, folder)


def test_a_strangers_policy_that_answers_well_forfeits_nothing_and_its_games_replay(
    strangers: Path, tmp_path: Path
) -> None:
    _, result = played("Good", tmp_path)
    assert result.forfeits == []
    records = list(read_records(tmp_path))
    assert len(records) == result.games == 24
    assert all(replay(record).over for record in records)


@pytest.mark.parametrize(
    ("who", "reason", "text"),
    [
        ("Crashes", "crash", "crashes failed: ZeroDivisionError: no such luck"),
        ("Illegal", "illegal", "illegal answered take_pool 2, which is not legal: legal are"),
        ("Nonsense", "nonsense", "nonsense answered dict: {'hello': 'world'}: whole numbers [1] are wanted"),
        ("Fractions", "nonsense", "fractions answered float64 [1]: whole numbers [1] are wanted"),
        ("Forgets", "crash", "forgets failed: RuntimeError: forgot how to begin"),
        ("Dies", "died", "the process of dies died with exit code 7"),
        ("NeverStarts", "died", "neverstarts failed: RuntimeError: once only when it was started"),
    ],
)
def test_each_kind_of_failure_forfeits_by_name_and_the_others_play_on(
    strangers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: str, reason: str, text: str
) -> None:
    monkeypatch.delenv("STARTED", raising=False)
    keys = {"rules": {"preset": "pagat", "lives": 1}, "episode": "match"} if who == "Illegal" else {}
    _, result = played(who, tmp_path, **keys)
    assert result.games == 24
    assert {name for name, *_ in result.forfeits} == {who.lower()}
    found = {kind: (count, first) for _, kind, count, first in result.forfeits}
    assert found[reason][1].startswith(text)
    assert 0 < found[reason][0] <= 24
    bad = [record for record in read_records(tmp_path) if record["forfeit"]]
    assert len(bad) == sum(count for count, _ in found.values())
    for record in bad:
        seat = record["seats"].index(who.lower())
        assert record["forfeit"][:1] == [seat]
        assert record["places"][seat] == 3
        assert replay(record).turn == seat or who == "Forgets"
    number = result.labels.index(who.lower())
    assert result.tallies[0].wins[number].sum() < result.tallies[0].wins.sum() / 3


def test_a_policy_that_hangs_forfeits_after_its_time_and_after_three_hangs_is_not_asked(
    strangers: Path, tmp_path: Path
) -> None:
    _, result = played("Hangs", tmp_path, time_limit=0.3, deals=40)
    found = {kind: (count, first) for _, kind, count, first in result.forfeits}
    assert found["timeout"] == (3, "hangs gave no answer within 0.3 s")
    assert "not asked any more after 3" in found["barred"][1]


def test_a_stored_forfeit_is_not_judged_again(strangers: Path, tmp_path: Path) -> None:
    config, first = played("Crashes", tmp_path)
    (strangers / "strangers.py").write_text(STRANGERS.replace("raise ZeroDivisionError", "str"), encoding="utf-8")
    entrants = load_entrants(config.policies)
    again = run_tournament(config, tmp_path) if entrants[0].fingerprint == first.entrants[0].fingerprint else None
    assert again is None, "another file of that name is another policy"
    (strangers / "strangers.py").write_text(STRANGERS, encoding="utf-8")
    sys.modules.pop("strangers")
    again = run_tournament(config, tmp_path)
    assert again.forfeits == first.forfeits
    assert np.array_equal(again.tallies[0].lost, first.tallies[0].lost)


def test_forfeits_do_not_depend_on_workers(strangers: Path) -> None:
    _, here = played("Crashes")
    _, there = played("Crashes", workers=2)
    assert here.forfeits == there.forfeits
    assert np.array_equal(here.tallies[0].lost, there.tallies[0].lost)


def test_the_report_and_the_terminal_name_who_forfeited_and_the_rule(strangers: Path, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "thirtyone_env.cli", "tournament", "baselines", "--set", "deals=2", "--out", "x"]
    line += ["--set", "policies=[tips, random, 'strangers:Good', 'strangers:Crashes']"]
    surroundings = {**os.environ, "PYTHONPATH": str(strangers)}
    done = subprocess.run(line, cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "crashes forfeited" in done.stdout
    assert "must not reach" not in done.stdout
    page = (tmp_path / "x" / "report.html").read_text(encoding="utf-8")
    assert "crashes forfeited" in page
    assert "the offender has the last place" in page
    data = json.loads((tmp_path / "x" / "ranking.json").read_text(encoding="utf-8"))
    assert [one["policy"] for one in data["forfeits"]] == ["crashes"]


def test_a_policy_that_cannot_be_sent_to_a_process_of_its_own_is_refused_by_name() -> None:
    class Local:
        name = "local"

        def act(self, views: object, keys: object) -> object:
            raise AssertionError("never asked")

    with pytest.raises(UserError, match="the policy local cannot be sent to a process of its own"):
        Guarded(None, Local(), 1.0)  # type: ignore[arg-type]  # the wrong type is the point


def test_the_rule_the_offender_is_last_those_in_share_the_win_those_out_keep_their_order() -> None:
    game = Game("kids", 4, seed=5, lives=[1, 3, 3, 3])
    while len(game.out) < 1:
        game.play(min(game.legal_actions(), key=lambda name: name != "knock"))
    out, offender = game.out[0], game.turn
    assert offender is not None
    before = end_of_rounds(game)
    end = forfeited(game, offender)
    assert end.places[offender] == 4
    assert end.places[out] == 3
    assert sorted(end.places) == [1, 1, 3, 4]
    assert end.lost[offender] == before[offender] + 2
    assert all(end.lost[seat] == before[seat] for seat in range(4) if seat != offender)
    assert end.played[out] == game.round_count == end.played[offender] - 1
    assert end.rounds == game.round_count


def end_of_rounds(game: Game) -> list[int]:
    return [sum(one.lost[seat] - one.gained[seat] for one in game.rounds) for seat in range(game.players)]


def test_a_game_that_ends_by_itself_is_no_forfeit() -> None:
    game = Game("kids", 2, seed=5, episode="round")
    while game.turn is not None:
        game.play(game.legal_actions()[0])
    assert end_of(game).rounds == 1
