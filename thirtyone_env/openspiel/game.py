"""The game and its states for OpenSpiel: one round, each card a chance node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
import yaml

from thirtyone_env.actions import ACTION_NAMES, NUM_ACTIONS, mask_to_ids
from thirtyone_env.bounds import most_chance_nodes, most_decisions, utility_bounds
from thirtyone_env.cards import CARDS
from thirtyone_env.core import tree_entry
from thirtyone_env.env_rewards import round_rewards, scheme_of
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_env.openspiel.observer import ThirtyOneObserver
from thirtyone_env.rules import MAX_PLAYERS, MIN_PLAYERS, Rules

_MOST_TEXTS = 100_000
DEFAULTS: dict[str, Any] = {"preset": "pagat", "players": 2, "dealer": -1, "options": ""}

GAME_TYPE = pyspiel.GameType(
    short_name="thirtyone",
    long_name="Thirty-One (Scat), one round",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_PLAYERS,
    min_num_players=MIN_PLAYERS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=DEFAULTS,
)


class ThirtyOneGame(pyspiel.Game):
    """One round of Thirty-One. Hands are dealt in ascending order, with the weights that keep every hand as likely.

    Parameters:
        preset: name of a variant.
        players: seats, 2 to 9.
        dealer: seat that deals; -1 is the last one, so that seat 0 plays first.
        options: rule options to change, as ``name:value`` with ``;`` between them: ``max_turns:6;knock_min:17``.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.rules = Rules.preset(given["preset"], **parse_options(given["options"]))
        players = int(given["players"])
        dealer = players - 1 if given["dealer"] == -1 else int(given["dealer"])
        self._start = Game(self.rules, players, dealer=dealer, episode="round", chance="manual")
        least, most = utility_bounds(self.rules, players)
        info = pyspiel.GameInfo(
            num_distinct_actions=NUM_ACTIONS,
            max_chance_outcomes=self.rules.deck_set.bit_length(),
            num_players=players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=most_decisions(self.rules, players),
        )
        super().__init__(GAME_TYPE, info, dict(params or {}))
        self.texts: dict[tuple[int, ...], tuple[str, ...]] = {}

    def new_initial_state(self) -> ThirtyOneState:
        """The round before its first card."""
        return ThirtyOneState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Cards of chance in a round, at most."""
        return most_chance_nodes(self.rules, self.num_players())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ThirtyOneObserver:
        """An observer; see `ThirtyOneObserver`."""
        return ThirtyOneObserver(self, iig_obs_type, params)


class ThirtyOneState(pyspiel.State):
    """A state of the round.

    Attributes:
        game_of_cards: the `Game` behind it.
    """

    def __init__(self, game: ThirtyOneGame) -> None:
        super().__init__(game)
        self.game_of_cards = game._start.clone()

    def current_player(self) -> int:
        """Seat to move, or OpenSpiel's number for chance or the end."""
        game = self.game_of_cards
        if game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if game.turn is None else game.turn

    def _legal_actions(self, player: int) -> list[int]:
        game = self.game_of_cards
        return mask_to_ids(game.mask) if player == game.turn else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Cards that chance may give and how likely each is."""
        weights = np.empty(52, dtype=np.float64)
        total = tree_entry.chance_weights(self.game_of_cards.state, True, weights)
        return [(int(card), float(weights[card] / total)) for card in np.flatnonzero(weights)]

    def _apply_action(self, action: int) -> None:
        game = self.game_of_cards
        if game.needs_card:
            game.give(int(action))
        else:
            game.play(int(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return CARDS[action] if player == pyspiel.PlayerId.CHANCE else ACTION_NAMES[action]

    def is_terminal(self) -> bool:
        """Whether the round has ended."""
        return self.game_of_cards.over

    def returns(self) -> list[float]:
        """Reward of each seat for the round (`RoundResult.rewards_lives`; the pot's share in pot games)."""
        game = self.game_of_cards
        if not game.over:
            return [0.0] * game.players
        return round_rewards(game.state.tobytes(), game.players, scheme_of(game.rules, "round", None))

    def seen_by(self, player: int) -> str:
        """All that a player has seen, a line an event; kept for histories that are asked for again, as solvers do."""
        history = tuple(self.history())
        texts = self.get_game().texts
        if history not in texts:
            if len(texts) >= _MOST_TEXTS:
                texts.clear()
            texts[history] = _seen(self.game_of_cards)
        return texts[history][player]

    def __str__(self) -> str:
        return "\n".join(event.text for event in self.game_of_cards.events)


def _seen(game: Game) -> tuple[str, ...]:
    """What each seat has seen, as text."""
    events = game.events
    lines = ((event.for_seat(seat) for event in events) for seat in range(game.players))
    return tuple("\n".join(filter(None, seen)) for seen in lines)


def parse_options(text: str) -> dict[str, Any]:
    """Rule options of a text such as ``max_turns:6;county:false``.

    Raises:
        UserError: a part is not ``name:value``. Names and values are checked by `Rules`.
    """
    options: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, colon, value = part.partition(":")
        if not colon:
            raise UserError(f"options: '{part}' is not name:value (parts are separated by ;)")
        options[name.strip()] = value.strip() if name.strip() == "three_of_a_kind" else yaml.safe_load(value)
    return options
