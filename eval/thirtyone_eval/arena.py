"""Games of compiled policies, played wholly in compiled code: the same games as when Python asks them, far sooner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

import numpy as np
import numpy.typing as npt

from thirtyone_agents.compiled import CompiledPolicy
from thirtyone_agents.policy import Policy
from thirtyone_env.core import layout
from thirtyone_env.core.rng import GOLDEN, STREAM_POLICY
from thirtyone_env.game_start import FIRST_DEALERS
from thirtyone_env.keys import decision_key, mix
from thirtyone_env.rules import Rules
from thirtyone_eval.outcomes import Games, Ints, Outcomes
from thirtyone_eval.records import action_ids

Words = npt.NDArray[np.uint64]
Floats32 = npt.NDArray[np.float32]
SEED_BITS = 53  # a whole number that JSON readers of any language keep exact


def deal_seed(seed: int, deal: int) -> int:
    """Seed of the cards of a deal, 0 to 2^53 - 1."""
    return decision_key(seed, deal) >> (64 - SEED_BITS)


def is_compiled(policy: Policy) -> TypeGuard[CompiledPolicy]:
    """Whether compiled code can play a policy; a class made from ours may answer otherwise, so it cannot."""
    return type(policy) is CompiledPolicy


def play_compiled(
    rules: Rules, players: int, episode: str, seed: int, games: Games, policies: Sequence[Policy], luck: bool = False
) -> Outcomes:
    """Play games in which only compiled policies sit; arguments as for `play.play_block`."""
    seeds, bases = _seeds(seed, games)
    kinds = _kinds(policies, games.seats)
    measured: Floats32 | None = None
    if luck:
        from thirtyone_eval.luck import fitted, run

        results, measured = run(rules, players, episode, seeds, bases, kinds, fitted(rules, players))
    else:
        results = _run(rules, players, episode, seeds, bases, kinds)
    lost, played, placings = results[:, : 3 * players].astype(np.int64).reshape(len(games), 3, players).swapaxes(0, 1)
    return Outcomes(
        lost=lost, played=played, places=_places(rules, episode, lost, placings),
        dealers=results[:, -3].astype(np.int64), rounds=results[:, -2].astype(np.int64), actions=[""] * len(games),
        luck=measured,
    )


def _seeds(seed: int, games: Games) -> tuple[Words, Words]:
    """Seed of the cards and base of the keys of each game."""
    deals, row_of = np.unique(games.deals, return_inverse=True)
    seeds = np.array([deal_seed(seed, int(deal)) for deal in deals], dtype=np.uint64)
    bases = np.array([_key_base(seed, int(deal)) for deal in deals], dtype=np.uint64)
    return seeds[row_of], bases[row_of]


def _run(rules: Rules, players: int, episode: str, seeds: Words, bases: Words, kinds: Words) -> Words:
    from thirtyone_env.core import batch_arena

    table = play_table(rules, players, episode)
    results = np.zeros((len(seeds), 3 * players + 3), dtype=np.uint64)
    batch_arena.play_games(
        table, np.zeros((len(table), 1), dtype=np.uint64), seeds, bases, kinds,
        np.empty((1, layout.VIEW_WORDS), dtype=np.uint64), results,
    )
    return results


def with_luck(rules: Rules, players: int, episode: str, seed: int, games: Games, outcomes: Outcomes) -> Outcomes:
    """Outcomes of games whose actions are known, with the luck in them: they are played again in compiled code."""
    from thirtyone_eval.luck import fitted, replayed

    texts = [action_ids(text) for text in outcomes.actions]
    luck = replayed(rules, players, episode, _seeds(seed, games)[0], texts, fitted(rules, players))
    return replace(outcomes, luck=luck)


def _key_base(seed: int, deal: int) -> int:
    """The part of `thirtyone_env.keys.decision_key` that is the same in a whole game."""
    return mix(mix(seed ^ int(STREAM_POLICY)) + (deal + 1) * int(GOLDEN))


def play_table(rules: Rules, players: int, episode: str) -> Words:
    """Words of a state that hold the rules and the seats; the rest is zero."""
    rules.check_players(players)
    table = np.zeros(layout.state_words(players), dtype=np.uint64)
    table[int(layout.RULES0)], table[int(layout.RULES1)] = rules.packed
    dealer = FIRST_DEALERS.index(rules.first_dealer) << int(layout.FIRST_DEALER[1])
    table[int(layout.SEATS)] = players | dealer | (episode == "round") << int(layout.ROUND_EPISODE[1])
    return table


def _kinds(policies: Sequence[Policy], seats: Ints) -> Words:
    """Kind and parameter of each seat's policy: uint64 ``[games, 2 * players]``."""
    known = np.array(
        [(one.kind, one.parameter) if is_compiled(one) else (0, 0) for one in policies], dtype=np.uint64
    )
    return np.ascontiguousarray(known[seats].reshape(len(seats), -1))


def _places(rules: Rules, episode: str, lost: Ints, placings: Ints) -> Ints:
    """See `outcomes.places_of`."""
    if episode == "match" or rules.settlement == "highest_takes_pot":
        return np.maximum(placings, 1)
    return 1 + (lost[:, None, :] < lost[:, :, None]).sum(axis=2)
