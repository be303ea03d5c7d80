"""Thirty-One as a PettingZoo AEC environment.

    from thirtyone_env import thirtyone_v0

    env = thirtyone_v0.env(rules="pagat", players=4)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        action = None
        if not (terminated or truncated):
            action = env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

`env` ends the episode on an illegal action; `raw_env` raises `IllegalAction` and changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium.logger
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv, AECIterable
from pettingzoo.utils.wrappers import BaseWrapper

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, action_id
from thirtyone_env.core import entry, layout, observe_entry
from thirtyone_env.decode import field
from thirtyone_env.env_rewards import checked_places, round_rewards, scheme_of
from thirtyone_env.errors import IllegalAction, UserError
from thirtyone_env.game import Game
from thirtyone_env.game_start import checked_seed
from thirtyone_env.keys import decision_key
from thirtyone_env.observation_table import highs, size
from thirtyone_env.render import Window, ansi, check_render_mode, rgb_array, scene_of_game
from thirtyone_env.round_info import RoundInfo
from thirtyone_env.rules import Rules

Observation = dict[str, npt.NDArray[np.int8]]
START_OPTIONS = ("dealer", "lives", "out", "deck")
_MOST_DEALS = 1000


def env(**options: Any) -> TerminateIllegal:
    """The environment with checks: an illegal action ends the episode. Options as for `raw_env`."""
    return TerminateIllegal(raw_env(**options))


class raw_env(AECEnv[str, Observation, int]):
    """Thirty-One for 2 to 9 agents, ``player_0`` to ``player_8``, in the order of their seats.

    An observation is ``{"observation": int8 [d], "action_mask": int8 [63]}``; the mask is all zero for an agent that is
    not to move. Agents whose seat goes out terminate and are visited once more, in the order of their seats, before the
    next agent in play. ``infos[agent]["rounds"]`` lists the rounds (`RoundInfo`) that ended since the agent's last
    action; it is absent where there are none.

    Args:
        rules: `Rules`, a preset's name, or a mapping of options.
        players: seats, 2 to 9.
        episode: ``"match"`` or ``"round"``.
        reward: ``"match"`` (-1/(n-1) to a seat that goes out, +1 to the winner) or ``"lives"`` (what a round gained or
            cost against the mean of the others); None: ``match`` for a match, ``lives`` for a round, the pot's share in
            pot games.
        seats: places for seats in the observation: None for ``players``, or any number up to 9.
        render_mode: None, ``"human"``, ``"rgb_array"`` or ``"ansi"``.
        viewer: whose eyes the rendering uses: a seat, ``"all"`` for a spectator who sees every hand, None for the agent
            to move.
        dealer, lives, out: how a match starts, as for `Game`; ``reset(options=...)`` may change them for one episode.

    Raises:
        UserError: an option is wrong; the text names it and what is allowed.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "rgb_array", "ansi"],
        "name": "thirtyone_v0",
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        rules: Rules | str | Mapping[str, Any] = "pagat",
        players: int = 4,
        episode: str = "match",
        reward: str | None = None,
        seats: int | None = None,
        render_mode: str | None = None,
        viewer: int | str | None = None,
        dealer: int | None = None,
        lives: Sequence[int] | None = None,
        out: Sequence[int] = (),
    ) -> None:
        super().__init__()
        self.rules = Rules.of(rules)
        self.players = self.rules.check_players(players)
        self.episode = episode
        self.reward = scheme_of(self.rules, episode, reward)
        self.places = checked_places(seats, players)
        self.render_mode = check_render_mode(render_mode)
        self.viewer = _checked_viewer(viewer, players)
        self._start: dict[str, Any] = {"dealer": dealer, "lives": lives, "out": tuple(out)}
        Game(self.rules, players, seed=0, episode=episode, **self._start)  # refuses a wrong start now
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._make_spaces()
        self._window = Window(4)
        self._seed: int | None = None
        self._episodes = 0
        self.agents: list[str] = []
        self.agent_selection: str = self.possible_agents[0]

    def _make_spaces(self) -> None:
        self._columns = size(self.places)
        self._view = np.zeros((1, layout.VIEW_WORDS), dtype=np.uint64)
        self.action_spaces = {a: spaces.Discrete(NUM_ACTIONS) for a in self.possible_agents}
        self.observation_spaces = {
            a: spaces.Dict(
                {
                    "observation": spaces.Box(0, highs(self.places), dtype=np.int8),
                    "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), dtype=np.int8),
                }
            )
            for a in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Space of an agent's actions, ``Discrete(63)``, always the same object."""
        return self.action_spaces[agent]

    # --- an episode --------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: fixes the cards of this and all later episodes and seeds the action spaces; the first episode is
                ``Game(..., seed=seed)`` (or another one where dealt 31s end that before anybody is to move). None goes
                on in the sequence that was seeded last.
            options: may hold ``dealer``, ``lives`` and ``out`` for this episode, and ``deck``, the pack of its first
                deal, top first; other names are left to wrappers.
        """
        start = {**self._start, **{k: v for k, v in (options or {}).items() if k in START_OPTIONS}}
        gone = set(start["out"])
        self.game = self._new_game(self._next_seed(seed), start)
        self.agents = [a for seat, a in enumerate(self.possible_agents) if seat not in gone]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._paid = False  # some of the rewards are not zero
        self._told = False  # some of the infos are not empty
        self._ended = False  # some agents have ended and were not visited since
        self._stopped = False  # an illegal action ended the episode
        self._rounds = 0  # rounds told of; what is settled already is paid and told with the first step
        self._select()
        if self.render_mode == "human":
            self.render()

    def _new_game(self, seed: int, start: dict[str, Any]) -> Game:
        """A game in which somebody is to move; one that dealt 31s settle at once is dealt anew."""
        game = Game(self.rules, self.players, seed=seed, episode=self.episode, **start)
        for again in range(1, 1 if "deck" in start else _MOST_DEALS):
            if not game.over:
                return game
            other = decision_key(seed, round_number=again)
            game = Game(self.rules, self.players, seed=other, episode=self.episode, **start)
        if game.over:
            raise UserError("the game is over before anybody is to move: these cards or rules leave nothing to play")
        return game

    def _next_seed(self, seed: int | None) -> int:
        if seed is not None:
            seed = checked_seed(seed)
            self._seed, self._episodes = seed, 0
            for seat, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(decision_key(seed, seat=seat) >> 32)
            return seed
        if self._seed is None:
            self._seed, self._episodes = secrets.randbits(63), 0
        self._episodes += 1
        return decision_key(self._seed, match=self._episodes)

    def step(self, action: Any) -> None:
        """Play the action of ``agent_selection``; None for an agent that has ended.

        Raises:
            IllegalAction: the rules do not allow it now; nothing has changed.
            UserError: there is no such action, or no agent is to be visited.
        """
        if not self.agents:
            raise UserError("no agent is left: call reset() to begin an episode")
        agent = self.agent_selection
        if self._ended:
            self._visit_ended(agent, action)
            return
        if action is None:
            raise UserError(f"{agent} is to move: None is the answer only for an agent that has ended")
        game = self.game
        game.play(action)
        if self._told:
            self.infos[agent] = {}
        self._cumulative_rewards[agent] = 0.0
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if game.round_count != self._rounds:
            self._after_rounds()
            self._select()
        else:
            self.agent_selection = self.possible_agents[game.turn]  # type: ignore[index]  # a round is running
        if self.render_mode == "human":
            self.render()

    def _after_rounds(self) -> None:
        """Pay the rounds that ended since the last step, tell of them, and end the agents that went out."""
        game = self.game
        for raw in game._rounds[self._rounds :]:
            info = RoundInfo(self.rules, self.players, *raw)
            for seat, reward in enumerate(round_rewards(raw[0], self.players, self.reward)):
                agent = self.possible_agents[seat]
                if agent in self.rewards:
                    self.rewards[agent] += reward
                    self._cumulative_rewards[agent] += reward
                    self.infos[agent] = {"rounds": [*self.infos[agent].get("rounds", ()), info]}
            self._paid = self._told = True
        self._rounds = game.round_count
        out = field(game._state, layout.OUT)
        for agent in self.terminations:
            gone = bool(out >> self._seat_of[agent] & 1)
            self.terminations[agent] = gone or (game.over and not game.truncated)
            self.truncations[agent] = game.over and not self.terminations[agent]
            self._ended = self._ended or gone or game.over

    def _select(self) -> None:
        """Visit the agents that have ended first, in the order of their seats; then the seat to move."""
        for agent, ended in self.terminations.items():
            if ended or self.truncations[agent]:
                self.agent_selection = agent
                return
        self._ended = False
        if self.game.turn is not None:
            self.agent_selection = self.possible_agents[self.game.turn]

    def _visit_ended(self, agent: str, action: Any) -> None:
        if action is not None:
            raise UserError(f"{agent} has ended: the only answer is None, not {action!r}")
        for of_agent in (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        ):
            del of_agent[agent]
        if agent in self.agents:
            self.agents.remove(agent)
        self._clear_rewards()
        self._paid = False
        self._select()

    def end_as_illegal(self, action: Any, why: str) -> None:
        """End the episode because the agent to move gave an illegal action: -1 for it, 0 for the others.

        All agents terminate, none is truncated; ``infos[offender]["illegal_action"]`` tells the action and the reason.
        """
        offender = self.agent_selection
        name = ACTION_NAMES[action_id(action)]
        self._clear_rewards()
        self._cumulative_rewards[offender] = 0.0
        self.rewards[offender] = -1.0
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.terminations, True)
        self.infos[offender] = {"illegal_action": {"action": name, "why": why}}
        self._paid = self._told = self._ended = self._stopped = True
        self._select()

    # --- what is seen ------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> Observation:
        """Observation of an agent: fresh arrays. The mask is all zero for one that is not to move."""
        seen = np.empty((1, self._columns), dtype=np.int8)
        mask = np.empty((1, NUM_ACTIONS), dtype=np.int8)
        view = self._view
        entry.write_view(self.game._state, self._seat_of[agent], view, 0)
        observe_entry.encode(view, seen, mask, self.places)
        if self._stopped or agent != self.agent_selection:
            mask[:] = 0
        return {"observation": seen[0], "action_mask": mask[0]}

    @property
    def state_space(self) -> spaces.Space[Any]:
        """Space of `state`."""
        cards = np.ones(52 * (self.players + 1), dtype=np.int8)
        return spaces.Box(0, np.concatenate([cards, highs(self.places)]), dtype=np.int8)

    def state(self) -> npt.NDArray[np.int8]:
        """Everything, for a centralised critic: ``int8 [52 * (players + 1) + d]``.

        The cards of each seat's hand (52 columns a seat, seat 0 first), the cards in the stock, and the observation of
        the seat to move (of seat 0 where there is none).
        """
        game = self.game
        cards = [int(game._state[int(layout.HAND) + 2 * seat, 0]) for seat in range(self.players)]
        cards.append(int(game._state[int(layout.STOCK), 0]))
        bits = np.array([[card_set >> i & 1 for i in range(52)] for card_set in cards], dtype=np.int8)
        seat = 0 if game.turn is None else game.turn
        seen = self.observe(self.possible_agents[seat])["observation"]
        return np.concatenate([bits.ravel(), seen])

    # --- rendering ---------------------------------------------------------------------------------------------

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """The table as ``render_mode`` says: a picture ``uint8 [640, 960, 3]``, a text, or None and a window."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: the environment was made without a render_mode")
            return None
        scene = scene_of_game(self.game, self._viewer_now())
        if self.render_mode == "ansi":
            return ansi(scene)
        if self.render_mode == "rgb_array":
            return rgb_array(scene)
        self._window.show(scene)
        return None

    def _viewer_now(self) -> int | None:
        if self.viewer == "all":
            return None
        if isinstance(self.viewer, int):
            return self.viewer
        return self.game.turn or 0

    def close(self) -> None:
        """Close the window, if one is open."""
        self._window.close()


