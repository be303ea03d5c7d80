"""Mirrored deals: who sits where, and that the cards are the same."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest

from thirtyone_agents import load
from thirtyone_env import Game, Rules
from thirtyone_eval.arena import deal_seed
from thirtyone_eval.asking import Desk
from thirtyone_eval.outcomes import Games
from thirtyone_eval.play import play_asking
from thirtyone_eval.records import ALPHABET
from thirtyone_eval.seating import circles, deals_to_balance, rotations, seatings
from thirtyone_eval.tables import all_tables, random_tables, uses_all


@pytest.mark.parametrize("players", [2, 3, 4])
def test_up_to_four_players_a_deal_is_played_in_all_seatings(players: int) -> None:
    assert sorted(seatings(players)) == sorted(permutations(range(players)))


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9])
def test_above_four_each_policy_sits_once_in_each_seat(players: int) -> None:
    for deal in range(deals_to_balance(players)):
        found = seatings(players, "auto", deal)
        assert len(found) == players
        for seat in range(players):
            assert sorted(seating[seat] for seating in found) == list(range(players))


@pytest.mark.parametrize("players", range(2, 10))
def test_rotations_put_each_policy_equally_often_on_the_left_of_each_other(players: int) -> None:
    left: Counter[tuple[int, int]] = Counter()
    for deal in range(deals_to_balance(players)):
        for seating in rotations(players, deal):
            left.update((seating[seat], seating[(seat + 1) % players]) for seat in range(players))
    assert set(left) == {(a, b) for a in range(players) for b in range(players) if a != b}
    assert len(set(left.values())) == 1


@pytest.mark.parametrize("players", [3, 5, 7, 9])
def test_an_odd_table_needs_each_neighbourhood_only_once(players: int) -> None:
    left = Counter((c[s], c[(s + 1) % players]) for c in circles(players) for s in range(players))
    assert set(left.values()) == {1}


def test_without_mirroring_each_deal_has_one_seating_and_seats_are_balanced_over_deals() -> None:
    found = [seatings(3, "none", deal) for deal in range(6)]
    assert all(len(one) == 1 for one in found)
    assert Counter(one[0][0] for one in found) == {0: 2, 1: 2, 2: 2}


@pytest.mark.parametrize("players", [2, 3, 5])
def test_mirrored_games_deal_the_same_cards_to_the_same_seats(players: int) -> None:
    rules = Rules.preset("pagat")
    policies = [load(name) for name in ["threshold:29", "threshold:15", "tips", "random", "threshold:21"][:players]]
    orders = seatings(players)
    outcomes = play_asking(rules, players, "round", 9, Games.of([4] * len(orders), orders), policies, Desk())
    first = Game(rules, players, seed=deal_seed(9, 4), episode="round")
    assert len(set(outcomes.dealers.tolist())) == 1
    drawn = []
    for text in outcomes.actions:
        game = Game(rules, players, seed=deal_seed(9, 4), episode="round")
        assert game.hands == first.hands
        assert game.top == first.top
        stock = []
        for action in map(ALPHABET.index, text):
            game.play(action)
            if action == 0:
                stock.append(game.drawn)
        drawn.append(stock)
    longest = max(drawn, key=len)
    assert len(longest) > 2
    assert all(stock == longest[: len(stock)] for stock in drawn)


def test_every_table_of_a_small_pool_and_random_ones_of_a_large_pool() -> None:
    assert len(all_tables(5, 3)) == 10
    assert uses_all(5, 3, "auto", 120)
    assert not uses_all(30, 4, "auto", 120)
    assert uses_all(30, 4, "all", 120)
    assert not uses_all(5, 3, "random", 120)


@pytest.mark.parametrize(("pool", "players"), [(8, 3), (7, 4), (9, 3), (31, 5), (5, 5), (9, 8)])
def test_random_tables_seat_each_policy_equally_often_and_never_with_itself(pool: int, players: int) -> None:
    for deal in range(30):
        tables = random_tables(pool, players, 3, deal)
        assert all(len(set(table)) == players for table in tables)
        counts = Counter(policy for table in tables for policy in table)
        assert set(counts) == set(range(pool))
        assert len(set(counts.values())) == 1


def test_random_tables_differ_from_deal_to_deal_and_depend_on_the_seed_alone() -> None:
    assert random_tables(20, 3, 1, 0) == random_tables(20, 3, 1, 0)
    assert random_tables(20, 3, 1, 0) != random_tables(20, 3, 1, 1)
    assert random_tables(20, 3, 1, 0) != random_tables(20, 3, 2, 0)
