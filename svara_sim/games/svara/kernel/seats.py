"""Walking round the table: seats as bits of a mask (uint64), bit s for seat s.

Jumping to the next set bit costs one well-predicted branch; testing seat by seat would mispredict at every seat
that has folded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits, lowest_bit
from ....core.jit import inlined

__all__ = ["all_seats", "count_seats", "has_seat", "next_seat", "position_of", "seat_bit"]

_ONE = np.uint64(1)
_NONE = np.uint64(0)


@inlined
def seat_bit(seat: Any) -> Any:
    """The mask of one seat."""
    return _ONE << np.uint64(seat)


@inlined
def all_seats(seats: Any) -> Any:
    """The mask of seats 0 .. seats - 1."""
    return (_ONE << np.uint64(seats)) - _ONE


@inlined
def has_seat(mask: Any, seat: Any) -> Any:
    """Whether a seat is in a mask."""
    return (mask >> np.uint64(seat)) & _ONE != _NONE


@inlined
def next_seat(mask: Any, seat: Any) -> Any:
    """The first seat of a mask that comes after `seat`, going round the table; the mask must not be empty."""
    above = mask >> np.uint64(seat + 1)
    # & 15 changes nothing, but tells the compiler that an index with this seat cannot be negative.
    if above != _NONE:
        return (seat + 1 + lowest_bit(above)) & 15
    return lowest_bit(mask) & 15


@inlined
def count_seats(mask: Any) -> Any:
    """How many seats a mask holds."""
    return count_bits(mask)


@inlined
def position_of(seat: Any, spot: Any) -> Any:
    """How far a seat is from the one left of the dealer: 0 .. seats - 1, the dealer last."""
    ahead = seat - spot.dealer - 1
    return ahead if ahead >= 0 else ahead + spot.seats  # a remainder would cost ten times as much
