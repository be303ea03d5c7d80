"""RULES section 1, hand values: every option and value, and every ambiguity that the section settles."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.cards import CARDS, parse_cards

TRIPLES = {"three_of_a_kind": "30.5"}


def worth(cards: str, **options: object) -> float:
    return Rules(**options).worth(parse_cards(cards))


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AS KS QS", 31), ("AH TH JH", 31), ("AD KD 9D", 30), ("KS QS JS", 30), ("QC 9H 8H", 17), ("AC 6H 4H", 11),
        ("QH 8H 4D", 18), ("AH KD QS", 11), ("TS 2H 3D", 10), ("9S 8H 7D", 9), ("2S 3S 4S", 9), ("2C 3C 4C", 9),
        ("AS 9S 2D", 20), ("JC 7H 4S", 10), ("5D 5H 6D", 11), ("TC 5C 5D", 15), ("2C 2D 3C", 5),
    ],
)
def test_section_1_best_total_over_one_suit(cards: str, points: float) -> None:
    assert worth(cards) == points


@pytest.mark.parametrize(
    ("rank", "points"),
    [(str(n), n) for n in range(2, 10)] + [("T", 10), ("J", 10), ("Q", 10), ("K", 10), ("A", 11)],
)
def test_section_1_points_of_every_rank_in_every_suit(rank: str, points: int) -> None:
    """Two of a suit and a lower one of another: the rank adds its points; the ten is a number card."""
    for suit in "CDHS":
        other = "H" if suit != "H" else "D"
        low = "3" if rank == "2" else "2"
        assert worth(f"{rank}{suit} {low}{suit} 2{other}") == points + int(low)


def test_section_1_deck_52_has_all_cards() -> None:
    game = Game(Rules(deck=52), 2, dealer=0, chance="manual")
    assert game.possible_cards() == list(CARDS)


def test_section_1_deck_32_is_seven_up() -> None:
    game = Game(Rules(deck=32), 2, dealer=0, chance="manual")
    assert game.possible_cards() == [card for card in CARDS if card[0] in "789TJQKA"]
    assert len(game.possible_cards()) == 32
    with pytest.raises(UserError, match="6C: not in this game's pack"):
        Rules(deck=32).worth(["6C", "7C", "8C"])


def test_section_1_ace_eleven() -> None:
    assert worth("AS 2S 3D", ace="eleven") == 13
    assert worth("AS 2H 3D", ace="eleven") == 11


def test_section_1_ace_one_or_eleven_changes_nothing_over_all_hands() -> None:
    soft, hard = Rules(ace="one_or_eleven"), Rules(ace="eleven")
    assert soft != hard
    different = [h for h in combinations(CARDS, 3) if soft.worth(h) != hard.worth(h) or soft_count(h) != hard.worth(h)]
    assert different == []


def soft_count(hand: tuple[str, ...]) -> int:
    """Best total of a suit that is not over 31, each ace counted as one or eleven."""
    points = {**{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10), "A": 11}
    best = 0
    for suit in "CDHS":
        ranks = [card[0] for card in hand if card[1] == suit]
        total = sum(points[rank] for rank in ranks)
        best = max([best] + [t for t in (total, total - 10 * ranks.count("A")) if t <= 31])
    return best


def test_section_1_three_of_a_kind_off_counts_one_card() -> None:
    assert worth("7S 7H 7D", three_of_a_kind="off") == 7
    assert worth("2C 2D 2H", three_of_a_kind="off") == 2
    assert worth("AS AH AD", three_of_a_kind="off") == 11


def test_section_1_three_of_a_kind_30() -> None:
    assert worth("7S 7H 7D", three_of_a_kind="30") == 30
    assert worth("AS AH AD", three_of_a_kind="30") == 30
    assert worth("7S 7H 8D", three_of_a_kind="30") == 8


def test_section_1_three_of_a_kind_30_5_not_20_5() -> None:
    for rank in "23456789TJQKA":
        assert worth(f"{rank}C {rank}D {rank}S", **TRIPLES) == 30.5
    assert worth("7S 7H 6S", **TRIPLES) == 13


def test_section_1_lowest_worth_is_2_without_triples_and_3_with() -> None:
    plain = Counter(map(Rules(three_of_a_kind="off").worth, combinations(CARDS, 3)))
    triples = Counter(map(Rules(**TRIPLES).worth, combinations(CARDS, 3)))
    assert (min(plain), plain[2]) == (2, 4)
    assert (min(triples), triples[3]) == (3, 24)
    assert worth("2C 2D 3H", **TRIPLES) == 3


def test_section_1_three_aces_same_is_capped() -> None:
    assert worth("AS AH AD", three_aces="same", **TRIPLES) == 30.5


def test_section_1_three_aces_32_5() -> None:
    assert worth("AS AH AD", three_aces="32.5", **TRIPLES) == 32.5
    assert worth("KS KH KD", three_aces="32.5", **TRIPLES) == 30.5
    assert worth("AS AH AD", three_aces="32.5", three_of_a_kind="30") == 32.5


def test_section_1_three_aces_are_ignored_where_triples_are_off() -> None:
    assert worth("AS AH AD", three_aces="32.5", three_of_a_kind="off") == 11


def test_section_1_three_aces_feuer_is_33_and_the_top_hand() -> None:
    assert Rules.preset("schwimmen").worth(parse_cards("AS AH AD")) == 33
    assert Rules.preset("schwimmen", three_of_a_kind="30").worth(parse_cards("AS AH AD")) == 33


def test_section_1_only_24_hands_make_31() -> None:
    rules = Rules()
    hands = [hand for hand in combinations(CARDS, 3) if rules.worth(hand) == 31]
    assert len(hands) == 24
    assert all(len({card[1] for card in hand}) == 1 for hand in hands)


def test_section_1_triples_are_equal_whatever_their_rank() -> None:
    rules = Rules(**TRIPLES, knocker_tie="all_lose")
    result = rules.settle([parse_cards("KS KH KD"), parse_cards("2S 2H 2D"), parse_cards("AC KC QC")], knocker=0)
    assert result.values == (30.5, 30.5, 31)
    assert result.lost == (1, 1, 0)


def test_section_1_32_5_beats_a_31_that_was_not_shown() -> None:
    rules = Rules.preset("party", three_aces="32.5")
    result = rules.settle([parse_cards("AS AH AD"), parse_cards("KC QC AC"), parse_cards("2S 3H 4D")], knocker=1)
    assert result.gained == (1, 0, 0), "the seat with 32.5 is the highest"
    assert result.lost == (0, 0, 1)


def test_section_1_32_5_loses_to_a_shown_31() -> None:
    rules = Rules(three_aces="32.5", **TRIPLES)
    result = rules.settle([parse_cards("AS AH AD"), parse_cards("KC QC AC")], declared=[1])
    assert result.lost == (1, 0)


@pytest.mark.parametrize("declare", ["auto", "claim", "hold"])
def test_section_1_32_5_can_not_itself_be_shown(declare: str) -> None:
    rules = Rules(three_aces="32.5", declare=declare, **TRIPLES)
    game = laid_out(rules, 2, {0: "AS AH 2C", 1: "2D 3H 4S"}, up="5C", stock="AD")
    play(game, "draw_stock")
    assert "declare" not in game.legal_actions()
    play(game, "discard 2C")
    assert game.last_round is None
    assert game.rules.worth(game.hands[0]) == 32.5
    dealt = laid_out(rules, 2, {0: "AS AH AD", 1: "2D 3H 4S"}, up="5C")
    assert dealt.last_round is None
    assert "declare" not in dealt.legal_actions()
