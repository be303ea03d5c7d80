"""Imitating a policy before reinforcement learning begins: what it would do, learned from games it plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from thirtyone_env.learner_games import LearnerGames
from thirtyone_train.policy import PlainPolicy


class Lesson(NamedTuple):
    """Decisions of the teacher: what it saw, what it might do, what it did, and the rewards that followed."""

    observations: npt.NDArray[np.int8]  # [n, d]
    masks: npt.NDArray[np.bool_]  # [n, 63]
    actions: npt.NDArray[np.int64]  # [n]
    returns: npt.NDArray[
        np.float32
    ]  # [n], discounted; to the end of the lesson where an episode was cut by it


def record_lesson(games: LearnerGames, teacher: Any, steps: int, gamma: float) -> Lesson:
    """Let the teacher play ``steps`` steps of every game."""
    count, columns = games.observations.shape
    observations = np.empty((steps, count, columns), dtype=np.int8)
    masks = np.empty((steps, *games.masks.shape), dtype=np.bool_)
    actions = np.empty((steps, count), dtype=np.int64)
    rewards, ends = np.empty((steps, count)), np.empty((steps, count), dtype=np.bool_)
    for step in range(steps):
        observations[step], masks[step] = games.observations, games.masks
        actions[step] = games.advise(teacher)
        games.step(actions[step])
        rewards[step], ends[step] = games.rewards, games.ends != 0
    returns = np.zeros((steps, count))
    after = np.zeros(count)
    for step in reversed(range(steps)):
        after = rewards[step] + gamma * np.where(ends[step], 0.0, after)
        returns[step] = after
    flat = steps * count
    return Lesson(
        observations.reshape(flat, columns),
        masks.reshape(flat, -1),
        actions.reshape(flat),
        returns.reshape(flat).astype(np.float32),
    )


def imitate(
    policy: PlainPolicy,
    lesson: Lesson,
    generator: np.random.Generator,
    epochs: int,
    batch_size: int,
    learning_rate: float,
    report: Callable[[int, int], Any],
) -> float:
    """Fit actor and critic to a lesson.

    Args:
        policy: changed in place.
        lesson: the teacher's decisions.
        generator: shuffles them.
        epochs: passes over the lesson.
        batch_size: decisions a step.
        learning_rate: of Adam at the start; it falls to zero in a straight line.
        report: called with the gradient steps done and their number.

    Returns:
        The part of the last pass's decisions in which the likeliest action was the teacher's.
    """
    optimizer = torch.optim.Adam(policy.parameters(), lr=learning_rate)
    batches = max(len(lesson.actions) // batch_size, 1)
    right, done = 0, 0
    for epoch in range(epochs):
        order = generator.permutation(len(lesson.actions))
        for batch in np.array_split(order, batches):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * (1 - done / (epochs * batches))
            hits = _one_step(policy, optimizer, lesson, batch)
            right += hits if epoch == epochs - 1 else 0
            done += 1
            report(done, epochs * batches)
    return right / len(lesson.actions)


def _one_step(policy: PlainPolicy, optimizer: Any, lesson: Lesson, batch: npt.NDArray[np.int64]) -> int:
    actions = torch.as_tensor(lesson.actions[batch])
    logits, values = policy.logits_and_values(torch.as_tensor(lesson.observations[batch]).float())
    logits = logits.masked_fill(~torch.as_tensor(lesson.masks[batch]), -1e8)
    loss = functional.cross_entropy(logits, actions)
    loss = loss + 0.5 * functional.mse_loss(values, torch.as_tensor(lesson.returns[batch]))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optimizer.step()
    return int((logits.argmax(dim=1) == actions).sum())
