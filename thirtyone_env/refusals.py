"""Why an action is refused, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thirtyone_env import actions
from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.cards import CARDS

if TYPE_CHECKING:
    from thirtyone_env.game import Game


def why_refused(game: Game, action: int) -> str:
    """One line: the action, the seat, the rule and the legal actions."""
    name = ACTION_NAMES[action]
    if game.over:
        return f"'{name}' is not legal: the match is over"
    if game.turn is None:
        return f"'{name}' is not legal: a card must be given first"
    legal = ", ".join(game.legal_actions())
    return f"'{name}' is not legal for seat {game.turn}: {_rule(game, action)}; legal are {legal}"


def _rule(game: Game, action: int) -> str:
    rules = game.rules
    if game.phase in ("discard", "pool"):
        return _after_draw(game, action)
    if game.phase == "upcard":
        return "the dealer first takes or leaves the up-card (RULES section 2, dealer_upcard_swap)"
    if game.phase == "packet":
        return "the dealer first keeps his packet or takes the other (RULES section 11, dealer_packet)"
    if actions.DISCARD <= action < actions.PASS:
        return "a card is thrown after one was drawn (RULES section 3)"
    if action == actions.KNOCK:
        return _knock(game)
    if action == actions.DECLARE:
        return f"there is no 31 that may be shown now (RULES section 5, declare {rules.declare})"
    if action == actions.DRAW_STOCK and rules.table == "stock_discard":
        return f"the stock is used up (RULES section 6, stock_out {rules.stock_out})"
    if action == actions.PASS:
        return "a turn may be passed only without stock, or in the final lap by option (RULES sections 3 and 6)"
    if action == actions.SWAP_DUMMY:
        return "there is no dummy hand to take (RULES section 9)"
    if action == actions.SWAP_UPCARD:
        return "only the dealer may, before the first turn (RULES section 2, dealer_upcard_swap)"
    if rules.table != "stock_discard" and (action == actions.SWAP_ALL or action >= actions.TAKE_POOL):
        return f"this turn does not allow that exchange (RULES section 10, pool_exchange {rules.pool_exchange})"
    return f"not at this point of a {rules.table} table"


def _after_draw(game: Game, action: int) -> str:
    card = action - actions.DISCARD
    if not 0 <= card < len(CARDS):
        return "a card must be thrown now (RULES section 3)"
    if CARDS[card] == game.drawn:
        where = "10" if game.phase == "pool" else "3, return_taken_discard"
        return f"{CARDS[card]} was just taken and must be kept this turn (RULES section {where})"
    return f"{CARDS[card]} is not in the hand"


def _knock(game: Game) -> str:
    rules = game.rules
    if game.knocker is not None:
        return f"seat {game.knocker} has knocked already (RULES section 4)"
    if rules.first_turn_knock == "banned_first_turn" and game.turn_number == 0:
        return "nobody may knock on the first turn (RULES section 4, first_turn_knock)"
    if rules.first_turn_knock == "banned_first_lap" and game.turn_number < game.players - len(game.out):
        return "nobody may knock in the first lap (RULES section 4, first_turn_knock)"
    if rules.table != "stock_discard":
        return "nobody may knock after an exchange in the same turn (RULES section 10, pool_exchange)"
    return f"a knock needs a worth of {rules.knock_min} (RULES section 4, knock_min)"
