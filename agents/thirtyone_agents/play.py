"""The one adapter by which policies play games: it asks them, checks what they answer, and plays it.

An answer that is not legal is never played and never replaced by another: `decide` raises, naming the policy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_agents.policy import Actions, Keys, Policy, Views, has_memory
from thirtyone_agents.registry import load
from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_names
from thirtyone_env.core.layout import V_LEGAL, VIEW_WORDS
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game import Game
from thirtyone_env.game_start import checked_seed, checked_whole
from thirtyone_env.keys import decision_keys


@dataclass(frozen=True)
class MatchResult:
    """How a match ended.

    Attributes:
        policies: name of each seat's policy.
        winner: the seat that won alone, or None.
        placings: place of each seat, 1 the best; seats that went out together share one.
        rounds: rounds settled; the game's ``rounds`` has each of them.
        decisions: actions played.
    """

    policies: tuple[str, ...]
    winner: int | None
    placings: tuple[int | None, ...]
    rounds: int
    decisions: int


def decide(policy: Policy, views: Views, keys: Keys) -> Actions:
    """Actions of a policy, checked.

    Args:
        policy: whom to ask.
        views: uint64 ``[n, 32]`` of seats that are to move.
        keys: uint64 ``[n]``.

    Returns:
        int64 ``[n]``, legal ones.

    Raises:
        UserError: a view has no legal action (its seat is not to move), or the arrays have wrong shapes or types.
        IllegalAction: the policy answered something that is not legal, or no whole numbers.
    """
    _check_question(views, keys)
    answer = np.asarray(policy.act(views, keys))
    if answer.shape != (len(views),) or answer.dtype.kind not in "iu":
        got = f"{answer.dtype} {list(answer.shape)}"
        raise IllegalAction(
            f"the policy {policy.name} answered {got}: whole numbers [{len(views)}] are wanted"
        )
    wrong = (answer < 0) | (answer >= NUM_ACTIONS)
    actions = np.where(wrong, 0, answer).astype(np.int64)
    wrong |= views[:, V_LEGAL] >> actions.astype(np.uint64) & np.uint64(1) == 0
    if wrong.any():
        row = int(wrong.argmax())
        raise IllegalAction(_what_was_wrong(policy.name, int(answer[row]), int(views[row, V_LEGAL])))
    return actions


def _check_question(views: Views, keys: Keys) -> None:
    if views.dtype != np.uint64 or views.ndim != 2 or views.shape[1] != VIEW_WORDS:
        raise UserError(f"views are uint64 [n, {VIEW_WORDS}], not {views.dtype} {list(views.shape)}")
    if keys.dtype != np.uint64 or keys.shape != (len(views),):
        raise UserError(f"keys are uint64 [{len(views)}], one a view, not {keys.dtype} {list(keys.shape)}")
    empty = views[:, V_LEGAL] == 0
    if empty.any():
        raise UserError(
            f"view {int(empty.argmax())} has no legal action: only a seat that is to move can be asked"
        )


def _what_was_wrong(name: str, action: int, mask: int) -> str:
    shown = ACTION_NAMES[action] if 0 <= action < NUM_ACTIONS else f"action {action}"
    return (
        f"the policy {name} answered {shown}, which is not legal: legal are {', '.join(mask_to_names(mask))}"
    )


def decide_one(policy: Policy, game: Game, key: int) -> int:
    """The action that a policy chooses for the seat to move of a game, checked; see `decide`."""
    if game.turn is None:
        raise UserError("no seat is to move in this game")
    return int(decide(policy, game.view(game.turn)[None], np.array([key], dtype=np.uint64))[0])


def play_match(game: Game, policies: Sequence[Policy | str], seed: int = 0, match: int = 0) -> MatchResult:
    """Play a game to its end, a policy a seat.

    Args:
        game: any state of it; it is played on in place. Its cards must come by themselves.
        policies: one a seat, or names such as ``tips`` that `load` takes as they are.
        seed: of the policies' randomness; the cards have the game's own.
        match: number of the match under that seed.

    Raises:
        UserError: an argument is wrong, or the policies do not fit the game.
        IllegalAction: a policy answered something illegal; the game stands before that action.
    """
    return play_matches([game], [policies], seed, [match])[0]


def play_matches(
    games: Sequence[Game],
    seatings: Sequence[Sequence[Policy | str]],
    seed: int = 0,
    matches: Sequence[int] | None = None,
) -> list[MatchResult]:
    """Play games side by side, so that each policy is asked about many at once. No game depends on the others.

    Args:
        games: as for `play_match`.
        seatings: the policies (or names) of each game, one a seat; one object may sit in many games and seats.
        seed: of the policies' randomness.
        matches: number of each match under that seed, 0, 1, 2, ... by default.

    Raises:
        UserError: an argument is wrong, or the policies do not fit a game.
        IllegalAction: a policy answered something illegal.
    """
    checked_seed(seed)
    games, seatings = _listed("games", games), _listed("seatings", seatings)
    numbers = range(len(games)) if matches is None else _listed("matches", matches)
    if not len(games) == len(seatings) == len(numbers):
        counts = f"{len(games)} games, {len(seatings)} seatings and {len(numbers)} match numbers"
        raise UserError(f"{counts}: there must be as many of each")
    known: dict[str, Policy] = {}
    tables = [
        _Table(_game(game), _seated(seats, known), checked_whole("match", number, 0, 2**64 - 1))
        for game, seats, number in zip(games, seatings, numbers, strict=True)
    ]
    for group in _groups(tables):
        _play_side_by_side(group, seed)
    return [table.result() for table in tables]


def _listed(name: str, given: Any) -> Sequence[Any]:
    if isinstance(given, str) or not hasattr(given, "__len__") or not hasattr(given, "__getitem__"):
        raise UserError(f"{name} must be a list, not {given!r}")
    found: Sequence[Any] = given
    return found


def _game(game: Any) -> Game:
    if not isinstance(game, Game):
        raise UserError(f"{game!r} is no Game: make one, such as Game('pagat', players=4)")
    return game


def _seated(policies: Any, known: dict[str, Policy]) -> list[Policy]:
    """The policies of a table; a name is loaded once for all tables, so that it is asked about all of them at once."""
    seated = []
    for policy in _listed("policies", policies):
        if isinstance(policy, str):
            seated.append(known.setdefault(policy, known.get(policy) or load(policy)))
        else:
            seated.append(load(policy))
    return seated


class _Table:
    """A game, who sits there, and the numbers that key its decisions."""

    def __init__(self, game: Game, policies: Sequence[Policy], match: int) -> None:
        if len(policies) != game.players:
            raise UserError(f"{len(policies)} policies for {game.players} seats")
        for policy in policies:
            check = getattr(policy, "check", None)
            if check is not None:
                check(game.rules, game.players)
        self.game = game
        self.policies = policies
        self.match = match
        self.deal = game.deal_number
        self.decision = 0
        self.decisions = 0

    def play(self, action: int) -> None:
        self.game.play(action)
        self.decisions += 1
        self.decision += 1
        if self.game.deal_number != self.deal:
            self.deal, self.decision = self.game.deal_number, 0

    def result(self) -> MatchResult:
        game = self.game
        if not game.over:
            raise UserError("the game waits for a card: games that policies play need a seed")
        names = tuple(policy.name for policy in self.policies)
        return MatchResult(names, game.winner, tuple(game.placings), game.round_count, self.decisions)


def _groups(tables: list[_Table]) -> Iterator[list[_Table]]:
    """Tables that may be played side by side: policies with memory are asked about one match at a time."""
    together = []
    for table in tables:
        remembering = [policy for policy in table.policies if has_memory(policy)]
        if not remembering:
            together.append(table)
            continue
        for policy in {id(policy): policy for policy in remembering}.values():
            policy.begin(1)
        yield [table]
    if together:
        yield together


def _play_side_by_side(tables: list[_Table], seed: int) -> None:
    while tables := [table for table in tables if table.game.turn is not None]:
        asked: dict[int, list[_Table]] = {}
        for table in tables:
            asked.setdefault(id(table.policies[table.game.turn or 0]), []).append(table)
        for group in asked.values():
            policy = group[0].policies[group[0].game.turn or 0]
            views, keys = _questions(group, seed)
            for table, action in zip(group, decide(policy, views, keys).tolist(), strict=True):
                table.play(action)


def _questions(tables: list[_Table], seed: int) -> tuple[Views, npt.NDArray[np.uint64]]:
    views = np.empty((len(tables), VIEW_WORDS), dtype=np.uint64)
    parts = []
    for row, table in enumerate(tables):
        seat = table.game.turn or 0
        table.game.write_view(seat, views, row)
        parts.append((table.match, table.deal, table.decision, seat))
    match, deal, decision, seats = np.array(parts, dtype=np.uint64).T
    return views, decision_keys(seed, match, deal, decision, seats)
