"""Solutions as policies: they play what was solved from any seat, and refuse by name what they do not know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.env.run_command import run
from thirtyone_agents import fingerprint, load, play_match
from thirtyone_agents.play import play_matches
from thirtyone_agents.policy import has_memory
from thirtyone_agents.solution_files import read_solution
from thirtyone_agents.solved import SolvedPolicy, load_solved
from thirtyone_agents.solved_views import distinct, plain_views
from thirtyone_env import Game, Rules
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.errors import UserError
from thirtyone_env.tree import build_tree
from thirtyone_eval.config import parse_config
from thirtyone_eval.records import read_records
from thirtyone_eval.run import run_tournament
from thirtyone_eval.solve import exploitability, mini_game, save_solution, solve


def solved(folder: Path, preset: str, players: int = 2, iterations: int = 30) -> Path:
    """The file of a solution."""
    save_solution(folder / preset, *solve(mini_game(preset, players), iterations))
    return folder / f"{preset}.npz"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return solved(tmp_path_factory.mktemp("solved"), "mini_3x2")


@pytest.fixture(scope="module")
def policy(file: Path) -> SolvedPolicy:
    return load_solved(file)


def test_it_plays_what_was_solved(file: Path, policy: SolvedPolicy) -> None:
    found = exploitability("mini_3x2", policy)
    assert found.exploitability == pytest.approx(policy.about.exploitability, abs=1e-12)
    assert found.values == pytest.approx(policy.about.values, abs=1e-12)
    assert not has_memory(policy)
    named = load(f"solved:{file}", allow_code=True)
    assert named.name == f"solved:{file}"
    assert fingerprint(named) == policy.fingerprint


def test_a_name_that_reads_a_file_is_refused_where_names_come_from_strangers(file: Path) -> None:
    with pytest.raises(UserError, match="reads files or runs code"):
        load(f"solved:{file}")


@pytest.mark.parametrize(("preset", "players"), [("mini_3x2", 2), ("mini_5x1", 3), ("mini_3x2_target", 2)])
def test_rounds_of_all_dealers_are_the_same_positions(preset: str, players: int) -> None:
    last = build_tree(preset, players, views=True)
    assert last.views is not None
    known = {row.tobytes() for row in plain_views(last.views, players)}
    for dealer in range(players - 1):
        tree = build_tree(preset, players, dealer, views=True)
        assert tree.views is not None
        assert len(tree.views) == len(last.views)
        assert {row.tobytes() for row in plain_views(tree.views, players)} == known
        assert not {row.tobytes() for row in tree.views} & known


def test_against_itself_the_seats_get_what_was_computed_whoever_deals(policy: SolvedPolicy) -> None:
    for dealer in (0, 1):
        games = [Game("mini_3x2", 2, seed=seed, dealer=dealer, episode="round") for seed in range(1500)]
        play_matches(games, [[policy, policy]] * len(games), seed=3)
        paid = [game.last_round.rewards_lives[1 - dealer] for game in games if game.last_round is not None]
        assert len(paid) == 1500
        spread = np.std(paid) / len(paid) ** 0.5
        assert np.mean(paid) == pytest.approx(policy.about.values[0], abs=4 * spread)


def test_actions_come_as_often_as_their_chances_and_do_not_depend_on_the_batch(policy: SolvedPolicy) -> None:
    views = build_tree("mini_3x2", views=True).views
    assert views is not None
    mixed = views[(policy.probabilities(views).max(axis=1) < 0.7)][:20]
    keys = np.random.default_rng(1).integers(2**63, size=4000, dtype=np.uint64)
    for view in mixed[:5]:
        many = np.repeat(view[None], len(keys), axis=0)
        counts = np.bincount(policy.act(many, keys), minlength=63) / len(keys)
        assert counts == pytest.approx(policy.probabilities(view[None])[0], abs=0.04)
    together = policy.act(mixed, keys[: len(mixed)])
    assert [int(policy.act(mixed[i : i + 1], keys[i : i + 1])[0]) for i in range(len(mixed))] == together.tolist()


def test_another_game_is_refused_by_name(policy: SolvedPolicy) -> None:
    with pytest.raises(UserError, match=r"solution of other rules: .*max_turns=4 \(here 2\)"):
        play_match(Game("mini_4x2", 2, seed=1), [policy, policy])
    with pytest.raises(UserError, match="is solved for 2 players, not for 3"):
        policy.check(Rules.preset("mini_3x2"), 3)
    view = Game("mini_4x2", 2, seed=1).view(0)[None]
    with pytest.raises(UserError, match="a round of mini_3x2 with 2 players, and was asked in another game"):
        policy.probabilities(view)


def test_a_position_outside_the_round_is_refused_by_name(policy: SolvedPolicy) -> None:
    game = Game("mini_3x2", 2, seed=1, episode="round")
    view = game.view(game.turn or 0)[None].copy()
    assert policy.probabilities(view).sum() == pytest.approx(1)
    view[0, V_LEGAL] ^= np.uint64(1)
    with pytest.raises(UserError, match="does not know this position: it is not one of a round of mini_3x2"):
        policy.probabilities(view)


def test_other_tokens_are_refused_unless_it_is_told_to_play_as_with_those_of_the_start(
    file: Path, policy: SolvedPolicy
) -> None:
    with pytest.raises(UserError, match=r"with others; to play as with those name it solved:.*any_lives=1"):
        play_match(Game("mini_3x2", 2, seed=1), [policy, policy])
    loose = load(f"solved:{file}?any_lives=1", allow_code=True)
    for seed in range(20):
        result = play_match(Game("mini_3x2", 2, seed=seed), [loose, load("random")], seed=seed)
        assert result.rounds > 1
    views = build_tree("mini_3x2", views=True).views
    assert views is not None
    assert (loose.probabilities(views) == policy.probabilities(views)).all()  # type: ignore[attr-defined]


def test_tournament_takes_a_solution(file: Path, tmp_path: Path) -> None:
    names = [f"solved:{file}", "random"]
    config = parse_config({"policies": names, "rules": "mini_3x2", "players": [2], "deals": 40, "seed": 3})
    run_tournament(config, tmp_path)
    records = list(read_records(tmp_path))
    assert len(records) == 80
    assert all(record["forfeit"] is None for record in records)


def save_broken(path: Path, **arrays: Any) -> Path:
    with open(path, "wb") as out:
        np.savez(out, **arrays)
    return path


def test_broken_files_are_refused_by_name(file: Path, tmp_path: Path) -> None:
    about, views, chances = read_solution(file)
    header = np.frombuffer(about.model_dump_json().encode(), dtype=np.uint8)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"header": header, "views": views}, "chances"),
        ({"header": header, "views": views, "chances": chances[:-1]}, r"chances must be float64 \[\d+\]"),
        ({"header": header, "views": views, "chances": chances * 2}, "sum to 1"),
        ({"header": header, "views": views[:, :5], "chances": chances}, r"uint64 \[n, 32\]"),
        ({"header": header, "views": views ^ np.uint64(1), "chances": chances}, "not those of its rules"),
        ({"header": header[:-9], "views": views, "chances": chances}, "is no solution"),
        ({"header": header.astype(object), "views": views, "chances": chances}, "is no solution"),
        ({"header": np.frombuffer(b'{"format": 1}', dtype=np.uint8), "views": views, "chances": chances}, "rules"),
    ]
    for number, (arrays, words) in enumerate(cases):
        with pytest.raises(UserError, match=words):
            load_solved(save_broken(tmp_path / f"{number}.npz", **arrays))
    twice = {"header": header, "views": np.concatenate([views, views]), "chances": np.concatenate([chances, chances])}
    with pytest.raises(UserError, match="two rows of the table are the same"):
        load_solved(save_broken(tmp_path / "twice.npz", **twice))
    text = tmp_path / "text.npz"
    text.write_text("no arrays")
    with pytest.raises(UserError, match=r"text.npz is no solution"):
        load_solved(text)
    with pytest.raises(UserError, match="there is no solution"):
        load_solved(tmp_path / "nothing.npz")
    with pytest.raises(UserError, match="cannot be read"):
        load_solved(tmp_path)


def test_a_cut_file_is_refused(file: Path, tmp_path: Path) -> None:
    whole = file.read_bytes()
    for size in (0, 10, len(whole) // 2, len(whole) - 1):
        cut = tmp_path / "cut.npz"
        cut.write_bytes(whole[:size])
        with pytest.raises(UserError, match=r"cut\.npz"):
            load_solved(cut)


@pytest.mark.parametrize(("name", "words"), [("solved:", "needs a file"), ("solved:x?lives=1", "there is any_lives")])
def test_wrong_names_are_refused(name: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        load(name, allow_code=True)


def test_agents_command_lists_solutions() -> None:
    assert "solved:FILE" in run("agents").out


def test_distinct_views_are_told_apart_and_same_ones_put_together() -> None:
    source = np.random.default_rng(1)
    few = source.integers(2**63, size=(50, 32), dtype=np.uint64)
    few[1:] = few[0]
    few[np.arange(1, 50), source.integers(32, size=49)] ^= np.arange(1, 50, dtype=np.uint64) << np.uint64(3)
    rows = source.integers(50, size=500)
    first, kind = distinct(few[rows])
    assert len(first) == len(set(rows.tolist()))
    assert (few[rows][first][kind] == few[rows]).all()
