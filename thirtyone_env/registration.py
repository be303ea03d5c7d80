"""The Gymnasium id, registered when `thirtyone_env` is imported."""

from __future__ import annotations

ENV_ID = "ThirtyOne-v0"


def register_envs() -> None:
    """Register ``ThirtyOne-v0``. Doing it twice does no harm."""
    from gymnasium.envs.registration import register, registry

    if ENV_ID not in registry:
        register(
            id=ENV_ID,
            entry_point="thirtyone_env.gym:ThirtyOneEnv",
            vector_entry_point="thirtyone_env.gym_vector:ThirtyOneVectorEnv",
        )
