"""Names of the words and fields of a game's state and of a view.

A game is a column of ``uint64`` words: ``S[word, game]``. The first sixteen words belong to the table; each seat then
has two: its hand and the cards it has thrown. A field is a tuple ``(word, shift, mask)``.

Everything here is ``uint64``: mixing signed with unsigned numbers turns into floats in compiled code.
"""

from __future__ import annotations

import numpy as np

U = np.uint64


def _field(word: int, shift: int, bits: int) -> tuple[np.uint64, np.uint64, np.uint64]:
    return U(word), U(shift), U((1 << bits) - 1)


MAX_SEATS = 9
CARD_BITS = U((1 << 52) - 1)
NONE_SEAT = U(15)
NONE_CARD = U(63)
NONE_VALUE = U(127)

# Words of the state.
RULES0 = U(0)
RULES1 = U(1)
KEY = U(2)
COUNT = U(3)
STATUS = U(4)
SEATS = U(5)
LIVES = U(6)
PLACE = U(7)
LAST0 = U(8)
LAST1 = U(9)
STOCK = U(10)
PILE = U(11)
EXTRA = U(12)
KNOWN = U(13)
RESHUFFLED = U(14)
DRAWS = U(15)
HAND = U(16)
THROWN = U(17)
SEAT_WORDS = U(2)
TABLE_WORDS = 16


def state_words(players: int) -> int:
    """Words of the state of a game with this many seats."""
    return TABLE_WORDS + 2 * players


# The rules, packed. The deck is the low 52 bits of RULES0.
MAX_DEALS = _field(0, 52, 12)
# The options of RULES1 lie in the order of the observation's columns, which are then cut out and not put together.
TRIPLE = _field(1, 0, 2)  # 0 off, 1 30, 2 30.5
ACES = _field(1, 2, 2)  # 0 same, 1 32.5, 2 feuer
FIRST_KNOCK = _field(1, 4, 2)  # 0 allowed, 1 banned_first_turn, 2 banned_first_lap
DECLARE_RULE = _field(1, 6, 2)  # 0 auto, 1 claim, 2 hold
EFFECT = _field(1, 8, 2)  # 0 others_lose, 1 lowest_loses, 2 takes_pot
STOCK_OUT = _field(1, 10, 2)  # 0 reshuffle, 1 play_on, 2 draw, 3 show
SETTLEMENT = _field(1, 12, 2)  # 0 lowest_loses, 1 below_knocker_loses, 2 highest_takes_pot
KNOCKER_TIE = _field(1, 14, 2)  # 0 safe, 1 knocker_two, 2 only_knocker, 3 all_lose
TABLE = _field(1, 16, 2)  # 0 stock_discard, 1 widow, 2 pool
EXCHANGE = _field(1, 18, 2)  # 0 one, 1 any, 2 one_or_all
UPCARD_SWAP = _field(1, 20, 1)
DUMMY_HAND = _field(1, 21, 1)
RETURN_TAKEN = _field(1, 22, 1)
LAP_STAND = _field(1, 23, 1)
EARLY_KNOCK = _field(1, 24, 1)
NATURAL = _field(1, 25, 1)  # 0 at_once, 1 own_turn
SIMULTANEOUS = _field(1, 26, 1)  # 1: two lives
KNOCKER_ON_31 = _field(1, 27, 1)  # 1: two lives
TIE_LOWEST = _field(1, 28, 1)  # 1: none_lose
KNOCK_PENALTY = _field(1, 29, 1)  # 1: two lives
ONLY_AMOUNT = _field(1, 30, 1)  # 1: two lives
TRANSFER = _field(1, 31, 1)  # 1: to_winner
TIEBREAK = _field(1, 32, 1)  # 1: highest_card
COUNTY = _field(1, 33, 1)
ALL_OUT = _field(1, 34, 1)  # 0 replay, 1 sudden_death
PASS_RENEWS = _field(1, 35, 1)
PACKET = _field(1, 36, 1)
MAX_TURNS = _field(1, 37, 10)
HAND_SIZE = _field(1, 47, 2)
TARGET = _field(1, 49, 5)
START_LIVES = _field(1, 54, 4)
KNOCK_MIN = _field(1, 58, 5)

# Counters that key the random stream.
DRAW_NO = _field(3, 0, 20)
DEAL_NO = _field(3, 20, 20)
MATCH_NO = _field(3, 40, 24)

