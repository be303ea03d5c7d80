"""The OpenSpiel game: OpenSpiel's own checks, and what it says of itself, on minis and on whole variants."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator

import numpy as np
import pytest

from thirtyone_env import Rules
from thirtyone_env.errors import UserError

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel")

import thirtyone_env.openspiel  # noqa: E402  # after the check that pyspiel is there
from thirtyone_env.bounds import utility_bounds  # noqa: E402  # after the check that pyspiel is there

MAIN = Rules.presets()[:7]
GAMES = [
    *(f"thirtyone(preset={name},players=2)" for name in ("mini_5x1", "mini_3x2", "mini_3x2_target", "mini_4x2")),
    *(f"thirtyone(preset={name},players=2,options=max_turns:12)" for name in MAIN),
    "thirtyone(preset=standard,players=4,dealer=1,options=max_turns:9;dummy_hand:true;dealer_upcard_swap:true)",
    "thirtyone(preset=bicycle,players=3,options=max_turns:7;pool_exchange:any)",
    "thirtyone(preset=party,players=5,options=max_turns:11;lives:1)",
]


def walk(game: object, seed: int) -> Iterator[object]:
    """The states of a random round."""
    source = random.Random(seed)
    state = game.new_initial_state()  # type: ignore[attr-defined]  # pyspiel has no types
    while True:
        yield state
        if state.is_terminal():
            return
        state = state.child(source.choice(state.legal_actions()))


def tree(state: object) -> Iterator[object]:
    """A state and all below it."""
    yield state
    for action in state.legal_actions():  # type: ignore[attr-defined]  # pyspiel has no types
        yield from tree(state.child(action))  # type: ignore[attr-defined]  # pyspiel has no types


def test_game_is_registered_with_its_parameters() -> None:
    game = pyspiel.load_game("thirtyone(preset=mini_5x1,players=2)")
    assert "thirtyone" in pyspiel.registered_names()
    assert game.get_parameters() == {"preset": "mini_5x1", "players": 2, "dealer": -1, "options": ""}
    assert pyspiel.load_game("thirtyone").rules == Rules.preset("pagat")
    assert thirtyone_env.openspiel.GAME_TYPE.short_name == "thirtyone"


def test_options_change_the_rules() -> None:
    game = pyspiel.load_game("thirtyone(preset=pagat,players=3,dealer=0,options=knock_min:17; county:false)")
    assert game.rules == Rules.preset("pagat", knock_min=17, county=False)
    assert game.new_initial_state().game_of_cards.dealer == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("thirtyone(preset=paget)", "'paget' is not a preset of rules; did you mean pagat"),
        ("thirtyone(options=knock_min)", "'knock_min' is not name:value"),
        ("thirtyone(options=knock_mini:3)", "did you mean knock_min"),
        ("thirtyone(players=1)", "1 players: allowed are 2 to 9"),
        ("thirtyone(players=3,dealer=3)", "dealer=3 must be a seat"),
        ("thirtyone(options=max_turns:0)", r"max_turns=0 \(no limit\): a round may never end"),
    ],
)
def test_wrong_parameter_is_refused_by_name(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        pyspiel.load_game(text)


@pytest.mark.parametrize("text", GAMES)
def test_random_sim_test_of_openspiel(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=2, serialize=True, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", MAIN)
def test_random_sim_test_of_whole_variants(name: str) -> None:
    for players in (2, 5):
        pyspiel.random_sim_test(pyspiel.load_game(f"thirtyone(preset={name},players={players})"), 3, True, False)


@pytest.mark.parametrize("text", GAMES[:1] + GAMES[4:6])
def test_python_sim_test_of_openspiel(text: str) -> None:
    games_sim_test = pytest.importorskip("open_spiel.python.tests.games_sim_test", reason="OpenSpiel without its tests")
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))


@pytest.mark.parametrize("text", GAMES)
def test_pains_c7_observers_can_be_called_at_every_state(text: str) -> None:
    game = pyspiel.load_game(text)
    kinds = [
        game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall))
        for recall in (False, True)
    ]
    for state in walk(game, 1):
        for player in range(game.num_players()):
            for kind in kinds:
                kind.set_from(state, player)
                assert isinstance(kind.string_from(state, player), str)
            assert state.information_state_string(player) == kinds[1].string_from(state, player)
            assert state.observation_tensor(player) == kinds[0].tensor.tolist()


def test_observations_of_other_kinds_are_refused() -> None:
    game = pyspiel.load_game("thirtyone(preset=mini_5x1)")
    everything = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    with pytest.raises(ValueError, match="nothing else is offered"):
        game.make_py_observer(everything)
    with pytest.raises(ValueError, match="not supported"):
        game.make_py_observer(None, {"size": 3})


@pytest.mark.parametrize("text", GAMES)
def test_declared_bounds_hold(text: str) -> None:
    game = pyspiel.load_game(text)
    for seed in range(5):
        decisions = chances = 0
        for state in walk(game, seed):
            if state.is_chance_node():
                chances += 1
                outcomes = state.chance_outcomes()
                assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)
                assert max(card for card, _ in outcomes) < game.max_chance_outcomes()
            elif not state.is_terminal():
                decisions += 1
        assert decisions <= game.max_game_length()
        assert chances <= game.max_chance_nodes_in_history()
        returns = state.returns()
        assert sum(returns) == pytest.approx(0.0, abs=1e-12)
        assert game.min_utility() <= min(returns)
        assert max(returns) <= game.max_utility()


def test_declared_bounds_are_reached_by_a_mini() -> None:
    game = pyspiel.load_game("thirtyone(preset=mini_5x1)")
    ends = [state for state in tree(game.new_initial_state()) if state.is_terminal()]
    returns = {value for state in ends for value in state.returns()}
    assert (min(returns), max(returns)) == (game.min_utility(), game.max_utility()) == (-2.0, 2.0)
    assert max(len(state.history()) for state in ends) == game.max_game_length() + 5  # three cards dealt, two drawn


@pytest.mark.parametrize(
    ("preset", "players", "changes", "bounds"),
    [
        ("pagat", 2, {}, (-2.0, 2.0)),
        ("pagat", 4, {}, (-2.0, 4 / 3)),
        ("pagat", 3, {"lives": 1, "county": False}, (-1.0, 1.0)),
        ("kids", 3, {"knock_penalty": 1}, (-1.0, 1.0)),
        ("standard", 3, {}, (-2.0, 2.0)),
        ("party", 4, {}, (-8 / 3, 16 / 3)),
        ("party", 2, {}, (-4.0, 4.0)),
        ("bicycle", 3, {}, (-0.5, 1.0)),
    ],
)
def test_bounds_of_rewards_by_rules(
    preset: str, players: int, changes: dict[str, object], bounds: tuple[float, float]
) -> None:
    assert utility_bounds(Rules.preset(preset, **changes), players) == pytest.approx(bounds)


def test_whole_smallest_tree_keeps_openspiels_promises() -> None:
    """Actions ascend, masks agree, a set has one player and list of actions, recall is perfect, tensors tell texts."""
    game = pyspiel.load_game("thirtyone(preset=mini_5x1)")
    actions_of: dict[str, tuple[int, list[int]]] = {}
    text_of: dict[tuple[int, bytes], str] = {}
    tensor_of: dict[str, bytes] = {}
    own_past: dict[str, list[tuple[str, int]]] = {}
    waiting = [(game.new_initial_state(), ((), ()))]
    nodes = [0, 0, 0]
    while waiting:
        state, past = waiting.pop()
        if state.is_terminal():
            nodes[2] += 1
            continue
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        player = state.current_player()
        nodes[player < 0] += 1
        if player >= 0:
            text = state.information_state_string()
            assert actions_of.setdefault(text, (player, legal)) == (player, legal)
            tensor = np.array(state.information_state_tensor(), dtype=np.float32).tobytes()
            assert text_of.setdefault((player, tensor), text) == text
            assert tensor_of.setdefault(text, tensor) == tensor
            assert own_past.setdefault(text, list(past[player])) == list(past[player])
            assert np.flatnonzero(state.legal_actions_mask()).tolist() == legal
            assert state.legal_actions(1 - player) == []
        for action in legal:
            after = past
            if player >= 0:
                mine = (*past[player], (text, action))
                after = (mine, past[1]) if player == 0 else (past[0], mine)
            waiting.append((state.child(action), after))
    assert nodes == [1440, 446, 1620]
    assert len(actions_of) == 680


@pytest.mark.parametrize("text", GAMES[1:])
def test_information_tensors_tell_what_texts_tell(text: str) -> None:
    game = pyspiel.load_game(text)
    text_of: dict[tuple[int, bytes], str] = {}
    tensor_of: dict[tuple[int, str], bytes] = {}
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    for seed in range(15):
        for state in walk(game, seed):
            if state.current_player() < 0:
                continue
            for player in range(game.num_players()):
                observer.set_from(state, player)
                tensor, seen = observer.tensor.tobytes(), state.information_state_string(player)
                assert text_of.setdefault((player, tensor), seen) == seen
                assert tensor_of.setdefault((player, seen), tensor) == tensor


def test_states_are_copied_whole() -> None:
    game = pyspiel.load_game(GAMES[4])
    for state in walk(game, 3):
        copy, read = state.clone(), pickle.loads(pickle.dumps(state))
        assert str(copy) == str(read) == str(state)
        if not state.is_terminal():
            copy.apply_action(copy.legal_actions()[0])
            assert len(copy.history()) == len(state.history()) + 1
