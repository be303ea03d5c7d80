"""The studies: exact where something exact is known, else against games played one by one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.env.run_command import run
from thirtyone_agents import load, play_match
from thirtyone_env import Game, Rules
from thirtyone_env.core.layout import A_KNOCK, TURN_NO, V_LEGAL, V_STATUS
from thirtyone_env.keys import decision_keys
from thirtyone_eval.arena import deal_seed
from thirtyone_eval.study import token_value as tokens
from thirtyone_eval.study import turn_value as turns
from thirtyone_eval.study.common import GROUPS, compiled_policy
from thirtyone_eval.study.dealt_hands import chi_square, dealt_counts, dealt_hands, exact_counts
from thirtyone_eval.study.seats import by_place, seats
from thirtyone_eval.study.thresholds import matrix, thresholds

PAGAT = Rules.preset("pagat")
TIPS = compiled_policy("tips")


def test_section_1_every_hand_is_counted() -> None:
    plain = exact_counts(PAGAT)
    assert sum(plain.values()) == 22_100
    assert (plain[62], plain[20], plain[42]) == (24, 5_732, 712)
    triples = exact_counts(Rules.preset("standard"))
    assert (triples[61], triples[20]) == (52, 5_716)
    assert sum(exact_counts(Rules.preset("schwimmen")).values()) == 32 * 31 * 30 // 6
    row = dealt_hands(deals=1_000).part("summary").rows[0]
    assert (row["mean"], row["median"]) == (13.0880, 11)


@pytest.mark.parametrize("preset", ["pagat", "schwimmen", "bicycle", "mini_3x2"])
def test_the_engine_deals_every_worth_as_often_as_it_should(preset: str) -> None:
    summary = dealt_hands(preset, players=2, deals=20_000, seed=4).part("summary").rows[0]
    assert summary["chance"] > 1e-4


def test_chi_square_notices_unfair_deals() -> None:
    deals = 20_000
    exact, dealt = exact_counts(PAGAT), dealt_counts(PAGAT, 3, deals, seed=4)
    expected = [deals * count / 22_100 for count in exact.values()]
    fair = [dealt.get(worth, 0) for worth in exact]
    assert chi_square(fair, expected)[2] > 1e-4
    moved = [*fair]
    moved[8] -= 200
    moved[18] += 200
    assert chi_square(moved, expected)[2] < 1e-6


def test_two_thresholds_at_a_table_of_two_are_mirror_images() -> None:
    found = matrix(PAGAT, 2, [load(name) for name in ("threshold:17", "threshold:25", "threshold:31")], 300, seed=1)
    for one in range(3):
        assert not found.cells[one][one].scatter.any()
        for other in range(3):
            assert found.cells[one][other].mean == pytest.approx(-found.cells[other][one].mean)
    assert found.cells[0][1].estimate().above_zero, "25 saves lives against one who knocks from 17"


def test_a_cell_is_what_games_played_one_by_one_give() -> None:
    one, others = load("threshold:21"), load("threshold:26")
    found = matrix(PAGAT, 3, [one, others], 12, seed=3).cells[1][0]
    saved = []
    for deal in range(12):
        for seat in range(3):
            game = Game(PAGAT, 3, seed=deal_seed(3, deal), episode="round")
            play_match(game, [one if place == seat else others for place in range(3)])
            lost = game.rounds[0].lost
            saved.append((sum(lost) - lost[seat]) / 2 - lost[seat])
    assert found.mean == pytest.approx(np.mean(saved))


def test_best_replies_name_what_they_do_not_clearly_beat() -> None:
    found = thresholds(players=[2], levels=[17, 25, 26], deals=400, seed=2)
    rows = {row["others"]: row for row in found.part("best-replies").rows}
    assert rows[17]["best_reply"] in (25, 26)
    assert rows[17]["saves"].above_zero
    assert "17" not in rows[25]["not_clearly_worse"].split(", ")
    assert len(found.part("matrix").rows) == 9


def knocks_one_by_one(deals: int, players: int, seed: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """What `turns.play` tallies, from games played one by one."""
    tally, still_on = np.zeros((last, 67, 4), dtype=np.int64), np.zeros(last, dtype=np.int64)
    for card_seed in decision_keys(seed, np.arange(deals), 0, 0, 0).tolist():
        game = Game(PAGAT, players, seed=card_seed, episode="round")
        before: dict[int, tuple[int, int]] = {}
        started = -1
        while game.turn is not None:
            seat, view = game.turn, game.view(game.turn).copy()
            now = int(view[V_STATUS] >> TURN_NO[1] & TURN_NO[2])
            if now // players > started:
                started = now // players
                if started > last:
                    break
                if started < last:
                    still_on[started] += 1
            if int(view[V_LEGAL]) >> int(A_KNOCK) & 1:
                lost = lost_by_knocking(game, seat)
                if seat in before:
                    tally[(*before.pop(seat), 3)] += lost
                if now // players < last:
                    at = (now // players, int(2 * PAGAT.worth(game.hands[seat])))
                    before[seat] = at
                    tally[at] += [1, lost, lost > 0, 0]
                view[V_LEGAL] &= ~np.uint64(1 << int(A_KNOCK))
            game.play(int(TIPS.act(view[None], np.zeros(1, dtype=np.uint64))[0]))
        for seat, at in before.items():
            if game.last_round is not None:
                tally[(*at, 3)] += game.last_round.lost[seat]
    return tally, still_on


def lost_by_knocking(game: Game, seat: int) -> int:
    copy = game.clone()
    copy.play("knock")
    if copy.turn is not None:
        play_match(copy, [TIPS] * copy.players)
    assert copy.last_round is not None
    return copy.last_round.lost[seat]


@pytest.mark.parametrize("players", [2, 4])
def test_the_value_of_a_turn_is_counted_as_games_one_by_one_count_it(players: int) -> None:
    deals = 2 * GROUPS
    tally, still_on = turns.play(PAGAT, players, TIPS, 3, deals, seed=6)
    expected, on = knocks_one_by_one(deals, players, 6, 3)
    assert np.array_equal(tally.sum(axis=0), expected)
    assert np.array_equal(still_on.sum(axis=0), on)


def test_a_turn_helps_a_weak_hand_and_not_a_strong_one() -> None:
    found = turns.turn_value(deals=4_000, turns=3)
    by_turn = found.part("by-turn").rows
    assert by_turn[0]["gained_by_the_turn_before"] is None
    assert all(row["gained_by_the_turn_before"].above_zero for row in by_turn[1:])
    first = {row["worth"]: row["turn_is_worth"] for row in found.part("by-worth").rows if row["turn"] == 1}
    assert first[10].above_zero
    assert first[20].high < 0
    levels = [row["level"] for row in found.part("levels").rows]
    assert levels == sorted(levels), "the later, the better a hand must be"


def test_matches_with_given_tokens_end_as_games_one_by_one_do() -> None:
    lives, deals = (1, 3, 0), 12
    expected = []
    for card_seed in decision_keys(8, np.arange(deals), 0, 0, 0).tolist():
        game = Game(PAGAT, 3, seed=card_seed, lives=list(lives))
        expected.append(play_match(game, [TIPS] * 3).winner)
    for seat in range(3):
        won = tokens.win_sample(PAGAT, lives, seat, TIPS, deals, seed=8)
        assert won.tolist() == [winner == seat for winner in expected]


def test_equal_tokens_are_worth_equal_shares_and_more_are_worth_more() -> None:
    found = tokens.token_value(players=[2, 3], deals=200, seed=2)
    wins = {(row["players"], row["own"], row["others"]): row["wins"] for row in found.part("wins").rows}
    for size in (2, 3):
        for count in range(4):
            assert wins[size, count, count].mean == pytest.approx(1 / size)
        assert wins[size, 3, 0].low > wins[size, 1, 0].high > wins[size, 1, 2].high
    assert wins[2, 3, 1].mean == pytest.approx(1 - wins[2, 1, 3].mean)
    added = {(row["players"], row["others"], row["token"]): row["adds"].mean for row in found.part("values").rows}
    assert added[2, 1, "1 to 2"] == pytest.approx(wins[2, 2, 1].mean - wins[2, 1, 1].mean)


def test_seats_are_counted_from_the_dealers_left() -> None:
    found = by_place(PAGAT, 3, TIPS, 40, seed=5)
    total = np.zeros(3)
    for deal in range(40):
        game = Game(PAGAT, 3, seed=deal_seed(5, deal), episode="round")
        play_match(game, [TIPS] * 3)
        (ended,) = game.rounds
        for place in range(3):
            total[place] += ended.lost[(ended.dealer + 1 + place) % 3] - sum(ended.lost) / 3
    assert [one.mean for one in found] == pytest.approx((100 * total / 40).tolist())


def test_who_plays_first_fares_best_and_places_sum_to_nothing() -> None:
    found = seats(["pagat", "bicycle"], [4], deals=3_000)
    rows = found.part("places").rows
    for name, sign in (("pagat", 1), ("bicycle", -1)):
        mine = [sign * row["apart"].mean for row in rows if row["rules"] == name]
        assert sum(mine) == pytest.approx(0, abs=1e-9)
        assert mine == sorted(mine)
    assert found.remarks[0] == "pagat, 4 players: the first fares best and the dealer worst."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["turn-value", "--rules", "bicycle"], "bicycle is played for a pot"),
        (["token-value", "--rules", "nowhere"], "'nowhere' is not a preset"),
        (["seats", "--players", "12"], "12 players: allowed are 2 to 9"),
        (["seats", "--policy", "treshold:21"], "did you mean threshold"),
        (["thresholds", "--level", "21"], "2 to 20 different ones are needed"),
        (["thresholds", "--level", "21", "--level", "40"], "a worth from 0 to 33"),
        (["turn-value", "--turns", "1"], "turns=1 is not allowed"),
        (["dealt-hands", "--deals", "0"], "deals=0 is not allowed"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_nothing(
    words: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("study", *words)
    assert done.code == 2
    assert done.err.startswith("error: ")
    assert text in done.err
    assert done.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "words", "parts"),
    [
        ("dealt-hands", ["--deals", "500"], {"summary", "worths"}),
        ("first-knock", ["--players", "2", "--deals", "500"], {"totals", "levels", "by-worth"}),
        ("thresholds", ["--players", "2", "--level", "20", "--level", "25", "--deals", "100"],
         {"matrix", "best-replies"}),
        ("turn-value", ["--deals", "500", "--turns", "2"], {"by-turn", "levels", "by-worth"}),
        ("token-value", ["--players", "2", "--deals", "100"], {"wins", "values"}),
        ("seats", ["--rules", "pagat", "--players", "3", "--deals", "500"], {"places"}),
    ],
)  # fmt: skip
def test_each_study_leaves_tables_and_a_picture_and_never_writes_over_them(
    name: str, words: list[str], parts: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("study", name, *words, "--seed", "3", "--json")
    assert done.code == 0, done.err
    folder = tmp_path / "runs" / f"study-{name}-1"
    data: dict[str, Any] = json.loads((folder / f"{name}.json").read_text())
    assert data == json.loads(done.out)
    assert data["settings"]["seed"] == data["run"]["seed"] == 3
    assert set(data["tables"]) == parts
    for part in parts:
        rows = (folder / f"{part}.csv").read_text().splitlines()
        assert len(rows) == 1 + len(data["tables"][part]["rows"])
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert run("study", name, *words, "--out", str(folder)).code == 2
    shown = run("study", name, *words, "--seed", "3")
    assert shown.code == 0
    assert f"study-{name}-2" in shown.out.replace("\n", "")
    again = json.loads((tmp_path / "runs" / f"study-{name}-2" / f"{name}.json").read_text())
    assert again["tables"] == data["tables"], "the seed fixes every number"


def test_the_picture_of_two_levels_holds_its_title() -> None:
    figure = thresholds(players=[2], levels=[20, 25], deals=100, seed=3).pictures["thresholds"]
    figure.savefig(io.BytesIO())
    title = figure.axes[0].title.get_window_extent()
    assert title.x0 >= 0
    assert title.x1 <= figure.bbox.x1


def test_a_narrow_terminal_cuts_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    words = ["study", "seats", "--rules", "pagat", "--deals", "500", "--out", str(tmp_path / "x")]
    done = run(*words)
    assert done.code == 0, done.err
    for row in json.loads((tmp_path / "x" / "seats.json").read_text())["tables"]["places"]["rows"]:
        half = (row["apart"]["high"] - row["apart"]["low"]) / 2
        assert f"{row['apart']['mean']:.1f} ± {half:.1f}" in done.out
