"""Records of tournament games, each enough to play its game again to the same end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from thirtyone_env import __version__
from thirtyone_env.actions import NUM_ACTIONS
from thirtyone_env.errors import UserError
from thirtyone_env.game import Game
from thirtyone_eval.outcomes import end_of, lives_lost

FORMAT = 2
# One character an action: its id is the place here.
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-"
_IDS = {character: number for number, character in enumerate(ALPHABET)}
assert len(ALPHABET) == NUM_ACTIONS
_TO_IDS = bytes.maketrans(ALPHABET.encode(), bytes(range(NUM_ACTIONS)))
_NEEDED = ("rules", "players", "episode", "seed", "actions", "lost", "places")


def actions_text(game: Game) -> str:
    """The actions of a game, a character each."""
    return "".join(ALPHABET[entry.value] for entry in game.inputs() if entry.kind == "action")


def action_ids(text: str) -> bytes:
    """The ids of the actions in a text of `actions_text`, a byte each."""
    return text.encode().translate(_TO_IDS)


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """The records of a run, a game each, in the order in which they were played.

    Args:
        path: folder of a run, or the store in it (`store.STORE`).

    Keys of a record: ``format``, ``version`` (of thirtyone-env), ``match`` (its name in the tournament: setting, deal,
    number in the deal), ``rules``, ``players``, ``episode``, ``seed`` (of the cards), ``policy_seed`` (seed and match
    that key the policies' randomness), ``seats`` (labels), ``policies`` (fingerprints), ``actions`` (empty where
    compiled policies alone played: they and the seeds give them again), ``rounds``, ``lost``, ``places``, and
    ``forfeit`` (None, or seat, reason and text).

    Raises:
        UserError: there is no run.
    """
    from thirtyone_eval.arena import deal_seed
    from thirtyone_eval.config import parse_config
    from thirtyone_eval.schedule import games_of, settings_of
    from thirtyone_eval.store import open_store

    with open_store(path) as store:
        config = parse_config(store.told["config"], str(path))
        entrants = store.told["policies"]
        for setting in settings_of(config):
            for block in store.blocks(setting.number):
                games, outcomes = games_of(config, setting, block), store.load(block)
                forfeits = {one.game: one for one in outcomes.forfeits}
                for row, deal in enumerate(games.deals.tolist()):
                    seated = [entrants[number] for number in games.seats[row]]
                    forfeit = forfeits.get(row)
                    yield {
                        "format": FORMAT,
                        "version": store.told["version"],
                        "match": f"{setting.number}-{deal}-{row - (deal - block.deals.start) * setting.games}",
                        "rules": setting.rules_name,
                        "players": setting.players,
                        "episode": config.episode,
                        "seed": deal_seed(config.seed, deal),
                        "policy_seed": [config.seed, deal],
                        "seats": [one["policy"] for one in seated],
                        "policies": [one["fingerprint"] for one in seated],
                        "actions": outcomes.actions[row],
                        "rounds": int(outcomes.rounds[row]),
                        "lost": outcomes.lost[row].tolist(),
                        "places": outcomes.places[row].tolist(),
                        "forfeit": None if forfeit is None else [forfeit.seat, forfeit.reason, forfeit.text],
                    }


def replay(record: Mapping[str, Any]) -> Game:
    """Play a record again, and check that it ends as it says. A forfeited game ends where it was forfeited.

    Raises:
        UserError: a key is missing, an action is not legal, the policies are other ones now, or the end is another one.
    """
    name = record.get("match", "?")
    missing = [key for key in _NEEDED if key not in record]
    if missing:
        raise UserError(f"match {name}: the record lacks {', '.join(missing)}")
    game = Game(record["rules"], record["players"], seed=record["seed"], episode=record["episode"])
    forfeit = record.get("forfeit")
    if not record["actions"] and forfeit is None and game.turn is not None:
        _ask_again(game, record, name)
    else:
        _play_actions(game, record["actions"], name)
    _check_end(game, record, name)
    return game


def _play_actions(game: Game, actions: str, name: str) -> None:
    for step, character in enumerate(actions):
        action = _IDS.get(character)
        if action is None or game.turn is None or not game.mask >> action & 1:
            legal = ", ".join(game.legal_actions()) or "nothing, for the game is over"
            raise UserError(f"match {name}, action {step}: {character!r} is not legal here; legal is {legal}")
        game.play(action)


def _ask_again(game: Game, record: Mapping[str, Any], name: str) -> None:
    """Let the compiled policies of a record play it once more."""
    from thirtyone_agents.play import play_match
    from thirtyone_agents.policy import fingerprint
    from thirtyone_agents.registry import load

    if "policy_seed" not in record or "policies" not in record:
        raise UserError(f"match {name}: the record has neither actions nor policies and policy_seed")
    policies = []
    for mark in record["policies"]:
        policy = load(mark.rpartition(" v")[0])
        if fingerprint(policy) != mark:
            raise UserError(
                f"match {name}: it was played by {mark}, and this version {__version__} has {fingerprint(policy)}"
            )
        policies.append(policy)
    play_match(game, policies, *record["policy_seed"])


def _check_end(game: Game, record: Mapping[str, Any], name: str) -> None:
    told = (record["lost"], record["places"])
    forfeit = record.get("forfeit")
    if forfeit is not None:
        from thirtyone_eval.forfeits import lost_and_places

        found = lost_and_places(game, lives_lost(game)[0], forfeit[0])
    elif not game.over:
        raise UserError(f"match {name}: after its {len(record['actions'])} actions the game is not over")
    else:
        end = end_of(game)
        found = (list(end.lost), list(end.places))
    if found != told:
        raise UserError(
            f"match {name}: it ends with lost={found[0]} places={found[1]}, "
            f"but the record says lost={told[0]} places={told[1]}"
        )
