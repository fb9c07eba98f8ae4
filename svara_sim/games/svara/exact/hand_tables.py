"""Exact odds of all hands at once, by their points, for tables and charts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from . import hand_odds
from .scores import class_of_hand

__all__ = ["odds_by_points"]


def odds_by_points(points_by_hand: ArrayLike, players: Iterable[int]) -> pl.DataFrame:
    """What a number of points is worth if nobody folds: the exact mean over the hands that have it.

    Parameters
    ----------
    points_by_hand : array_like
        Shape (4960,), whole numbers, as `svara_sim.games.svara.exact.hand_odds` takes them.
    players : iterable of int
        Numbers of players, 2 to 10.

    Returns
    -------
    polars.DataFrame
        ``players``, ``points``, ``hands``, and the means ``p_win``, ``p_svara`` and ``share`` (of the pot, 1/k of
        it in a svara of k).
    """
    points = np.asarray(points_by_hand, dtype=np.int64)
    _, examples, sizes = np.unique(class_of_hand(), return_index=True, return_counts=True)
    hands = _hands()
    rows = [
        {
            "players": n,
            "points": int(points[i]),
            "hands": int(size),
            "p_win": float(odds.p_win),
            "p_svara": float(odds.p_svara),
            "share": float(odds.share),
        }
        for n in players
        for i, size in zip(examples.tolist(), sizes.tolist(), strict=True)
        for odds in [hand_odds(points, hands[i], n)]
    ]
    weighted = [(pl.col(c) * pl.col("hands")).sum() / pl.col("hands").sum() for c in ("p_win", "p_svara", "share")]
    return (
        pl.DataFrame(rows)
        .group_by("players", "points")
        .agg(pl.col("hands").sum(), *(w.alias(c) for w, c in zip(weighted, ("p_win", "p_svara", "share"), strict=True)))
        .sort("players", "points")
    )


def _hands() -> list[tuple[int, int, int]]:
    """All hands in colexicographic order."""
    return [(a, b, c) for c in range(32) for b in range(c) for a in range(b)]
