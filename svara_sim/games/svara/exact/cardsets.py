"""Sets of cards up to what no rule of Svara tells apart, numbered without gaps.

Scoring does not change when the suits ♠, ♥, ♦ are permuted among themselves, nor when the ranks 10, J, Q, K
are (`rules/svara.md` section 4): a group of 3! x 4! = 144 symmetries. This module numbers the classes of
s-card sets under that group by table look-up alone.

A card set is 32 bits, a nibble per rank (bit ``4 * place + suit``): the low half holds 7, 8, 9, A, the high
half 10, J, Q, K. The number of a set is ``offsets[s, low] + local[part[low] + high]``: the low half alone
decides which suit permutation leads to the representative and which permutations are left (its stabiliser),
and `local` numbers the classes of high halves, of equal size, under the stabiliser and the permutations of
their four nibbles.

Dimension letters: C classes of low halves (13,056), H stabilisers, V views (pairs of permutation and
stabiliser).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.jit import inlined

__all__ = ["DECK_SIZE", "HAND_SIZE", "N_HANDS", "CardSets", "card_sets", "number", "place_of_card"]

DECK_SIZE, HAND_SIZE, N_HANDS = 32, 3, 4960
_HALF = 1 << 16
_PLACE_OF_RANK = (0, 1, 2, 4, 5, 6, 7, 3)


def place_of_card(card: int) -> int:
    """Bit of a card (index ``suit * 8 + rank``) in a card set."""
    return 4 * _PLACE_OF_RANK[card % 8] + card // 8


class CardSets(NamedTuple):
    """The tables that number classes of card sets.

    Attributes
    ----------
    offsets : numpy.ndarray
        Shape (33, 65536), int32: number of the first class of s-card sets with this low half; -1 for none.
    part : numpy.ndarray
        Shape (65536,), int32: where the low half's part of `local` begins.
    local : numpy.ndarray
        Shape (V * 65536,), uint16: number of a high half among those of its size.
    low, low_weight, low_group : numpy.ndarray
        Shape (C,), int64: representative low halves, their orbit sizes and stabilisers.
    high, high_weight : numpy.ndarray
        Flat, int64: representative high halves by stabiliser and size, and their orbit sizes.
    high_start : numpy.ndarray
        Shape (H, 18), int64: where the high halves of each stabiliser and size begin.
    sizes : numpy.ndarray
        Shape (33,), int64: number of classes of s-card sets.
    """

    offsets: NDArray[np.int32]
    part: NDArray[np.int32]
    local: NDArray[np.uint16]
    low: NDArray[np.int64]
    low_weight: NDArray[np.int64]
    low_group: NDArray[np.int64]
    high: NDArray[np.int64]
    high_weight: NDArray[np.int64]
    high_start: NDArray[np.int64]
    sizes: NDArray[np.int64]


@inlined
def number(sets: Any, size: Any, cards: Any) -> Any:
    """Number (int64) of the class of a card set (int64 bits) that holds `size` cards."""
    low = cards & 0xFFFF
    return np.int64(sets.offsets[size, low]) + np.int64(sets.local[sets.part[low] + (cards >> 16)])


def _suit_images() -> NDArray[np.int64]:
    """Shape (6, 65536): every half under every permutation of ♠, ♥, ♦ (the identity first)."""
    halves = np.arange(_HALF, dtype=np.int64)
    images = np.zeros((6, _HALF), dtype=np.int64)
    for image, order in zip(images, permutations(range(3)), strict=True):
        for place in range(4):
            for suit in range(4):
                to = order[suit] if suit < 3 else 3
                image |= ((halves >> (4 * place + suit)) & 1) << (4 * place + to)
    return images


def _sorted_nibbles() -> NDArray[np.int64]:
    halves = np.arange(_HALF, dtype=np.int64)
    nibbles = np.sort([(halves >> (4 * place)) & 15 for place in range(4)], axis=0)
    return np.asarray(sum(nibbles[place] << (4 * place) for place in range(4)), dtype=np.int64)


class _HighHalves(NamedTuple):
    """Classes of high halves under one stabiliser."""

    local: NDArray[np.int64]  # by half: number among the classes of its size
    representatives: NDArray[np.int64]
    weights: NDArray[np.int64]
    starts: NDArray[np.int64]  # by size, 18 entries


def _high_halves(images: NDArray[np.int64], ordered: NDArray[np.int64], bits: NDArray[np.int64]) -> _HighHalves:
    canonical = ordered[images].min(axis=0)
    classes, inverse, weights = np.unique(canonical, return_inverse=True, return_counts=True)
    order = np.argsort(bits[classes], kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(bits[classes], minlength=17))]).astype(np.int64)
    position = np.empty(len(classes), dtype=np.int64)
    position[order] = np.arange(len(classes)) - starts[bits[classes[order]]]
    return _HighHalves(position[inverse], classes[order], weights[order].astype(np.int64), starts)


@lru_cache(maxsize=1)
def card_sets() -> CardSets:
    """Build the tables (about 0.2 s, 13 MB); every later call returns the same ones."""
    images, ordered = _suit_images(), _sorted_nibbles()
    bits = np.array([half.bit_count() for half in range(_HALF)], dtype=np.int64)
    towards = images.argmin(axis=0)
    low, low_class = np.unique(images.min(axis=0), return_inverse=True)
    fixed = ((images[:, low] == low).T << np.arange(6)).sum(axis=1)
    stabilisers, low_group = np.unique(fixed, return_inverse=True)
    members = [[p for p in range(6) if stabiliser >> p & 1] for stabiliser in stabilisers.tolist()]
    groups = [_high_halves(images[m], ordered, bits) for m in members]

    views, view = np.unique(towards * len(groups) + low_group[low_class], return_inverse=True)
    local = np.concatenate([groups[v % len(groups)].local[images[v // len(groups)]] for v in views.tolist()])
    shifts = np.cumsum([0] + [len(g.representatives) for g in groups])

    offsets = np.full((DECK_SIZE + 1, _HALF), -1, dtype=np.int32)
    sizes = np.zeros(DECK_SIZE + 1, dtype=np.int64)
    per_size = np.array([np.diff(g.starts) for g in groups])
    for size in range(DECK_SIZE + 1):
        high_size = size - bits[low]
        possible = (high_size >= 0) & (high_size <= 16)
        counts = np.where(possible, per_size[low_group, np.clip(high_size, 0, 16)], 0)
        starts = np.cumsum(counts) - counts
        offsets[size] = np.where(possible, starts, -1)[low_class]
        sizes[size] = counts.sum()
    return CardSets(
        offsets=offsets,
        part=(view * _HALF).astype(np.int32),
        local=local.astype(np.uint16),
        low=low,
        low_weight=np.array([6 // len(members[g]) for g in low_group.tolist()], dtype=np.int64),
        low_group=low_group.astype(np.int64),
        high=np.concatenate([g.representatives for g in groups]),
        high_weight=np.concatenate([g.weights for g in groups]),
        high_start=np.array([g.starts + shift for g, shift in zip(groups, shifts, strict=False)], dtype=np.int64),
        sizes=sizes,
    )
