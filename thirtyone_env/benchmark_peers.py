"""Kindred engines beside ours, each where its package is installed: random play, actions a second on one core.

Where nothing else is said, actions are drawn beforehand and what is illegal is left to the game's own rules. That
favours the peers; ours chooses legal actions in the count.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Any

import numpy as np

GAMES = 1024
PGX_GAMES = 4096
_STEPS = 200
Run = Callable[[], tuple[int, float]]  # actions played, seconds


def installed_peers() -> list[tuple[str, Callable[[], Run]]]:
    """Name and measurement of each peer whose package can be found."""
    return [(name, make) for name, package, make in _PEERS if importlib.util.find_spec(package) is not None]


def tripletriad() -> Run:
    """PufferLib's card game in C, float32 observations of 114 numbers.

    Actions are any of the 15: most are illegal, and the game passes over those quickly. With legal ones chosen by us
    its step did not return (2.0.2), so this is the fastest that it can look.
    """
    observations, actions, rewards, ends, rng = _buffers(np.float32, 114)
    env = _puffer("tripletriad", "CyTripleTriad")(observations, actions, rewards, ends, GAMES, 990, 690, 192, 250)
    return _stepped(env, actions, ends, rng.integers(0, 15, (_STEPS, GAMES), dtype=np.int32))


def squared() -> Run:
    """PufferLib's trivial game in C: a walk on a board of 11 by 11, whose observation is the board."""
    observations, actions, rewards, ends, rng = _buffers(np.uint8, 121)
    env = _puffer("squared", "CySquared")(observations, actions, rewards, ends, GAMES, 11)
    return _stepped(env, actions, ends, rng.integers(0, 5, (_STEPS, GAMES), dtype=np.int32))


def _buffers(dtype: Any, width: int) -> tuple[Any, ...]:
    return (
        np.zeros((GAMES, width), dtype), np.zeros(GAMES, np.int32), np.zeros(GAMES, np.float32),
        np.zeros(GAMES, np.uint8), np.random.default_rng(0),
    )


def _stepped(env: Any, actions: Any, ends: Any, drawn: Any) -> Run:
    env.reset()

    def run() -> tuple[int, float]:
        ended = 0
        started = time.perf_counter()
        for row in drawn:
            actions[:] = row
            env.step()
            ended += int(ends[0])
        return drawn.size, time.perf_counter() - started

    return run


def _puffer(game: str, name: str) -> Any:
    """A class of a compiled PufferLib game. Its Python part, which pins old releases of others, is not imported."""
    package = importlib.util.find_spec("pufferlib")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("pufferlib")
    folder = Path(package.submodule_search_locations[0]) / "ocean" / game
    (file,) = folder.glob(f"cy_{game}*.so")
    spec = importlib.util.spec_from_loader(f"cy_{game}", ExtensionFileLoader(f"cy_{game}", str(file)))
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"pufferlib.ocean.{game}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def pgx_game(game: str, games: int = PGX_GAMES) -> Run:
    """A game of Pgx, vectorised and compiled by JAX, legal actions drawn inside; ended games begin anew."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make(game)

    def one(state: Any, key: Any) -> Any:
        choose, begin = jax.random.split(key)
        action = jax.random.categorical(choose, jnp.where(state.legal_action_mask, 0.0, -1e9))
        after = env.step(state, action)
        fresh = env.init(begin)
        return jax.tree_util.tree_map(lambda new, old: jnp.where(after.terminated, new, old), fresh, after)

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        def body(states: Any, key: Any) -> tuple[Any, Any]:
            return jax.vmap(one)(states, jax.random.split(key, games)), None

        return jax.lax.scan(body, states, jax.random.split(key, 50))[0]

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    kept = {"states": jax.block_until_ready(play(states, jax.random.PRNGKey(1))), "number": 1}

    def run() -> tuple[int, float]:
        kept["number"] += 1
        started = time.perf_counter()
        kept["states"] = jax.block_until_ready(play(kept["states"], jax.random.PRNGKey(kept["number"])))
        return games * 50, time.perf_counter() - started

    return run


def envpool_blackjack() -> Run:
    """EnvPool's blackjack, one thread."""
    import envpool

    env = envpool.make("Blackjack-v1", env_type="gymnasium", num_envs=GAMES, num_threads=1)
    env.reset()
    drawn = np.random.default_rng(0).integers(0, 2, (_STEPS, GAMES), dtype=np.int32)

    def run() -> tuple[int, float]:
        started = time.perf_counter()
        for row in drawn:
            env.step(row)
        return drawn.size, time.perf_counter() - started

    return run


def openspiel_leduc() -> Run:
    """OpenSpiel's leduc poker from Python, with legal actions and the observation tensor of each decision."""
    import pyspiel

    game = pyspiel.load_game("leduc_poker")

    def run() -> tuple[int, float]:
        chooser = random.Random(0)
        played = 0
        started = time.perf_counter()
        while played < 20_000:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chooser.choice(state.chance_outcomes())[0])
                    continue
                state.observation_tensor(state.current_player())
                state.apply_action(chooser.choice(state.legal_actions()))
                played += 1
        return played, time.perf_counter() - started

    return run


_PEERS: tuple[tuple[str, str, Callable[[], Run]], ...] = (
    ("PufferLib tripletriad, 1024 games", "pufferlib", tripletriad),
    ("PufferLib squared, 1024 games", "pufferlib", squared),
    ("Pgx leduc_holdem, 4096 games", "pgx", lambda: pgx_game("leduc_holdem")),
    ("Pgx sparrow_mahjong, 1024 games", "pgx", lambda: pgx_game("sparrow_mahjong", 1024)),
    ("EnvPool blackjack, 1024 games", "envpool", envpool_blackjack),
    ("OpenSpiel leduc_poker from Python", "pyspiel", openspiel_leduc),
)
