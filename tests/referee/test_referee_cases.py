"""The referee itself is judged: it passes every checked case, and its own books balance over random games."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from . import RefereeGame, first_player, next_dealer, settle, worth
from .actions import ACTIONS
from .cards import ALL_CARDS
from .game import RefereeGame as Game
from .presets import NAMES, preset
from .stock_round import StockRound

DATA = Path(__file__).parent.parent / "data"


def read(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text().splitlines()
    return [json.loads(line) for line in lines]


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in read("cases.jsonl") if case["kind"] == kind]


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    changes = {name: value for name, value in case["options"].items() if name != "preset"}
    return preset(case["options"].get("preset", case.get("preset")), **changes)


@pytest.mark.parametrize("case", of_kind("value"))
def test_worth_of_a_hand(case: dict[str, Any]) -> None:
    assert worth(case["cards"], options_of(case)) == case["expect"]["value"]


@pytest.mark.parametrize("case", of_kind("dealer"))
def test_next_dealer_and_first_player(case: dict[str, Any]) -> None:
    dealer = next_dealer(case["dealer"], case["alive"])
    assert dealer == case["expect"]["next_dealer"]
    assert first_player(dealer, case["alive"]) == case["expect"]["first_player"]


@pytest.mark.parametrize("case", of_kind("settle"))
def test_settlement(case: dict[str, Any]) -> None:
    out = [seat for seat, hand in enumerate(case["hands"]) if hand is None]
    result = settle(options_of(case), case["hands"], case["knocker"], case["declared"], case["lives"], out)
    expected = dict(case["expect"])
    tied = expected.pop("sudden_death", [])
    assert result["sudden_death"] == bool(tied)
    if tied:
        assert [seat for seat in range(len(case["hands"])) if seat not in out] == tied
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize("script", [pytest.param(script, id=script["id"]) for script in read("script.jsonl")])
def test_script(script: dict[str, Any]) -> None:
    game = RefereeGame(
        options_of(script), script["players"], script["dealer"], script.get("lives"), script.get("out", ())
    )
    deck = list(script["deck"])
    deal_from(deck, game)
    drawn = ""
    for number, (seat, action) in enumerate(script["steps"]):
        check(game, script, number)
        assert game.turn == seat
        before = set(game.hands[seat])
        game.play(action.replace("DRAWN", drawn))
        deal_from(deck, game)
        drawn = "".join(set(game.hands[seat]) - before)
    check(game, script, len(script["steps"]))
    last_round = game.last_round or {}
    assert {name: last_round[name] for name in script["end"]} == script["end"]


def deal_from(deck: list[str], game: Game) -> None:
    """Give cards from the top; where the pile has been shuffled any of its cards will do."""
    while game.needs_card and game.last_round is None:
        game.give(deck.pop(0) if deck else game.possible_cards()[0])


def check(game: Game, script: dict[str, Any], number: int) -> None:
    for facts in script["checks"]:
        if facts["before_step"] == number:
            check_position(game, facts)


def check_position(game: Game, facts: dict[str, Any]) -> None:
    legal = game.legal_actions()
    seen = {
        "before_step": facts["before_step"],
        "turn": game.turn,
        "top": game.top,
        "stock": game.stock_count,
        "discard_pile": game.discard_count,
        "stock_plus_pile": game.stock_count + game.discard_count,
        "ended": game.last_round is not None,
    }
    for name, value in facts.items():
        if name == "legal":
            assert sorted(legal) == sorted(value)
        elif name == "includes":
            assert set(value) <= set(legal)
        elif name == "illegal":
            assert not set(value) & set(legal)
        elif name == "hands":
            assert all(set(game.hands[int(seat)]) == set(cards) for seat, cards in value.items())
        elif name == "refused":
            refuse(game, value)
        else:
            assert seen[name] == value, name


def refuse(game: Game, attempts: list[list[Any]]) -> None:
    for seat, action in attempts:
        if seat == game.turn:
            with pytest.raises(ValueError, match="is not legal"):
                game.play(action)


HOUSE_RULES: dict[str, list[Any]] = {
    "three_of_a_kind": ["off", "30", "30.5"],
    "three_aces": ["same", "32.5"],
    "dealer_upcard_swap": [False, True],
    "dummy_hand": [False, True],
    "return_taken_discard": [False, True],
    "final_lap_stand": [False, True],
    "first_turn_knock": ["allowed", "banned_first_turn", "banned_first_lap"],
    "knock_min": [0, 17, 21],
    "declare": ["auto", "claim", "hold"],
    "natural_31": ["at_once", "own_turn"],
    "simultaneous_31": [1, 2],
    "knocker_on_31": [1, 2],
    "stock_out": ["play_on", "reshuffle", "draw"],
    "settlement": ["lowest_loses", "below_knocker_loses"],
    "tie_lowest": ["all_lose", "none_lose"],
    "knocker_tie": ["safe", "knocker_two", "only_knocker", "all_lose"],
    "life_transfer": ["none", "to_winner"],
    "lives": [1, 2, 3],
    "county": [False, True],
    "all_out": ["replay", "sudden_death"],
    "max_turns": [0, 12],
}
POOL_RULES: dict[str, list[Any]] = {
    "table": ["widow", "pool"],
    "deck": ["32", "52"],
    "three_of_a_kind": ["off", "30.5"],
    "three_aces": ["same", "feuer"],
    "first_turn_knock": ["allowed", "banned_first_lap"],
    "early_knock_shows_now": [False, True],
    "declare": ["auto", "claim", "hold"],
    "natural_31": ["at_once", "own_turn"],
    "pool_exchange": ["one", "any", "one_or_all"],
    "all_pass_renews": [False, True],
    "dealer_packet": [False, True],
    "max_turns": [0, 30],
}


def random_options(source: random.Random) -> dict[str, Any]:
    """A preset, or a random mix of house rules for either kind of table."""
    name = source.choice([*NAMES, "mix", "pool mix"])
    if name == "mix":
        changes = {option: source.choice(values) for option, values in HOUSE_RULES.items()}
        return preset("pagat", **changes, max_deals=40)
    if name == "pool mix":
        changes = {option: source.choice(values) for option, values in POOL_RULES.items()}
        return preset(source.choice(["bicycle", "schwimmen"]), **changes, max_deals=40)
    return preset(name, max_deals=40)


def cards_on_table(game: Game) -> list[str]:
    """Every card, wherever it lies; a dummy hand that was turned up lies there still."""
    deal = game._round
    cards = [*deal.stock, *(card for hand in deal.hands for card in hand)]
    if isinstance(deal, StockRound):
        return [*cards, *deal.pile, *(deal.dummy if deal.dummy_up is None else deal.dummy_up)]
    return [*cards, *deal.pool, *deal.packet, *deal.aside]


def play_at_random(game: Game, source: random.Random) -> None:
    """Play to the end; after every step the books must balance."""
    pack = sorted(game.house.full_pack())
    settled: list[float] = [0.0] * game.players
    last = None
    while not game.over:
        if game.needs_card:
            assert game.turn is None
            assert not game.legal_actions()
            game.give(source.choice(game.possible_cards()))
        else:
            legal = game.legal_actions()
            assert legal
            assert game.turn not in game.out
            assert legal == sorted(legal, key=ACTIONS.index)
            game.play(source.choice(legal))
        assert sorted(cards_on_table(game)) == pack
        assert min(game.lives) >= 0
        if game.last_round is not last:
            last = game.last_round
            settled = [a + b for a, b in zip(settled, game.rewards_match, strict=True)]
            assert sum(game.rewards_lives) == pytest.approx(0)
    assert sum(settled) == pytest.approx(0)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_end_with_balanced_books(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(12):
        options = random_options(source)
        players = source.randint(2, 7)
        episode = source.choice(["match", "round"])
        game = RefereeGame(options, players, source.randrange(players), episode=episode)
        play_at_random(game, source)
        assert game.last_round is not None
        assert game.winner is None or game.placings is not None


def test_refused_actions_leave_the_game_as_it_was() -> None:
    game = RefereeGame(preset("pagat"), 3, dealer=2)
    with pytest.raises(ValueError, match="cannot come now"):
        game.give("1X")
    for card in ALL_CARDS[:10]:
        game.give(card)
    before = (game.hands, game.top, game.turn, game.legal_actions())
    with pytest.raises(ValueError, match="is not legal"):
        game.play("discard 2C")
    assert before == (game.hands, game.top, game.turn, game.legal_actions())


def test_unknown_options_are_named() -> None:
    with pytest.raises(ValueError, match="knock_mim"):
        RefereeGame(preset("pagat", knock_mim=3), 3)
