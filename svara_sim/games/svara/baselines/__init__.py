"""The same game without Numba, for `svara bench`: in plain Python, and in NumPy by batches of deals.

Both play the default rules with threshold policies: all of the rule page's section 3, but none of its options.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["Outcome", "Threshold"]


@dataclass(frozen=True)
class Threshold:
    """A seat that calls from `call` points and makes the least legal raise from `raise_at`."""

    call: int
    raise_at: int
    blind: float = 0.0
    join: float = 0.0

    @property
    def label(self) -> str:
        """The same policy of the library."""
        return (
            f"threshold:call={self.call},raise_at={self.raise_at},raise_size=0,blind={self.blind!r},join={self.join!r}"
        )


@dataclass
class Outcome:
    """What a number of deals came to: payoffs and their squares by seat, in chips, and counts of deals."""

    payoffs: list[float]
    squares: list[float]
    deals: int = 0
    svaras: int = 0
    endings: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("dealer", "blind", "last", "showdown"), 0))

    @classmethod
    def of(cls, seats: Sequence[Threshold]) -> Outcome:
        """Nothing played yet."""
        return cls([0.0] * len(seats), [0.0] * len(seats))
