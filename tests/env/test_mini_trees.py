"""Trees against games: the same nodes, cards, actions, information sets, views and rewards."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.env.mini_walks import children, round_of
from thirtyone_env import Game, Rules
from thirtyone_env.actions import mask_to_ids
from thirtyone_env.core import tree_entry
from thirtyone_env.tree import CHANCE, TERMINAL, Tree, build_tree

POOL = [rank + suit for suit in "CDH" for rank in "9TA"]
VARIANTS = {
    "mini_3x2": Rules.preset("mini_3x2"),
    "target": Rules.preset("mini_3x2_target"),
    "hold": Rules.preset("mini_3x2_target", declare="hold"),
    "own turn": Rules.preset("mini_3x2_target", natural_31="own_turn"),
    "long laps": Rules.preset("mini_5x1", stock_out="play_on"),
    "stand": Rules.preset("mini_5x1", stock_out="draw", final_lap_stand=True, return_taken_discard=True),
    "up-card": Rules.preset("mini_5x1", dealer_upcard_swap=True),
    "reshuffle": Rules.preset("mini_5x1", stock_out="reshuffle", max_turns=3),
    "pool": Rules(cards=POOL, table="pool", max_turns=1, pool_exchange="one_or_all"),
    "packet": Rules(cards=POOL, table="pool", max_turns=1, dealer_packet=True, first_turn_knock="banned_first_lap"),
}


@pytest.fixture(scope="module")
def trees() -> dict[str, Tree]:
    return {}


def tree_of(trees: dict[str, Tree], name: str) -> Tree:
    """The tree of a variant, built once."""
    if name not in trees:
        trees[name] = build_tree(VARIANTS[name], views=True)
    return trees[name]


def walk(tree: Tree, source: random.Random) -> list[tuple[int, Game]]:
    """A random path through the tree and the game along it: (node, game)."""
    node, game = 0, round_of(tree.rules, tree.players)
    path = [(node, game)]
    while not game.over:
        first, count = int(tree.first[node]), int(tree.number[node])
        node = source.randrange(first, first + count)
        game = game.clone()
        if game.needs_card:
            game.give(int(tree.label[node]))
        else:
            game.play(int(tree.label[node]))
        path.append((node, game))
    return path


@pytest.mark.parametrize("name", VARIANTS)
def test_nodes_are_the_games_positions(name: str, trees: dict[str, Tree]) -> None:
    tree = tree_of(trees, name)
    source = random.Random(1)
    for _ in range(60):
        for node, game in walk(tree, source):
            check_node(tree, node, game)


def check_node(tree: Tree, node: int, game: Game) -> None:
    """Kind, children, chances and payment of a node are those of the game."""
    kind, index = int(tree.kind[node]), int(tree.index[node])
    below = slice(int(tree.first[node]), int(tree.first[node]) + int(tree.number[node]))
    if game.over:
        assert game.last_round is not None
        assert kind == TERMINAL
        assert tree.pay[index].tolist() == list(game.last_round.rewards_lives)
        return
    if game.needs_card:
        assert kind == CHANCE
        assert tree.prob[below].sum() == pytest.approx(1.0)
        if game.phase != "deal":
            assert tree.label[below].tolist() == [card for card, _ in children(game)]
        return
    assert kind == game.turn
    assert tree.label[below].tolist() == mask_to_ids(game.mask)
    assert (int(tree.set_seat[index]), int(tree.set_mask[index])) == (game.turn, game.mask)
    assert tree.views is not None
    assert (tree.views[index] == game.view(kind)).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_information_sets_are_what_seats_have_seen(name: str, trees: dict[str, Tree]) -> None:
    tree = tree_of(trees, name)
    source = random.Random(2)
    text_of: dict[int, tuple[int, tuple[str, ...]]] = {}
    set_of: dict[tuple[int, tuple[str, ...]], int] = {}
    for _ in range(150):
        for node, game in walk(tree, source):
            if game.turn is None:
                continue
            seen, index = (game.turn, game.information_state(game.turn)), int(tree.index[node])
            assert text_of.setdefault(index, seen) == seen
            assert set_of.setdefault(seen, index) == index
    assert len(text_of) > 50


def test_whole_smallest_tree_has_one_set_for_each_text() -> None:
    tree = build_tree("mini_5x1")
    pairs = set()
    waiting = [(0, round_of("mini_5x1"))]
    while waiting:
        node, game = waiting.pop()
        if game.turn is not None:
            pairs.add((int(tree.index[node]), game.turn, game.information_state(game.turn)))
        if game.over:
            continue
        first = int(tree.first[node])
        below = list(children(game))
        assert tree.label[first : first + len(below)].tolist() == [label for label, _ in below]
        waiting.extend((first + i, after) for i, (_, after) in enumerate(below))
    assert len(pairs) == 680
    assert len({index for index, _, _ in pairs}) == 680
    assert len({(seat, text) for _, seat, text in pairs}) == 680


@pytest.mark.parametrize(
    ("rules", "players", "deals"),
    [
        (Rules.preset("mini_4x2"), 2, 28 * 15 * 4),
        (Rules.preset("mini_4x2"), 3, 28 * 15 * 6 * 2),
        (Rules(cards=POOL, table="widow"), 2, 84 * 20),
        (Rules(cards=[*POOL, "KC", "KD"], dummy_hand=True), 2, 165 * 56 * 10 * 2),
        (Rules(cards=POOL, hand_size=3), 2, 84 * 20 * 3),
    ],
)
def test_ascending_deals_are_as_likely_as_plain_ones(rules: Rules, players: int, deals: int) -> None:
    source = random.Random(3)
    seen = set()
    for _ in range(300):
        game = round_of(rules, players)
        likely = 1.0
        weights = np.empty(52)
        while game.needs_card:
            total = tree_entry.chance_weights(game.state, True, weights)
            card = source.choice(np.flatnonzero(weights).tolist())
            likely *= weights[card] / total
            game.give(card)
        assert likely == pytest.approx(1 / deals, rel=1e-12)
        seen.add(game.state[10:].tobytes())
    assert len(seen) > 150
