"""What a round can be at most: its length, its chance, its rewards."""

from __future__ import annotations

from thirtyone_env.errors import UserError
from thirtyone_env.rules import Rules


def most_turns(rules: Rules, players: int) -> int:
    """Turns of all seats in a round: up to the limit, and a final lap where that is not cut.

    Raises:
        UserError: the rules have no turn limit.
    """
    if not rules.max_turns:
        raise UserError("max_turns=0 (no limit): a round may never end; give a limit of 1 to 1023")
    return int(rules.max_turns) + (0 if rules.stock_out == "show" else players - 1)


def most_decisions(rules: Rules, players: int) -> int:
    """Actions of all seats in a round."""
    turns = most_turns(rules, players)
    if rules.table == "stock_discard":
        return 2 * turns + (2 if rules.dealer_upcard_swap else 0)
    exchanges = 3 if rules.pool_exchange == "any" else 1
    return (2 * exchanges + 1) * turns + (1 if rules.dealer_packet else 0)


def most_chance_nodes(rules: Rules, players: int) -> int:
    """Cards of chance in a round: the deal, and a stock card or a new pool a turn."""
    turns = most_turns(rules, players)
    dealt = players * rules.hand_size + 4
    if rules.table == "stock_discard":
        return dealt + turns
    return dealt + (3 * turns if rules.all_pass_renews else 0)


def utility_bounds(rules: Rules, players: int) -> tuple[float, float]:
    """Least and most that a seat can get for a round; see `RoundResult.rewards_lives`."""
    others = players - 1
    if rules.settlement == "highest_takes_pot":
        return -1.0 / others, 1.0
    worst = min(_most_lost(rules), rules.lives + (1 if rules.county else 0))
    everyone = worst if rules.simultaneous_31 == 2 else (others - 1 + worst) / others
    if rules.life_transfer == "none":
        return -float(worst), float(everyone)
    return -worst * players / others, (others - 1 + worst) * players / others  # what one pays another receives


def _most_lost(rules: Rules) -> int:
    if rules.settlement == "below_knocker_loses":
        return 2
    asked = (rules.knock_penalty, rules.knocker_on_31, rules.simultaneous_31, rules.only_knocker_amount or 1)
    return max(int(value) for value in asked if value is not None)
