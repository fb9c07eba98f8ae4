"""Dealing: hands of three cards from a fresh deck of 32, exactly uniform.

A hand is an index below C(cards left, 3) that names three of the cards left. Several indices come from one random
word by multiplying and keeping the high half, each time going on with the low half (Brackett-Rozinsky and Lemire,
2024): the word is drawn again if its last low half is below 2**64 mod (product of the bounds), which makes the
result exactly uniform. Seat s gets the s-th hand whoever takes part, so that the cards of a seat depend on nothing
but (seed, deal, round, seat).
"""

from __future__ import annotations

from itertools import combinations
from math import comb, prod
from typing import Any

import numpy as np

from ....core.bits import deposit_bits, high_word, highest_bit, lowest_bit
from ....core.jit import inlined
from ....core.rng import word
from .decide import find_rows
from .state import DEAL

__all__ = ["cards_of", "deal_hands", "points_of"]

_BOUNDS = [comb(32 - 3 * s, 3) for s in range(10)]
_BOUND = np.array(_BOUNDS, dtype=np.uint64)
# Word 0 names the hands of seats 0-3 (46 bits), word 1 those of seats 4-9 (48 bits).
_SPLIT = 4
_PRODUCT_0, _PRODUCT_1 = prod(_BOUNDS[:_SPLIT]), prod(_BOUNDS[_SPLIT:])
_P0, _P1 = np.uint64(_PRODUCT_0), np.uint64(_PRODUCT_1)
_T0, _T1 = np.uint64(2**64 % _PRODUCT_0), np.uint64(2**64 % _PRODUCT_1)

# The index-th 3-subset of the lowest cards, in colexicographic order: the first C(m, 3) lie within m cards.
_SUBSET = np.array(
    [
        1 << a | 1 << b | 1 << c
        for c, b, a in sorted(tuple(sorted(s, reverse=True)) for s in combinations(range(32), 3))
    ],
    dtype=np.uint32,
)
_PAIRS_BELOW = np.array([comb(b, 2) for b in range(32)], dtype=np.int16)
_TRIPLES_BELOW = np.array([comb(c, 3) for c in range(32)], dtype=np.int16)
_ALL_CARDS = np.uint64(0xFFFFFFFF)
_ONE = np.uint64(1)


@inlined
def cards_of(hand: Any) -> Any:
    """The three card indices of a hand mask (uint64), ascending."""
    a = lowest_bit(hand)
    b = lowest_bit(hand & (hand - _ONE))
    c = highest_bit(hand)
    return a, b, c


@inlined
def points_of(hand: Any, points: Any) -> Any:
    """Points of a hand mask, from the table of all hands (uint8 (4960,))."""
    a, b, c = cards_of(hand)
    return np.int64(points[np.uint64(a + _PAIRS_BELOW[np.uint64(b)] + _TRIPLES_BELOW[np.uint64(c)])])


@inlined
def _indices_word(key: Any, deal: Any, round_: Any, group: Any, product: Any, threshold: Any) -> Any:
    """A random word from which the hand indices of a group of seats can be read without bias."""
    turn = 0
    bits = word(key, deal, round_, group, turn)
    while bits * product < threshold:  # the low half that is left after all indices are read
        turn += 1
        bits = word(key, deal, round_, group, turn)
    return bits


@inlined
def deal_hands(table: Any, rows: Any, work: Any, spot: Any, n_hands: Any) -> None:
    """Deal to seats 0 .. n_hands - 1 from a fresh deck.

    Parameters
    ----------
    table : record of TABLE
        Keys, points of all hands, and where the policies' tables are.
    rows : uint32 (E * ROW,)
        Betting tables of all seats.
    work : record of WORK
        `hands`, `points`, `base_row` and `always` of the seats are set.
    spot : Spot
        Which deal, and which round of it.
    n_hands : int
        How many hands.
    """
    key, points = table.keys[DEAL], table.points
    in_svara = 1 if spot.round_ > 0 else 0
    bits = _indices_word(key, spot.deal, spot.round_, 0, _P0, _T0)
    index = high_word(bits, _BOUND[0])
    bits = bits * _BOUND[0]
    hand = np.uint64(_SUBSET[index])
    left = _ALL_CARDS ^ hand
    value = np.int64(points[index])
    work.hands[0] = hand
    work.points[0] = value
    find_rows(table, rows, work, spot.dealer, 0, in_svara, value)
    for seat in range(1, n_hands):
        if seat == _SPLIT:
            bits = _indices_word(key, spot.deal, spot.round_, 1, _P1, _T1)
        bound = _BOUND[seat]
        hand = deposit_bits(np.uint64(_SUBSET[high_word(bits, bound)]), left)
        bits = bits * bound
        left ^= hand
        value = points_of(hand, points)
        work.hands[seat] = hand
        work.points[seat] = value
        find_rows(table, rows, work, spot.dealer, seat, in_svara, value)
