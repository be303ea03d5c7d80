"""Kindred engines beside ours, each where its package is installed: random play, actions a second on one core.

Where nothing else is said, actions are drawn beforehand and what is illegal is left to the game's own rules. That
favours the peers; ours chooses legal actions in the count.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
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


def tripletriad(legal: bool = False) -> Run:
    """PufferLib's card game in C, float32 observations of 114 numbers.

    Actions are any of the 15, drawn beforehand: most are illegal, and the game passes over those quickly. With
    ``legal`` they are drawn from those that the observation shows as legal, which is counted in, as with ours.
    """
    buffers = _buffers(np.float32, 114)
    env = _puffer("tripletriad", "CyTripleTriad")(*buffers, GAMES, 990, 690, 192, 250)
    rng = np.random.default_rng(0)
    if not legal:
        return _stepped(env, buffers, rng.integers(0, 15, (_STEPS, GAMES), dtype=np.int32))
    return _stepped(env, buffers, rng.integers(0, 1 << 30, (_STEPS, GAMES), dtype=np.int32), _legal_placements())


def _legal_placements() -> Any:
    """A compiled chooser for `tripletriad`: a card still in hand, or for a chosen card a free place on the board."""
    from numba import njit

    @njit
    def choose(observations: Any, drawn: Any, actions: Any) -> None:
        for game in range(len(actions)):
            low, high, first = (104, 109, 1) if observations[game, 24] < 0 else (0, 9, 6)
            free = 0
            for column in range(low, high):
                free += observations[game, column] == 0
            actions[game] = 0
            left = drawn[game] % max(free, 1)
            for column in range(low, high):
                if observations[game, column] == 0:
                    if left == 0:
                        actions[game] = first + column - low
                        break
                    left -= 1

    return choose


def squared() -> Run:
    """PufferLib's trivial game in C: a walk on a board of 11 by 11, whose observation is the board."""
    buffers = _buffers(np.uint8, 121)
    env = _puffer("squared", "CySquared")(*buffers, GAMES, 11)
    return _stepped(env, buffers, np.random.default_rng(0).integers(0, 5, (_STEPS, GAMES), dtype=np.int32))


def _buffers(dtype: Any, width: int) -> tuple[Any, ...]:
    """Observations, actions, rewards and ends. The C code keeps their addresses: whoever steps must keep the arrays."""
    numbers = np.zeros(GAMES, np.int32), np.zeros(GAMES, np.float32), np.zeros(GAMES, np.uint8)
    return np.zeros((GAMES, width), dtype), *numbers


def _stepped(
    env: Any, buffers: tuple[Any, ...], drawn: Any, choose: Callable[[Any, Any, Any], None] | None = None
) -> Run:
    """Step all games by rows of ``drawn``, which ``choose`` turns into actions, or which are actions already."""
    env.reset()

    def run() -> tuple[int, float]:
        observations, actions, _, ends = buffers
        before, ended = observations.copy(), 0
        started = time.perf_counter()
        for row in drawn:
            if choose is None:
                actions[:] = row
            else:
                choose(observations, row, actions)
            env.step()
            ended += int(ends.any())
        seconds = time.perf_counter() - started
        _moved(bool((observations != before).any()), ended)
        return drawn.size, seconds

    return run


def _moved(changed: bool, ended: int) -> None:
    """A benchmark asserts that games move and end.

    Raises:
        RuntimeError: they do not.
    """
    if not changed or not ended:
        raise RuntimeError(f"the games did not {'end' if changed else 'move'}: this would measure nothing")


def _puffer(game: str, name: str) -> Any:
    """A class of a compiled PufferLib game. Its Python part, which pins old releases of others, is not imported.

    Its C code calls a function named ``step``. The C library has an old ``step`` of its own, which would be called
    instead and does nothing for a game, unless the game's own names are bound first.
    """
    package = importlib.util.find_spec("pufferlib")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("pufferlib")
    folder = Path(package.submodule_search_locations[0]) / "ocean" / game
    (file,) = folder.glob(f"cy_{game}*.so")
    spec = importlib.util.spec_from_loader(f"cy_{game}", ExtensionFileLoader(f"cy_{game}", str(file)))
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"pufferlib.ocean.{game}")
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | getattr(os, "RTLD_DEEPBIND", 0))
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.setdlopenflags(flags)
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
        kept = jax.tree_util.tree_map(lambda new, old: jnp.where(after.terminated, new, old), fresh, after)
        return kept, after.terminated

    @jax.jit
    def play(states: Any, key: Any) -> Any:
        def body(states: Any, key: Any) -> tuple[Any, Any]:
            return jax.vmap(one)(states, jax.random.split(key, games))

        states, ended = jax.lax.scan(body, states, jax.random.split(key, 50))
        return states, ended.sum()

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    kept = {"states": jax.block_until_ready(play(states, jax.random.PRNGKey(1)))[0], "number": 1}

    def run() -> tuple[int, float]:
        kept["number"] += 1
        started = time.perf_counter()
        kept["states"], ended = jax.block_until_ready(play(kept["states"], jax.random.PRNGKey(kept["number"])))
        seconds = time.perf_counter() - started
        _moved(True, int(ended))
        return games * 50, seconds

    return run


def envpool_blackjack() -> Run:
    """EnvPool's blackjack, one thread."""
    import envpool

    env = envpool.make("Blackjack-v1", env_type="gymnasium", num_envs=GAMES, num_threads=1)
    env.reset()
    drawn = np.random.default_rng(0).integers(0, 2, (_STEPS, GAMES), dtype=np.int32)

    def run() -> tuple[int, float]:
        ended = 0
        started = time.perf_counter()
        for row in drawn:
            ended += int(env.step(row)[2].any())
        seconds = time.perf_counter() - started
        _moved(True, ended)
        return drawn.size, seconds

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
    ("PufferLib tripletriad, 1024 games, any action", "pufferlib", tripletriad),
    ("PufferLib tripletriad, legal actions", "pufferlib", lambda: tripletriad(legal=True)),
    ("PufferLib squared, 1024 games", "pufferlib", squared),
    ("Pgx leduc_holdem, 4096 games", "pgx", lambda: pgx_game("leduc_holdem")),
    ("Pgx sparrow_mahjong, 1024 games", "pgx", lambda: pgx_game("sparrow_mahjong", 1024)),
    ("EnvPool blackjack, 1024 games", "envpool", envpool_blackjack),
    ("OpenSpiel leduc_poker from Python", "pyspiel", openspiel_leduc),
)
