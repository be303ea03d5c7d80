"""An illegal action is refused with the rule that forbids it, not with another one."""

from __future__ import annotations

import random
import re

import pytest

from tests.env.game_walks import random_table, walk
from tests.env.stacking import laid_out, play
from thirtyone_env import Game, IllegalAction, Rules
from thirtyone_env.actions import ACTION_NAMES
from thirtyone_env.options import BY_NAME

EMPTY = ("2C", "3D", "4H", "KS", "QS", "9H", "5C", "6D", "7H")


def stock(**options: object) -> Game:
    return laid_out(Rules(**options), 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="AS", stock="5H 6H 7H")


def used_up(stock_out: str) -> Game:
    rules = Rules(cards=EMPTY, stock_out=stock_out)
    return play(laid_out(rules, 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, up="5C", stock="6D 7H", seed=1), "-", "-")


def widow(**options: object) -> Game:
    rules = Rules.preset("bicycle", **options)
    return laid_out(rules, 2, {0: "2C 3D 4H", 1: "KS QS 9H"}, extra="5H 6D 9S")


def schwimmen(**options: object) -> Game:
    return laid_out(Rules.preset("schwimmen", **options), 2, {0: "7C 8D 9H", 1: "KS QS 9D"}, extra="7H 8S 9S")


REFUSED = {
    "throw before drawing": (stock(), "discard 2C", "a card is thrown after one was drawn (RULES section 3)"),
    "knock after drawing": (play(stock(), "draw_stock"), "knock", "a card must be thrown now (RULES section 3)"),
    "throw what is not held": (play(stock(), "draw_stock"), "discard AS", "AS is not in the hand"),
    "return what was taken": (play(stock(), "draw_discard"), "discard AS", "return_taken_discard"),
    "first turn": (stock(first_turn_knock="banned_first_turn"), "knock", "nobody may knock on the first turn"),
    "first lap": (play(stock(first_turn_knock="banned_first_lap"), "-"), "knock", "nobody may knock in the first lap"),
    "knock minimum": (stock(knock_min=17), "knock", "a knock needs a worth of 17 (RULES section 4, knock_min)"),
    "second knock": (play(stock(), "knock"), "knock", "seat 0 has knocked already (RULES section 4)"),
    "nothing to show": (stock(declare="hold"), "declare", "no 31 that may be shown now (RULES section 5, declare"),
    "no stock": (used_up("play_on"), "draw_stock", "the stock is used up (RULES section 6, stock_out play_on)"),
    "pass at will": (stock(), "pass", "only without stock, or in the final lap by option"),
    "no dummy": (stock(), "swap_dummy", "there is no dummy hand to take (RULES section 9)"),
    "up-card too late": (stock(), "swap_upcard", "only the dealer may, before the first turn"),
    "pool at a stock table": (stock(), "take_pool 0", "not at this point of a stock_discard table"),
    "draw before the up-card": (stock(dealer_upcard_swap=True), "draw_stock", "first takes or leaves the up-card"),
    "knock before the up-card": (stock(dealer_upcard_swap=True), "knock", "first takes or leaves the up-card"),
    "knock before the packet": (schwimmen(), "knock", "first keeps his packet or takes the other"),
    "draw at a widow table": (widow(), "draw_stock", "not at this point of a widow table"),
    "knock after an exchange": (
        play(widow(pool_exchange="any"), "take_pool 2", "discard 2C"), "knock", "after an exchange in the same turn",
    ),
    "take back what was put down": (
        play(widow(pool_exchange="any"), "take_pool 2", "discard 2C"), "take_pool 0", "pool_exchange any",
    ),
    "swap all where one is changed": (widow(), "swap_all", "pool_exchange one"),
    "put down what was taken": (
        play(widow(), "take_pool 2"), "discard 9S", "9S was just taken and must be kept this turn (RULES section 10)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_rule_that_forbids_it_is_named(name: str) -> None:
    game, action, words = REFUSED[name]
    before = game.state.tobytes()
    with pytest.raises(IllegalAction, match=re.escape(words)) as error:
        game.play(action)
    assert str(error.value).endswith(f"legal are {', '.join(game.legal_actions())}")
    assert f"'{action}' is not legal for seat {game.turn}: " in str(error.value)
    assert game.state.tobytes() == before


def test_every_refusal_in_random_games_is_one_plain_line() -> None:
    """No option without a value is quoted, and every option that is named exists."""
    source = random.Random(14)
    seen = set()
    for _ in range(60):
        game = random_table(source)
        for step, _ in enumerate(walk(game, source, 60)):
            if step % 7 or game.turn is None:
                continue
            for action in range(63):
                if game.mask >> action & 1:
                    continue
                with pytest.raises(IllegalAction) as error:
                    game.play(action)
                text = str(error.value)
                assert "\n" not in text
                assert "None" not in text, text
                for told in re.findall(r"RULES section \d+, (\w+)", text):
                    assert told in BY_NAME
                seen.add(re.sub(r"[2-9TJQKA][CDHS]", "?", text.split(": ")[1].split(";")[0]))
                assert ACTION_NAMES[action] in text
    assert len(seen) > 12
