"""Every stored match plays again from its record to the same end: compiled seats by key, any other by its actions."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from thirtyone_env.record_file import read_record, write_record
from thirtyone_env.rules import Rules
from thirtyone_eval import play
from thirtyone_eval.config import parse_config
from thirtyone_eval.records import read_records, replay
from thirtyone_eval.run import run_tournament, total_games
from thirtyone_eval.store import open_store

POOL = ["random", "threshold:21", "threshold:27", "tips"]
POT = [name for name in Rules.presets() if Rules.preset(name).settlement == "highest_takes_pot"]


@pytest.mark.parametrize("asked", [(), ("tips",), ("tips", "random")], ids=["compiled", "some asked", "most asked"])
@pytest.mark.parametrize("episode", ["round", "match"])
def test_pains_g9_every_match_of_every_variant_replays_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...], episode: str
) -> None:
    monkeypatch.setattr(play, "is_compiled", lambda policy: policy.name not in asked)
    rules = [name for name in sorted(Rules.presets()) if episode == "round" or name not in POT]
    config = parse_config(
        {"policies": POOL, "rules": rules, "players": 2, "deals": 2, "seed": 5, "episode": episode}
    )
    run_tournament(config, tmp_path)
    records = list(read_records(tmp_path))
    assert len(records) == total_games(config) == len(rules) * 2 * 6 * 2
    for record in records:
        game = replay(record)  # checks lives lost and places
        assert game.over
        assert game.round_count == record["rounds"]
        decided = bool(game.inputs())
        assert bool(record["actions"]) == (decided and bool(set(asked) & set(record["seats"])))


def test_a_record_file_of_a_match_plays_it_again(tmp_path: Path) -> None:
    run_tournament(parse_config({"policies": POOL, "deals": 2, "episode": "match"}), tmp_path)
    for number, record in enumerate(islice(read_records(tmp_path), 0, None, 9)):
        game = replay(record)
        file = tmp_path / f"{number}.jsonl"
        write_record(file, game)
        again = read_record(file).game
        assert again.events == game.events
        assert (again.placings, again.seed) == (game.placings, record["seed"])


@pytest.mark.slow
def test_a_million_matches_are_stored_and_replay(tmp_path: Path) -> None:
    """Four compiled baselines under `pagat`; a sample of the records, spread over all of them, is played again."""
    config = parse_config(
        {"policies": POOL, "players": 4, "episode": "match", "matches": 1_000_000, "rules": "pagat", "seed": 2}
    )
    assert run_tournament(config, tmp_path).games >= 1_000_000
    with open_store(tmp_path) as store:
        blocks = store.blocks(0)
        assert sum(len(block.deals) for block in blocks) * 24 >= 1_000_000
    for record in islice(read_records(tmp_path), 0, 1_000_000, 50_021):
        assert replay(record).over
