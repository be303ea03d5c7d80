"""Tournaments on a Ray cluster: the same result, also when a machine is lost half-way."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thirtyone_env import __version__
from thirtyone_env.errors import UserError
from thirtyone_eval import ray_backend, schedule
from thirtyone_eval.config import TournamentConfig, parse_config
from thirtyone_eval.entrants import Entrant, load_entrants
from thirtyone_eval.ray_backend import marks_of
from thirtyone_eval.run import run_tournament
from thirtyone_eval.schedule import Block
from thirtyone_eval.store import open_store

SLOW = """
import time
import numpy as np

class Slow:
    name = "slow"

    def act(self, views, keys):
        time.sleep(0.02)
        return np.array([(int(mask) & -int(mask)).bit_length() - 1 for mask in views[:, 5]])
"""


@pytest.mark.slow
def test_a_node_killed_half_way_loses_nothing_and_plays_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = pytest.importorskip("ray", reason="needs the extra ray")
    from ray.cluster_utils import Cluster

    (tmp_path / "slowly.py").write_text(SLOW, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", ":".join(path for path in sys.path if path))
    monkeypatch.setattr(schedule, "BLOCK_GAMES", 24)
    values: dict[str, Any] = {"policies": ["tips", "random", "slowly:Slow"], "deals": 120, "seed": 3, "workers": 2}
    here = run_tournament(parse_config({**values, "workers": 1}))
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    node = cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    done: list[int] = []

    def progress(games: int) -> None:
        done.append(games)
        if len(done) == 6:
            cluster.remove_node(node, allow_graceful=False)

    try:
        there = run_tournament(parse_config({**values, "backend": "ray"}), tmp_path, progress=progress)
        assert sum(one["Alive"] for one in ray.nodes()) == 1
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert here.forfeits == there.forfeits == []
    for name in vars(here.tallies[0]):
        assert np.array_equal(getattr(here.tallies[0], name), getattr(there.tallies[0], name))
    with open_store(tmp_path) as store:
        assert [block.deals for block in store.blocks(0)] == [range(i, i + 4) for i in range(0, 120, 4)]


def test_a_process_of_the_cluster_takes_no_policies_of_another_run_and_no_other_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = parse_config({"policies": ["tips", "random"], "players": 2})
    prepared: list[list[str]] = []

    def prepare(config: TournamentConfig, given: list[Entrant] | None) -> list[Entrant]:
        entrants = given or load_entrants(config.policies)
        prepared.append([one.fingerprint for one in entrants])
        return entrants

    monkeypatch.setattr(ray_backend, "prepare", prepare)
    monkeypatch.setattr(ray_backend, "play_prepared", lambda block: block)
    monkeypatch.setattr(ray_backend, "_here", [])
    block = Block(0, range(2))

    def play(given: list[Entrant] | None, marks: dict[str, str]) -> object:
        return ray_backend._play((config, given, __version__, marks), block)

    entrants = load_entrants(config.policies)
    others = [replace(one, fingerprint=f"{one.label} sha256:77") for one in entrants]
    for given in (entrants, entrants, others, None):
        assert play(given, marks_of(given or entrants)) is block
    assert [marks[0] for marks in prepared] == ["random v1", "random sha256:77", "random v1"]
    stale = play(None, {**marks_of(entrants), "tips": "tips v0"})
    assert stale == "a machine of the cluster has other files of tips than this one"
    assert play(None, {**marks_of(entrants), "tips": "tips v0"}) == stale


def test_without_ray_the_backend_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(extra: str, what: str) -> None:
        raise UserError(f"{what} needs {extra}")

    monkeypatch.setattr(ray_backend, "require", missing)
    with pytest.raises(UserError, match="--backend ray needs ray"):
        run_tournament(parse_config({"policies": ["tips", "random"], "players": 2, "backend": "ray"}))
