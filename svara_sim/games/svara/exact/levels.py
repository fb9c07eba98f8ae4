"""Kernels that count sets of disjoint hands, one hand more at a time.

For a set U of 3k cards, f_k(U; t, j) is the number of ways to split U into k hands of which j score exactly
level t and the others less. The hand that holds U's first card decides: f_k(U; t, j) is the sum, over the
hands h with that card, of f_{k-1}(U - h; t, j) if h scores less than t, and of f_{k-1}(U - h; t, j - 1) if it
scores t. U counts up to symmetry (`cardsets`); all values are below 2**63 (30 cards split into 10 hands in
1.2e18 ways).

Arrays hold a window of T levels: f_k has shape (S_k, (k + 1) * T), lane ``j * T + t``, S_k classes of 3k-card
sets; uint32 while every value fits, else int64. Sums over all sets are kept in two limbs of int64, value =
limb 0 + limb 1 * 2**28.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from ....core import bits
from ....core.jit import inlined, kernel
from .cardsets import number

__all__ = ["LIMB_BITS", "add_dead_card", "add_hand", "high_part", "sum_by_hand", "sum_sets"]

LIMB_BITS = 28
count_bits: Any = bits.count_bits
lowest_bit: Any = bits.lowest_bit
_LIMB = (1 << LIMB_BITS) - 1


def high_part(high: int) -> int:
    """Number (0 to 696) of a set of at most 3 of the 16 high cards, as `sum_by_hand` counts them."""
    places = [place for place in range(16) if high >> place & 1]
    return (0, 1, 17, 137)[len(places)] + sum(comb(place, i) for i, place in enumerate(places, start=1))


@inlined
def list_places(cards: Any, places: Any) -> Any:
    """Write the places of a card set (int64 bits), ascending, into `places`; return how many."""
    n = 0
    rest = np.uint64(cards)
    while rest != np.uint64(0):
        places[n] = lowest_bit(rest)
        rest &= rest - np.uint64(1)
        n += 1
    return n


@inlined
def high_range(sets: Any, size: Any, low_class: Any) -> Any:
    """First and past-the-last index into `sets.high` of the sets of `size` cards with this low half."""
    high_size = size - count_bits(np.uint64(sets.low[low_class]))
    if high_size < 0 or high_size > 16:
        return 0, 0
    group = sets.low_group[low_class]
    return sets.high_start[group, high_size], sets.high_start[group, high_size + 1]


@kernel
def add_hand(sets: Any, by_cards: Any, window: Any, k: Any, classes: Any, before: Any, after: Any, places: Any) -> None:
    """From f_{k-1} to f_k, for the sets whose low half is among the given classes.

    Parameters
    ----------
    sets : CardSets
        The numbering.
    by_cards : numpy.ndarray
        Shape (32, 32, 32), int64: level of the hand at three places.
    window : int
        The first level of the T levels at hand.
    k : int
        Number of hands after the step, 1 to 10.
    classes : tuple of int
        First and past-the-last class of low halves.
    before, after : numpy.ndarray
        Shapes (S_{k-1}, k * T) and (S_k, (k + 1) * T); `after` begins as zeros.
    places : numpy.ndarray
        Shape (32,), int64: scratch.
    """
    size = 3 * k
    width = after.shape[1] // (k + 1)
    for low_class in range(classes[0], classes[1]):
        low = sets.low[low_class]
        start, stop = high_range(sets, size, low_class)
        for at in range(start, stop):
            row = np.int64(sets.offsets[size, low]) + at - start
            cards = low | (sets.high[at] << 16)
            list_places(cards, places)
            first = places[0]
            for x in range(1, size - 1):
                for y in range(x + 1, size):
                    level = by_cards[first, places[x], places[y]] - window
                    if level >= width:
                        continue
                    rest = cards ^ (1 << first) ^ (1 << places[x]) ^ (1 << places[y])
                    source = number(sets, size - 3, rest)
                    if level < 0:
                        for lane in range(k * width):
                            after[row, lane] += before[source, lane]
                        continue
                    for begin in range(0, k * width, width):
                        after[row, begin + width + level] += before[source, begin + level]
                        for t in range(level + 1, width):
                            after[row, begin + t] += before[source, begin + t]


@kernel
def add_dead_card(sets: Any, size: Any, k: Any, before: Any, after: Any) -> None:
    """Sets of k hands within `size` cards, from those within one card less.

    Parameters
    ----------
    sets : CardSets
        The numbering.
    size : int
        Number of cards, more than 3k.
    k : int
        Number of hands.
    before, after : numpy.ndarray
        Shapes (classes of (size - 1)-card sets, k + 1) and (classes of size-card sets, k + 1), uint32, at one
        level; ``size - 3k`` times the values must fit.
    """
    spare = size - 3 * k
    for low_class in range(len(sets.low)):
        low = sets.low[low_class]
        start, stop = high_range(sets, size, low_class)
        for at in range(start, stop):
            row = np.int64(sets.offsets[size, low]) + at - start
            cards = low | (sets.high[at] << 16)
            for j in range(k + 1):
                after[row, j] = 0
            rest = np.uint64(cards)
            while rest != np.uint64(0):
                source = number(sets, size - 1, cards ^ (1 << lowest_bit(rest)))
                rest &= rest - np.uint64(1)
                for j in range(k + 1):
                    after[row, j] += before[source, j]
            for j in range(k + 1):  # each spare card was taken away once
                after[row, j] //= spare


@kernel
def sum_sets(sets: Any, k: Any, counts: Any, sums: Any) -> None:
    """Add f_k over all sets of 3k cards.

    Parameters
    ----------
    sets : CardSets
        The numbering.
    k : int
        Number of hands.
    counts : numpy.ndarray
        f_k, shape (S_k, (k + 1) * T).
    sums : numpy.ndarray
        Shape ((k + 1) * T, 2), int64: two limbs, added to.
    """
    size = 3 * k
    for low_class in range(len(sets.low)):
        start, stop = high_range(sets, size, low_class)
        for at in range(start, stop):
            row = np.int64(sets.offsets[size, sets.low[low_class]]) + at - start
            weight = sets.low_weight[low_class] * sets.high_weight[at]
            for lane in range(counts.shape[1]):
                value = np.int64(counts[row, lane])
                sums[lane, 0] += (value & _LIMB) * weight
                sums[lane, 1] += (value >> LIMB_BITS) * weight


@inlined
def _add_row(sums: Any, part: Any, row: Any) -> None:
    for lane in range(len(row)):
        sums[part, lane] += row[lane]


@inlined
def _sum_by_high_part(
    sets: Any, size: Any, low_class: Any, counts: Any, partial: Any, scaled: Any, places: Any
) -> None:
    """Sum f_k over the sets with this low half, by each set of at most 3 high cards that they leave free."""
    partial[:] = 0
    start, stop = high_range(sets, size, low_class)
    first_row = np.int64(sets.offsets[size, sets.low[low_class]])
    for at in range(start, stop):
        for lane in range(len(scaled)):
            scaled[lane] = np.int64(counts[first_row + at - start, lane]) * sets.high_weight[at]
        n_free = list_places(0xFFFF ^ sets.high[at], places)
        _add_row(partial, 0, scaled)
        for x in range(n_free):
            one = places[x]
            _add_row(partial, 1 + one, scaled)
            for y in range(x):
                two = places[y] + one * (one - 1) // 2
                _add_row(partial, 17 + two, scaled)
                for z in range(y):
                    three = places[z] + places[y] * (places[y] - 1) // 2 + one * (one - 1) * (one - 2) // 6
                    _add_row(partial, 137 + three, scaled)


@kernel
def sum_by_hand(
    sets: Any,
    hands: Any,
    window: Any,
    k: Any,
    classes: Any,
    counts: Any,
    sums: Any,
    partial: Any,
    scaled: Any,
    places: Any,
) -> None:
    """Add f_k at a hand's own level over all sets of 3k cards that leave the hand free, by class of hands.

    The sets of one low half are summed first for each high part that a hand may have; the low parts follow.

    Parameters
    ----------
    sets, window, k, classes, places
        As for `add_hand`.
    hands : numpy.ndarray
        Shape (4960, 4), int64: low half, number of the high part (see `high_part`), level and class of each
        hand.
    counts : numpy.ndarray
        f_k, shape (S_k, (k + 1) * T).
    sums : numpy.ndarray
        Shape (337, k + 1, 2), int64: two limbs of the sum over the class's hands, added to.
    partial : numpy.ndarray
        Shape (697, (k + 1) * T), int64: scratch. No entry that is used overflows: the sets of one low half
        that leave a hand free split in fewer than 2**62 ways.
    scaled : numpy.ndarray
        Shape ((k + 1) * T,), int64: scratch.
    """
    width = counts.shape[1] // (k + 1)
    for low_class in range(classes[0], classes[1]):
        start, stop = high_range(sets, 3 * k, low_class)
        if start == stop:
            continue
        _sum_by_high_part(sets, 3 * k, low_class, counts, partial, scaled, places)
        weight = sets.low_weight[low_class]
        for hand in range(len(hands)):
            level = hands[hand, 2] - window
            if level < 0 or level >= width or hands[hand, 0] & sets.low[low_class]:
                continue
            for j in range(k + 1):
                value = partial[hands[hand, 1], j * width + level]
                sums[hands[hand, 3], j, 0] += (value & _LIMB) * weight
                sums[hands[hand, 3], j, 1] += (value >> LIMB_BITS) * weight
