"""TorchRL collects a few hundred steps of three players through `PettingZooWrapper`, with action masks."""

from __future__ import annotations

import warnings

import torch
from tensordict import TensorDictBase
from torchrl.envs import PettingZooWrapper
from torchrl.modules import MaskedCategorical

from thirtyone_env import thirtyone_v0
from thirtyone_env.skip_dead import SkipDead

PLAYERS = 3
STEPS = 600


def make_env(seed: int) -> PettingZooWrapper:
    env = SkipDead(thirtyone_v0.env(rules="pagat", players=PLAYERS))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested using version")
        return PettingZooWrapper(env, use_mask=True, seed=seed)


def mover(td: TensorDictBase) -> str:
    """The group whose turn it is: the one whose mask is true."""
    groups = [f"player_{seat}" for seat in range(PLAYERS) if bool(td[f"player_{seat}", "mask"].any())]
    assert len(groups) == 1, groups
    return groups[0]


def choose(td: TensorDictBase, net: torch.nn.Module) -> TensorDictBase:
    """An action for every group from one network; only the mover's counts."""
    for seat in range(PLAYERS):
        group = td[f"player_{seat}"]
        logits = net(group["observation", "observation"].float())
        group["action"] = MaskedCategorical(logits=logits, mask=group["action_mask"]).sample()
    return td


def check_return(returns: torch.Tensor) -> None:
    """A match pays as much as it takes."""
    assert abs(float(returns.sum())) < 1e-5, returns
    assert float(returns.max()) > 0, returns


def main() -> None:
    torch.manual_seed(0)
    env = make_env(seed=0)
    width = env.observation_spec["player_0", "observation", "observation"].shape[-1]
    actions = env.observation_spec["player_0", "action_mask"].shape[-1]
    net = torch.nn.Linear(width, actions)
    matches = 0
    returns = torch.zeros(PLAYERS)
    td = env.reset()
    for _ in range(STEPS):
        group = mover(td)
        td = env.step(choose(td, net))
        assert td[group, "action_mask"].gather(-1, td[group, "action"].unsqueeze(-1)).all()
        returns += torch.stack([td["next", f"player_{seat}", "reward"].squeeze() for seat in range(PLAYERS)])
        if bool(td["next", "done"]):
            check_return(returns)
            matches += 1
            returns.zero_()
            td = env.reset()
        else:
            td = td["next"]
    assert matches > 0, "no match ended"
    rollout = env.rollout(100)
    print(f"torchrl: {STEPS} steps, {matches} matches with action masks; rollout of {rollout.shape[0]} steps")


if __name__ == "__main__":
    main()
