"""Playing a block of games: the one place where a tournament meets the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thirtyone_agents.play import play_matches
from thirtyone_agents.policy import Policy
from thirtyone_env.game import Game
from thirtyone_env.keys import decision_key
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult

SEED_BITS = 53  # a whole number that JSON readers of any language keep exact


@dataclass(frozen=True)
class Placement:
    """One game to play.

    Attributes:
        deal: number of the deal, which fixes the cards and the keys of the policies.
        seats: number of the policy in each seat.
    """

    deal: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """How a game ended. Lists have one entry a seat.

    Attributes:
        lost: lives lost, less those received, as the rules took them (before capping at what a seat had).
        played: rounds in which the seat took part.
        places: place, 1 the best; seats that fared the same share one.
        wins: share of the win: those in place 1 share it, and it sums to 1.
        first_dealer: seat that dealt the first round.
        rounds: rounds settled.
        actions: ids of the actions, in order.
    """

    lost: tuple[int, ...]
    played: tuple[int, ...]
    places: tuple[int, ...]
    wins: tuple[float, ...]
    first_dealer: int
    rounds: int
    actions: tuple[int, ...]


def deal_seed(seed: int, deal: int) -> int:
    """Seed of the cards of a deal, 0 to 2^53 - 1."""
    return decision_key(seed, deal) >> (64 - SEED_BITS)


def play_block(
    rules: Rules, players: int, episode: str, seed: int, placements: Sequence[Placement], policies: Sequence[Policy]
) -> list[Outcome]:
    """Play games side by side; each policy is asked about many at once.

    An outcome depends on its placement, the seed and the policies alone, not on the rest of the block: cards come from
    (seed, deal), a policy's randomness from (seed, deal, round, decision, seat).

    Args:
        rules: of all games.
        players: seats of each.
        episode: ``round`` or ``match``.
        seed: of the tournament.
        placements: the games.
        policies: all policies; placements hold numbers of them.

    Raises:
        IllegalAction: a policy answered something illegal; the text names it.
    """
    games = [Game(rules, players, seed=deal_seed(seed, one.deal), episode=episode) for one in placements]
    seats = [[policies[number] for number in one.seats] for one in placements]
    play_matches(games, seats, seed, [one.deal for one in placements])
    return [outcome_of(game) for game in games]


def outcome_of(game: Game) -> Outcome:
    """What a finished game is to a tournament."""
    rounds = game.rounds
    seats = range(game.players)
    lost = tuple(sum(one.lost[seat] - one.gained[seat] for one in rounds) for seat in seats)
    played = tuple(sum(one.hands[seat] is not None for one in rounds) for seat in seats)
    places = places_of(game, rounds[-1], lost)
    best = [seat for seat in seats if places[seat] == 1]
    wins = tuple(1 / len(best) if seat in best else 0.0 for seat in seats)
    actions = tuple(entry.value for entry in game.inputs() if entry.kind == "action")
    return Outcome(lost, played, places, wins, rounds[0].dealer, len(rounds), actions)


def places_of(game: Game, last: RoundResult, lost: tuple[int, ...]) -> tuple[int, ...]:
    """Place of each seat: a match's own; in a pot game winners before the others; in a round by lives lost."""
    if game.rules.settlement == "highest_takes_pot":
        worse = [int(seat not in last.pot_winners) for seat in range(game.players)]
    elif game.episode == "match":
        return tuple(place or 1 for place in game.placings)
    else:
        worse = list(lost)
    return tuple(1 + sum(other < mine for other in worse) for mine in worse)
