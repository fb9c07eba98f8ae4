"""The same game without Numba, for `svara bench`: the default rules, none of their options."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Outcome"]


def _zeros() -> list[int]:
    return [0, 0, 0]


@dataclass
class Outcome:
    """What a number of deals came to: sums over deals, by seat or by place after the opener."""

    deals: int = 0
    plies: int = 0
    rounds: int = 0
    reply_bombs: int = 0
    wins: list[int] = field(default_factory=_zeros)
    points: list[int] = field(default_factory=_zeros)
    squares: list[int] = field(default_factory=_zeros)
    place_points: list[int] = field(default_factory=_zeros)
