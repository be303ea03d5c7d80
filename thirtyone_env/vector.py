"""`VectorGame`: thousands to millions of games in lock step."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from thirtyone_env.actions import ACTION_NAMES, mask_to_names
from thirtyone_env.backends import backend_of
from thirtyone_env.core import layout
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game_start import EPISODES, FIRST_DEALERS, checked_seed, checked_whole
from thirtyone_env.observation_table import size
from thirtyone_env.rules import Rules

SCHEMES = ("lives", "match")
_VERSION = 2  # 2: the words of a state are laid out otherwise
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
        device: ``"cpu"``, or ``"cuda"`` for the current GPU: all arrays then live there, torch tensors on it are taken
            uncopied, and work is queued on torch's current stream. The games are the same on both.
        threads: threads that share the games on the CPU.
        episode: ``"match"`` or ``"round"`` (every round is a match of its own).
        reward: ``"lives"`` or ``"match"``.
        checked: refuse illegal actions. Without the check an illegal action leaves a game in a state without meaning.
        seeds: the games' seeds themselves, uint64 ``[num_games]``, in place of ``seed``.

    Attributes (arrays on the device that `step` writes; `use` puts the caller's own in their place):
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
        from thirtyone_env.core.batch_game import RESULT_WORDS

        _check_choice("episode", episode, EPISODES)
        _check_choice("reward", reward, SCHEMES)
        num_games = checked_whole("num_games", num_games, 1)
        threads = checked_whole("threads", threads, 1)
        backend = backend_of(device, threads)
        self._backend = backend
        self.device = backend.name
        self.num_games = num_games
        self.threads = threads
        self.reward = reward
        self.checked = checked
        self.rules = _one_a_game(rules, num_games, "rules", Rules.of)
        self.players = _one_a_game(players, num_games, "players", _players)
        for pair in dict.fromkeys(zip(self.rules, self.players, strict=True)):
            pair[0].check_players(pair[1])
        self.num_seats = max(self.players)
        keys = _seeds(checked_seed(seed), num_games) if seeds is None else _given_seeds(seeds)
        if keys.shape != (num_games,):
            raise UserError(f"seeds has shape {keys.shape}, one for each of the {num_games} games is needed")
        self._state = backend.to_device(_states(self.rules, self.players, self.num_seats, episode))
        self.seeds = backend.to_device(keys)
        self.decisions = backend.zeros(num_games, np.uint64)
        self.masks = backend.zeros(num_games, np.uint64)
        self.seats = backend.zeros(num_games, np.int64)
        self.rewards = backend.zeros((num_games, self.num_seats), np.float32)
        self.ended = backend.zeros(num_games, np.uint8)
        self.results = backend.zeros((RESULT_WORDS, num_games), np.uint64)
        self._no_actions = backend.to_device(np.zeros(0, dtype=np.int64))
        backend.begin_all(self._state, self.seeds, self.decisions)
        self._run(self._no_actions)

    def use(self, **arrays: Any) -> None:
        """Let `step` write into the caller's arrays: ``masks``, ``seats``, ``rewards``, ``ended``, ``results``.

        An array may be a numpy array or a torch tensor on the batch's device, of the dtype and shape named above,
        contiguous (torch's int64 does for uint64).

        Raises:
            UserError: a name, dtype, shape or layout is wrong; nothing is changed.
        """
        checked = {}
        for name, array in arrays.items():
            _check_choice("array", name, ("masks", "seats", "rewards", "ended", "results"))
            mine = getattr(self, name)
            given = self._adopted(name, array)
            if given.dtype == np.int64 and mine.dtype == np.uint64:
                given = given.view(np.uint64)  # torch keeps 64-bit words as int64
            right = given.dtype == mine.dtype and given.shape == mine.shape
            closed = not getattr(given.flags, "writeable", True)  # arrays of a GPU have no such flag
            if not right or closed or not given.flags["C_CONTIGUOUS"]:
                raise UserError(f"{name} must be a contiguous {mine.dtype} array of shape {mine.shape} that can be "
                                f"written, not {given.dtype} {given.shape}")
            checked[name] = given
        for name, given in checked.items():
            self._backend.fill(given, getattr(self, name))
            setattr(self, name, given)

    def _adopted(self, name: str, array: Any) -> Any:
        """The caller's array, uncopied."""
        try:
            return self._backend.adopt(array)
        except (TypeError, RuntimeError) as error:  # torch: it needs gradients
            raise UserError(f"{name} cannot be used on device {self.device!r}: {error}") from error

    def step(self, actions: Any) -> None:
        """Play one action in every game, and chance until a seat is to move again.

        Args:
            actions: ids, whole numbers ``[games]``; int64 is taken without a copy.

        Raises:
            IllegalAction: an action is illegal; the text names the first such game, and no game has changed.
        """
        try:
            given = self._backend.actions(actions)
        except (TypeError, ValueError, RuntimeError) as error:
            raise UserError(f"actions cannot be used on device {self.device!r}: {error}") from error
        if given.shape != (self.num_games,):
            raise UserError(f"actions have shape {given.shape}; one for each of the {self.num_games} games is needed")
        if self.checked:
            wrong = self._backend.first_illegal(self.masks, given)
            if wrong >= 0:
                raise IllegalAction(self._refusal(wrong, int(self._one(given, wrong))))
        self._run(given)

    def _one(self, array: Any, game: int) -> Any:
        """One game's number of an array."""
        return self._backend.to_host(array[game : game + 1])[0]

    def _refusal(self, game: int, action: int) -> str:
        name = f"'{ACTION_NAMES[action]}'" if 0 <= action < len(ACTION_NAMES) else f"action {action}"
        legal = ", ".join(mask_to_names(int(self._one(self.masks, game))))
        return f"{name} is not legal in game {game} for seat {self._one(self.seats, game)}; legal are {legal}"

    def _run(self, actions: Any) -> None:
        self._backend.step(
            self._state, actions, SCHEMES.index(self.reward), self.masks, self.seats, self.rewards, self.ended,
            self.results, self.decisions,
        )

    @property
    def views(self) -> Any:
        """View of the seat to move of each game: uint64 ``[games, 32]``, a new array on the device."""
        out = self._backend.empty((self.num_games, layout.VIEW_WORDS), np.uint64)
        self.write_views(out)
        return out

    def write_views(self, out: Any) -> None:
        """Write the views into ``out``: uint64 (torch: int64) ``[games, 32]``, contiguous (on a GPU also by column)."""
        given = self._adopted("out", out)
        given = given.view(np.uint64) if given.dtype == np.int64 else given
        self._check_out(given, (self.num_games, layout.VIEW_WORDS), np.uint64)
        self._backend.views(self._state, given)

    def _check_out(self, given: Any, shape: tuple[int, ...], dtype: Any) -> None:
        if given.shape != shape or given.dtype != dtype or not self._backend.may_write(given):
            raise UserError(f"out must be {np.dtype(dtype)} {shape}, contiguous and not read-only, "
                            f"not {given.dtype} {given.shape}")

    def observe(self, out: Any = None, seats: int | None = None) -> Any:
        """Observation of the seat to move of each game: int8 ``[games, d]``, written into ``out`` where given.

        On a GPU it is fastest where columns lie together (torch: ``empty(d, games).T``), as they do in a new array.

        Args:
            seats: places for seats, by default as many as the largest game has.
        """
        places = self.num_seats if seats is None else checked_whole("seats", seats, self.num_seats, layout.MAX_SEATS)
        shape = (self.num_games, size(places))
        given = self._backend.empty(shape, np.int8, by_column=True) if out is None else self._adopted("out", out)
        self._check_out(given, shape, np.int8)
        self._backend.observe(self._state, given, places)
        return given

    def random_actions(self, key: int, out: Any = None) -> Any:
        """A random legal action for each game, int64 ``[games]``, on the device; ``key`` fixes them all."""
        given = self._backend.empty(self.num_games, np.int64) if out is None else self._adopted("out", out)
        self._check_out(given, (self.num_games,), np.int64)
        self._backend.random_actions(self.masks, checked_whole("key", key, 0, (1 << 64) - 1), given)
        return given if out is None else out

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
        try:
            total, actions = self._backend.play(
                self._state, kinds, rounds, self.seeds, self.decisions, self.num_seats
            )
        finally:  # after an interrupt the games stand elsewhere too
            self._run(self._no_actions)
        names = ("rounds", "lost", "matches", "wins", "places")
        counts = {name: total[row] for row, name in enumerate(names)}
        return {**counts, "actions": np.array([actions], dtype=np.uint64)}

    def _kinds(self, policies: Sequence[Any]) -> Words:
        """Kinds and parameters of the policies: uint64 ``[1 or games, 2 * seats]``."""
        policies = list(policies)
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
        kinds = {rules: number for number, rules in enumerate(dict.fromkeys(self.rules))}
        header = {
            "format": _FORMAT, "version": _VERSION, "words": int(self._state.shape[0]), "num_games": self.num_games,
            "rules": [rules.to_dict() for rules in kinds], "rules_of": [kinds[rules] for rules in self.rules],
            "players": self.players, "reward": self.reward, "checked": self.checked, "threads": self.threads,
        }
        buffer = io.BytesIO()
        host = self._backend.to_host
        np.savez(
            buffer, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), state=host(self._state),
            **{name: host(getattr(self, name)) for name in ("seeds", "decisions", "rewards", "ended", "results")},
        )
        return buffer.getvalue()

    @classmethod
    def load(cls, data: bytes, device: str = "cpu") -> VectorGame:
        """A batch from `save`, on this device, whichever it was saved from.

        Raises:
            UserError: the data are no saved batch.
        """
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as stored:
                arrays = dict(stored)
            header = json.loads(arrays.pop("header").tobytes())
        except (ValueError, TypeError, OSError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise UserError(f"these {len(data)} bytes are no saved batch: {error}") from error
        if not isinstance(header, dict) or header.get("format") != _FORMAT or header.get("version") != _VERSION:
            raise UserError(f"not a {_FORMAT} of version {_VERSION}: {str(header)[:60]}")
        kinds = [Rules.of(rules) for rules in header["rules"]]
        batch = cls(
            header["num_games"], [kinds[i] for i in header["rules_of"]], header["players"], threads=header["threads"],
            reward=header["reward"], checked=header["checked"], device=device,
        )
        fill = batch._backend.fill
        if arrays["state"].shape != batch._state.shape or arrays["state"].dtype != np.uint64:
            raise UserError(f"these {len(data)} bytes are no saved batch: a state of {arrays['state'].shape}")
        fill(batch._state, arrays["state"])
        for name in ("seeds", "decisions"):
            fill(getattr(batch, name), arrays[name])
        batch._run(batch._no_actions)
        for name in ("decisions", "rewards", "ended", "results"):
            fill(getattr(batch, name), arrays[name])
        return batch

    def state_of(self, game: int) -> Words:
        """The words of one game's state: uint64 ``[words, 1]``, as `Game.state` gives them; a copy."""
        words = layout.state_words(self.players[game])
        return np.array([[self._one(self._state[word], game)] for word in range(words)], dtype=np.uint64)

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


def _given_seeds(seeds: Any) -> Words:
    """The caller's seeds; a list's numbers are looked at one by one, since numpy would wrap or cut them."""
    if isinstance(seeds, np.ndarray) and seeds.dtype == np.uint64:
        return seeds.copy()
    return np.array([checked_seed(seed) for seed in seeds], dtype=np.uint64)


def _kind(policy: Any, known: dict[Any, tuple[int, int]]) -> tuple[int, int]:
    from thirtyone_env.opponents import is_compiled, load_opponents

    key = policy if isinstance(policy, str) else id(policy)
    if key not in known:
        found = policy
        if isinstance(policy, str):
            found = load_opponents(policy, 1)[0]
        if isinstance(policy, str) and policy == "random":
            known[key] = (0, 0)
        elif is_compiled(found) or (hasattr(found, "kind") and not hasattr(found, "act")):
            known[key] = (checked_whole("kind", found.kind, 0, 2), checked_whole("parameter", found.parameter, 0))
        else:
            raise UserError(f"{policy!r} is not a compiled policy; play() takes random, threshold:K and tips")
    return known[key]
