"""Exact odds of one hand in any deck that is left, for one level of points and any number of opponents.

m opponents' hands are taken as a + b: a hands fill a set U of 3a of the w cards left, b hands lie within the
other w - 3a. Summed over all U, every set of m hands is counted C(m, a) times. Both counts come from tables
by class of card set (see `levels`); the first grows hand by hand, the second then card by card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.jit import kernel
from .cardsets import DECK_SIZE, HAND_SIZE, card_sets, number
from .levels import LIMB_BITS, add_dead_card, add_hand, count_bits
from .scores import Scores, card_bits

__all__ = ["count_against"]

_LIMB = (1 << LIMB_BITS) - 1
_FIRST_PART = 4


@kernel
def sum_splits(
    sets: Any,
    low: Any,
    high: Any,
    highs: Any,
    starts: Any,
    a: Any,
    rest_size: Any,
    used: Any,
    rest: Any,
    sums: Any,
) -> None:
    """Sum, over the sets U of 3a cards of a deck, the ways to fill U with a hands and the rest with b.

    Parameters
    ----------
    sets : CardSets
        The numbering.
    low, high : int
        The two halves of the deck.
    highs, starts : numpy.ndarray
        The subsets of `high` by size, flat, and where each size begins (18 entries).
    a, rest_size : int
        Hands in U; cards outside it.
    used : numpy.ndarray
        Shape (classes of 3a-card sets, a + 1): ways by number of hands at the level.
    rest : numpy.ndarray
        Shape (classes of rest_size-card sets, b + 1), the same; one column for b = 0.
    sums : numpy.ndarray
        Shape (a + b + 1, 2), int64: two limbs, added to.
    """
    n_rest = rest.shape[1]
    part = low
    while True:
        high_size = 3 * a - count_bits(np.uint64(part))
        if 0 <= high_size <= 16:
            for at in range(starts[high_size], starts[high_size + 1]):
                row = number(sets, 3 * a, part | (highs[at] << 16))
                other = number(sets, rest_size, (low ^ part) | ((high ^ highs[at]) << 16)) if n_rest > 1 else 0
                for i in range(a + 1):
                    for j in range(n_rest):
                        value = np.int64(used[row, i]) * np.int64(rest[other, j])
                        sums[i + j, 0] += value & _LIMB
                        sums[i + j, 1] += value >> LIMB_BITS
        if part == 0:
            return
        part = (part - 1) & low


def _subsets_by_size(high: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    subsets = [x for x in range(high + 1) if x & high == x]
    subsets.sort(key=int.bit_count)
    sizes = np.bincount([x.bit_count() for x in subsets], minlength=17)
    return np.array(subsets, dtype=np.int64), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _fill(scores: Scores, level: int, n_hands: int, start: NDArray[Any], done: int) -> NDArray[Any]:
    """Carry the table of ways to fill sets with `done` hands on to `n_hands`."""
    sets = card_sets()
    table, places = start, np.zeros(DECK_SIZE, dtype=np.int64)
    for k in range(done + 1, n_hands + 1):
        after = np.zeros((int(sets.sizes[HAND_SIZE * k]), k + 1), dtype=np.uint32)
        add_hand(sets, scores.by_cards, level, k, (0, len(sets.low)), table, after, places)
        table = after
    return table


def _within(n_hands: int, size: int, filled: NDArray[Any], step: Callable[[float], None]) -> NDArray[Any]:
    """From sets that `n_hands` hands fill to sets of `size` <= 17 cards around them (4 hands: under 1e8 ways)."""
    sets = card_sets()
    table = filled
    for cards in range(HAND_SIZE * n_hands + 1, size + 1):
        step((cards - HAND_SIZE * n_hands) / (size - HAND_SIZE * n_hands))
        after = np.zeros((int(sets.sizes[cards]), n_hands + 1), dtype=np.uint32)
        add_dead_card(sets, cards, n_hands, table, after)
        table = after
    return table


def count_against(
    scores: Scores,
    level: int,
    cards: Iterable[int],
    opponents: int,
    step: Callable[[float], None] | None = None,
) -> tuple[int, ...]:
    """Number of sets of opponents' hands that a hand of the given level beats or ties.

    Parameters
    ----------
    scores : Scores
        The scoring.
    level : int
        Level of the hand (index into ``scores.levels``).
    cards : iterable of int
        The cards that the opponents' hands come from; at least three for each.
    opponents : int
        1 to 9.
    step : callable, optional
        Called with the share of the work done, 0 to 1.

    Returns
    -------
    tuple of int
        Entry j: sets of disjoint hands of which j score the level and the others less. A few seconds at most
        (numba compiled, one core), up to 0.5 GB.
    """
    report = step or (lambda share: None)
    deck = card_bits(cards)
    a = min(opponents, _FIRST_PART if opponents <= 2 * _FIRST_PART else opponents - _FIRST_PART)
    b = opponents - a
    one = np.ones((1, 1), dtype=np.uint32)
    second = _fill(scores, level, b, one, 0)
    first = _fill(scores, level, a, second, b)
    report(0.3)
    rest_size = deck.bit_count() - HAND_SIZE * a
    within = _within(b, rest_size, second, lambda share: report(0.3 + 0.4 * share)) if b else one
    report(0.7)
    sums = np.zeros((opponents + 1, 2), dtype=np.int64)
    highs, starts = _subsets_by_size(deck >> 16)
    sum_splits(card_sets(), deck & 0xFFFF, deck >> 16, highs, starts, a, rest_size, first, within, sums)
    report(1.0)
    return tuple((low + (high << LIMB_BITS)) // comb(opponents, a) for low, high in sums.tolist())
