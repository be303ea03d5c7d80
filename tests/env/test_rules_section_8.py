"""RULES section 8: lives, the county, going out, and everyone out at once."""

from __future__ import annotations

import pytest

from tests.env.stacking import laid_out, play
from thirtyone_env import Game, Rules, UserError
from thirtyone_env.settlement import Settlement


def seat_0_loses(tokens: int, loss: int, **options: object) -> Settlement:
    """Seat 0 knocks and is lowest: it loses one or two; the others have plenty."""
    rules = Rules(knock_penalty=loss, **options)
    return rules.settle([5, 20, 25], knocker=0, lives=[tokens, 3, 3])


@pytest.mark.parametrize("lives", range(1, 10))
def test_section_8_lives_1_to_9(lives: int) -> None:
    game = Game(Rules(lives=lives), 3, seed=1, chance="manual")
    assert game.lives == [lives] * 3


@pytest.mark.parametrize("lives", [0, 10, -1, 2.5, True, "3"])
def test_section_8_other_numbers_of_lives_are_refused(lives: object) -> None:
    with pytest.raises(UserError, match=r"lives=.* is not allowed: a whole number from 1 to 9"):
        Rules(lives=lives)


@pytest.mark.parametrize(
    ("tokens", "loss", "after"),
    [(0, 1, "out"), (0, 2, "out"), (1, 1, "county"), (1, 2, "out"), (2, 1, 1), (2, 2, "county"), (3, 1, 2), (3, 2, 1)],
)
def test_section_8_county_true_table(tokens: int, loss: int, after: str | int) -> None:
    result = seat_0_loses(tokens, loss, county=True)
    assert result.lost[0] == loss
    assert (0 in result.eliminated) == (after == "out")
    assert (0 in result.on_county) == (after == "county")
    assert result.lives_after[0] == (after if isinstance(after, int) else 0)


@pytest.mark.parametrize(
    ("tokens", "loss", "after"), [(1, 1, "out"), (1, 2, "out"), (2, 1, 1), (2, 2, "out"), (3, 1, 2), (3, 2, 1)]
)
def test_section_8_county_false_table(tokens: int, loss: int, after: str | int) -> None:
    result = seat_0_loses(tokens, loss, county=False)
    assert (0 in result.eliminated) == (after == "out")
    assert result.on_county == ()
    assert result.lives_after[0] == (after if isinstance(after, int) else 0)


def test_section_8_county_false_a_seat_without_tokens_must_be_out() -> None:
    with pytest.raises(UserError, match="no tokens and there is no county"):
        seat_0_loses(0, 1, county=False)
    with pytest.raises(UserError, match="seat 1 may have 1 to 9 tokens, not 0"):
        Game(Rules(county=False), 3, lives=[3, 0, 3])


def test_section_8_one_token_losing_two_is_out_in_a_game() -> None:
    game = laid_out("pagat", 3, {0: "2C 3D 4H", 1: "KS QS 9H", 2: "JD TD 8C"}, lives=[1, 3, 3], up="2S", stock="5H 6H")
    play(game, "knock", "-", "-")
    assert (game.out, game.on_county, game.lives, game.placings) == ([0], [], [0, 3, 3], [3, None, None])


def test_section_8_a_seat_on_the_county_never_earns_a_life_back_but_a_31_can_win_for_it() -> None:
    game = laid_out("pagat", 2, {0: "AS KS 2C", 1: "3D 4H 5C"}, lives=[0, 0], up="QS", stock="5H 6H")
    play(game, "draw_discard", "declare")
    assert (game.winner, game.over, game.lives, game.on_county) == (0, True, [0, 0], [0])


def test_section_8_a_match_lasts_until_one_is_left() -> None:
    game = laid_out("kids", 3, {0: "AS KS 2C", 1: "2D 3H 4C", 2: "2H 3C 4D"}, lives=[3, 1, 1], up="QS")
    play(game, "draw_discard")
    assert (game.over, game.winner, game.out, game.placings) == (True, 0, [1, 2], [1, 2, 2])


# --- everyone out at once --------------------------------------------------------------------------------------------


