"""Many games with a learner in each, stepped inside compiled code; numpy only, no learning library.

Opponents that compiled code cannot play (trained agents, objects with ``act``) are asked about many games at once.

Everything a trainer needs from the games goes through `LearnerGames`: observations, masks, rewards, ends, and the whole
state as arrays. A faster engine can take its place without the rest noticing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_names
from thirtyone_env.core import layout
from thirtyone_env.env_rewards import SCHEMES, scheme_of
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game_start import EPISODES, FIRST_DEALERS
from thirtyone_env.keys import decision_keys
from thirtyone_env.observation_table import size
from thirtyone_env.opponents import Outside, ask_many, is_compiled, name_of, policies_for_batch
from thirtyone_env.rules import Rules

_PADDING = (
    8  # games more than asked for in each row of the state: a row length of a power of two slows the caches
)
REWARDS = (*SCHEMES, "own")
_STATE = ("state", "tasks", "views", "owed", "observations", "masks")


class LearnerGames:
    """Games side by side, each at its learner's decision, the opponents' moves played in between.

    Compiled opponents (``random``, ``threshold:K``, ``tips``) move inside compiled code. Any other policy answers, in
    one call of its ``act(views: uint64 [n, 32], keys: uint64 [n])``, all games in which it is to move; this goes on
    until every game waits for its learner. The games are the same either way.

    Args:
        num_games: games, at least 1.
        rules: `Rules`, a preset's name, or a mapping of options.
        players: seats, 2 to 9.
        opponents: policies, or their names (``threshold:K``, ``learned:PATH``, whatever `thirtyone agents` lists).
            Exactly ``players - 1`` of them sit clockwise after the learner where ``ordered``; else every opponent of
            every episode draws one of them. A policy that remembers matches (has ``begin``) is refused.
        seed: whole number that fixes everything but the learner's actions.
        seat: the learner's seat, or None to draw it for each episode.
        episode: ``match``, ``round``, or ``deal``: every round is an episode of its own, so that a reward belongs to
            the round that earned it; in the even games of the batch it is a round of a running match, with tokens and
            deals as they stand there, in the odd ones a round by itself.
        reward: ``lives``, ``match``, or None for what `thirtyone_env.env_rewards.scheme_of` takes; or ``own``: what the
            learner gained less what the rule took from it, whatever befell the others, as tournaments of rounds count.
        ordered: whether each opponent has its seat.
        hands: whether the observations are followed by the hands of the other seats, clockwise from the learner's:
            53 columns each, the cards and the worth in half points. That is for critics; no player may see it.

    Attributes:
        columns: d, the columns of an observation without the hands.
        observations: int8 ``[games, d]``; the learner's view as numbers (and the hands after it where asked for).
        masks: int8 ``[games, 63]``; its legal actions.
        rewards: float64 ``[games]``; what the last step brought.
        ends: int8 ``[games]``; 0 goes on, 1 the episode ended, 2 it was cut off at ``max_deals``.
        last_observations: int8 ``[games, d]``; the end of the ended episodes, unset elsewhere.

    All are overwritten by the next step.

    Raises:
        UserError: an argument is wrong; the text names it and what is allowed.
    """

    def __init__(
        self,
        num_games: int,
        rules: Rules | str | Mapping[str, Any] = "pagat",
        players: int = 3,
        opponents: Sequence[Any] = ("threshold:21",),
        seed: int = 0,
        seat: int | None = None,
        episode: str = "match",
        reward: str | None = None,
        ordered: bool = False,
        hands: bool = False,
    ) -> None:
        self.rules = Rules.of(rules)
        self.players = self.rules.check_players(players)
        self.num_games = _at_least_one(num_games)
        self.opponents = policies_for_batch(opponents, self.rules, self.players)
        self._outside = Outside(self.opponents)
        self.episode = episode
        self.reward = checked_reward(self.rules, episode, reward)
        if ordered and len(self.opponents) != players - 1:
            names = [name_of(one) for one in self.opponents]
            raise UserError(
                f"opponents={names}: {players} players need {players - 1}, one for each other seat"
            )
        if seat is not None and seat not in range(players):
            raise UserError(f"seat={seat} is not in this game: 0 to {players - 1}, or None to draw it")
        self._how = self._settings(seat, ordered)
        self._pool = np.array([_kind(policy) for policy in self.opponents], dtype=np.uint64)
        self.columns = size(players)
        self._make_arrays(self.columns + (players - 1) * _core().HAND_COLUMNS * hands)
        self.begin(seed)

    def _settings(self, seat: int | None, ordered: bool) -> npt.NDArray[np.uint64]:
        core = _core()
        how = np.zeros(core.SETTINGS, dtype=np.uint64)
        how[core.H_SEAT] = core.ANY_SEAT if seat is None else seat
        how[core.H_ORDERED] = ordered
        how[core.H_SCHEME] = REWARDS.index(self.reward)
        how[core.H_CUT] = self.episode == "deal"
        how[core.H_PLACES] = self.players
        return how

    def _make_arrays(self, columns: int) -> None:
        n = self.num_games
        self.state = np.zeros((layout.state_words(self.players), n + _PADDING), dtype=np.uint64)
        self.state[int(layout.RULES0)], self.state[int(layout.RULES1)] = self.rules.packed
        way = FIRST_DEALERS.index(self.rules.first_dealer) << int(layout.FIRST_DEALER[1])
        self.state[int(layout.SEATS)] = self.players | way
        alone: Any = {"match": [], "round": slice(None), "deal": slice(1, None, 2)}[self.episode]
        self.state[int(layout.SEATS), alone] |= np.uint64(1 << int(layout.ROUND_EPISODE[1]))
        self.tasks = np.zeros((_core().TASK_WORDS, n + _PADDING), dtype=np.uint64)
        self.views = np.zeros((n, layout.VIEW_WORDS), dtype=np.uint64)
        self.owed = np.zeros(n)
        self.observations = np.zeros((n, columns), dtype=np.int8)
        self.last_observations = np.zeros((n, columns), dtype=np.int8)
        self.masks = np.zeros((n, NUM_ACTIONS), dtype=np.int8)
        self.rewards = np.zeros(n)
        self.ends = np.zeros(n, dtype=np.int8)
        self._asks = np.zeros((n, _core().QUESTION), dtype=np.uint64)
        self._answers = np.zeros(n, dtype=np.int64)

    # --- playing -----------------------------------------------------------------------------------------------

    def begin(self, seed: int) -> None:
        """Begin the first episode of every game under a seed, 0 to 2^64 - 1."""
        if isinstance(seed, bool) or not 0 <= int(seed) < 1 << 64:
            raise UserError(f"seed={seed!r} is not allowed: a whole number from 0 to 2^64 - 1")
        self.seed = int(seed)
        _core().begin_keys(self.tasks, self.seed)
        self._call(np.zeros(0, dtype=np.int64))

    def step(self, actions: npt.NDArray[np.integer[Any]]) -> None:
        """Play one action a game, and on to each learner's next decision; episodes that end are followed at once.

        Raises:
            IllegalAction: an action is not legal; the text names the game and what is legal. Or an opponent answered
                something illegal; the text names it. Whatever is raised, the games stand as before the step.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise UserError(f"actions are whole numbers, not {given.dtype}")
        chosen = np.array(given, dtype=np.int64, order="C")  # a copy: compiled code takes no read-only arrays
        if chosen.shape != (self.num_games,):
            raise UserError(
                f"actions of shape {list(chosen.shape)}: one for each of the {self.num_games} games is needed"
            )
        wrong = self._call(chosen)
        if wrong >= 0:
            raise IllegalAction(self._refusal(wrong, int(chosen[wrong])))

    def advise(self, policy: Any) -> npt.NDArray[np.int64]:
        """What a policy would do in each learner's place: int64 ``[games]``."""
        if not is_compiled(policy):
            return ask_many(policy, self.views, self._decision_keys())
        actions = np.empty(self.num_games, dtype=np.int64)
        _core().advise(self.state, self.tasks, self.views, policy.kind, policy.parameter, actions)
        return actions

    def _decision_keys(self) -> npt.NDArray[np.uint64]:
        """Keys of the learners' decisions, uint64 ``[games]``."""
        match, deal = (self._field(part) for part in (layout.MATCH_NO, layout.DEAL_NO))
        return decision_keys(self.episode_seeds, match, deal, self._task("T_DECISION"), self.seats)

    def _field(self, part: Any) -> npt.NDArray[np.uint64]:
        word, shift, mask = part
        return self.state[int(word), : self.num_games] >> np.uint64(shift) & np.uint64(mask)

    def _call(self, actions: npt.NDArray[np.int64]) -> int:
        """Step all games, and answer for the policies from outside; the first game whose action is illegal, or -1."""
        if not self._outside:
            return self._run(actions, 0)
        before = self.save()
        try:
            wrong = self._run(actions, 0)
            while self._outside.answer(self.views, self._asks, self._answers):
                self._run(self._answers, 1)
        except BaseException:  # a policy may raise anything, and the games would stand half-way
            self.load(before)
            self._asks[:] = 0
            raise
        return wrong

    def _run(self, actions: npt.NDArray[np.int64], answered: int) -> int:
        return int(
            _core().step_all(
                self.state, self.tasks, self.views, self._pool, self._how, self.owed, self.observations, self.masks,
                actions, self._asks, answered, self.last_observations, self.rewards, self.ends,
            )
        )  # fmt: skip

    def _refusal(self, game: int, action: int) -> str:
        legal = mask_to_names(int(self.views[game, layout.V_LEGAL]))
        named = ACTION_NAMES[action] if 0 <= action < NUM_ACTIONS else str(action)
        return f"game {game}: {named} is not legal now; legal are {', '.join(legal)}"

    # --- what stands on the tables -----------------------------------------------------------------------------

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The learner's seat in each game: int64 ``[games]``."""
        return self._task("T_LEARNER")

    @property
    def episode_seeds(self) -> npt.NDArray[np.uint64]:
        """Seed of each game's episode: ``Game(rules, players, seed)`` deals the same cards. uint64 ``[games]``."""
        return self.tasks[int(_core().T_SEED), : self.num_games].copy()

    def opponent_names(self, game: int) -> list[str | None]:
        """Who sits where in a game; None is the learner."""
        rows = self.tasks[int(_core().T_POLICY) :, game]
        learner = int(self.seats[game])
        return [
            None if seat == learner else name_of(self.opponents[int(rows[seat])])
            for seat in range(self.players)
        ]

    def _task(self, word: str) -> npt.NDArray[np.int64]:
        return self.tasks[int(getattr(_core(), word)), : self.num_games].astype(np.int64)

    # --- saving ------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of all arrays that decide how the games go on."""
        return {name: getattr(self, name).copy() for name in _STATE}

    def load(self, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from what `save` gave.

        Raises:
            UserError: an array is missing, or of another shape or type than these games have.
        """
        for name in _STATE:
            mine, given = getattr(self, name), arrays.get(name)
            if given is None or given.shape != mine.shape or given.dtype != mine.dtype:
                found = "missing" if given is None else f"{given.dtype} {list(given.shape)}"
                raise UserError(
                    f"saved games: {name} is {found}, but {mine.dtype} {list(mine.shape)} is needed"
                )
        for name in _STATE:
            getattr(self, name)[...] = arrays[name]


def _core() -> Any:
    """The compiled loop; compiled when first wanted."""
    from thirtyone_env.core import batch_learner

    return batch_learner


def _kind(policy: Any) -> tuple[int, int]:
    """Kind and parameter by which compiled code knows a policy."""
    return (policy.kind, policy.parameter) if is_compiled(policy) else (_core().OUTSIDE, 0)


def checked_reward(rules: Rules, episode: str, reward: str | None) -> str:
    """The name of the reward to use. Raises `UserError` where it does not go with the rules or the episode."""
    if episode not in (*EPISODES, "deal"):
        raise UserError(f"episode={episode!r}: allowed are match, round, deal")
    if reward == "own":
        scheme_of(rules, "match", "lives")  # wanted wherever there are lives
        return reward
    return scheme_of(rules, "match" if episode == "deal" else episode, reward)


def _at_least_one(num_games: int) -> int:
    if isinstance(num_games, bool) or not isinstance(num_games, int) or num_games < 1:
        raise UserError(f"num_games={num_games!r} is not allowed: a whole number from 1")
    return num_games
