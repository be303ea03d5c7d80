"""MaskablePPO's whole ``learn()`` on our games beside the usual PettingZoo-to-SB3 wrapper: steps a second and strength.

Three contestants, all `sb3_contrib.MaskablePPO` on Pagat's rules with three players, single-threaded torch:

- ``tutorial``: the AEC environment wrapped into one Gymnasium environment, in the way of PettingZoo's tutorial on SB3
  with action masks; the learner plays every seat, and a step is the action of any seat. 8 environments,
  SB3's defaults (2,048 steps, batches of 64, 10 epochs).
- ``one seat``: the same wrapper, but the learner has one seat, drawn for each round; the others are baselines drawn for
  each round and asked inside the wrapper. 8 environments, SB3's defaults.
- ``ours``: what `thirtyone train sb3 pagat` does: 256 games in one `LearnerVecEnv`, 64 steps, batches of 2,048,
  2 epochs, the same baselines as opponents; `tips` is imitated first where strength is measured.

Each wrapper's 8 environments are stepped by SB3's `DummyVecEnv` and by its `SubprocVecEnv`; the faster one counts.
Speeds are told by the clock; where all runs in one process, also by CPU seconds, which other work on the machine hardly
changes. Time to learn is counted in CPU seconds of the one process, so it is a minute of a core to each. A step of the
tutorial's wrapper is an action of any seat, a step of the others a decision of the learner (and all replies to it).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo.utils
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

from thirtyone_agents.learned import load_agent
from thirtyone_agents.registry import load
from thirtyone_env import thirtyone_v0
from thirtyone_env.files import write_text
from thirtyone_eval.config import parse_config
from thirtyone_eval.entrants import Entrant
from thirtyone_eval.provenance import load as machine_load
from thirtyone_eval.provenance import provenance
from thirtyone_eval.results import result_data
from thirtyone_eval.run import run_tournament
from thirtyone_train.config import load_config
from thirtyone_train.torch_policy import TorchPolicy
from thirtyone_train.trainer import make_model, train

ENVIRONMENTS = 8
PLAYERS = 3
OPPONENTS = tuple(load_config("pagat").opponents)


class EverySeat(pettingzoo.utils.BaseWrapper, gymnasium.Env):
    """The AEC environment as one Gymnasium environment in which the learner acts for every seat in turn.

    What is returned belongs to the seat that acted, but for the observation, which is that of the seat to move next.
    """

    def __init__(self) -> None:
        super().__init__(thirtyone_v0.env(rules="pagat", players=PLAYERS, episode="round"))
        first = self.possible_agents[0]
        self.observation_space = self.env.observation_space(first)["observation"]
        self.action_space = self.env.action_space(first)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        self.env.reset(seed, options)
        return self._seen(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        env = self.env
        agent = env.agent_selection
        env.step(int(action))
        return self._seen(), float(env.rewards[agent]), env.terminations[agent], env.truncations[agent], {}

    def action_masks(self) -> np.ndarray:
        """Legal actions of the seat to move."""
        return self.env.observe(self.env.agent_selection)["action_mask"].astype(bool)

    def _seen(self) -> Any:
        return self.env.observe(self.env.agent_selection)["observation"]


class OneSeat(EverySeat):
    """The learner has one seat, drawn for each round; the others are played by baselines drawn for each round."""

    def __init__(self) -> None:
        super().__init__()
        self._pool = [load(name) for name in OPPONENTS]
        self._draw = np.random.default_rng(0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        if seed is not None:
            self._draw = np.random.default_rng(seed)
        while True:  # a round may end before the learner is to move
            self.env.reset(seed, options)
            seed = None
            self._mine = self.possible_agents[int(self._draw.integers(PLAYERS))]
            drawn = self._draw.integers(len(self._pool), size=PLAYERS)
            self._table = dict(zip(self.possible_agents, drawn.tolist(), strict=True))
            self._play_on()
            if not self.env.terminations[self._mine]:
                return self._seen(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.env.step(int(action))
        self._play_on()
        over = bool(self.env.terminations[self._mine])
        paid = float(self.env._cumulative_rewards[self._mine]) if over else 0.0
        return self.env.observe(self._mine)["observation"], paid, over, False, {}

    def action_masks(self) -> np.ndarray:
        """Legal actions of the learner."""
        return self.env.observe(self._mine)["action_mask"].astype(bool)

    def _play_on(self) -> None:
        env, game = self.env, self.env.unwrapped.game
        while env.agents and env.agent_selection != self._mine and not any(env.terminations.values()):
            policy = self._pool[self._table[env.agent_selection]]
            key = np.array([self._draw.integers(1 << 63)], dtype=np.uint64)
            env.step(int(policy.act(game.view(game.turn)[None], key)[0]))

    def _seen(self) -> Any:
        return self.env.observe(self._mine)["observation"]


WRAPPERS: dict[str, Callable[[], gymnasium.Env]] = {"tutorial": EverySeat, "one seat": OneSeat}


def wrapper_model(name: str, processes: bool, seed: int) -> MaskablePPO:
    """SB3's defaults on 8 wrapped environments."""
    kind = SubprocVecEnv if processes else DummyVecEnv
    return MaskablePPO(MaskableActorCriticPolicy, kind([WRAPPERS[name]] * ENVIRONMENTS), seed=seed, device="cpu")


