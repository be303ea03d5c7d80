"""The network that MaskablePPO trains: a plain stack of layers, the first shared by actor and critic.

The actor's path (scale, linear layers, logits) is what `thirtyone_agents.learned` plays, so an agent is saved by
copying its weights.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

from thirtyone_agents.network import Layer

# Logits beyond this are cut off. With chances down to e^-40 nothing that matters is lost, and the ratio of a new to an
# old chance stays finite in float32: unbounded logits end MaskablePPO with NaN once a chance moves from e^-1000 to 1.
LOGIT_LIMIT = 20.0
HANDS_WIDTH = 64


class Trunk(BaseFeaturesExtractor):
    """The first layer, on observations divided by their greatest values; actor and critic share it.

    Columns beyond ``columns`` are hands that only the critic may see; they have a layer of their own, whose output
    stands after that of the first.
    """

    def __init__(self, observation_space: spaces.Box, width: int, columns: int) -> None:
        high = torch.as_tensor(observation_space.high, dtype=torch.float32)
        beyond = high.shape[0] - columns
        hands_width = HANDS_WIDTH if beyond else 0
        super().__init__(observation_space, features_dim=width + hands_width)
        self.columns = columns
        self.factor: torch.Tensor
        self.register_buffer("factor", 1.0 / high, persistent=False)
        self.layer = nn.Linear(columns, width)
        self.hands_layer = nn.Linear(beyond, hands_width) if beyond else None

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 ``[n, d]`` to ``[n, width]``, or ``[n, width + HANDS_WIDTH]`` with hands."""
        own = _scaled(self.layer, observations[:, : self.columns], self.factor[: self.columns])
        if self.hands_layer is None:
            return own
        hands = _scaled(self.hands_layer, observations[:, self.columns :], self.factor[self.columns :])
        return torch.cat([own, hands], dim=1)


def _scaled(layer: nn.Linear, numbers: torch.Tensor, factor: torch.Tensor) -> torch.Tensor:
    """The layer on ``numbers * factor``; scaling the weights is cheaper than scaling every observation."""
    return torch.relu(functional.linear(numbers, layer.weight * factor, layer.bias))


class Heads(nn.Module):
    """The hidden layers of actor and critic after the trunk; the actor's see its first ``width`` outputs alone."""

    def __init__(self, width: int, features: int, hidden: list[int]) -> None:
        super().__init__()
        self.width = width
        self.policy_net = _stack([width, *hidden])
        self.value_net = _stack([features, *hidden])
        self.latent_dim_pi = hidden[-1] if hidden else width
        self.latent_dim_vf = hidden[-1] if hidden else features

    def forward(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.forward_actor(features), self.forward_critic(features)

    def forward_actor(self, features: torch.Tensor) -> torch.Tensor:
        """Float32 ``[n, latent_dim_pi]``."""
        return self.policy_net(features[:, : self.width])

    def forward_critic(self, features: torch.Tensor) -> torch.Tensor:
        """Float32 ``[n, latent_dim_vf]``."""
        return self.value_net(features)


def _stack(widths: list[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for wide, narrow in pairwise(widths):
        layers += [nn.Linear(wide, narrow), nn.ReLU()]
    return nn.Sequential(*layers)


class PlainPolicy(MaskableActorCriticPolicy):
    """Actor and critic on a `Trunk`, with logits cut off at `LOGIT_LIMIT`. ``net_arch`` is a list of hidden widths."""

    def _build_mlp_extractor(self) -> None:
        hidden: Any = self.net_arch
        trunk: Any = self.features_extractor
        self.mlp_extractor: Any = Heads(trunk.layer.out_features, trunk.features_dim, hidden)

    def _get_action_dist_from_latent(self, latent_pi: torch.Tensor) -> MaskableDistribution:
        logits = self.action_net(latent_pi).clamp(-LOGIT_LIMIT, LOGIT_LIMIT)
        return self.action_dist.proba_distribution(action_logits=logits)

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``[n, 63]``, no mask applied, and values ``[n]``."""
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(observations))
        logits = self.action_net(latent_pi).clamp(-LOGIT_LIMIT, LOGIT_LIMIT)
        return logits, self.value_net(latent_vf).flatten()


def policy_options(hidden: list[int], columns: int) -> dict[str, Any]:
    """MaskablePPO's ``policy_kwargs``: widths of the hidden layers, the first shared; columns that the actor sees."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"width": hidden[0], "columns": columns},
        "net_arch": hidden[1:],
    }


def actor_layers(policy: PlainPolicy) -> list[Layer]:
    """Weight and bias of each layer from the scaled observation to the logits, as `save_agent` takes them."""
    inner = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
    trunk: Any = policy.features_extractor
    layers: list[Any] = [trunk.layer, *inner, policy.action_net]
    return [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for layer in layers]
