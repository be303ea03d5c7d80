"""The network that MaskablePPO trains: a plain stack of layers, the first shared by actor and critic.

The actor's path (scale, linear layers, logits) is what `thirtyone_agents.learned` plays, so an agent is saved by
copying its weights.
"""

from __future__ import annotations

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


class ScaledTrunk(BaseFeaturesExtractor):
    """Observations divided by their greatest values, and the first layer, which actor and critic share."""

    def __init__(self, observation_space: spaces.Box, width: int) -> None:
        super().__init__(observation_space, features_dim=width)
        high = torch.as_tensor(observation_space.high, dtype=torch.float32)
        self.factor: torch.Tensor
        self.register_buffer("factor", 1.0 / high, persistent=False)
        self.layer = nn.Linear(high.shape[0], width)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Float32 ``[n, d]`` to ``[n, width]``."""
        scaled = self.layer.weight * self.factor  # cheaper than scaling every observation
        return torch.relu(functional.linear(observations, scaled, self.layer.bias))


class PlainPolicy(MaskableActorCriticPolicy):
    """Actor and critic on a `ScaledTrunk`, with logits cut off at `LOGIT_LIMIT`."""

    def __init__(self, observation_space: Any, action_space: Any, lr_schedule: Any, **options: Any) -> None:
        options.setdefault("activation_fn", nn.ReLU)
        super().__init__(observation_space, action_space, lr_schedule, **options)

    def _get_action_dist_from_latent(self, latent_pi: torch.Tensor) -> MaskableDistribution:
        logits = self.action_net(latent_pi).clamp(-LOGIT_LIMIT, LOGIT_LIMIT)
        return self.action_dist.proba_distribution(action_logits=logits)

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``[n, 63]``, no mask applied, and values ``[n]``."""
        latent_pi, latent_vf = self.mlp_extractor(self.extract_features(observations))
        logits = self.action_net(latent_pi).clamp(-LOGIT_LIMIT, LOGIT_LIMIT)
        return logits, self.value_net(latent_vf).flatten()


def policy_options(hidden: list[int]) -> dict[str, Any]:
    """MaskablePPO's ``policy_kwargs`` for hidden layers of these widths: the first is shared."""
    return {
        "features_extractor_class": ScaledTrunk,
        "features_extractor_kwargs": {"width": hidden[0]},
        "net_arch": {"pi": hidden[1:], "vf": hidden[1:]},
    }


def actor_layers(policy: PlainPolicy) -> list[Layer]:
    """Weight and bias of each layer from the scaled observation to the logits, as `save_agent` takes them."""
    inner = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
    trunk: Any = policy.features_extractor
    layers: list[Any] = [trunk.layer, *inner, policy.action_net]
    return [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for layer in layers]
