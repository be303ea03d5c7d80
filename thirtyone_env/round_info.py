"""What an environment tells of a round that has just ended, worked out only when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from thirtyone_env.decode import decode_round
from thirtyone_env.rules import Rules
from thirtyone_env.settlement import RoundResult

KEYS = (
    "deal",
    "dealer",
    "reason",
    "knocker",
    "declared",
    "values",
    "lost",
    "gained",
    "lives_after",
    "on_county",
    "eliminated",
    "replayed",
    "winner",
    "why",
)


class RoundInfo(Mapping[str, Any]):
    """A settled round as a mapping, the same for every seat.

    Keys: ``deal`` (from 0), ``dealer``, ``reason``, ``knocker``, ``declared``, ``values`` (worth of each seat's hand in
    points, None for a seat that was out), ``lost``, ``gained``, ``lives_after`` (a number a seat), ``on_county``,
    ``eliminated``, ``replayed``, ``winner`` and ``why`` (sentences that name the rule).
    """

    __slots__ = ("_made", "_source")

    def __init__(self, rules: Rules, players: int, raw: bytes, dealer: int, deal: int) -> None:
        self._source = (rules, players, raw, dealer, deal)
        self._made: RoundResult | None = None

    @property
    def result(self) -> RoundResult:
        """All of it, the hands shown and the rewards too."""
        if self._made is None:
            self._made = decode_round(*self._source)
        return self._made

    def __getitem__(self, key: str) -> Any:
        if key not in KEYS:
            raise KeyError(key)
        return getattr(self.result, key)

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    def __repr__(self) -> str:
        return f"RoundInfo({dict(self)})"

    def __deepcopy__(self, memo: dict[int, Any]) -> RoundInfo:
        return self  # nothing in it ever changes

    def __reduce__(self) -> Any:
        return RoundInfo, self._source
