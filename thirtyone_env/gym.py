"""Thirty-One as a Gymnasium environment: one learner against opponents that the environment plays.

    import gymnasium
    import thirtyone_env

    env = gymnasium.make("ThirtyOne-v0", rules="pagat", players=3, opponents=["threshold:21", "random"])
    observation, info = env.reset(seed=1)
    mask = env.get_wrapper_attr("action_masks")()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, action_id
from thirtyone_env.core import layout, observe_entry
from thirtyone_env.decode import field
from thirtyone_env.env_rewards import checked_places, round_rewards, scheme_of
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_key
from thirtyone_env.observation_table import highs, size
from thirtyone_env.opponents import ask, load_opponents
from thirtyone_env.registration import ENV_ID, register_envs
from thirtyone_env.render import Window, ansi, check_render_mode, rgb_array, scene_of_game
from thirtyone_env.round_info import RoundInfo
from thirtyone_env.rules import Rules

__all__ = ["ENV_ID", "ThirtyOneEnv", "register_envs"]

_MOST_DEALS = 10_000


class ThirtyOneEnv(gymnasium.Env[npt.NDArray[np.int8], Any]):
    """One learner at a table of 2 to 9 seats.

    A step plays the learner's action and then the opponents' until the learner is to move again; the reward is all that
    the learner was paid on the way. The episode terminates when the learner is out or the match (or round) is over, and
    is truncated at the rules' ``max_deals``. An illegal action terminates it with reward -1 and
    ``info["illegal_action"]``; `action_masks` tells what is legal. Episodes in which the learner never comes to decide
    (an opponent shows 31 first) are dealt anew.

    ``info`` holds ``seat``, the learner's, and after rounds that ended in the step ``rounds``, a list of `RoundInfo`.

    Args:
        rules: `Rules`, a preset's name, or a mapping of options.
        players: seats, 2 to 9.
        opponents: a name (``"threshold:21"``), a policy or a function ``act(views, keys)`` for all opponents, or a list
            of one each, in the order of the seats after the learner's.
        seat: the learner's, or None for another one by chance in each episode.
        episode: ``"match"`` or ``"round"``.
        reward: ``"match"``, ``"lives"`` or None, as in `thirtyone_v0.raw_env`.
        seats: places for seats in the observation: None for ``players``, or any number up to 9.
        render_mode: None, ``"human"``, ``"rgb_array"`` or ``"ansi"``.
        viewer: None to draw what the learner sees, ``"all"`` for all hands.
        dealer, lives, out: how a match starts, as for `Game`.

    Raises:
        UserError: an option is wrong; the text names it and what is allowed.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012  # as in Gymnasium

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "pagat",
        players: int = 4,
        opponents: Any = "random",
        seat: int | None = None,
        episode: str = "match",
        reward: str | None = None,
        seats: int | None = None,
        render_mode: str | None = None,
        viewer: str | None = None,
        dealer: int | None = None,
        lives: Any = None,
        out: Any = (),
    ) -> None:
        self.rules = Rules.of(rules)
        self.players = self.rules.check_players(players)
        self.episode = episode
        self.reward = scheme_of(self.rules, episode, reward)
        self.places = checked_places(seats, players)
        self.render_mode = check_render_mode(render_mode)
        if viewer not in (None, "all"):
            raise UserError(f"viewer={viewer!r}: allowed are None (the learner) and 'all'")
        self.viewer = viewer
        self._start: dict[str, Any] = {"dealer": dealer, "lives": lives, "out": tuple(out)}
        Game(self.rules, players, seed=0, episode=episode, **self._start)  # refuses a wrong start now
        self._choices = [s for s in range(players) if s not in self._start["out"]]
        self._fixed_seat = self._checked_seat(seat)
        self.opponents = load_opponents(opponents, players - 1)
        for policy in self.opponents:
            if hasattr(policy, "check"):
                policy.check(self.rules, players)
        self.observation_space = spaces.Box(0, highs(self.places), dtype=np.int8)
        self.action_space: spaces.Space[Any] = spaces.Discrete(NUM_ACTIONS)
        self._view = np.zeros((1, layout.VIEW_WORDS), dtype=np.uint64)
        self._columns = size(self.places)
        self._window = Window(4)
        self._over = True

    def _checked_seat(self, seat: int | None) -> int | None:
        if seat is not None and seat not in self._choices:
            raise UserError(f"seat={seat!r}: allowed are None (any) and {', '.join(map(str, self._choices))}")
        return seat

    # --- an episode --------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.int8], dict[str, Any]]:
        """Begin an episode and play on to the learner's first decision.

        Args:
            seed: fixes the cards, the seats and the opponents' choices of this and all later episodes.
            options: may hold ``seat``, for this episode.
        """
        super().reset(seed=seed)
        wanted = self._checked_seat((options or {}).get("seat", self._fixed_seat))
        for _ in range(_MOST_DEALS):
            self.seat = self._choices[int(self.np_random.integers(len(self._choices)))] if wanted is None else wanted
            self._begin(int(self.np_random.integers(1 << 62)))
            if not self._over:
                break
        else:
            raise UserError(f"{_MOST_DEALS} deals in a row without a decision of seat {self.seat}")
        if self.render_mode == "human":
            self.render()
        return self._observe(), {"seat": self.seat}

    def _begin(self, seed: int) -> None:
        self.game = Game(self.rules, self.players, seed=seed, episode=self.episode, **self._start)
        self._rounds = 0  # rounds paid; those that end before the learner's first decision are paid with it
        self._deal, self._decisions = 0, 0
        for policy in dict.fromkeys(self.opponents):
            if hasattr(policy, "begin"):
                policy.begin(1)
        self._play_on()

    def step(self, action: Any) -> tuple[npt.NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Play an action, and then the opponents up to the learner's next decision.

        Raises:
            UserError: there is no such action, or the episode is over.
        """
        if self._over:
            raise UserError("the episode is over: call reset()")
        try:
            self._play(action)
        except IllegalAction as error:
            self._over = True
            told = {"action": ACTION_NAMES[action_id(action)], "why": str(error)}
            return self._observe(), -1.0, True, False, {"seat": self.seat, "illegal_action": told}
        over = self._play_on()
        game = self.game
        info: dict[str, Any] = {"seat": self.seat}
        reward = 0.0
        if game.round_count != self._rounds:
            ended = game._rounds[self._rounds :]
            reward = sum(round_rewards(raw[0], self.players, self.reward)[self.seat] for raw in ended)
            info["rounds"] = [RoundInfo(self.rules, self.players, *raw) for raw in ended]
            self._rounds = game.round_count
        cut = over and game.truncated and not self._is_out()
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, over and not cut, cut, info

    def _play(self, action: Any) -> None:
        self.game.play(action)
        self._decisions += 1

    def _play_on(self) -> bool:
        """Play the opponents until the learner is to move or the episode is over; whether it is."""
        game = self.game
        rounds = -1
        while True:
            if game.round_count != rounds:
                rounds = game.round_count
                self._over = game.over or self._is_out()
                if game.deal_number != self._deal:
                    self._deal, self._decisions = game.deal_number, 0
            if self._over or game.turn == self.seat:
                return self._over
            self._play(self._opponent_action())

    def _opponent_action(self) -> int:
        game = self.game
        seat = game._turn
        assert seat is not None  # the game is not over
        key = decision_key(game.seed, 0, self._deal, self._decisions, seat)
        return ask(self.opponents[(seat - self.seat - 1) % self.players], game.view(seat), key)

    def _is_out(self) -> bool:
        return bool(field(self.game._state, layout.OUT) >> self.seat & 1)

    # --- what is seen ------------------------------------------------------------------------------------------

    def _observe(self) -> npt.NDArray[np.int8]:
        seen = np.empty((1, self._columns), dtype=np.int8)
        self.game.write_view(self.seat, self._view)
        observe_entry.encode(self._view, seen, _NO_MASK, self.places)
        return seen[0]

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Legal actions of the learner: bool ``[63]``; all False when the episode is over."""
        legal = 0 if self._over else self.game.mask
        return np.array([legal >> i & 1 for i in range(NUM_ACTIONS)], dtype=np.bool_)

    def render(self) -> Any:
        """The table as ``render_mode`` says: a picture ``uint8 [640, 960, 3]``, a text, or None and a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: the environment was made without a render_mode")
            return None
        scene = scene_of_game(self.game, self.seat if self.viewer is None else None)
        if self.render_mode == "ansi":
            return ansi(scene)
        if self.render_mode == "rgb_array":
            return rgb_array(scene)
        self._window.show(scene)
        return None

    def close(self) -> None:
        """Close the window, if one is open."""
        self._window.close()


_NO_MASK = np.zeros((0, NUM_ACTIONS), dtype=np.int8)
