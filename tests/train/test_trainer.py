"""Training runs: what they leave, that they repeat, and that a killed one ends as if it had not been."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.train.small import small
from thirtyone_agents.learned import load_agent
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules
from thirtyone_train.checkpoint import NAME
from thirtyone_train.trainer import resume, train

ROOT = Path(__file__).resolve().parents[2]
WEIGHTS = "agent.safetensors"


def quiet(line: str) -> None:
    """Nobody reads it."""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished small run."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    train(small(), folder, command="thirtyone train sb3 small", say=quiet)
    return folder


def test_a_run_leaves_an_agent_that_says_what_it_is(finished: Path) -> None:
    agent = load_agent(finished / "agent")
    about = agent.about
    assert (about.kind, about.players, about.seed) == ("sb3-maskable-ppo", 3, 3)
    assert Rules.of(about.rules) == Rules.preset("pagat")
    assert about.command == "thirtyone train sb3 small"
    assert {"torch", "sb3-contrib", "thirtyone-env"} <= set(about.versions)
    assert "First the network imitated tips" in about.notes["describe"][0]
    with pytest.raises(UserError, match="plays with 3 players, not with 4"):
        agent.check(Rules.preset("pagat"), 4)
    with pytest.raises(UserError, match="was trained on other rules: "):
        agent.check(Rules.preset("kids"), 3)


def test_a_run_leaves_its_config_curve_and_scores(finished: Path) -> None:
    data = json.loads((finished / "training.json").read_text())
    assert data["steps"] == 6 * 256
    assert [point["update"] for point in data["points"]] == [1, 2, 3, 4, 5, 6]
    assert [score["update"] for score in data["scores"]] == [0, 6]
    assert 0.5 < data["agreement"] <= 1
    assert list((finished / "tensorboard").glob("events.*"))
    assert not [path for path in finished.iterdir() if path.name.startswith(".")]


def test_the_same_seed_gives_the_same_agent_and_leaves_the_callers_generators_alone(
    finished: Path, tmp_path: Path
) -> None:
    np.random.seed(7)  # noqa: NPY002  # the global generators are what this is about
    torch.manual_seed(7)
    random.seed(7)
    wanted = (np.random.get_state()[1].copy(), torch.get_rng_state(), random.getstate())  # noqa: NPY002  # the global generator is what is meant
    train(small(), tmp_path / "again", say=quiet)
    assert (finished / WEIGHTS).read_bytes() == (tmp_path / "again" / WEIGHTS).read_bytes()
    np.testing.assert_array_equal(np.random.get_state()[1], wanted[0])  # noqa: NPY002  # the global generator is what is meant
    assert torch.equal(torch.get_rng_state(), wanted[1])
    assert random.getstate() == wanted[2]


def test_another_seed_gives_another_agent(finished: Path, tmp_path: Path) -> None:
    train(small(seed=4, budget={"steps": 256}), tmp_path / "other", say=quiet)
    assert (finished / WEIGHTS).read_bytes() != (tmp_path / "other" / WEIGHTS).read_bytes()


@pytest.mark.parametrize("decisions", [10, 900, 1300])
def test_a_run_killed_at_any_moment_and_resumed_is_bit_equal(
    finished: Path, tmp_path: Path, decisions: int
) -> None:
    """Killed in the first rollout, after a checkpoint, and in between two."""
    folder = tmp_path / "killed"
    done = subprocess.run(
        [sys.executable, "-m", "tests.train.kill_me", str(folder), str(decisions)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -9, done.stderr
    assert not (folder / WEIGHTS).exists()
    result = resume(folder, say=quiet)
    assert (folder / WEIGHTS).read_bytes() == (finished / WEIGHTS).read_bytes()
    whole = json.loads((finished / "training.json").read_text())
    assert (result.points, result.scores) == (whole["points"], whole["scores"])


def test_nothing_is_written_over(finished: Path) -> None:
    with pytest.raises(UserError, match="is there already and is not written over"):
        train(small(), finished, say=quiet)
    with pytest.raises(UserError, match="is finished: its agent is learned:"):
        resume(finished, say=quiet)


def test_a_checkpoint_that_does_not_fit_is_refused_by_name(finished: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no run at"):
        resume(tmp_path, say=quiet)
    (tmp_path / "config.yaml").write_text(
        (finished / "config.yaml").read_text().replace("seed: 3", "seed: 4")
    )
    (tmp_path / NAME).write_bytes((finished / NAME).read_bytes())
    with pytest.raises(UserError, match="does not fit: its config is"):
        resume(tmp_path, say=quiet)
    (tmp_path / NAME).write_bytes(b"no checkpoint at all")
    with pytest.raises(UserError, match="is no checkpoint"):
        resume(tmp_path, say=quiet)


def test_a_budget_in_seconds_becomes_whole_rollouts_and_is_said(tmp_path: Path) -> None:
    said: list[str] = []
    config = small(
        budget={"seconds": 0.5}, evaluation={"opponents": ["tips", "tips"], "deals": 2, "times": 1}
    )
    result = train(config, tmp_path / "run", say=said.append)
    assert said[0].startswith(f"0.5 seconds are turned into {result.steps} steps: a probe did ")
    assert result.steps == result.config.budget.steps
    assert result.steps % config.ppo.rollout == 0
    assert len(result.scores) == 1


def test_without_a_teacher_it_learns_from_nothing(tmp_path: Path) -> None:
    config = small(imitation={"teacher": None}, budget={"steps": 256})
    result = train(config, tmp_path / "run", say=quiet)
    assert result.agreement is None
    assert result.describe()[0].startswith("MaskablePPO trained it for 256 decisions")


@pytest.mark.parametrize("preset", ["bicycle", "schwimmen"])
def test_every_kind_of_table_can_be_trained_on(preset: str, tmp_path: Path) -> None:
    train(small(rules=preset, budget={"steps": 256}), tmp_path / "run", say=quiet)
    agent = load_agent(tmp_path / "run")
    game = Game(preset, players=3, seed=1, episode="round")
    while game.turn is not None:
        game.play(int(agent.act(game.view(game.turn)[None], np.zeros(1, dtype=np.uint64))[0]))
    assert game.over