def all_lose(all_out: str, lives: list[int], county: bool = True) -> Game:
    """Everyone ties at 9 under a rule by which all who tie with the knocker lose one."""
    rules = Rules(all_out=all_out, county=county, knocker_tie="all_lose", declare="claim")
    hands = {0: "9S 2H 3D", 1: "9H 2D 3C", 2: "9D 2C 3S"}
    game = laid_out(rules, 3, hands, lives=lives, up="4D", stock="5C 6C", seed=8)
    return play(game, "knock", "-", "-")


def test_section_8_all_out_replay_voids_the_hand() -> None:
    game = all_lose("replay", [0, 0, 0])
    result = game.last_round
    assert result is not None
    assert result.replayed
    assert (result.lost, result.would_lose, result.eliminated) == ((0, 0, 0), (1, 1, 1), ())
    assert (game.lives, game.on_county, game.out, game.dealer) == ([0, 0, 0], [0, 1, 2], [], 2)
    assert result.rewards_lives == result.rewards_match == (0, 0, 0)


def test_section_8_all_out_replay_gives_back_a_token_that_a_seat_still_had() -> None:
    rules = Rules(all_out="replay", county=False, knocker_tie="knocker_two")
    result = rules.settle([9, 9], knocker=0, lives=[2, 1])
    assert (result.replayed, result.lives_after, result.would_lose) == (True, (2, 1), (2, 1))


def test_section_8_all_out_sudden_death_plays_on_with_one_chance_each_with_the_county() -> None:
    game = all_lose("sudden_death", [0, 0, 0])
    result = game.last_round
    assert result is not None
    assert (result.sudden_death, result.replayed, result.lives_after) == ((0, 1, 2), False, (0, 0, 0))
    assert (game.on_county, game.out, game.dealer, game.over) == ([0, 1, 2], [], 0, False), "the deal moves on"


def test_section_8_all_out_sudden_death_is_one_token_each_without_the_county() -> None:
    game = all_lose("sudden_death", [1, 1, 1], county=False)
    assert (game.lives, game.on_county, game.out) == ([1, 1, 1], [], [])


def test_section_8_all_out_sudden_death_gives_no_token_back() -> None:
    rules = Rules(all_out="sudden_death", county=False, knocker_tie="knocker_two")
    result = rules.settle([9, 9], knocker=0, lives=[2, 1])
    assert (result.sudden_death, result.lives_after, result.replayed) == ((0, 1), (1, 1), False)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_section_8_all_out_sudden_death_goes_on_until_one_is_left(players: int) -> None:
    """Two, three or more tied: each further loss puts a seat out, again and again if all lose again."""
    rules = Rules(all_out="sudden_death", knocker_tie="all_lose", declare="claim", max_deals=0)
    for seed in range(20):
        game = Game(rules, players, seed=seed, lives=[0] * players)
        while not game.over:
            play(game, "knock" if game.knocker is None else "-")
        assert game.winner is not None
        assert sorted(p for p in game.placings if p is not None)[0] == 1
        assert len(game.out) == players - 1


@pytest.mark.parametrize("all_out", ["replay", "sudden_death"])
def test_section_8_if_one_survives_the_hand_stands_and_it_wins(all_out: str) -> None:
    rules = Rules(all_out=all_out)
    result = rules.settle([31, 9, 9], declared=[0], lives=[0, 0, 0])
    assert (result.eliminated, result.winner, result.replayed, result.sudden_death) == ((1, 2), 0, False, ())


def test_section_8_under_safe_everyone_out_needs_a_show_without_a_knock() -> None:
    rules = Rules(knocker_tie="safe")
    assert rules.settle([9, 9], knocker=0, lives=[0, 0]).winner == 0
    assert rules.settle([9, 9], reason="stock_out", lives=[0, 0]).replayed


def test_section_8_life_transfer_takes_a_seat_off_the_county_and_a_loser_there_gives_none() -> None:
    rules = Rules.preset("party", county=True)
    result = rules.settle([28, 20, 10], knocker=1, lives=[0, 3, 1])
    assert (result.gained, result.lives_after, result.on_county) == ((1, 0, 0), (1, 3, 0), (2,))
    result = rules.settle([28, 20, 10], knocker=1, lives=[0, 3, 0])
    assert (result.gained, result.lives_after) == ((0, 0, 0), (0, 3, 0))
    assert (result.on_county, result.eliminated) == ((0,), (2,))
