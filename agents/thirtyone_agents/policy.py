"""What a policy is: something that answers a batch of views.

Nothing but the views and the keys decides: the same view with the same key gets the same action, whatever else is in
the batch and in whatever order. So games do not depend on the games played beside them.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from typing import Any, Protocol, TypeGuard, runtime_checkable

import numpy as np
import numpy.typing as npt

Views = npt.NDArray[np.uint64]
Keys = npt.NDArray[np.uint64]
Actions = npt.NDArray[np.int64]


@runtime_checkable
class Policy(Protocol):
    """A policy: a name, and an answer to each view.

    Optional beside these (`has_probabilities` and `has_memory` ask for them):

    - ``probabilities(views) -> float64 [n, 63]``: the chance of each action, summing to 1 a row.
    - ``begin(games: int)``: a match begins. A policy with memory is asked about one match at a time, in order.
    - ``check(rules, players)``: raises `UserError` where the policy does not fit, before anything is played.
    - ``fingerprint``: text that tells the policy from any other, for records.
    """

    @property
    def name(self) -> str:
        """The name by which the policy is found and shown, such as ``threshold:21``."""
        ...

    def act(self, views: Views, keys: Keys) -> Actions:
        """Actions for views of seats that are to move.

        Args:
            views: uint64 ``[n, 32]``; word ``V_LEGAL`` is the mask of the legal actions, never empty.
            keys: uint64 ``[n]``, one a decision; the only source of randomness.

        Returns:
            int64 ``[n]``: a legal action for each view.
        """
        ...


class WithProbabilities(Policy, Protocol):
    """A policy that tells how likely each of its actions is."""

    def probabilities(self, views: Views) -> npt.NDArray[np.float64]:
        """Chance of each action: float64 ``[n, 63]``, summing to 1 a row, zero where illegal."""
        ...


class WithMemory(Policy, Protocol):
    """A policy that remembers: it is told when a match begins."""

    def begin(self, games: int) -> None:
        """A match begins in each of ``games`` games; matches are played one at a time, so this is 1."""
        ...


def is_policy(thing: Any) -> TypeGuard[Policy]:
    """Whether something can be asked for actions; a class of policies cannot, only an object of it."""
    named = isinstance(getattr(thing, "name", None), str) and callable(getattr(thing, "act", None))
    return named and not isinstance(thing, type)


def has_probabilities(policy: Policy) -> TypeGuard[WithProbabilities]:
    """Whether a policy tells how likely its actions are."""
    return callable(getattr(policy, "probabilities", None))


def has_memory(policy: Policy) -> TypeGuard[WithMemory]:
    """Whether a policy wants to be told when a match begins."""
    return callable(getattr(policy, "begin", None))


def fingerprint(policy: Policy) -> str:
    """Text that tells a policy from any other: its own ``fingerprint``, else its name and a hash of its code's file."""
    own = getattr(policy, "fingerprint", None)
    if isinstance(own, str):
        return own
    try:
        source = Path(inspect.getfile(type(policy))).read_bytes()
    except (OSError, TypeError):  # typed at a prompt: there is no file
        return policy.name
    return f"{policy.name} sha256:{hashlib.sha256(source).hexdigest()[:16]}"