# The table.
PHASE = _field(4, 0, 4)
TURN = _field(4, 4, 4)
DEALER = _field(4, 8, 4)
KNOCKER = _field(4, 12, 4)
TOP = _field(4, 16, 6)
DRAWN = _field(4, 22, 6)
TAKEN = _field(4, 28, 1)
LAPS_LEFT = _field(4, 29, 4)
PASSES = _field(4, 33, 4)
TURN_NO = _field(4, 37, 16)
EXCHANGED = _field(4, 53, 1)  # pool tables: this turn's exchange is done
SETUP = _field(4, 54, 1)  # the dealer is changing the up-card

NUM_SEATS = _field(5, 0, 4)
MATCH_SEATS = _field(5, 4, 9)  # in when the match began
OUT = _field(5, 13, 9)
ON_COUNTY = _field(5, 22, 9)
POT = _field(5, 31, 9)  # winners of the pot
FIRST_DEALER = _field(5, 40, 2)  # 0 any, 1 high_card, 2 low_card, 3 rotation
ROUND_EPISODE = _field(5, 42, 1)
WAS_RESHUFFLED = _field(5, 43, 1)
TURNED = _field(5, 44, 1)  # the dummy hand lies open

# The last round and the placings.
ELIMINATED = _field(7, 36, 9)
ROUND_SEATS = _field(7, 45, 9)  # in when the round began
TRUNCATED = _field(7, 54, 1)
WINNER = _field(7, 55, 4)
RECEIVER = _field(9, 36, 4)
GAINED = _field(9, 40, 6)
DECLARED = _field(9, 46, 9)
REASON = _field(9, 55, 3)
LAST_KNOCKER = _field(9, 58, 4)
REPLAYED = _field(9, 62, 1)
SUDDEN_DEATH = _field(9, 63, 1)

# Fields repeated for each seat: (word, bits a seat, mask).
LIVES_OF = (U(6), U(7), U(127))
PLACE_OF = (U(7), U(4), U(15))
VALUE_OF = (U(8), U(7), U(127))
LOST_OF = (U(9), U(2), U(3))
DRAWS_OF = (U(15), U(6), U(63))
PAID_SHIFT = U(18)  # what a seat could pay of LOST_OF lies this much higher

# Phases. Chance moves in DEAL, DRAW and RENEW, a seat in the others.
PH_DEAL = U(0)
PH_DRAW = U(1)
PH_RENEW = U(2)
PH_TURN = U(3)
PH_DISCARD = U(4)
PH_UPCARD = U(5)
PH_PACKET = U(6)
PH_POOL = U(7)  # pool tables: a card was taken, one must be put down
PH_OVER = U(8)
PHASE_NAMES = ("deal", "draw", "renew", "turn", "discard", "upcard", "packet", "pool", "over")

# Why a round ended.
R_KNOCK = U(1)
R_DECLARED = U(2)
R_NATURAL = U(3)
R_STOCK_OUT = U(4)
R_DRAWN = U(5)
R_LIMIT = U(6)
R_FEUER = U(7)
REASON_NAMES = (None, "knock", "declared", "natural", "stock_out", "drawn", "limit", "feuer")

# Actions (thirtyone_env.actions has the names).
A_DRAW_STOCK = U(0)
A_DRAW_DISCARD = U(1)
A_KNOCK = U(2)
A_DECLARE = U(3)
A_DISCARD = U(4)
A_PASS = U(56)
A_SWAP_DUMMY = U(57)
A_SWAP_ALL = U(58)
A_SWAP_UPCARD = U(59)
A_TAKE_POOL = U(60)

# Words of a view: uint64 [VIEW_WORDS].
VIEW_WORDS = 32
V_RULES0 = 0
V_RULES1 = 1
V_STATUS = 2  # the fields of STATUS, at the same places, with what is hidden left out
V_SEATS = 3  # the fields of SEATS
V_LIVES = 4
V_LEGAL = 5
V_HAND = 6
V_PILE = 7
V_EXTRA = 8  # the pool, or the dummy hand once it lies open
V_RESHUFFLED = 9
V_DRAWS = 10
V_COUNTS = 11
V_KNOWN = 12  # nine words, a seat each: cards known to be in its hand
V_THROWN = 21  # nine words, a seat each: cards it has thrown in this deal
# Fields of V_COUNTS.
VF_ME = (U(V_COUNTS), U(0), U(15))
VF_STOCK_COUNT = (U(V_COUNTS), U(4), U(63))
VF_PILE_COUNT = (U(V_COUNTS), U(10), U(63))
VF_DEAL_NO = (U(V_COUNTS), U(16), U((1 << 20) - 1))