def our_model(seed: int) -> MaskablePPO:
    """As the shipped config trains."""
    return make_model(load_config("pagat", [f"seed={seed}"]))


def learn_speed(model: MaskablePPO, steps: int) -> dict[str, float]:
    """Steps of a whole ``learn()``, playing and fitting, by seconds of the clock and of this process."""
    started, used = time.perf_counter(), time.process_time()
    model.learn(steps)
    clock, cpu = time.perf_counter() - started, time.process_time() - used
    return {"clock": round(model.num_timesteps / clock), "cpu": round(model.num_timesteps / cpu)}


def speeds(rounds: int) -> dict[str, list[dict[str, float]]]:
    """Steps a second of each contestant in each round, turn about."""
    found: dict[str, list[dict[str, float]]] = {}
    for turn in range(rounds):
        for name in WRAPPERS:
            for processes in (False, True):
                label = f"{name}, {'SubprocVecEnv' if processes else 'DummyVecEnv'}"
                model = wrapper_model(name, processes, turn)
                found.setdefault(label, []).append(learn_speed(model, model.n_steps * ENVIRONMENTS))
                model.get_env().close()
                if processes:
                    del found[label][-1]["cpu"]  # the environments' processes are not in it
                print(label, found[label][-1], flush=True)
        model = our_model(turn)
        model.learn(1)  # what the first call of everything costs is not counted
        model.num_timesteps = 0
        found.setdefault("ours", []).append(learn_speed(model, 4 * model.n_steps * model.n_envs))
        print("ours", found["ours"][-1], flush=True)
    return found


class Until(BaseCallback):
    """Ends learning after the rollout in which the time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.stop = time.process_time() + seconds
        self.over = False

    def _on_rollout_start(self) -> None:
        self.over = time.process_time() > self.stop

    def _on_step(self) -> bool:
        return not self.over


def wrapper_agent(name: str, seconds: float, seed: int) -> tuple[TorchPolicy, dict[str, float]]:
    """A wrapper's agent after so many CPU seconds and the end of its rollout; it takes the likeliest action."""
    model = wrapper_model(name, False, seed)
    started = time.process_time()
    model.learn(1 << 30, callback=Until(seconds))
    spent = time.process_time() - started
    network: Any = model.policy

    def logits(observations: torch.Tensor) -> torch.Tensor:
        return network.action_net(network.mlp_extractor.forward_actor(network.extract_features(observations)))

    told = {"cpu_seconds": round(spent, 1), "steps": model.num_timesteps}
    return TorchPolicy(logits, PLAYERS, f"{name}, {seconds:g} s"), told


def our_agent(seconds: float, rate: float, seed: int, folder: Path) -> tuple[Any, dict[str, float]]:
    """Our agent after not more than so many CPU seconds; ``rate`` is its steps in one of them.

    A third of the time is left to imitation. There are no scorings on the way.
    """
    steps = int(rate * seconds * 2 / 3)
    changes = [f"budget.steps={steps}", f"seed={seed}", "evaluation.times=0"]
    started = time.process_time()
    result = train(load_config("pagat", changes), folder, say=print)
    told = {"cpu_seconds": round(time.process_time() - started, 1), "steps": result.steps}
    policy = load_agent(folder)
    policy.name = f"ours, {seconds:g} s"
    return policy, told