class TerminateIllegal(BaseWrapper[str, Observation, int]):
    """Ends the episode on an illegal action: the offender gets -1, the others 0; all terminate, none is truncated."""

    env: raw_env

    def step(self, action: Any) -> None:
        """As `raw_env.step`, but an action that the rules do not allow ends the episode.

        Raises:
            UserError: there is no such action, or no agent is to be visited.
        """
        try:
            self.env.step(action)
        except IllegalAction as error:
            self.env.end_as_illegal(action, str(error))

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated and info of the agent to visit."""
        return self.env.last(observe)

    def observe(self, agent: str) -> Observation:
        """Observation of an agent; see `raw_env.observe`."""
        return self.env.observe(agent)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int]:
        """The agents to visit, one after the other, until none is left or ``max_iter`` were visited."""
        return self.env.agent_iter(max_iter)

    @property
    def agent_selection(self) -> str:
        """The agent to visit."""
        return self.env.agent_selection

    @property
    def agents(self) -> list[str]:
        """Agents that have not ended, or were not visited since."""
        return self.env.agents


def _checked_viewer(viewer: int | str | None, players: int) -> int | str | None:
    if viewer is None or viewer == "all" or (isinstance(viewer, int) and 0 <= viewer < players):
        return viewer
    raise UserError(f"viewer={viewer!r}: allowed are None (the agent to move), 'all', or a seat 0 to {players - 1}")
