"""Games whose policies are asked from Python, many games at once. A fault ends its own game, and no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from thirtyone_agents.policy import Keys, Policy, Views, has_memory
from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_names
from thirtyone_env.core.layout import V_LEGAL, VIEW_WORDS
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_keys
from thirtyone_eval.guard import Fault
from thirtyone_eval.outcomes import Forfeit

MOST_HANGS = 3  # time-outs or deaths of its process, after which a policy is not asked any more in this process
Answer = int | Fault


class Table:
    """A game under way, who sits there, and the numbers that key its decisions.

    Attributes:
        fault: seat and fault that ended the game early, or None.
    """

    def __init__(self, game: Game, policies: Sequence[Policy], match: int) -> None:
        self.game = game
        self.policies = policies
        self.match = match
        self.deal = game.deal_number
        self.decision = 0
        self.fault: tuple[int, Fault] | None = None

    @property
    def asked(self) -> Policy | None:
        """The policy that is to move; None when the game has ended."""
        seat = self.game.turn
        return None if seat is None or self.fault is not None else self.policies[seat]

    def take(self, answer: Answer) -> None:
        """Play an answer, or end the game by a fault."""
        if isinstance(answer, Fault):
            assert self.game.turn is not None
            self.fault = (self.game.turn, answer)
            return
        self.game.play(answer)
        self.decision += 1
        if self.game.deal_number != self.deal:
            self.deal, self.decision = self.game.deal_number, 0

    def forfeit(self, row: int) -> Forfeit | None:
        """The forfeit by which game ``row`` of a block ended, if one did."""
        if self.fault is None:
            return None
        seat, fault = self.fault
        return Forfeit(row, seat, fault.reason, str(fault))


class Desk:
    """Asks policies and takes what comes: an action or a fault for each view. Keeps count of who hangs."""

    def __init__(self) -> None:
        self._hangs: Counter[int] = Counter()
        self._most: dict[int, int] = {}  # views that a policy is asked about at once, after longer questions failed

    def ask(self, policy: Policy, views: Views, keys: Keys) -> list[Answer]:
        """Answers to the views, uint64 ``[n, 32]``. A question that fails as a whole is asked again in halves."""
        if self._hangs[id(policy)] >= MOST_HANGS:
            text = f"{policy.name} is not asked any more after {MOST_HANGS} time-outs or deaths of its process"
            return [Fault("barred", text)] * len(views)
        most = self._most.get(id(policy), len(views))
        if len(views) > most:
            return self._in_parts(policy, views, keys, most)
        try:
            return checked(policy, policy.act(views, keys), views)
        except Exception as error:
            fault = error if isinstance(error, Fault) else Fault("crash", _told(policy, error))
        if len(views) == 1:
            self._hangs[id(policy)] += fault.reason in ("timeout", "died")
            return [fault]
        if fault.reason in ("timeout", "died"):
            self._most[id(policy)] = len(views) // 2
        return self._in_parts(policy, views, keys, len(views) // 2)

    def _in_parts(self, policy: Policy, views: Views, keys: Keys, size: int) -> list[Answer]:
        answers: list[Answer] = []
        for start in range(0, len(views), size):
            part = slice(start, start + size)
            answers += self.ask(policy, views[part], keys[part])
        return answers

    def begin(self, table: Table) -> None:
        """Tell policies with memory that a match begins; one that fails forfeits it."""
        for seat, policy in enumerate(table.policies):
            if has_memory(policy) and policy not in table.policies[:seat]:
                try:
                    policy.begin(1)
                except Exception as error:
                    fault = error if isinstance(error, Fault) else Fault("crash", _told(policy, error))
                    table.fault = table.fault or (seat, fault)


def checked(policy: Policy, answer: object, views: Views) -> list[Answer]:
    """What a policy answered: an action, or for illegal ones a fault.

    Raises:
        Fault: it is no array of whole numbers, one a view.
    """
    actions = np.asarray(answer)
    if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
        got = answer if isinstance(answer, str) else f"{actions.dtype} {list(actions.shape)}"
        raise Fault("nonsense", f"{policy.name} answered {got}: whole numbers [{len(views)}] are wanted")
    masks = views[:, V_LEGAL].tolist()
    return [_legal_or_fault(policy, action, mask) for action, mask in zip(actions.tolist(), masks, strict=True)]


def _legal_or_fault(policy: Policy, action: int, mask: int) -> Answer:
    if 0 <= action < NUM_ACTIONS and mask >> action & 1:
        return action
    shown = ACTION_NAMES[action] if 0 <= action < NUM_ACTIONS else f"action {action}"
    legal = ", ".join(mask_to_names(mask))
    return Fault("illegal", f"{policy.name} answered {shown}, which is not legal: legal are {legal}")


def _told(policy: Policy, error: Exception) -> str:
    return f"{policy.name} failed: {type(error).__name__}: {' '.join(str(error).split())[:300]}"


def play_tables(tables: Sequence[Table], seed: int, desk: Desk) -> None:
    """Play games to their ends, each policy asked about many at once. No game depends on the others.

    Policies with memory are asked about one match at a time.
    """
    for group in _groups(tables, desk):
        waiting = list(group)
        while waiting := [table for table in waiting if table.asked is not None]:
            by_policy: dict[int, list[Table]] = {}
            for table in waiting:
                by_policy.setdefault(id(table.asked), []).append(table)
            for asked in by_policy.values():
                policy = asked[0].asked
                assert policy is not None
                for table, answer in zip(asked, desk.ask(policy, *_questions(asked, seed)), strict=True):
                    table.take(answer)


def _groups(tables: Iterable[Table], desk: Desk) -> Iterator[list[Table]]:
    together = []
    for table in tables:
        if not any(has_memory(policy) for policy in table.policies):
            together.append(table)
            continue
        desk.begin(table)
        yield [table]
    yield together


def _questions(tables: Sequence[Table], seed: int) -> tuple[Views, Keys]:
    views = np.empty((len(tables), VIEW_WORDS), dtype=np.uint64)
    parts = []
    for row, table in enumerate(tables):
        seat = table.game.turn or 0
        table.game.write_view(seat, views, row)
        parts.append((table.match, table.deal, table.decision, seat))
    match, deal, decision, seats = np.array(parts, dtype=np.uint64).T
    return views, decision_keys(seed, match, deal, decision, seats)
