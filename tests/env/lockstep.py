"""Random games of the library and of the independent referee in lock step, compared after every move."""

from __future__ import annotations

import random
from typing import Any

from tests.referee import RefereeGame
from thirtyone_env import Game, Rules
from thirtyone_env.options import OPTIONS, unused_because

ROUND_FIELDS = (
    "reason", "knocker", "declared", "values", "lost", "gained", "lives_after", "on_county", "eliminated", "replayed",
    "would_lose", "winner", "pot_winners",
)


def random_rules(source: random.Random, table: str | None = None) -> Rules:
    """Rules with every option drawn at random among the values that go together."""
    values: dict[str, Any] = {}
    for option in OPTIONS:
        if option.values:
            values[option.name] = source.choice(option.values)
    values["table"] = table or source.choice(("stock_discard", "stock_discard", "widow", "pool"))
    values["hand_size"] = 3
    values["lives"] = source.randint(1, 5)
    values["knock_min"] = source.choice((0, 0, 17, 21, 31))
    values["max_turns"] = source.choice((0, 3, 17, 60))
    values["max_deals"] = source.choice((0, 1, 4, 40))
    make_compatible(values)
    used = {k: v for k, v in values.items() if unused_because(k, values) is None}
    return Rules(**used)


def make_compatible(values: dict[str, Any]) -> None:
    """Change drawn values that contradict each other."""
    if values["table"] == "pool" and values["settlement"] == "highest_takes_pot":
        values["tiebreak"] = "none"
    pot = values["settlement"] == "highest_takes_pot"
    if pot:
        values["declare_effect"] = "takes_pot"
    elif values["declare_effect"] == "takes_pot":
        values["declare_effect"] = "others_lose"
    if not pot:
        values["tiebreak"] = "none"
    if values["knock_penalty"] == 1:
        values["only_knocker_amount"] = 1
    if values["first_turn_knock"] != "allowed":
        values["early_knock_shows_now"] = False
    if values["three_aces"] == "feuer" and (values["table"] != "pool" or values["three_of_a_kind"] == "off"):
        values["three_aces"] = "same"
    if values["max_turns"] == 0:
        values["max_turns"] = 150
    if values["max_deals"] == 0:
        values["max_deals"] = 30


def play_both(rules: Rules, players: int, seed: int, rounds: int, eager: float = 0.5) -> tuple[int, int]:
    """Play up to ``rounds`` rounds of both engines with the same cards and random moves.

    Args:
        eager: how often a 31 on offer is shown and a game-ending move is left to chance.

    Returns:
        Rounds and moves compared.

    Raises:
        AssertionError: they differ; the message has what is needed to repeat it.
    """
    source = random.Random(seed)
    dealer = source.randrange(players)
    episode = source.choice(("match", "match", "match", "round"))
    lives, out = random_start(rules, players, dealer, source)
    game = Game(rules, players, dealer=dealer, lives=lives, out=out, episode=episode, chance="manual")
    other = RefereeGame(rules.to_dict(), players, dealer=dealer, lives=lives, out=out, episode=episode)
    trace = [f"dealer {dealer}, lives {lives}, out {out}, {episode}"]
    moves = 0
    while not game.over and game.round_count < rounds:
        compare(game, other, trace)
        if game.needs_card:
            card = source.choice(game.possible_cards())
            trace.append(f"give {card}")
            game.give(card)
            other.give(card)
            continue
        action = pick(game, source, eager)
        trace.append(action)
        before = game.round_count
        game.play(action)
        other.play(action)
        moves += 1
        if game.round_count > before:
            compare_round(game, other, trace)
    compare(game, other, trace)
    return game.round_count, moves


def random_start(rules: Rules, players: int, dealer: int, source: random.Random) -> tuple[list[int] | None, list[int]]:
    """Tokens and seats that are out: mostly the rules' own, sometimes those of a match that is far gone."""
    if source.random() < 0.6:
        return None, []
    others = [seat for seat in range(players) if seat != dealer]
    out = sorted(source.sample(others, source.randint(0, players - 2)))
    if rules.lives is None:
        return None, out
    least = 0 if rules.county else 1
    return [0 if seat in out else source.randint(least, 3) for seat in range(players)], out


def pick(game: Game, source: random.Random, eager: float) -> str:
    """A random legal action; knocks are rarer than by pure chance, so that rounds grow old."""
    legal = game.legal_actions()
    if "declare" in legal and source.random() < eager:
        return "declare"
    calm = [a for a in legal if a != "knock"]
    return source.choice(calm if calm and source.random() < 0.8 else legal)


def compare(game: Game, other: RefereeGame, trace: list[str]) -> None:
    """All that both engines show."""
    mine = {
        "over": game.over, "needs_card": game.needs_card, "turn": game.turn, "legal": game.legal_actions(),
        "cards": game.possible_cards(), "lives": game.lives, "county": game.on_county, "out": game.out,
        "dealer": game.dealer, "winner": game.winner, "truncated": game.truncated,
    }
    theirs = {
        "over": other.over, "needs_card": other.needs_card, "turn": other.turn,
        "legal": other.legal_actions() if other.turn is not None else [],
        "cards": other.possible_cards() if other.needs_card else [], "lives": other.lives,
        "county": list(other.on_county), "out": list(other.out), "dealer": other.dealer, "winner": other.winner,
        "truncated": other.truncated,
    }
    if not game.over and not (game.needs_card and game.phase == "deal"):
        mine |= {"hands": game.hands, "top": game.top, "stock": game.stock_count, "knocker": game.knocker,
                 "pile": game.discard_count if game.rules.table == "stock_discard" else None, "pool": game.pool}
        theirs |= {"hands": [list(h) for h in other.hands], "top": other.top, "stock": other.stock_count,
                   "knocker": other.knocker,
                   "pile": other.discard_count if game.rules.table == "stock_discard" else None,
                   "pool": list(other.pool) if game.rules.table != "stock_discard" else []}
    if game.over and game.episode == "match":
        began = [seat for seat in range(game.players) if seat not in game.start["out"]]
        mine["placings"] = [game.placings[seat] for seat in began]
        theirs["placings"] = [(other.placings or {})[seat] for seat in began]
    different = {k: (mine[k], theirs[k]) for k in mine if mine[k] != theirs[k]}
    assert not different, f"(engine, referee) differ: {different}\n{game.rules!r}, {game.players} players\n{trace}"


def compare_round(game: Game, other: RefereeGame, trace: list[str]) -> None:
    """The results and rewards of the round just settled."""
    result, expected = game.last_round, other.last_round
    assert result is not None
    assert expected is not None
    different = {}
    for name in ROUND_FIELDS:
        value = getattr(result, name)
        want = expected[name]
        if isinstance(value, tuple):
            value, want = list(value), list(want)
        if value != want:
            different[name] = (value, want)
    if bool(result.sudden_death) != bool(expected["sudden_death"]):
        different["sudden_death"] = (result.sudden_death, expected["sudden_death"])
    if game.rules.settlement != "highest_takes_pot":
        check_rewards(different, "lives", result.rewards_lives, other.rewards_lives)
    check_rewards(different, "match", result.rewards_match, other.rewards_match)
    assert not different, f"(engine, referee) differ: {different}\n{game.rules!r}, {game.players} players\n{trace}"


def check_rewards(different: dict[str, Any], name: str, mine: Any, theirs: Any) -> None:
    """Note rewards that differ by more than rounding."""
    if any(abs(a - b) > 1e-12 for a, b in zip(mine, theirs, strict=True)):
        different[f"rewards_{name}"] = (mine, theirs)
