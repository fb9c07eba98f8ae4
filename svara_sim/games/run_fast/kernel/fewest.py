"""The fewest plays that shed a hand with no opposition, exactly.

The lowest rank of a hand leaves in some play: in a set of its own rank, or as the low end of a sequence. Trying
these, at most 19, and adding one to the best of what they leave gives every hand from smaller ones. The two is
always a play of its own, so the table knows only the ranks 3 to A.

A hand's entry is ``start[low] + place[high]``: `low` counts 3 to 9 in base 5, `high` counts 10 to A. The high
halves are numbered by their number of cards, so those that fit beside a low half are the first so many. Removing
cards always gives an earlier entry.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ....core.bits import count_bits
from ....core.jit import JIT_ENABLED, inlined, kernel
from .hands import bomb_ranks
from .types import FewestTable

__all__ = ["N_HIGH", "N_LOW", "fewest_plays", "fill_plays", "high_counts", "low_counts", "make_index", "plays_left"]

N_LOW, N_HIGH = 5**7, 5**4 * 4
_LOW_RANKS, _RANKS = 7, 12
_MAX_CARDS = 16


def low_counts() -> Any:
    """Counts of the ranks 3 to 9 by low code; shape (5**7, 7), int64."""
    return np.arange(N_LOW)[:, None] // 5 ** np.arange(7) % 5


def high_counts() -> Any:
    """Counts of the ranks 10 to A by high code; shape (2500, 5), int64."""
    return np.arange(N_HIGH)[:, None] // 5 ** np.arange(5) % 5


def make_index() -> tuple[Any, Any, int]:
    """`FewestTable.start`, `FewestTable.place`, and the number of entries."""
    low_sizes = low_counts().sum(axis=1)
    high_sizes = high_counts().sum(axis=1)
    place = np.empty(N_HIGH, np.int64)
    place[np.argsort(high_sizes, kind="stable")] = np.arange(N_HIGH)
    room = _MAX_CARDS - low_sizes
    n_fitting = np.searchsorted(np.sort(high_sizes), room, side="right")
    start = np.concatenate(([0], np.cumsum(n_fitting)[:-1])).astype(np.int64)
    return start, place, int(n_fitting.sum())


def _field_weights(n_ranks: int) -> Any:
    """Code of one card of each rank of a mask; the code of a hand is the sum over its four levels."""
    masks = np.arange(1 << n_ranks)[:, None]
    return ((masks >> np.arange(n_ranks) & 1) * 5 ** np.arange(n_ranks)).sum(axis=1).astype(np.int64)


_LOW_WEIGHTS = _field_weights(7)
_HIGH_WEIGHTS = _field_weights(5)
_LOW_MASK, _HIGH_MASK = np.uint64(127), np.uint64(31)
_ONE, _TWO_BIT = np.uint64(1), np.uint64(12)
_ALL_FIELDS = np.uint64(1 | 1 << 16 | 1 << 32 | 1 << 48)


@inlined
def _best_removal(counts: Any, plays: Any, start: Any, place: Any, low: Any, high: Any) -> Any:
    """Fewest plays of a hand that is not empty, from the entries of smaller hands."""
    rank = 0
    while counts[rank] == 0:
        rank += 1
    best = 99
    for depth in (1, 2):  # sequences of singles, then of pairs
        low_left, high_left = low, high
        for top in range(rank, _RANKS):
            if counts[top] < depth:
                break
            if top < _LOW_RANKS:
                low_left -= depth * 5**top
            else:
                high_left -= depth * 5 ** (top - _LOW_RANKS)
            length = top - rank + 1
            if (depth == 1 and length >= 5) or (depth == 2 and length >= 2):
                best = min(best, plays[start[low_left] + place[high_left]])
    low_left, high_left = low, high
    for _ in range(counts[rank]):  # one, two, three or four of the rank
        if rank < _LOW_RANKS:
            low_left -= 5**rank
        else:
            high_left -= 5 ** (rank - _LOW_RANKS)
        best = min(best, plays[start[low_left] + place[high_left]])
    return best + 1


@kernel
def fill_plays(plays: Any, start: Any, place: Any, digits: Any, high_order: Any, counts: Any) -> Any:
    """Fill `FewestTable.plays` in place.

    Parameters
    ----------
    plays : numpy.ndarray
        Shape (entries,), uint8.
    start, place : numpy.ndarray
        As in `FewestTable`.
    digits : tuple of numpy.ndarray
        `low_counts()`, `high_counts()`.
    high_order : numpy.ndarray
        Shape (2500,), int64: high codes by place.
    counts : numpy.ndarray
        Shape (12,), int64: room for the counts of a hand.
    """
    low_digits, high_digits = digits
    for low in range(len(start)):
        end = start[low + 1] if low + 1 < len(start) else len(plays)
        for rank in range(_LOW_RANKS):
            counts[rank] = low_digits[low, rank]
        for entry in range(start[low], end):
            high = high_order[entry - start[low]]
            for rank in range(_LOW_RANKS, _RANKS):
                counts[rank] = high_digits[high, rank - _LOW_RANKS]
            if low == 0 and high == 0:
                plays[entry] = 0
            else:
                plays[entry] = _best_removal(counts, plays, start, place, low, high)


def _look_up(hand: Any, table: Any) -> Any:
    """Fewest plays that shed `hand` (levels, up to 16 cards of 3 to A and the two), int64."""
    low = _LOW_WEIGHTS[hand & _LOW_MASK] + _LOW_WEIGHTS[(hand >> np.uint64(16)) & _LOW_MASK]
    low += _LOW_WEIGHTS[(hand >> np.uint64(32)) & _LOW_MASK] + _LOW_WEIGHTS[(hand >> np.uint64(48)) & _LOW_MASK]
    high = _HIGH_WEIGHTS[(hand >> np.uint64(7)) & _HIGH_MASK] + _HIGH_WEIGHTS[(hand >> np.uint64(23)) & _HIGH_MASK]
    high += _HIGH_WEIGHTS[(hand >> np.uint64(39)) & _HIGH_MASK] + _HIGH_WEIGHTS[(hand >> np.uint64(55)) & _HIGH_MASK]
    return np.int64(table.plays[table.start[low] + table.place[high]]) + np.int64((hand >> _TWO_BIT) & _ONE)


@cache
def _shed(counts: tuple[int, ...]) -> int:
    """Fewest plays by recursion: what takes the table's place when nothing is compiled."""
    rank = next((r for r, n in enumerate(counts) if n), -1)
    if rank < 0:
        return 0
    options = [(*counts[:rank], counts[rank] - k, *counts[rank + 1 :]) for k in range(1, counts[rank] + 1)]
    for depth, shortest in ((1, 5), (2, 2)):
        top = rank
        while top < _RANKS and counts[top] >= depth:
            top += 1
            if top - rank >= shortest:
                options.append(counts[:rank] + tuple(n - depth for n in counts[rank:top]) + counts[top:])
    return 1 + min(_shed(left) for left in options)


def _shed_levels(hand: Any, table: Any) -> Any:
    levels = int(hand)
    counts = tuple(((levels >> rank) & int(_ALL_FIELDS)).bit_count() for rank in range(_RANKS))
    return _shed(counts) + (levels >> _RANKS & 1)


fewest_plays = inlined(_look_up) if JIT_ENABLED else _shed_levels


@inlined
def plays_left(hand: Any, table: Any, options: Any) -> Any:
    """Fewest plays that shed `hand` under the rules: with `may_split_bombs` off, each bomb is one play."""
    if options.may_split_bombs:
        return fewest_plays(hand, table)
    bombs = bomb_ranks(hand)
    return fewest_plays(hand & ~(bombs * _ALL_FIELDS), table) + count_bits(bombs)


def empty_table() -> FewestTable:
    """A table of no hands, for code that needs none."""
    return FewestTable(np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))
