"""Exact exploitability: how much a seat could gain against a policy if it knew the policy, on a game kept whole.

All seats play the policy; then each in turn plays its best answer against the others, which may depend on all that the
seat has seen and done (perfect recall), whatever the policy itself looks at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.policy import Policy, has_memory, has_probabilities
from thirtyone_agents.registry import load
from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_names
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.rules import Rules
from thirtyone_eval.solve.game import Floats, MiniGame, mini_game

_AT_ONCE = 1 << 15  # views that a policy is asked about at once


@dataclass(frozen=True)
class Exploitability:
    """How far a policy is from one that cannot be exploited; in lives a round (in pot games: shares of the pot).

    Attributes:
        values: what each seat gets where all play the policy.
        best: what each seat gets if it alone plays its best answer.
    """

    values: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def improvements(self) -> tuple[float, ...]:
        """What each seat gains by its best answer."""
        return tuple(best - value for best, value in zip(self.best, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """Sum of the improvements; 0 in an equilibrium."""
        return sum(self.improvements)

    @property
    def exploitability(self) -> float:
        """Mean improvement of a seat, which is what OpenSpiel calls exploitability."""
        return self.nash_conv / len(self.values)


def exploitability(
    game: MiniGame | Rules | str | Mapping[str, Any], policy: Policy | str, players: int = 2
) -> Exploitability:
    """Exact exploitability of a policy that plays all seats of a mini game.

    Args:
        game: a game kept whole (`mini_game`), which saves building it again; or rules or a preset's name.
        policy: one that tells its probabilities, or a name such as ``threshold:21``; names that read files need
            ``load(name, allow_code=True)`` first.
        players: seats, where the game is not built yet.

    Raises:
        UserError: the policy tells no probabilities or remembers, does not fit the game, or the game is too large.
        IllegalAction: it gives an illegal action a chance.
    """
    whole = game if isinstance(game, MiniGame) else mini_game(game, players)
    return judge(whole, strategy_of(whole, load(policy)))


def judge(game: MiniGame, strategy: Floats) -> Exploitability:
    """As `exploitability`, of a strategy: chance of each action in each information set, float64 ``[actions]``."""
    from thirtyone_eval.solve import kernels

    plan, gain, best = plan_of(game, strategy), game.blank(), np.zeros(game.actions)
    values, responses = [], []
    for seat, sets in enumerate(game.sets):
        kernels.pay_of_sequences(game.ends, game.pay, plan, seat, gain)
        ends = gain.copy()
        kernels.expect(sets, game.offset, game.parent, strategy, gain)
        values.append(float(gain[game.root(seat)]))
        kernels.respond(sets, game.offset, game.parent, ends, best)
        responses.append(float(ends[game.root(seat)]))
    return Exploitability(tuple(values), tuple(responses))


def best_response(game: MiniGame, strategy: Floats, seat: int) -> tuple[float, Floats]:
    """What ``seat`` gets by its best answer to the others' strategy, and that answer.

    Returns:
        The value, and the strategy with the seat's own sets replaced by the answer; float64 ``[actions]``.
    """
    from thirtyone_eval.solve import kernels

    gain, best = game.blank(), np.array(strategy)
    kernels.pay_of_sequences(game.ends, game.pay, plan_of(game, strategy), seat, gain)
    kernels.respond(game.sets[seat], game.offset, game.parent, gain, best)
    return float(gain[game.root(seat)]), best


def plan_of(game: MiniGame, strategy: Floats) -> Floats:
    """How likely each sequence is as far as its own seat decides; float64 ``[sequences]``."""
    from thirtyone_eval.solve import kernels

    plan = game.blank()
    for sets in game.sets:
        kernels.follow(sets, game.offset, game.parent, strategy, plan)
    return plan


def strategy_of(game: MiniGame, policy: Policy) -> Floats:
    """What a policy does in each information set: float64 ``[actions]``.

    Raises:
        UserError: it tells no probabilities, or remembers (so that a view does not tell what it does), or does not fit.
        IllegalAction: its probabilities are none, or it gives an illegal action a chance.
    """
    if not has_probabilities(policy):
        raise UserError(
            f"the policy {policy.name} tells no probabilities(views), so its exact exploitability cannot be computed"
        )
    if has_memory(policy):
        raise UserError(
            f"the policy {policy.name} remembers (it has begin), so a view does not tell what it does"
        )
    check = getattr(policy, "check", None)
    if check is not None:
        check(game.tree.rules, game.players)
    views = game.tree.views
    assert views is not None
    found = np.empty(game.actions)
    for begin in range(0, len(views), _AT_ONCE):
        some = views[begin : begin + _AT_ONCE]
        rows = slice(int(game.offset[begin]), int(game.offset[begin + len(some)]))
        found[rows] = _of_legal(policy, some, game.tree.set_mask[begin : begin + len(some)])
    return found


def _of_legal(policy: Any, views: npt.NDArray[np.uint64], masks: npt.NDArray[np.uint64]) -> Floats:
    """Probabilities of the legal actions, end to end, checked."""
    chances = np.asarray(policy.probabilities(views), dtype=np.float64)
    if chances.shape != (len(views), NUM_ACTIONS):
        raise IllegalAction(
            f"the policy {policy.name} answered probabilities {list(chances.shape)}: "
            f"[{len(views)}, {NUM_ACTIONS}] are wanted"
        )
    legal = (masks[:, None] >> np.arange(NUM_ACTIONS, dtype=np.uint64)) & np.uint64(1) != 0
    sums = chances.sum(axis=1)
    wrong = ~np.isfinite(sums) | (np.abs(sums - 1) > 1e-6) | (chances < 0).any(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        raise IllegalAction(
            f"the policy {policy.name} answered probabilities below 0, or that sum to {sums[row]:g} and not to 1"
        )
    outside = (chances > 0) & ~legal
    if outside.any():
        row, action = (int(i[0]) for i in np.nonzero(outside))
        raise IllegalAction(
            f"the policy {policy.name} gives {ACTION_NAMES[action]} a chance, which is not legal: "
            f"legal are {', '.join(mask_to_names(int(masks[row])))}"
        )
    result: Floats = (chances / sums[:, None])[legal]
    return result
