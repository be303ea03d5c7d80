"""The policies of a tournament: loaded by name, labelled, and checked against what they will play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from thirtyone_agents.policy import Policy, fingerprint
from thirtyone_agents.registry import load
from thirtyone_eval.config import TournamentConfig
from thirtyone_eval.guard import Guarded, is_ours


@dataclass(frozen=True)
class Entrant:
    """A policy that takes part.

    Attributes:
        label: what it is called in results; a second copy of ``random`` is ``random#2``.
        name: by which it was loaded.
        fingerprint: tells it from any other, also from another file of that name.
        policy: the policy itself.
    """

    label: str
    name: str
    fingerprint: str
    policy: Policy

    @property
    def identity(self) -> str:
        """What the policy is, however it is called: the hash in its fingerprint, or the whole where there is none."""
        return self.fingerprint.rpartition(" sha256:")[2]


def load_entrants(names: Sequence[str | Policy]) -> list[Entrant]:
    """Entrants in an order of their own (`in_order`), so that the order in a config changes nothing.

    Args:
        names: names as the user typed them (they may read files and import code), or policies.

    Raises:
        UserError: a name finds no policy.
    """
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        policy = load(name, allow_code=True)
        seen[policy.name] += 1
        copy = seen[policy.name]
        label = policy.name if copy == 1 else f"{policy.name}#{copy}"
        found.append(Entrant(label, name if isinstance(name, str) else policy.name, fingerprint(policy), policy))
    return in_order(found)


def in_order(entrants: Iterable[Entrant]) -> list[Entrant]:
    """Entrants in the order of what they are; copies of one in that of their labels.

    Who meets whom, and in which of several seatings, comes from the place in this order where not all tables and
    seatings are played. So it must depend neither on the order in which policies are named nor on how they are called.
    """
    return sorted(entrants, key=lambda one: (one.identity, one.label))


def check_entrants(entrants: Sequence[Entrant], config: TournamentConfig) -> None:
    """Refuse policies that do not fit a variant or a table size.

    Raises:
        UserError: one does not fit; the text names it.
    """
    for _, rules in config.variants():
        for players in config.players:
            for entrant in entrants:
                check = getattr(entrant.policy, "check", None)
                if check is not None:
                    check(rules, players)


@contextmanager
def guarded(entrants: Sequence[Entrant], seconds: float, by_name: bool) -> Iterator[list[Entrant]]:
    """The entrants, with each policy that is not ours behind a process of its own.

    Args:
        entrants: as they were loaded.
        seconds: limit for a question.
        by_name: the process loads the policy by its name; else it is pickled.
    """
    guards = {
        one.label: Guarded(one.name if by_name else None, one.policy, seconds)
        for one in entrants
        if not is_ours(one.policy)
    }
    try:
        yield [replace(one, policy=guards.get(one.label, one.policy)) for one in entrants]
    finally:
        for guard in guards.values():
            guard.close()
