"""What an observation should hold, worked out slowly from a game's public side and by trying every card."""

from __future__ import annotations

from typing import Any

import numpy as np

from thirtyone_env import Game
from thirtyone_env.actions import ACTION_NAMES, mask_to_names
from thirtyone_env.cards import CARDS, card_id, set_to_cards
from thirtyone_env.core import layout as at
from thirtyone_env.decode import field

SUITS = "CDHS"


def plane(cards: list[str]) -> list[int]:
    """52 columns with 1 for each card."""
    return [1 if card in cards else 0 for card in CARDS]


def suit_points(cards: list[str], suit: str) -> int:
    """Points of the cards of a suit."""
    worth = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}
    return sum(worth.get(card[0]) or int(card[0]) for card in cards if card[1] == suit)


def half_points(game: Game, cards: list[str]) -> int:
    """Worth of a whole hand in half points."""
    return int(2 * game.rules.worth(cards))


def is_31(game: Game, cards: list[str]) -> bool:
    """31 in one suit."""
    return game.rules.worth(cards) == 31 and len({card[1] for card in cards}) == 1


def best_kept(game: Game, cards: list[str], may_go: list[str]) -> list[str]:
    """What is left after the best throw; of equal ones the lowest id goes."""
    left = [[c for c in cards if c != gone] for gone in sorted(may_go, key=card_id)]
    return max(left, key=lambda hand: half_points(game, hand))


def reference(game: Game, seat: int) -> dict[str, Any]:
    """Name of a block -> its columns."""
    view = game.view(seat)
    hand = game.hands[seat]
    known = [set_to_cards(int(view[at.V_KNOWN + s])) for s in range(game.players)]
    own = game.turn == seat
    taken = bool(field(game.state, at.TAKEN))
    drawn = [game.drawn] if game.drawn in hand and (own or taken) and game.drawn else []
    setup = bool(field(game.state, at.SETUP))
    kept_back = drawn if taken and (setup or not game.rules.return_taken_discard) else []
    pile = set_to_cards(int(game.state[int(at.PILE), 0]))
    out = _cards(game, hand, drawn, kept_back, pile)
    out |= _glance(game, hand, kept_back, pile, known)
    out |= _table(game, own, taken, kept_back)
    for place in range(game.players):
        other = (seat + place) % game.players
        out |= {f"seat{place}_{k}": v for k, v in _seat(game, other, known[other]).items()}
        if place:
            out[f"seat{place}_known"] = plane(known[other])
    return out


def _cards(game: Game, hand: list[str], drawn: list[str], kept_back: list[str], pile: list[str]) -> dict[str, Any]:
    worths = [0] * 52
    if len(hand) == 4:
        for card in hand:
            if card not in kept_back:
                worths[card_id(card)] = half_points(game, [c for c in hand if c != card])
    reshuffled = [c for c in set_to_cards(int(game.state[int(at.RESHUFFLED), 0])) if c not in hand]
    return {
        "hand": plane(hand),
        "drawn": plane(drawn),
        "top": plane([game.top] if game.top else []),
        "pile": plane(pile),
        "open": plane(_open(game)),
        "reshuffled": plane(reshuffled),
        "kept_worth": worths,
    }


def _open(game: Game) -> list[str]:
    return game.dummy or [] if game.rules.table == "stock_discard" else game.pool


def _glance(
    game: Game, hand: list[str], kept_back: list[str], pile: list[str], known: list[list[str]]
) -> dict[str, Any]:
    kept = hand if len(hand) < 4 else best_kept(game, hand, [c for c in hand if c not in kept_back])
    out: dict[str, Any] = {f"suit_points_{s}": suit_points(kept, s) for s in SUITS}
    seen = {*hand, *pile, *_open(game)}.union(*known)
    unseen = [c for c in set_to_cards(game.rules.deck_set) if c not in seen]
    out["unseen"] = len(unseen)
    if not kept:
        return out | {"worth": 0, "top_worth": 0, "target_cards": 0}
    value = half_points(game, kept)
    out |= {"worth": value, "is_target": int(is_31(game, kept))}
    lifts = [c for c in unseen if half_points(game, best_kept(game, [*kept, c], kept)) > value]
    out |= {f"lifting_{s}": sum(c[1] == s for c in lifts) for s in SUITS}
    out["target_cards"] = sum(
        any(is_31(game, [x for x in [*kept, c] if x != gone]) for gone in kept) for c in unseen
    )
    if game.top:
        after = best_kept(game, [*kept, game.top], kept)
        out |= {"top_worth": half_points(game, after), "top_lifts": int(half_points(game, after) > value)}
        out["top_target"] = int(is_31(game, after))
    else:
        out |= {"top_worth": 0, "top_lifts": 0, "top_target": 0}
    return out


def _table(game: Game, own: bool, taken: bool, kept_back: list[str]) -> dict[str, Any]:
    legal = mask_to_names(game.mask) if own else []
    out = {f"phase_{name}": int(game.phase == name) for name in at.PHASE_NAMES}
    out |= {
        f"may_{name.replace(' ', '_')}": int(name in legal)
        for name in ACTION_NAMES
        if not name.startswith("discard ")
    }
    limit, deals = game.rules.max_turns, game.rules.max_deals
    return out | {
        "to_move": int(own and not game.over),
        "taken": int(taken),
        "forbidden": int(bool(kept_back)),
        "knocked": int(game.knocker is not None),
        "turn_number": min(127, game.turn_number),
        "turns_left": min(127, limit - game.turn_number) if limit else 127,
        "deal_number": min(127, game.deal_number),
        "deals_left": min(127, deals - game.deal_number) if deals else 127,
        "stock": game.stock_count,
        "pile_count": game.discard_count,
        "players_in": game.players - len(game.out),
        "round_episode": int(game.episode == "round"),
        "dummy_open": int(game.dummy is not None),
    }


def _seat(game: Game, seat: int, known: list[str]) -> dict[str, Any]:
    thrown = set_to_cards(int(game.state[int(at.THROWN) + 2 * seat, 0]))
    points = {s: suit_points(known, s) for s in SUITS}
    return {
        "present": 1,
        "began": 1,
        "in": int(seat not in game.out),
        "lives": game.lives[seat],
        "on_county": int(seat in game.on_county),
        "turn": int(field(game.state, at.TURN) == seat),
        "dealer": int(game.dealer == seat),
        "knocker": int(game.knocker == seat),
        "known_count": len(known),
        "known_worth": max(points.values()),
        **{f"known_points_{s}": points[s] for s in SUITS},
        **{f"thrown_{s}": sum(card[1] == s for card in thrown) for s in SUITS},
    }


def as_array(value: Any) -> np.ndarray:
    """Columns of a block as an array."""
    return np.atleast_1d(np.asarray(value, dtype=np.int8))
