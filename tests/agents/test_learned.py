"""Trained agents: saved and loaded without running code, bit-equal in any batch, refused where they do not fit."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.agents.test_legal_everywhere import views_of_games
from thirtyone_agents import Policy, fingerprint, load, load_agent, play_match, save_agent
from thirtyone_agents.agent_files import agent_paths
from thirtyone_agents.learned import draw
from thirtyone_agents.network import Layer, Network, chances
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.core.layout import V_LEGAL
from thirtyone_env.observation import encode, highs, size

PAGAT = Rules.preset("pagat")


def layers(
    seats: int = 3, hidden: tuple[int, ...] = (32, 16), seed: int = 0, scale: float = 0.3
) -> list[Layer]:
    source = np.random.default_rng(seed)
    sizes = [size(seats), *hidden, 63]
    return [
        (
            source.normal(0, scale, (wide, high)).astype(np.float32),
            source.normal(0, scale, wide).astype(np.float32),
        )
        for high, wide in itertools.pairwise(sizes)
    ]


def save(path: Path, **changes: Any) -> Path:
    options: dict[str, Any] = {
        "activation": "tanh",
        "rules": PAGAT,
        "players": 3,
        "kind": "sb3-maskable-ppo",
        "seed": 7,
        "command": "train",
    }
    options.update(changes)
    return save_agent(
        path, options.pop("layers", None) or layers(options.get("seats") or options["players"]), **options
    )


@pytest.fixture(scope="module")
def views() -> npt.NDArray[np.uint64]:
    return views_of_games(PAGAT, 3, seed=11, games=8)


def keys(n: int) -> npt.NDArray[np.uint64]:
    return np.random.default_rng(5).integers(0, 2**64, n, dtype=np.uint64)


@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("scaled", [False, True])
def test_the_network_is_the_one_that_torch_would_run(
    views: Any, activation: str, scaled: bool, tmp_path: Path
) -> None:
    torch = pytest.importorskip("torch", reason="torch is in the extra `train`")
    save(tmp_path / "a", activation=activation, scaled=scaled)
    modules: list[Any] = []
    for weight, bias in layers():
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0])
        linear.weight.data, linear.bias.data = torch.tensor(weight), torch.tensor(bias)
        modules += [linear, torch.nn.Tanh() if activation == "tanh" else torch.nn.ReLU()]
    observed = encode(views, seats=3).astype(np.float32)
    with torch.no_grad():
        wanted = torch.nn.Sequential(*modules[:-1])(
            torch.tensor(observed / highs(3) if scaled else observed)
        ).numpy()
    agent = load_agent(tmp_path / "a")
    assert np.allclose(agent._logits(views), wanted, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("name", ["", "?sample=1"])
def test_answers_are_bit_equal_in_any_batch_and_order(views: Any, name: str, tmp_path: Path) -> None:
    save(tmp_path / "a", layers=layers(hidden=(64, 48)))
    agent: Any = load(f"learned:{tmp_path / 'a'}{name}", allow_code=True)
    key = keys(len(views))
    together, logits = agent.act(views, key), agent._logits(views)
    order = np.random.default_rng(1).permutation(len(views))
    assert (agent.act(views[order], key[order]) == together[order]).all()
    assert (agent._logits(views[order]) == logits[order]).all()
    for n in (1, 2, 5, 33):
        assert (agent._logits(views[:n]) == logits[:n]).all()
        assert (agent.act(views[-n:], key[-n:]) == together[-n:]).all()
    assert (agent.probabilities(views[order]) == agent.probabilities(views)[order]).all()


@pytest.mark.parametrize("scale", [0.3, 1e3])
@pytest.mark.parametrize("sample", [False, True])
def test_pains_b2_never_answers_outside_the_mask_however_bad_the_network(
    views: Any, sample: bool, scale: float, tmp_path: Path
) -> None:
    bad = layers(scale=scale)
    bad[-1][1][57:] = 1e6  # longs for what is never legal here
    save(tmp_path / "a", layers=bad)
    agent = load_agent(tmp_path / "a", sample=sample)
    actions = agent.act(views, keys(len(views)))
    assert (views[:, V_LEGAL] >> actions.astype(np.uint64) & np.uint64(1) == 1).all()
    assert np.allclose(agent.probabilities(views).sum(axis=1), 1, atol=1e-9)


def test_sampling_follows_the_probabilities_and_only_the_key_decides() -> None:
    logits = np.tile(np.array([0.0, 1.0, 2.0, 5.0], dtype=np.float32), (40_000, 1))
    wanted = chances(logits, np.full(len(logits), 0b0111, dtype=np.uint64))
    assert np.allclose(wanted[0], [*(np.exp([0, 1, 2]) / np.exp([0, 1, 2]).sum()), 0])
    drawn = draw(wanted, np.arange(len(logits), dtype=np.uint64))
    assert (drawn == draw(wanted, np.arange(len(logits), dtype=np.uint64))).all()
    counts = np.bincount(drawn, minlength=4)
    expected = wanted[0][:3] * len(logits)
    assert counts[3] == 0
    assert (
        (counts[:3] - expected) ** 2 / expected
    ).sum() < 13.8  # chi-square, two degrees of freedom, p = 0.001


def test_a_single_legal_action_has_chance_one() -> None:
    logits = np.array([[-1e30, 1e30, 3.0]], dtype=np.float32)
    assert chances(logits, np.array([1], dtype=np.uint64)).tolist() == [[1.0, 0.0, 0.0]]


def test_the_file_says_what_trained_it_and_with_what(tmp_path: Path) -> None:
    file = save(tmp_path / "a", notes={"steps": 1000})
    text = json.loads(file.read_text())
    assert text["kind"] == "sb3-maskable-ppo"
    assert Rules.of(text["rules"]) == PAGAT
    assert (text["players"], text["seed"], text["command"], text["notes"]) == (3, 7, "train", {"steps": 1000})
    assert text["layers"] == [size(3), 32, 16, 63]
    assert "numpy" in text["versions"]


def test_found_by_folder_by_file_and_without_the_ending(views: Any, tmp_path: Path) -> None:
    save(tmp_path / "agent")
    answers = [
        load_agent(path).act(views, keys(len(views))).tolist()
        for path in (tmp_path, tmp_path / "agent", tmp_path / "agent.json", tmp_path / "agent.safetensors")
    ]
    assert answers[0] == answers[1] == answers[2] == answers[3]


def test_a_name_with_a_dot_keeps_it(tmp_path: Path) -> None:
    json_file, weights = agent_paths(tmp_path / "step.1000")
    assert (json_file.name, weights.name) == ("step.1000.json", "step.1000.safetensors")


def test_fingerprints_tell_weights_apart(tmp_path: Path) -> None:
    save(tmp_path / "a")
    first = fingerprint(load_agent(tmp_path / "a"))
    save(tmp_path / "a", layers=layers(seed=1))
    assert fingerprint(load_agent(tmp_path / "a")) != first


def test_plays_matches(tmp_path: Path) -> None:
    save(tmp_path / "a")
    seats: list[Policy] = [load_agent(tmp_path / "a", sample=True), load("tips"), load("random")]
    game = Game(PAGAT, 3, seed=1)
    assert play_match(game, seats).winner == game.winner
    assert game.over


def test_other_rules_are_refused_by_option_unless_allowed(views: Any, tmp_path: Path) -> None:
    save(tmp_path / "a")
    other = PAGAT.replace(knock_penalty=1, lives=5)
    agent = load_agent(tmp_path / "a")
    with pytest.raises(UserError, match=r"lives=3 \(here 5\).*any_rules=1"):
        agent.check(other, 3)
    with pytest.raises(UserError, match=r"knock_penalty=2 \(here 1\)"):
        play_match(Game(other, 3, seed=1), [agent, load("tips"), load("tips")])
    with pytest.raises(UserError, match="other rules"):
        agent.act(views_of_games(other, 3, seed=1, games=1), keys(0))
    free: Any = load(f"learned:{tmp_path / 'a'}?any_rules=1", allow_code=True)
    play_match(Game(other, 3, seed=1), [free, load("tips"), load("tips")])


def test_another_number_of_players_is_refused(tmp_path: Path) -> None:
    save(tmp_path / "a", seats=9)
    agent = load_agent(tmp_path / "a")
    with pytest.raises(UserError, match="3 players, not with 4"):
        agent.check(PAGAT, 4)
    with pytest.raises(UserError, match="3 players, not with 4"):
        agent.act(views_of_games(PAGAT, 4, seed=1, games=1), keys(0))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"observation_version": 999}, "observation version 999.*train it again"),
        ({"format": 2}, "format 2"),
        ({"layers": [5, 32, 16, 63]}, "layers"),
        ({"activation": "gelu"}, "activation"),
        ({"players": 4}, "4 players with 3 observed seats"),
        ({"rules": {"lives": 77}}, "lives"),
        ({"kindd": "x"}, "kindd"),
        ({"weights_sha256": "0"}, "weights_sha256 differs"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_name(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    file = save(tmp_path / "a")
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(UserError, match=message):
        load_agent(tmp_path / "a")


def test_a_broken_or_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nothing\.json is missing"):
        load_agent(tmp_path / "nothing")
    file = save(tmp_path / "a")
    weights = file.with_suffix(".safetensors")
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(UserError, match="other weights"):
        load_agent(tmp_path / "a")
    weights.unlink()
    with pytest.raises(UserError, match=r"a\.safetensors is missing"):
        load_agent(tmp_path / "a")
    file = save(tmp_path / "a")
    file.write_text("{")
    with pytest.raises(UserError, match=r"a\.json is no agent"):
        load_agent(tmp_path / "a")


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    bad = layers()
    bad[0][0][0, 0] = np.nan
    save(tmp_path / "a", layers=bad)
    with pytest.raises(UserError, match="layer 0 must hold finite numbers"):
        load_agent(tmp_path / "a")


def test_a_network_of_the_wrong_shape_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="must lead from"):
        save(tmp_path / "a", layers=layers(seats=4))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_agent_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(tmp_path / "a")
    before = load_agent(tmp_path / "a").about

    def fail(self: Path, data: bytes) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="full"):
        save(tmp_path / "a", layers=layers(seed=1))
    monkeypatch.undo()
    assert load_agent(tmp_path / "a").about == before


@pytest.mark.parametrize("name", ["learned:", "learned:x?sample=2", "learned:x?samples=1"])
def test_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(UserError, match="learned:"):
        load(name, allow_code=True)


def test_a_wide_network_is_added_up_in_the_same_order_for_every_row() -> None:
    network = Network(layers(hidden=(256, 256)), "relu")
    rows = np.random.default_rng(3).integers(0, 4, (50, size(3))).astype(np.int8)
    assert (network.logits(rows)[17] == network.logits(rows[17:18])[0]).all()
