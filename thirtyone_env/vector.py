"""`VectorGame`: thousands to millions of games in lock step."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import ACTION_NAMES, mask_to_names
from thirtyone_env.core import layout
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game_start import EPISODES, FIRST_DEALERS, checked_seed, checked_whole
from thirtyone_env.rules import Rules

SCHEMES = ("lives", "match")
_NO_ACTIONS = np.zeros(0, dtype=np.int64)
_FORMAT = "thirtyone-batch"
RulesLike = Rules | str | Mapping[str, Any]
Words = npt.NDArray[np.uint64]


class VectorGame:
    """Many games side by side, each by its own rules, seats and seed; a match that is over is followed by the next.

    ``Game(rules, players, seed=batch.seeds[i], match=m)`` is the m-th match of game *i*: the same actions give the
    same states, whatever the batch's size, its order and the number of threads.

    Args:
        num_games: how many.
        rules: one for all games, or one a game.
        players: seats, one number for all games or one a game.
        seed: makes the games' seeds.
        device: ``"cpu"``, the only one that games are stepped on so far.
        threads: threads that share the games.
        episode: ``"match"`` or ``"round"`` (every round is a match of its own).
        reward: ``"lives"`` or ``"match"``.
        checked: refuse illegal actions. Without the check an illegal action leaves a game in a state without meaning.
        seeds: the games' seeds themselves, uint64 ``[num_games]``, in place of ``seed``.

    Attributes (arrays that `step` writes; `use` puts the caller's own in their place):
        masks: uint64 ``[games]``, legal actions of the seat to move as bits.
        seats: int64 ``[games]``, the seat to move.
        rewards: float32 ``[games, seats]``, what the last step paid.
        ended: uint8 ``[games]``: 0 goes on, 1 a round has ended, 2 the match was won, 3 it was cut off (``max_deals``).
        results: uint64 ``[6, games]``, words of the state right after the last round was settled (``RESULT_FROM``).

    Raises:
        UserError: an argument is wrong; the text names it and what is allowed.
    """

    def __init__(
        self,
        num_games: int,
        rules: RulesLike | Sequence[RulesLike] = "pagat",
        players: int | Sequence[int] = 4,
        seed: int = 0,
        device: str = "cpu",
        threads: int = 1,
        episode: str = "match",
        reward: str = "lives",
        checked: bool = True,
        seeds: Sequence[int] | Words | None = None,
    ) -> None:
        from thirtyone_env.core import batch, batch_game

        _check_choice("device", device, ("cpu",))
        _check_choice("episode", episode, EPISODES)
        _check_choice("reward", reward, SCHEMES)
        num_games = checked_whole("num_games", num_games, 1)
        threads = checked_whole("threads", threads, 1)
        self._core = batch
        self._tallies = batch_game.TALLIES
        self.num_games = num_games
        self.threads = threads
        self.reward = reward
        self.checked = checked
        self.rules = _one_a_game(rules, num_games, "rules", Rules.of)
        self.players = _one_a_game(players, num_games, "players", _players)
        for pair in dict.fromkeys(zip(self.rules, self.players, strict=True)):
            pair[0].check_players(pair[1])
        self.num_seats = max(self.players)
        self._state = _states(self.rules, self.players, self.num_seats, episode)
        self.seeds = _seeds(checked_seed(seed), num_games) if seeds is None else np.array(seeds, dtype=np.uint64)
        if self.seeds.shape != (num_games,):
            raise UserError(f"seeds has shape {self.seeds.shape}, one for each of the {num_games} games is needed")
        self.decisions = np.zeros(num_games, dtype=np.uint64)
        self.masks = np.zeros(num_games, dtype=np.uint64)
        self.seats = np.zeros(num_games, dtype=np.int64)
        self.rewards = np.zeros((num_games, self.num_seats), dtype=np.float32)
        self.ended = np.zeros(num_games, dtype=np.uint8)
        self.results = np.zeros((batch_game.RESULT_WORDS, num_games), dtype=np.uint64)
        self._pool: tuple[int, ThreadPoolExecutor] | None = None
        batch.begin_all(self._state, self.seeds, self.decisions)
        self._run(_NO_ACTIONS)

    def use(self, **arrays: Any) -> None:
        """Let `step` write into the caller's arrays: ``masks``, ``seats``, ``rewards``, ``ended``, ``results``.

        An array may be a numpy array or a torch tensor on the CPU, of the dtype and shape named above, contiguous.

        Raises:
            UserError: a name, dtype, shape or layout is wrong; nothing is changed.
        """
        checked = {}
        for name, array in arrays.items():
            _check_choice("array", name, ("masks", "seats", "rewards", "ended", "results"))
            mine = getattr(self, name)
            given = array.numpy() if hasattr(array, "numpy") else array
            if given.dtype.kind == "i" and mine.dtype == np.uint64:
                given = given.view(np.uint64)  # torch keeps 64-bit words as int64
            if given.dtype != mine.dtype or given.shape != mine.shape or not given.flags.c_contiguous:
                raise UserError(f"{name} must be a contiguous {mine.dtype} array of shape {mine.shape}, "
                                f"not {given.dtype} {given.shape}")
            given[...] = mine
            checked[name] = given
        for name, given in checked.items():
            setattr(self, name, given)

    def step(self, actions: Any) -> None:
        """Play one action in every game, and chance until a seat is to move again.

        Args:
            actions: ids, whole numbers ``[games]``; int64 is taken without a copy.

        Raises:
            IllegalAction: an action is illegal; the text names the first such game, and no game has changed.
        """
        given = np.ascontiguousarray(actions, dtype=np.int64)
        if given.shape != (self.num_games,):
            raise UserError(f"actions have shape {given.shape}; one for each of the {self.num_games} games is needed")
        if self.checked:
            wrong = self._core.first_illegal(self.masks, given, 0, self.num_games)
            if wrong >= 0:
                raise IllegalAction(self._refusal(int(wrong), int(given[wrong])))
        self._run(given)

    def _refusal(self, game: int, action: int) -> str:
        name = f"'{ACTION_NAMES[action]}'" if 0 <= action < len(ACTION_NAMES) else f"action {action}"
        legal = ", ".join(mask_to_names(int(self.masks[game])))
        return f"{name} is not legal in game {game} for seat {self.seats[game]}; legal are {legal}"

    def _run(self, actions: npt.NDArray[np.int64]) -> None:
        scheme = SCHEMES.index(self.reward)
        self._share(
            lambda lo, hi: self._core.step(
                self._state, actions, lo, hi, scheme, self.masks, self.seats, self.rewards, self.ended, self.results,
                self.decisions,
            )
        )

    def _share(self, work: Callable[[int, int], Any]) -> list[Any]:
        """Run ``work(lo, hi)`` over all games, in as many parts as there are threads."""
        if self.threads == 1:
            return [work(0, self.num_games)]
        if self._pool is None or self._pool[0] != os.getpid():  # a forked process needs threads of its own
            self._pool = (os.getpid(), ThreadPoolExecutor(self.threads))
        edges = [self.num_games * i // self.threads for i in range(self.threads + 1)]
        return list(self._pool[1].map(work, edges[:-1], edges[1:]))

    @property
    def views(self) -> Words:
        """View of the seat to move of each game: uint64 ``[games, 32]``."""
        out = np.empty((self.num_games, layout.VIEW_WORDS), dtype=np.uint64)
        self.write_views(out)
        return out

    def write_views(self, out: Words) -> None:
        """Write the views into ``out``: uint64 ``[games, 32]``, contiguous."""
        self._share(lambda lo, hi: self._core.views(self._state, lo, hi, out))

    def observe(self, out: Any = None, seats: int | None = None) -> npt.NDArray[np.int8]:
        """Observation of the seat to move of each game: int8 ``[games, d]``, written into ``out`` where given.

        Args:
            seats: places for seats, by default as many as the largest game has.
        """
        from thirtyone_env.core import batch_observe
        from thirtyone_env.observation import size

        places = self.num_seats if seats is None else seats
        given = out.numpy() if hasattr(out, "numpy") else out
        if given is None:
            given = np.empty((self.num_games, size(places)), dtype=np.int8)
        if given.shape != (self.num_games, size(places)) or given.dtype != np.int8:
            raise UserError(f"out must be int8 {(self.num_games, size(places))}, not {given.dtype} {given.shape}")

        def work(lo: int, hi: int) -> None:
            batch_observe.write(self._state, lo, hi, np.empty((1, layout.VIEW_WORDS), dtype=np.uint64), given, places)

        self._share(work)
        return given

    def random_actions(self, key: int, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """A random legal action for each game, int64 ``[games]``; ``key`` fixes them all."""
        actions = np.empty(self.num_games, dtype=np.int64) if out is None else out
        self._share(lambda lo, hi: self._core.random_actions(self.masks, key, lo, hi, actions))
        return actions

    def play(self, policies: Sequence[Any], rounds: int) -> dict[str, npt.NDArray[np.uint64]]:
        """Let compiled policies play whole rounds in every game, without a step of Python in between.

        Args:
            policies: one a seat, by name (``"threshold:21"``), or objects with ``kind`` and ``parameter``; or a
                sequence of such, one a game.
            rounds: rounds to end in each game. A round under way is played to its end and counts.

        Returns:
            For each seat, uint64 ``[seats]``: ``rounds``, ``lost`` (lives), ``matches``, ``wins``, ``places`` (sum
            of placings); and ``actions``, uint64 ``[1]``.
        """
        rounds = checked_whole("rounds", rounds, 0)
        kinds = self._kinds(policies)
        tallies: list[Words] = []

        def work(lo: int, hi: int) -> int:
            tally = np.zeros((self._tallies, self.num_seats), dtype=np.uint64)
            scratch = np.empty((1, layout.VIEW_WORDS), dtype=np.uint64)
            tallies.append(tally)
            return int(self._core.play(
                self._state, lo, hi, kinds, scratch, rounds, self.seeds, self.decisions, tally
            ))

        actions = sum(self._share(work))
        self._run(_NO_ACTIONS)
        total = np.zeros_like(tallies[0])
        for tally in tallies:
            total += tally
        names = ("rounds", "lost", "matches", "wins", "places")
        counts = {name: total[row] for row, name in enumerate(names)}
        return {**counts, "actions": np.array([actions], dtype=np.uint64)}

    def _kinds(self, policies: Sequence[Any]) -> Words:
        """Kinds and parameters of the policies: uint64 ``[1 or games, 2 * seats]``."""
        one_a_game = bool(policies) and isinstance(policies[0], Sequence) and not isinstance(policies[0], str)
        rows = policies if one_a_game else [policies]
        if len(rows) not in (1, self.num_games):
            raise UserError(f"policies for {len(rows)} games given, 1 or {self.num_games} are needed")
        known: dict[Any, tuple[int, int]] = {}
        out = np.zeros((len(rows), 2 * self.num_seats), dtype=np.uint64)
        for i, row in enumerate(rows):
            if len(row) != self.num_seats:
                raise UserError(f"{len(row)} policies given, one for each of {self.num_seats} seats is needed")
            for seat, policy in enumerate(row):
                out[i, 2 * seat : 2 * seat + 2] = _kind(policy, known)
        return out

    def save(self) -> bytes:
        """The whole batch, to be continued by `load` bit for bit."""
        header = {
            "format": _FORMAT, "version": 1, "words": int(self._state.shape[0]), "num_games": self.num_games,
            "rules": [rules.to_dict() for rules in dict.fromkeys(self.rules)],
            "rules_of": [list(dict.fromkeys(self.rules)).index(rules) for rules in self.rules],
            "players": self.players, "reward": self.reward, "checked": self.checked, "threads": self.threads,
        }
        buffer = io.BytesIO()
        np.savez(
            buffer, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), state=self._state,
            seeds=self.seeds, decisions=self.decisions, rewards=self.rewards, ended=self.ended, results=self.results,
        )
        return buffer.getvalue()

    @classmethod
    def load(cls, data: bytes) -> VectorGame:
        """A batch from `save`.

        Raises:
            UserError: the data are no saved batch.
        """
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                arrays = dict(stored)
            header = json.loads(arrays.pop("header").tobytes())
        except (ValueError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise UserError(f"these {len(data)} bytes are no saved batch: {error}") from error
        if header.get("format") != _FORMAT or header.get("version") != 1:
            raise UserError(f"not a {_FORMAT} of version 1: {header.get('format')} {header.get('version')}")
        kinds = [Rules.of(rules) for rules in header["rules"]]
        batch = cls(
            header["num_games"], [kinds[i] for i in header["rules_of"]], header["players"], threads=header["threads"],
            reward=header["reward"], checked=header["checked"],
        )
        batch._state[...] = arrays["state"]
        for name in ("seeds", "decisions"):
            getattr(batch, name)[...] = arrays[name]
        batch._run(_NO_ACTIONS)
        for name in ("decisions", "rewards", "ended", "results"):
            getattr(batch, name)[...] = arrays[name]
        return batch

    def state_of(self, game: int) -> Words:
        """The words of one game's state: uint64 ``[words, 1]``, as `Game.state` gives them; a copy."""
        return self._state[: layout.state_words(self.players[game]), game : game + 1].copy()

    @property
    def bytes_per_game(self) -> int:
        """Size of one game's state in bytes."""
        return 8 * int(self._state.shape[0])


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise UserError(f"{name}={value!r} is not allowed: {', '.join(allowed)}")


def _players(given: Any) -> Any:
    """A whole number, as Python's own; `Rules.check_players` says which numbers may play."""
    return int(given) if isinstance(given, np.integer) else given


def _one_a_game(given: Any, count: int, name: str, convert: Callable[[Any], Any]) -> list[Any]:
    single = isinstance(given, str | Rules | Mapping | int | np.integer)
    if single:
        return [convert(given)] * count
    if not isinstance(given, Iterable):
        raise UserError(f"{name}={given!r} is not allowed: one for all games, or a list with one a game")
    values = [convert(value) for value in given]
    if len(values) != count:
        raise UserError(f"{len(values)} {name} given for {count} games")
    return values


def _states(rules: Sequence[Rules], players: Sequence[int], seats: int, episode: str) -> Words:
    """Fresh states: uint64 ``[words, stride]``. The stride is kept off powers of two, which cost a third."""
    count = len(rules)
    stride = count + 8 if count % 64 == 0 else count
    state = np.zeros((layout.state_words(seats), stride), dtype=np.uint64)
    dealers = np.array([FIRST_DEALERS.index(r.first_dealer) for r in rules], dtype=np.uint64)
    state[int(layout.RULES0), :count] = [r.packed[0] for r in rules]
    state[int(layout.RULES1), :count] = [r.packed[1] for r in rules]
    table = np.array(players, dtype=np.uint64) | dealers << layout.FIRST_DEALER[1]
    state[int(layout.SEATS), :count] = table | np.uint64(episode == "round") << layout.ROUND_EPISODE[1]
    return state


def _seeds(seed: int, count: int) -> Words:
    from thirtyone_env.keys import decision_keys

    return decision_keys(seed, np.arange(count, dtype=np.uint64), 0, 0, 0)


def _kind(policy: Any, known: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    key = policy if isinstance(policy, str) else id(policy)
    if key not in known:
        found = policy
        if isinstance(policy, str):
            from thirtyone_env.opponents import load_opponents

            found = load_opponents(policy, 1)[0]
        if policy == "random":
            known[key] = (0, 0)
        elif hasattr(found, "kind") and hasattr(found, "parameter"):
            known[key] = (int(found.kind), int(found.parameter))
        else:
            raise UserError(f"{policy!r} is not a compiled policy; play() takes random, threshold:K and tips")
    return known[key]
