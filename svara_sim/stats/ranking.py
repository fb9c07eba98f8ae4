"""Ranking by batch means: which of several differ, with the correction for comparing many."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .estimates import adjust_p_values

__all__ = ["PairedComparison", "compare_all", "mean_and_interval"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PairedComparison:
    """Two of several compared on the same batches.

    Parameters
    ----------
    first, second : int
        Which two.
    difference, standard_error : float
        Mean of first minus second.
    p_value, p_adjusted : float
        Two-sided, alone and corrected (Holm) for all pairs.
    """

    first: int
    second: int
    difference: float
    standard_error: float
    p_value: float
    p_adjusted: float


def mean_and_interval(batches: Floats, level: float = 0.95) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean, standard error, and ends of Student's interval, from equal batches in the first axis."""
    from scipy.special import stdtrit

    n = len(batches)
    mean = batches.mean(axis=0)
    error = batches.std(axis=0, ddof=1) / np.sqrt(n)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * error
    return mean, error, mean - half, mean + half


def compare_all(batches: Floats) -> list[PairedComparison]:
    """Every pair of columns, paired by batch.

    Parameters
    ----------
    batches : numpy.ndarray
        Shape (G, M): batch means of M quantities.
    """
    from scipy.special import stdtr

    pairs = list(combinations(range(batches.shape[1]), 2))
    if not pairs:
        return []
    apart = np.stack([batches[:, i] - batches[:, j] for i, j in pairs], axis=1)
    mean, error, _, _ = mean_and_interval(apart)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > 0, np.abs(mean) / error, np.where(mean == 0, 0.0, np.inf))
    p = 2 * stdtr(len(batches) - 1, -t)
    adjusted = adjust_p_values(p)
    return [
        PairedComparison(i, j, float(mean[x]), float(error[x]), float(p[x]), float(adjusted[x]))
        for x, (i, j) in enumerate(pairs)
    ]
