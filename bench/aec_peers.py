"""Speed of the environments beside kindred ones: actions a second with masks and observations, in one run.

Every contestant plays whole games one after the other; each action is chosen at random among the legal ones by the same
function. The contestants take turns, several rounds each, so that a busy machine hits all alike; a figure is the median
of the rounds, in CPU seconds of this process. Run it with `make bench`, which makes the peers' environment first.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

warnings.filterwarnings("ignore")
Play = Callable[[float], int]  # plays games until so many CPU seconds are over; actions played
_random = random.Random(7).random

# what is to be reached: contestant, yardstick, ratio to reach, ratio aimed at
TARGETS = (
    ("thirtyone raw_env", "pettingzoo leduc_holdem_v4 raw_env", 3.0, 5.0),
    ("thirtyone env()", "pettingzoo leduc_holdem_v4 env()", 2.5, 6.0),
    ("thirtyone Game", "open_spiel gin_rummy", 10.0, 10.0),
)


def choose(legal: Sequence[Any]) -> Any:
    """One of the legal actions: the same cheap chooser for all."""
    return legal[int(_random() * len(legal))]


def aec(env: Any) -> Play:
    """A PettingZoo environment, its observation and mask read before each action."""
    env.reset(seed=1)

    def play(seconds: float) -> int:
        actions = 0
        stop = time.process_time() + seconds
        while time.process_time() < stop:
            env.reset()
            for _ in env.agent_iter():
                seen, _, ended, cut, _ = env.last()
                if ended or cut:
                    env.step(None)
                    continue
                env.step(int(choose(seen["action_mask"].nonzero()[0])))
                actions += 1
        return actions

    return play


def thirtyone_aec(checked: bool, players: int) -> Play:
    from thirtyone_env import thirtyone_v0

    make = thirtyone_v0.env if checked else thirtyone_v0.raw_env
    return aec(make(rules="pagat", players=players))


def thirtyone_game(players: int) -> Play:
    from thirtyone_env import Game
    from thirtyone_env.actions import mask_to_ids

    def play(seconds: float) -> int:
        actions = 0
        seed = 0
        stop = time.process_time() + seconds
        while time.process_time() < stop:
            seed += 1
            game = Game("pagat", players, seed=seed)
            while not game.over:
                game.view(game.turn)
                game.play(choose(mask_to_ids(game.mask)))
                actions += 1
        return actions

    return play


def leduc(checked: bool) -> Play:
    from pettingzoo.classic import leduc_holdem_v4

    return aec((leduc_holdem_v4.env if checked else leduc_holdem_v4.raw_env)())


def rlcard_gin() -> Play:
    import rlcard

    env = rlcard.make("gin-rummy", config={"seed": 1})

    def play(seconds: float) -> int:
        actions = 0
        stop = time.process_time() + seconds
        while time.process_time() < stop:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(choose(list(state["legal_actions"])))
                actions += 1
        return actions

    return play


def open_spiel_gin() -> Play:
    import pyspiel

    gin = pyspiel.load_game("gin_rummy")

    def play(seconds: float) -> int:
        actions = 0
        stop = time.process_time() + seconds
        while time.process_time() < stop:
            state = gin.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(choose(state.chance_outcomes())[0])
                    continue
                state.observation_tensor()
                state.apply_action(choose(state.legal_actions()))
                actions += 1
        return actions

    return play


def do_nothing() -> Play:
    """The ceiling: an AEC environment with a Dict observation that does nothing at all."""
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class Nothing(AECEnv):
        metadata = {"name": "nothing_v0"}  # noqa: RUF012  # as in PettingZoo

        def __init__(self) -> None:
            self.possible_agents = ["player_0", "player_1", "player_2"]

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.agents = list(self.possible_agents)
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
            self.agent_selection = "player_0"
            self.turn = 0

        def observe(self, agent: str) -> Any:
            return {"observation": np.zeros(624, dtype=np.int8), "action_mask": np.ones(63, dtype=np.int8)}

        def action_space(self, agent: str) -> Any:
            return spaces.Discrete(63)

        def step(self, action: Any) -> None:
            if self.terminations[self.agent_selection]:
                self._was_dead_step(action)
                return
            self.turn += 1
            self.agent_selection = self.possible_agents[self.turn % 3]
            if self.turn == 60:
                self.terminations = dict.fromkeys(self.agents, True)

    return aec(Nothing())


CONTESTANTS: dict[str, Callable[[], Play]] = {
    "thirtyone raw_env": lambda: thirtyone_aec(False, 3),
    "thirtyone env()": lambda: thirtyone_aec(True, 3),
    "thirtyone Game": lambda: thirtyone_game(3),
    "pettingzoo leduc_holdem_v4 raw_env": lambda: leduc(False),
    "pettingzoo leduc_holdem_v4 env()": lambda: leduc(True),
    "rlcard gin-rummy": rlcard_gin,
    "open_spiel gin_rummy": open_spiel_gin,
    "an AEC environment that does nothing": do_nothing,
}


def measure(seconds: float, rounds: int) -> dict[str, list[float]]:
    """Actions a second of each contestant, a figure a round."""
    players = {name: make() for name, make in CONTESTANTS.items()}
    for play in players.values():
        play(0.2)
    rates: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds):
        for name, play in players.items():
            print(f"\rround {number + 1} of {rounds}: {name:<45}", end="", file=sys.stderr, flush=True)
            started = time.process_time()
            actions = play(seconds)
            rates[name].append(actions / (time.process_time() - started))
    print(file=sys.stderr)
    return rates


def versions() -> dict[str, str]:
    """Versions of what took part."""
    found = {"python": platform.python_version()}
    for name in ("thirtyone-env", "numpy", "numba", "gymnasium", "pettingzoo", "rlcard", "open_spiel"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "missing"
    return found


def report(rates: dict[str, list[float]], rounds: int, seconds: float) -> dict[str, Any]:
    """Everything that was measured, as plain data."""
    medians = {name: statistics.median(values) for name, values in rates.items()}
    ratios = [
        {"what": what, "beside": beside, "ratio": medians[what] / medians[beside], "to_reach": least, "aim": aim}
        for what, beside, least, aim in TARGETS
    ]
    return {
        "command": f"bench/aec_peers.py --seconds {seconds:g} --rounds {rounds}",
        "when": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(x, 2) for x in os.getloadavg()],
        "versions": versions(),
        "actions_a_second": {
            name: {"median": round(medians[name]), "all": [round(x) for x in rates[name]]} for name in rates
        },
        "ratios": ratios,
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor()


def show(data: dict[str, Any]) -> str:
    """The report as text."""
    lines = [f"load {data['load']}, {data['cores']} cores, {data['processor']}", ""]
    lines += [f"{name:<40} {rate['median']:>10,} actions/s" for name, rate in data["actions_a_second"].items()]
    lines.append("")
    for r in data["ratios"]:
        lines.append(f"{r['what']} is {r['ratio']:.1f} x {r['beside']} (to reach {r['to_reach']:g}, aim {r['aim']:g})")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds a contestant and round (1)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--out", type=Path, help="write the report to this JSON file")
    given = parser.parse_args()
    data = report(measure(given.seconds, given.rounds), given.rounds, given.seconds)
    print(show(data))
    if given.out is not None:
        given.out.parent.mkdir(parents=True, exist_ok=True)
        fresh = given.out.with_suffix(".json.new")
        fresh.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
        os.replace(fresh, given.out)
        print(f"\nwritten to {given.out}")


if __name__ == "__main__":
    main()
