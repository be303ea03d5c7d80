"""Checks of a position: cards, masks, views; and of a settled round."""

from __future__ import annotations

import functools

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS
from thirtyone_env.bounds import utility_bounds
from thirtyone_env.cards import set_to_cards
from thirtyone_env.core import layout
from thirtyone_env.errors import IllegalAction
from thirtyone_env.game import Game
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult
from thirtyone_env.testing.plays import Setting


def check_cards(setting: Setting, game: Game) -> None:
    """Every card of the pack is in one place, and hands have the size that the phase asks for."""
    if game.over or (game.phase == "deal" and not any(game.hands)) or _deal_begins(game):
        return
    state = game.state
    places = [int(state[int(row), 0]) for row in (layout.STOCK, layout.PILE, layout.EXTRA)]
    places += [int(state[int(layout.HAND) + 2 * seat, 0]) for seat in range(game.players)]
    everything = 0
    for cards in places:
        twice = set_to_cards(everything & cards)
        assert not twice, f"cards in two places at once: {twice}{setting.where(game)}"
        everything |= cards
    missing = set_to_cards(setting.rules.deck_set & ~everything)
    assert not missing, f"cards that are nowhere: {missing}{setting.where(game)}"
    assert everything == setting.rules.deck_set, f"cards that are not in the pack{setting.where(game)}"
    if game.phase == "deal":
        return
    for seat, hand in enumerate(game.hands):
        size = 0 if seat in game.out else setting.rules.hand_size
        more = seat == game.turn and game.phase in ("discard", "pool")
        fits = len(hand) == size + more
        assert fits, f"seat {seat} holds {len(hand)} cards in phase {game.phase}{setting.where(game)}"


def _deal_begins(game: Game) -> bool:
    """Whether the old hands still lie there: no card of the new deal has come."""
    return game.phase == "deal" and (int(game.state[int(layout.DRAW_NO[0]), 0]) & int(layout.DRAW_NO[2])) == 0


def check_views(setting: Setting, game: Game) -> None:
    """Only the seat to move has a mask, and it is the game's; a seat sees its own hand."""
    for seat in range(game.players):
        view = game.view(seat)
        mask = int(view[layout.V_LEGAL])
        wanted = game.mask if seat == game.turn else 0
        assert mask == wanted, f"the view of seat {seat} has the mask {mask:#x}, not {wanted:#x}{setting.where(game)}"
        hand = set_to_cards(int(view[layout.V_HAND]))
        assert hand == game.hands[seat], f"the view of seat {seat} shows the hand {hand}{setting.where(game)}"
    asked = game.turn is not None
    assert asked == bool(game.mask), f"the mask is {game.mask:#x} and seat {game.turn} is to move{setting.where(game)}"
    assert asked + game.needs_card + game.over == 1, f"not just one of seat, chance and end{setting.where(game)}"


def check_mask(setting: Setting, game: Game) -> None:
    """Each action of the mask can be played; any other is refused and changes nothing."""
    if game.turn is None:
        return
    before = game.state.tobytes()
    for action in range(NUM_ACTIONS):
        copy = game.clone()
        try:
            copy.play(action)
            played = True
        except IllegalAction:
            played = False
        kept = game.state.tobytes() == before
        assert kept, f"a clone was played on, and the original has changed{setting.where(game)}"
        legal = bool(game.mask >> action & 1)
        name = ACTION_NAMES[action]
        assert played == legal, (
            f"{name} is {'' if legal else 'not '}in the mask but {_done(played)}{setting.where(game)}"
        )
        same = copy.state.tobytes() == before
        assert played or same, f"{name} was refused, but the state has changed{setting.where(game)}"
        assert not played or not same, f"{name} was played, but nothing has changed{setting.where(game)}"


def _done(played: bool) -> str:
    return "could be played" if played else "was refused"


def check_round(setting: Setting, game: Game, result: RoundResult) -> None:
    """Rewards of a round sum to zero and keep their bounds; tokens come from nowhere."""
    pot = setting.rules.settlement == "highest_takes_pot"
    rewards = result.rewards_match if pot else result.rewards_lives
    total = sum(rewards)
    assert abs(total) < 1e-9, f"rewards {rewards} sum to {total}, not to 0{setting.where(game)}"
    least, most = _bounds(setting.rules, sum(hand is not None for hand in result.hands))
    low, high = min(rewards), max(rewards)
    fits = least - 1e-9 <= low and high <= most + 1e-9
    assert fits, f"rewards {rewards} leave their bounds {least} to {most}{setting.where(game)}"
    assert min(result.lives_after) >= 0, f"tokens below none: {result.lives_after}{setting.where(game)}"
    out = [seat for seat in result.eliminated if result.lives_after[seat]]
    assert not out, f"seats {out} are out and have tokens{setting.where(game)}"


@functools.cache
def _bounds(rules: Rules, players: int) -> tuple[float, float]:
    """Bounds of a round's rewards; in a match a seat may have more tokens than it began with."""
    return utility_bounds(rules.replace(lives=9) if rules.lives else rules, players)
