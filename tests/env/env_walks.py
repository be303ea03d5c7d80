"""Random play of the environments, for their tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from thirtyone_env import Game, Rules
from thirtyone_env.actions import mask_to_ids

PRESETS = tuple(name for name in Rules.presets() if not name.startswith("mini_"))  # those are for 2 players


def players_of(preset: str) -> tuple[int, ...]:
    """Numbers of players worth testing under a preset."""
    return (2, 3, 5, 8 if preset == "schwimmen" else 9)


def random_action(observation: dict[str, Any], chance: random.Random, knock: float = 0.15) -> int:
    """A legal action; a knock only now and then, so that rounds have some length."""
    legal = [int(i) for i in observation["action_mask"].nonzero()[0]]
    others = [i for i in legal if i != 2]
    if len(others) < len(legal) and (not others or chance.random() < knock):
        return 2
    return chance.choice(others)


def walk(env: Any, seed: int, chance: random.Random, **options: Any) -> Iterator[tuple[str, Any, Any]]:
    """Play an episode; yields (agent, what `last` said, action) before each step."""
    env.reset(seed=seed, **options)
    for agent in env.agent_iter():
        told = env.last()
        action = None if told[2] or told[3] else random_action(told[0], chance)
        yield agent, told, action
        env.step(action)


def random_game(seed: int, preset: str = "pagat", players: int = 3, steps: int = 30, **options: Any) -> Game:
    """A game some random steps in (or over, if it ended before)."""
    chance = random.Random(seed)
    game = Game(preset, players, seed=seed, **options)
    for _ in range(steps):
        if game.over:
            break
        legal = mask_to_ids(game.mask)
        others = [a for a in legal if a != 2]
        game.play(chance.choice(others) if others and chance.random() > 0.1 else chance.choice(legal))
    return game
