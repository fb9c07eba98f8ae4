"""A hand as one integer.

Two forms, both uint64:

* *cards*: bit ``suit * 13 + rank`` for each card held (52 bits, 48 in use);
* *levels*: four fields of 16 bits; bit ``rank`` of field k says that the hand holds more than k cards of that
  rank. Field 0 thus is the mask of the singles, 1 of the pairs, 2 of the triples, 3 of the fours; the number of
  bits set is the number of cards; and removing k cards of a rank shifts its column down by k fields.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits
from ....core.jit import inlined
from .moves import ACE, MOVE_HALF_SHIFT, MOVE_RANKS

__all__ = [
    "DECK_CARDS",
    "DECK_LEVELS",
    "add_levels",
    "bomb_ranks",
    "count_of_rank",
    "pack_levels",
    "remove_move",
    "without_levels",
]

_SUIT = np.uint64((1 << 13) - 1)
_S13, _S26, _S39 = np.uint64(13), np.uint64(26), np.uint64(39)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_ZERO = np.uint64(0)
_FIELD = np.uint64(0xFFFF)
_COLUMN = np.uint64(1 | 1 << 16 | 1 << 32 | 1 << 48)
ACE_BIT = np.uint64(1 << ACE)

# All four suits of 3 to K, the aces but that of hearts, the two of spades (rule 1.2).
DECK_CARDS = np.uint64(((1 << 52) - 1) ^ (1 << (13 + 11)) ^ (1 << (13 + 12)) ^ (1 << (26 + 12)) ^ (1 << (39 + 12)))


@inlined
def pack_levels(cards: Any) -> Any:
    """Levels of a hand given as cards: the four suits of each rank, sorted."""
    a, b = cards & _SUIT, (cards >> _S13) & _SUIT
    c, d = (cards >> _S26) & _SUIT, (cards >> _S39) & _SUIT
    high_1, low_1 = a | b, a & b
    high_2, low_2 = c | d, c & d
    middle_1, middle_2 = high_1 & high_2, low_1 | low_2
    return (
        (high_1 | high_2)
        | ((middle_1 | middle_2) << _S16)
        | ((middle_1 & middle_2) << _S32)
        | ((low_1 & low_2) << _S48)
    )


DECK_LEVELS = np.uint64(pack_levels(DECK_CARDS))


@inlined
def remove_move(hand: Any, move: Any) -> Any:
    """Levels of `hand` (which must hold it) without the cards of `move`."""
    ranks = MOVE_RANKS[move]
    half = MOVE_HALF_SHIFT[move]  # in halves, since a shift by 64 is undefined
    return (hand & ~ranks) | (((hand >> half) >> half) & ranks)


@inlined
def add_levels(a: Any, b: Any) -> Any:
    """Levels of two hands together; together they hold at most four of a rank."""
    a1, a2, a3 = a & _FIELD, (a >> _S16) & _FIELD, (a >> _S32) & _FIELD
    b1, b2, b3 = b & _FIELD, (b >> _S16) & _FIELD, (b >> _S32) & _FIELD
    two = a1 & b1
    three = (a2 & b1) | (a1 & b2)
    four = (a3 & b1) | (a2 & b2) | (a1 & b3)
    return (a | b) | (two << _S16) | (three << _S32) | (four << _S48)


@inlined
def without_levels(pool: Any, part: Any) -> Any:
    """Levels of `pool` without the cards of `part`, which it must hold."""
    for _ in range(4):  # one card of each rank of `part` at a time
        ranks = part & _FIELD
        if ranks == _ZERO:
            break
        columns = ranks * _COLUMN
        pool = (pool & ~columns) | ((pool >> _S16) & columns)
        part >>= _S16
    return pool


@inlined
def count_of_rank(hand: Any, rank: Any) -> Any:
    """Number of cards of one rank, int64."""
    return count_bits((hand >> np.uint64(rank)) & _COLUMN)


@inlined
def bomb_ranks(hand: Any) -> Any:
    """Mask of the ranks held as a bomb: four of 3 to K, or three aces (rules 4.1, 5.3)."""
    return (hand >> _S48) | ((hand >> _S32) & ACE_BIT)
