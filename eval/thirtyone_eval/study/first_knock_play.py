"""The deals of the study `first-knock`, compiled. Importing this module compiles it (a group of its own).

The cards of deal *i* come from the core's counter-based generator, keyed by (seed, i).
"""

from __future__ import annotations

from typing import Any

from thirtyone_env.core.bits import U0, U1, U, jit, nth_bit
from thirtyone_env.core.compile import compile_entries, entry
from thirtyone_env.core.layout import CARD_BITS
from thirtyone_env.core.rng import STREAM_CARDS, below, game_key, stream_base, word_of
from thirtyone_env.core.worth import worth

GROUP = "first_knock"
WORTHS = 67  # worths in half points, 0 to 66
MOST_SEATS = 9


@jit
def draw_cards(seed: Any, deal: Any, cards: Any) -> None:
    """Shuffle as many cards of the pack as ``cards`` has room for."""
    base = stream_base(game_key(seed, deal), STREAM_CARDS)
    left = CARD_BITS
    size = U(52)
    for i in range(cards.shape[0]):
        card = nth_bit(left, below(word_of(base, U(i)), size))
        left = left ^ (U1 << card)
        size = size - U1
        cards[i] = card


@jit
def cards_of(hands: Any, row: Any) -> Any:
    """The set of a hand's three cards."""
    return (U1 << hands[row, 0]) | (U1 << hands[row, 1]) | (U1 << hands[row, 2])


@jit
def worst_card(hands: Any, row: Any, pairs: Any) -> int:
    """Place of the card whose removal leaves the best average; of equal ones the first dealt.

    ``pairs[a, b]`` sums the worths of a, b and each third card. The average over the 49 cards that could come for the
    card removed leaves out the hand as it is, which is the same for all three, so the sums can be compared as they are.
    """
    a, b, c = hands[row, 0], hands[row, 1], hands[row, 2]
    without_a, without_b, without_c = pairs[b, c], pairs[a, c], pairs[a, b]
    if without_a >= without_b and without_a >= without_c:
        return 0
    return 1 if without_b >= without_c else 2


@jit
def take_turn(hands: Any, row: Any, top: Any, stock: Any, pairs: Any, rules1: Any) -> Any:
    """One turn. Returns the new top card, and 1 where the stock card was drawn."""
    present = worth(cards_of(hands, row), rules1)
    place = worst_card(hands, row, pairs)
    thrown = hands[row, place]
    hands[row, place] = top
    if worth(cards_of(hands, row), rules1) > present:
        return thrown, 0
    hands[row, place] = stock
    if worth(cards_of(hands, row), rules1) > present:
        return thrown, 1
    hands[row, place] = thrown
    return stock, 1


@jit
def is_alone_in_last_place(hands: Any, first: Any, players: Any, knocker: Any, mine: Any, rules1: Any) -> bool:
    """Whether all the others have more than the knocker."""
    for seat in range(players):
        if seat != knocker and worth(cards_of(hands, first + seat), rules1) <= mine:
            return False
    return True


@entry(
    "void(uint64, int64, int64, int64, uint64, uint64[:, ::1], uint64[::1], uint64[:, ::1], int64[:, :, ::1])",
    group=GROUP,
)
def play_deals(
    seed: Any, lo: Any, hi: Any, players: Any, rules1: Any, pairs: Any, cards: Any, hands: Any, tally: Any
) -> None:
    """Play the deals ``lo`` to ``hi``, each once with every seat as the knocker.

    Args:
        seed: of the cards.
        lo: first deal.
        hi: one after the last.
        players: seats; seat 0 sits left of the dealer and begins.
        rules1: second word of packed rules, which say what three of a kind is worth.
        pairs: uint64 ``[52, 52]``, see `worst_card`.
        cards: uint64 ``[5 * players - 1]`` or longer, scratch: all cards that a deal can need.
        hands: uint64 ``[2 * players, 3]``, scratch: the hands before the knock, and those of the final lap.
        tally: int64 ``[players, WORTHS, 2]``, added to: how often the knocker had this worth, and survived.
    """
    for deal in range(lo, hi):
        draw_cards(seed, U(deal), cards)
        for seat in range(players):
            for i in range(3):
                hands[seat, i] = cards[i * players + seat]
        top = cards[3 * players]
        following = 3 * players + 1
        for knocker in range(players):
            for seat in range(players):
                for i in range(3):
                    hands[players + seat, i] = hands[seat, i]
            now_top, now_following = top, following
            for step in range(1, players):
                seat = (knocker + step) % players
                now_top, drew = take_turn(hands, players + seat, now_top, cards[now_following], pairs, rules1)
                now_following += drew
            mine = worth(cards_of(hands, knocker), rules1)
            tally[knocker, mine, 0] += 1
            if not is_alone_in_last_place(hands, players, players, knocker, mine, rules1):
                tally[knocker, mine, 1] += 1
            top, drew = take_turn(hands, knocker, top, cards[following], pairs, rules1)  # before the next one knocks
            following += drew


@entry("void(uint64, uint64[:, ::1])", group=GROUP)
def sum_pairs(rules1: Any, pairs: Any) -> None:
    """Fill ``pairs``: uint64 ``[52, 52]``, see `worst_card`."""
    for a in range(52):
        for b in range(52):
            total = U0
            kept = (U1 << U(a)) | (U1 << U(b))
            for c in range(52):
                if a != b and a != c and b != c:
                    total = total + worth(kept | (U1 << U(c)), rules1)
            pairs[a, b] = total


compile_entries(GROUP, "the study of first knocks")