def ranking(policies: list[Any], deals: int, seed: int) -> list[dict[str, Any]]:
    """Lives lost in 100 rounds by each at tables of three drawn from all, on mirrored deals, with 95 % intervals."""
    config = parse_config(
        {"rules": "pagat", "players": PLAYERS, "policies": [one.name for one in policies], "tables": "all",
         "deals": deals, "seed": seed, "max_tables": 1000}
    )  # fmt: skip
    entrants = sorted(
        (Entrant(one.name, one.name, one.name, one) for one in policies), key=lambda one: one.label
    )
    data = result_data(run_tournament(config, entrants=entrants), {})
    keep = ("rank", "policy", "lives_per_100_rounds", "games", "beats")
    return [{key: row[key] for key in keep} for row in data["ranking"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=2, help="turns of the speed's measurement")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds of training for strength; 0: none")
    parser.add_argument("--long", type=float, default=0, help="CPU seconds: only the better wrapper, beside ours")
    parser.add_argument("--deals", type=int, default=300, help="mirrored deals a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("bench/results/sb3_whole_learn.json"))
    given = parser.parse_args()
    torch.set_num_threads(1)
    before, started = machine_load(), time.perf_counter()
    command = " ".join(["bench/sb3_whole_learn.py", *sys.argv[1:]])
    if given.long:  # added to an earlier comparison
        data = json.loads(given.out.read_text())
        data["long"] = part = long_run(given, data)
    else:
        data = part = compared(given)
    part["made"] = provenance(command, given.seed, time.perf_counter() - started, before)
    write_text(given.out, json.dumps(data, indent=1) + "\n")
    print(json.dumps(data, indent=1))


def compared(given: argparse.Namespace) -> dict[str, Any]:
    """Speed of all, and strength after the same time."""
    rates = speeds(given.rounds)
    medians = {name: statistics.median(one["clock"] for one in each) for name, each in rates.items()}
    cpu = {name: statistics.median(one["cpu"] for one in each) for name, each in rates.items() if "cpu" in each[0]}
    fastest = {
        name: max((one for one in medians if one.startswith(name)), key=medians.__getitem__) for name in WRAPPERS
    }
    data: dict[str, Any] = {
        "steps_per_second": rates,
        "ratio_by_clock": {name: round(medians["ours"] / medians[label], 1) for name, label in fastest.items()},
        "ratio_by_cpu": {name: round(cpu["ours"] / cpu[f"{name}, DummyVecEnv"], 1) for name in WRAPPERS},
        "settings": {"ours": load_config("pagat").ppo.model_dump(), "wrappers": "8 environments, SB3's defaults"},
    }
    if given.seconds:
        data["strength"] = strength(given, cpu["ours"], dict.fromkeys(WRAPPERS, given.seconds))
    return data


def long_run(given: argparse.Namespace, data: dict[str, Any]) -> dict[str, Any]:
    """Ours after ``--seconds`` beside the better wrapper of an earlier comparison after ``--long``."""
    rate = statistics.median(one["cpu"] for one in data["steps_per_second"]["ours"])
    order = [row["policy"].partition(",")[0] for row in data["strength"]["ranking"]]
    return strength(given, rate, {min(WRAPPERS, key=order.index): given.long})


def strength(given: argparse.Namespace, rate: float, wrappers: dict[str, float]) -> dict[str, Any]:
    """Our agent after ``--seconds`` and the wrappers' after theirs, ranked beside two baselines."""
    policies: list[Any] = [load("tips"), load("threshold:25")]
    spent: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        ours, spent["ours"] = our_agent(given.seconds, rate, given.seed, Path(folder) / "ours")
    policies.append(ours)
    for name, seconds in wrappers.items():
        agent, spent[name] = wrapper_agent(name, seconds, given.seed)
        policies.append(agent)
        print(f"{agent.name}: {spent[name]}", flush=True)
    return {"trained": spent, "ranking": ranking(policies, given.deals, given.seed), "deals_a_table": given.deals}


if __name__ == "__main__":
    main()
