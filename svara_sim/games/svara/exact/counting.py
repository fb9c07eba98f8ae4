"""Exact counts for one scoring: a table's best points and ties, and hands against random ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cardsets import DECK_SIZE, HAND_SIZE, card_sets
from .levels import LIMB_BITS, add_hand, high_part, sum_by_hand, sum_sets
from .scores import Scores, card_bits, class_of_hand, class_sizes, hand_cards

__all__ = ["MAX_PLAYERS", "MIN_PLAYERS", "Counts", "Progress", "count_hand_sets", "count_scores"]

MIN_PLAYERS, MAX_PLAYERS = 2, 10
Progress = Callable[[float, str], None]
"""Called with the share of the work done, 0 to 1, and what it is about."""

_WINDOW = 6  # levels at a time: 0.27 GB each at the largest step
_CHUNKS = 16
_HIGH_PARTS = 697  # sets of at most 3 of 16 cards
_UINT32_HANDS = 6  # 18 cards split into 6 hands in 1.9e8 ways, 21 into 7 in 3.6e10


@dataclass(frozen=True)
class Counts:
    """What was counted for one scoring.

    Attributes
    ----------
    players : tuple of int
        Numbers of players that are covered, ascending.
    table : dict
        By players, then (points, tied): number of sets of disjoint hands of which `tied` score `points`, the
        best.
    hands : dict
        By players, then class of hands: for k = 1, 2, ... the number of sets of players - 1 opponents' hands,
        from the deck without the hand, with which the hand is best, tied by k - 1 of them; without trailing
        zeros.
    """

    players: tuple[int, ...]
    table: dict[int, dict[tuple[int, int], int]]
    hands: dict[int, dict[int, tuple[int, ...]]]


def count_hand_sets(n_cards: int, n_hands: int) -> int:
    """Number of (unordered) sets of `n_hands` disjoint hands within `n_cards` cards."""
    spare = n_cards - HAND_SIZE * n_hands
    if spare < 0:
        return 0
    orders: int = factorial(spare) * factorial(HAND_SIZE) ** n_hands * factorial(n_hands)
    return factorial(n_cards) // orders


def count_scores(scores: Scores, max_players: int = MAX_PLAYERS, progress: Progress | None = None) -> Counts:
    """Count everything for 2 to `max_players` players.

    Parameters
    ----------
    scores : Scores
        The scoring.
    max_players : int
        2 to 10. On one core this takes half a minute and 0.5 GB for 5 players, and 5 to 10 minutes and 1.8 GB
        for 10.
    progress : callable, optional
        Called with the share of the work done and a word about it.

    Returns
    -------
    Counts
        Integers without error.
    """
    report = progress or (lambda share, about: None)
    hands = _hand_table(scores)
    top = min(max_players, len(scores.deck) // HAND_SIZE)
    hand_sums = {k: np.zeros((len(class_sizes()), k + 1, 2), dtype=np.int64) for k in range(1, top)}
    set_sums = {k: np.zeros((k + 1, len(scores.levels), 2), dtype=np.int64) for k in range(1, top)}
    windows = range(0, len(scores.levels), _WINDOW)
    for index, window in enumerate(windows):
        width = min(_WINDOW, len(scores.levels) - window)
        counts: NDArray[Any] = np.ones((1, width), dtype=np.uint32)
        for k in range(1, top):
            about = f"levels {window + 1}-{window + width} of {len(scores.levels)}, {k + 1} players"
            share = (index + (k - 1) / top) / len(windows)
            say = partial(report, share, about)
            counts = _one_hand_more(scores, window, k, counts, say)
            sums = np.zeros((counts.shape[1], 2), dtype=np.int64)
            sum_sets(card_sets(), k, counts, sums)
            set_sums[k][:, window : window + width] = sums.reshape(k + 1, width, 2)
            _sum_by_hand(hands, window, k, counts, hand_sums[k], say)
    report(1.0, "done")
    return _collect(scores, top, hand_sums, set_sums)


def _places() -> NDArray[np.int64]:
    return np.zeros(DECK_SIZE, dtype=np.int64)


def _hand_table(scores: Scores) -> NDArray[np.int64]:
    """Shape (4960, 4), as `sum_by_hand` reads it."""
    bits = np.array([card_bits(hand) for hand in hand_cards().tolist()], dtype=np.int64)
    parts = [high_part(high) for high in (bits >> 16).tolist()]
    classes = class_of_hand()
    return np.stack([bits & 0xFFFF, np.array(parts), scores.by_class[classes], classes], axis=1)


def _chunks() -> list[tuple[int, int]]:
    bounds = np.linspace(0, len(card_sets().low), _CHUNKS + 1).astype(int).tolist()
    return list(pairwise(bounds))


def _one_hand_more(
    scores: Scores, window: int, k: int, before: NDArray[Any], report: Callable[[], None]
) -> NDArray[Any]:
    sets = card_sets()
    dtype = np.uint32 if k <= _UINT32_HANDS else np.int64
    after = np.zeros((int(sets.sizes[HAND_SIZE * k]), (k + 1) * (before.shape[1] // k)), dtype=dtype)
    for chunk in _chunks():
        report()
        add_hand(sets, scores.by_cards, window, k, chunk, before, after, _places())
    return after


def _sum_by_hand(
    hands: NDArray[np.int64],
    window: int,
    k: int,
    counts: NDArray[Any],
    sums: NDArray[np.int64],
    report: Callable[[], None],
) -> None:
    by_high_part = np.zeros((_HIGH_PARTS, counts.shape[1]), dtype=np.int64)
    scaled = by_high_part[0].copy()
    for chunk in _chunks():
        report()
        sum_by_hand(card_sets(), hands, window, k, chunk, counts, sums, by_high_part, scaled, _places())


def _whole(limbs: NDArray[np.int64]) -> int:
    return int(limbs[0]) + (int(limbs[1]) << LIMB_BITS)


def _exactly(numerator: int, divisor: int) -> int:
    quotient, rest = divmod(numerator, divisor)
    if rest:
        raise ArithmeticError(f"{numerator} is not a multiple of {divisor}: the count went wrong")
    return quotient


def _collect(
    scores: Scores, top: int, hand_sums: dict[int, NDArray[np.int64]], set_sums: dict[int, NDArray[np.int64]]
) -> Counts:
    table: dict[int, dict[tuple[int, int], int]] = {}
    hands: dict[int, dict[int, tuple[int, ...]]] = {}
    for k in range(1, top):
        players = k + 1
        of_table: dict[tuple[int, int], int] = {}
        of_hands: dict[int, tuple[int, ...]] = {}
        for hand, level in enumerate(scores.by_class.tolist()):
            if level >= len(scores.levels):
                continue
            sums = [_whole(limbs) for limbs in hand_sums[k][hand]]
            row = [_exactly(total, int(class_sizes()[hand])) for total in sums]
            while row and row[-1] == 0:
                row.pop()
            of_hands[hand] = tuple(row)
            for tied, total in enumerate(sums, start=1):
                if total:
                    key = (scores.levels[level], tied)
                    of_table[key] = of_table.get(key, 0) + total
        # each set of hands was counted once for every hand that is best in it
        table[players] = {key: _exactly(total, key[1]) for key, total in sorted(of_table.items())}
        hands[players] = of_hands
    _cross_check(scores, table, set_sums)
    return Counts(tuple(table), table, hands)


def _cross_check(
    scores: Scores, table: dict[int, dict[tuple[int, int], int]], set_sums: dict[int, NDArray[np.int64]]
) -> None:
    """Two ways to the same count must agree: summed over hands, summed over used cards, and in all."""
    for players, counts in table.items():
        if sum(counts.values()) != count_hand_sets(len(scores.deck), players):
            raise ArithmeticError(f"the counts for {players} players do not add up")
        for level, points in enumerate(scores.levels):
            for tied in range(1, players + 1):
                if players in set_sums and counts.get((points, tied), 0) != _whole(set_sums[players][tied, level]):
                    raise ArithmeticError(f"two counts differ for {players} players, {points} points, {tied} tied")


assert DECK_SIZE == HAND_SIZE * MAX_PLAYERS + 2
