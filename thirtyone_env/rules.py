"""`Rules`: everything about the game that can vary, checked when it is made and never changed afterwards."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from thirtyone_env.cards import DECK_32, FULL_DECK, cards_to_set, set_to_cards
from thirtyone_env.errors import UserError
from thirtyone_env.options import BY_NAME, OPTIONS, unused_because
from thirtyone_env.settlement import Hand, Settlement, settle

MIN_PLAYERS = 2
MAX_PLAYERS = 9


class Rules:
    """One variant of Thirty-One. Every option is an attribute; an option that the variant has no use for is None.

    ``Rules()`` has each option's default; ``Rules.preset("pagat")`` is a known variant; ``rules.replace(lives=4)``
    changes options. `thirtyone_env.options.OPTIONS` is the table of options. Two rules are equal where all options are.

    Args:
        cards: the cards in play where the pack is neither 52 nor 32 cards, for small games.
        **options: options by name.

    Raises:
        UserError: an option is unknown, has a wrong value, is of no use to the variant, or contradicts another one.
    """

    __slots__ = ("_packed", "_values", "cards")

    cards: tuple[str, ...] | None

    def __init__(self, *, cards: Sequence[str] | None = None, **options: Any) -> None:
        values = _resolve(options, explicit=set(options))
        object.__setattr__(self, "cards", None if cards is None else tuple(set_to_cards(cards_to_set(cards))))
        object.__setattr__(self, "_values", values)
        _check_together(self, "deck" in options)
        object.__setattr__(self, "_packed", _pack(self))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in BY_NAME:
            raise AttributeError(name)
        return self._values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"Rules cannot be changed; use rules.replace({name}={value!r})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._values == other._values and self.cards == other.cards

    def __hash__(self) -> int:
        return hash((tuple(self._values.items()), self.cards))

    def __reduce__(self) -> Any:
        return _from_dict, (self.to_dict(),)

    def __repr__(self) -> str:
        changed = {o.name: self._values[o.name] for o in OPTIONS if self._values[o.name] not in (o.default, None)}
        if self.cards is not None:
            changed["cards"] = list(self.cards)
        return f"Rules({', '.join(f'{k}={v!r}' for k, v in changed.items())})"

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Names of the shipped variants."""
        return tuple(_preset_files())

    @staticmethod
    def preset(name: str, **changes: Any) -> Rules:
        """A shipped variant, with changes.

        Raises:
            UserError: there is no such preset, or a change is wrong.
        """
        files = _preset_files()
        if name not in files:
            close = difflib.get_close_matches(str(name).lower(), files, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            raise UserError(f"'{name}' is not a preset of rules; {hint}there are {', '.join(files)}")
        rules = _load_preset(name)
        return rules.replace(**changes) if changes else rules

    @staticmethod
    def of(rules: Rules | str | Mapping[str, Any]) -> Rules:
        """Rules from rules, a preset's name, or a mapping of options (which may name a ``preset`` to change)."""
        if isinstance(rules, Rules):
            return rules
        if isinstance(rules, str):
            return Rules.preset(rules)
        if not isinstance(rules, Mapping):
            raise UserError(f"rules must be Rules, a preset's name or a mapping of options, not {type(rules).__name__}")
        options = dict(rules)
        base = options.pop("preset", None)
        return Rules(**options) if base is None else Rules.preset(base, **options)

    def replace(self, **changes: Any) -> Rules:
        """The same rules with some options changed; options that the change makes useless become None.

        Raises:
            UserError: as for making rules.
        """
        cards = changes.pop("cards", self.cards)
        kept = {k: v for k, v in self._values.items() if v is not None and k not in changes}
        merged = _resolve({**kept, **changes}, explicit=set(changes))
        options = {k: v for k, v in merged.items() if v is not None}
        if cards is not None and "deck" not in changes:
            options.pop("deck", None)
        return Rules(cards=cards, **options)

    def to_dict(self) -> dict[str, Any]:
        """All options by name, ``cards`` among them where set; `Rules.of` makes the same rules of it."""
        values = {name: value for name, value in self._values.items() if value is not None}
        if self.cards is not None:
            values.pop("deck", None)
            values["cards"] = list(self.cards)
        return values

    @property
    def name(self) -> str:
        """Name of the preset that these rules are, or ``custom``."""
        return next((name for name in self.presets() if Rules.preset(name) == self), "custom")

    @property
    def deck_set(self) -> int:
        """The cards in play as a set of 52 bits."""
        if self.cards is not None:
            return cards_to_set(self.cards)
        return DECK_32 if self.deck == 32 else FULL_DECK

    @property
    def packed(self) -> tuple[int, int]:
        """The two words that the core reads (``core.layout``: RULES0, RULES1)."""
        return self._packed

    def check_players(self, players: int) -> int:
        """The number of players, checked against the cards there are.

        Raises:
            UserError: not 2 to 9, or too few cards.
        """
        if not isinstance(players, int) or isinstance(players, bool):
            raise UserError(f"players={players!r} is not allowed: a whole number from {MIN_PLAYERS} to {MAX_PLAYERS}")
        if not MIN_PLAYERS <= players <= MAX_PLAYERS:
            raise UserError(f"{players} players: allowed are {MIN_PLAYERS} to {MAX_PLAYERS}")
        stock = self.table == "stock_discard"
        need = players * self.hand_size + (3 if not stock or self.dummy_hand else 0) + (2 if stock else 0)
        if need > self.deck_set.bit_count():
            raise UserError(f"{players} players need {need} cards, but only {self.deck_set.bit_count()} are in play")
        return players

    def worth(self, cards: Sequence[str | int]) -> float:
        """Worth of a hand in points (RULES section 1).

        Raises:
            UserError: the hand has not ``hand_size`` cards, or a card is wrong or not in play.
        """
        return self._worth_of(self._hand(cards)) / 2

    def tiebreak_key(self, cards: Sequence[str | int]) -> int:
        """Ranks of the scoring suit as bits; of hands of equal worth the larger wins a tiebreak ``highest_card``."""
        from thirtyone_env.core import entry

        return int(entry.tiebreak_of(self._hand(cards), self._packed[1]))

    def _worth_of(self, hand: int) -> int:
        from thirtyone_env.core import entry

        return int(entry.worth_of(hand, self._packed[1]))

    def _hand(self, cards: Sequence[str | int]) -> int:
        if isinstance(cards, str):
            raise UserError(f"give a list of cards, not the text '{cards}' (cards.parse_cards splits one)")
        if not isinstance(cards, Iterable):
            raise UserError(f"{cards!r} is no hand: give a list of {self.hand_size} cards, such as ['KS', '8S', '5S']")
        hand = cards_to_set(cards)
        if hand.bit_count() != self.hand_size:
            raise UserError(f"a hand has {self.hand_size} cards, not {hand.bit_count()}: {' '.join(map(str, cards))}")
        if hand & ~self.deck_set:
            raise UserError(f"{' '.join(set_to_cards(hand & ~self.deck_set))}: not in this game's pack")
        return hand

    def settle(
        self,
        hands: Sequence[Hand],
        knocker: int | None = None,
        declared: Sequence[int] = (),
        lives: Sequence[int] | None = None,
        out: Sequence[int] = (),
        reason: str | None = None,
    ) -> Settlement:
        """Who loses what when a round ends (RULES sections 7 and 8); for two to seventeen seats.

        Args:
            hands: for each seat its cards, its bare worth, or None for a seat that is out or, where somebody
                declared, did not show.
            knocker: seat that knocked, or None.
            declared: seats that showed 31 (or three aces).
            lives: tokens before the round, the rules' number for all by default; 0 in a seat that is in is on the
                county.
            out: seats that are out.
            reason: knock, declared, natural, stock_out, drawn, limit or feuer; by default what fits the rest.

        Raises:
            UserError: something does not fit together; the text says what.
        """
        return settle(self, hands, knocker, declared, lives, out, reason)


def _resolve(options: Mapping[str, Any], explicit: set[str]) -> dict[str, Any]:
    """Every option's value: given, default, or None where the variant has no use for it."""
    for name in options:
        if name not in BY_NAME:
            close = difflib.get_close_matches(name, BY_NAME, n=1)
            hint = f"; did you mean {close[0]}?" if close else ""
            raise UserError(f"'{name}' is not a rule option{hint} (thirtyone rules lists them)")
    values: dict[str, Any] = {}
    for option in OPTIONS:
        value = options.get(option.name)
        values[option.name] = option.default if value is None else _checked(option.name, value)
    for option in OPTIONS:
        reason = unused_because(option.name, values)
        if reason is None:
            continue
        if option.name in explicit and options[option.name] is not None:
            raise UserError(f"{option.name}={options[option.name]!r} is of no use to this variant: {reason}")
    return {n: None if unused_because(n, values) else v for n, v in values.items()}


def _checked(name: str, value: Any) -> Any:
    option = BY_NAME[name]
    if option.values:
        for allowed in option.values:
            if type(allowed) is type(value) and allowed == value:
                return allowed
        if any(isinstance(v, str) for v in option.values) and str(value) in option.values:
            return str(value)
    elif isinstance(value, int) and not isinstance(value, bool) and option.low <= value <= option.high:
        return value
    raise UserError(f"{name}={value!r} is not allowed: {option.allowed()} ({option.meaning})")


def _check_together(rules: Rules, deck_given: bool) -> None:
    """Refuse options that contradict each other."""
    pot = rules.settlement == "highest_takes_pot"
    if pot != (rules.declare_effect == "takes_pot"):
        raise UserError(
            f"settlement={rules.settlement!r} and declare_effect={rules.declare_effect!r} contradict each other: "
            "a pot game needs both highest_takes_pot and takes_pot, a lives game neither"
        )
    if rules.only_knocker_amount == 2 and rules.knock_penalty == 1:
        raise UserError(
            "only_knocker_amount=2 and knock_penalty=1 contradict each other: a tie would cost more than losing alone"
        )
    if rules.early_knock_shows_now and rules.first_turn_knock in ("banned_first_turn", "banned_first_lap"):
        raise UserError(
            f"early_knock_shows_now=True and first_turn_knock={rules.first_turn_knock!r} contradict each other"
        )
    if rules.tiebreak == "highest_card" and not pot:
        raise UserError("tiebreak='highest_card' needs settlement highest_takes_pot: in a lives game all who tie lose")
    if rules.three_aces == "feuer" and (rules.table != "pool" or rules.three_of_a_kind == "off"):
        raise UserError("three_aces='feuer' needs table pool and three_of_a_kind 30 or 30.5")
    if rules.hand_size != 3 and (rules.three_of_a_kind != "off" or rules.table != "stock_discard" or rules.dummy_hand):
        raise UserError(f"hand_size={rules.hand_size} needs three_of_a_kind off, table stock_discard and no dummy_hand")
    if rules.cards is not None and deck_given:
        raise UserError("cards and deck contradict each other: give one of them")
    if rules.cards is not None and len(rules.cards) < 2:
        raise UserError(f"cards={list(rules.cards)} are too few for a game")


def _pack(rules: Rules) -> tuple[int, int]:
    """RULES0 and RULES1 of ``core.layout``. An option that is None packs as 0."""
    words = [rules.deck_set, 0]
    for name, field in _packed_fields().items():
        value = getattr(rules, name)
        if value is None:
            continue
        code = int(value) if name == "hand_size" else BY_NAME[name].code(value)
        words[int(field[0])] |= code << int(field[1])
    return words[0], words[1]


@functools.cache
def _packed_fields() -> dict[str, Any]:
    from thirtyone_env.core import layout

    return {
        "max_deals": layout.MAX_DEALS,
        "three_of_a_kind": layout.TRIPLE,
        "three_aces": layout.ACES,
        "dealer_upcard_swap": layout.UPCARD_SWAP,
        "dummy_hand": layout.DUMMY_HAND,
        "return_taken_discard": layout.RETURN_TAKEN,
        "final_lap_stand": layout.LAP_STAND,
        "first_turn_knock": layout.FIRST_KNOCK,
        "knock_min": layout.KNOCK_MIN,
        "early_knock_shows_now": layout.EARLY_KNOCK,
        "declare": layout.DECLARE_RULE,
        "natural_31": layout.NATURAL,
        "declare_effect": layout.EFFECT,
        "simultaneous_31": layout.SIMULTANEOUS,
        "knocker_on_31": layout.KNOCKER_ON_31,
        "stock_out": layout.STOCK_OUT,
        "settlement": layout.SETTLEMENT,
        "tie_lowest": layout.TIE_LOWEST,
        "knock_penalty": layout.KNOCK_PENALTY,
        "knocker_tie": layout.KNOCKER_TIE,
        "only_knocker_amount": layout.ONLY_AMOUNT,
        "life_transfer": layout.TRANSFER,
        "tiebreak": layout.TIEBREAK,
        "lives": layout.START_LIVES,
        "county": layout.COUNTY,
        "all_out": layout.ALL_OUT,
        "table": layout.TABLE,
        "pool_exchange": layout.EXCHANGE,
        "all_pass_renews": layout.PASS_RENEWS,
        "dealer_packet": layout.PACKET,
        "max_turns": layout.MAX_TURNS,
        "target": layout.TARGET,
        "hand_size": layout.HAND_SIZE,
    }


def _from_dict(values: dict[str, Any]) -> Rules:
    return Rules(**values)


@functools.cache
def _preset_files() -> dict[str, Any]:
    from thirtyone_env.config_files import configs_dir

    order = ("pagat", "party", "standard", "kids", "wikipedia_fast", "bicycle", "schwimmen",
             "mini_5x1", "mini_3x2", "mini_3x2_target")
    found = {path.stem: path for path in sorted((configs_dir() / "rules").glob("*.yaml"))}
    return {name: found[name] for name in (*(n for n in order if n in found), *(n for n in found if n not in order))}


@functools.cache
def _load_preset(name: str) -> Rules:
    import yaml

    text = yaml.safe_load(_preset_files()[name].read_text(encoding="utf-8"))
    return Rules(cards=text.get("cards"), **text["options"])
