"""Exact strength of a number of points: how often it wins against random hands, own cards removed."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..rules import SvaraRules
from ..scoring import HANDS, points_table

__all__ = ["pot_share"]

_N_POINTS = 35


@lru_cache(maxsize=16)
def _opponents(scoring: tuple[tuple[str, Any], ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For every hand: the chances that one opponent holds fewer points, and as many; shapes (4960,)."""
    points = points_table(SvaraRules(**dict(scoring))).astype(np.int64)
    one = np.zeros((32, _N_POINTS), np.int64)
    two = np.zeros((32, 32, _N_POINTS), np.int64)
    for hand, p in zip(HANDS, points, strict=True):
        for a in hand:
            one[a, p] += 1
        for a, b in combinations(hand, 2):
            two[a, b, p] += 1
    everything = np.bincount(points, minlength=_N_POINTS)
    lower, equal = np.empty(len(HANDS)), np.empty(len(HANDS))
    for i, (hand, p) in enumerate(zip(HANDS, points, strict=True)):
        # Hands that share no card with this one, by inclusion and exclusion.
        a, b, c = hand
        disjoint = everything - one[a] - one[b] - one[c] + two[a, b] + two[a, c] + two[b, c]
        disjoint[p] -= 1
        total = disjoint.sum()
        lower[i], equal[i] = disjoint[:p].sum() / total, disjoint[p] / total
    return lower, equal


@lru_cache(maxsize=16)
def _shares(scoring: tuple[tuple[str, Any], ...]) -> NDArray[np.float64]:
    points = points_table(SvaraRules(**dict(scoring)))
    lower, equal = _opponents(scoring)
    shares = np.zeros((11, _N_POINTS))
    for players in range(1, 11):
        m = players - 1
        # E[1 / (1 + ties), nobody higher] = ((l + e)^(m+1) - l^(m+1)) / ((m + 1) e)
        with np.errstate(invalid="ignore"):
            share = ((lower + equal) ** players - lower**players) / (players * equal) if m else np.ones_like(lower)
        for p in range(_N_POINTS):
            if np.any(points == p):
                share_of_points = np.where(equal[points == p] > 0, share[points == p], lower[points == p] ** m)
                shares[players, p] = share_of_points.mean()
    shares.flags.writeable = False
    return shares


def pot_share(rules: SvaraRules) -> NDArray[np.float64]:
    """Share of the pot that a number of points is worth at a showdown against random hands.

    Exact against one opponent, own cards removed from the deck (averaged over the hands with these points, a tie
    counts as half). Against several, their hands are taken as independent of each other given one's own.

    Parameters
    ----------
    rules : SvaraRules
        The scoring options.

    Returns
    -------
    numpy.ndarray
        Shape (11, 35): by players still in (rows 1 to 10) and points; 0 for points that no hand has. Read-only.
    """
    return _shares(tuple(sorted(rules.scoring().items())))
