"""Sizes of the mini games' trees, as numbers: by compiled code, and by brute force over `Game`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.env.mini_walks import Count
from thirtyone_env import Rules
from thirtyone_env.errors import UserError
from thirtyone_env.tree import TreeCounts, build_tree, count_tree

# decisions, chance nodes, ends, information sets of each seat
SIZES = {
    "mini_5x1": (1440, 446, 1620, (100, 580)),
    "mini_3x2": (11880, 4119, 18720, (2340, 6060)),
    "mini_3x2_target": (8976, 3151, 15788, (1888, 4792)),
    "mini_4x2": (94080, 22448, 194880, (1176, 11256)),
    "mini_4x2_limit3": (719040, 198848, 1345680, (139608, 11256)),
    "mini_4x2_limit4": (3692640, 1095968, 6520080, (139608, 750456)),
}
LARGE = ("mini_4x2_limit3", "mini_4x2_limit4")


@pytest.mark.parametrize("name", [name for name in SIZES if name not in LARGE])
def test_compiled_count(name: str) -> None:
    counts = count_tree(name)
    assert counts == TreeCounts(*SIZES[name])
    assert (counts.nodes, counts.information_sets) == (sum(SIZES[name][:3]), sum(SIZES[name][3]))


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_compiled_count_of_large_ones(name: str) -> None:
    assert count_tree(name) == TreeCounts(*SIZES[name])


def test_every_mini_is_counted() -> None:
    assert set(SIZES) == {name for name in Rules.presets() if name.startswith("mini_")}


@pytest.mark.parametrize("name", ["mini_5x1", "mini_3x2_target"])
def test_brute_force_over_games_with_sets_by_text(name: str) -> None:
    check_brute_force(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mini_3x2", "mini_4x2"])
def test_brute_force_over_games_of_larger_ones(name: str) -> None:
    check_brute_force(name)


def check_brute_force(name: str) -> None:
    """The slow count gives the numbers above."""
    count = Count(name)
    sets = tuple(map(len, count.sets))
    assert (count.decisions, count.chances, count.terminals, sets) == SIZES[name]


@pytest.mark.parametrize("name", ["mini_5x1", "mini_3x2"])
def test_plain_deal_has_as_many_information_sets(name: str) -> None:
    assert count_tree(name, ordered=False).sets == SIZES[name][3]


def test_kept_tree_has_the_counted_nodes() -> None:
    tree = build_tree("mini_3x2", views=True)
    decisions, chances, ends, sets = SIZES["mini_3x2"]
    assert tree.counts == TreeCounts(decisions, chances, ends, sets)
    assert len(tree.kind) == decisions + chances + ends
    assert [(tree.kind >= 0).sum(), (tree.kind == -1).sum(), (tree.kind == -2).sum()] == [decisions, chances, ends]
    assert (tree.number[tree.kind == -2] == 0).all()
    assert tree.number.sum() == len(tree.kind) - 1
    assert tree.pay.shape == (ends, 2)
    assert tree.views is not None
    assert tree.views.shape == (sum(sets), 32)


def test_too_large_a_tree_is_refused_with_what_to_change() -> None:
    with pytest.raises(UserError, match="more than 1000 nodes: give fewer cards, a lower max_turns"):
        count_tree("mini_3x2", limit=1000)


def test_progress_is_told() -> None:
    told: list[int] = []
    count_tree("mini_4x2", ordered=False, progress=told.append)
    assert told
    assert told == sorted(told)


def test_docs_tell_the_sizes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mini_games.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `mini_") and " = " in line}
    assert set(rows) == set(SIZES)
    for name, (decisions, chances, ends, sets) in SIZES.items():
        nodes, every = decisions + chances + ends, sum(sets)
        told = f"{decisions:,} | {chances:,} | {ends:,} | {nodes:,} | {every:,} = {sets[0]:,} + {sets[1]:,} |"
        assert rows[name].endswith(told), f"{name}: {told}"
