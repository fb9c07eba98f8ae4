"""Intervals for proportions, quantiles, and corrections for many comparisons."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InvalidInput, check_choice

__all__ = [
    "adjust_p_values",
    "check_level",
    "interval_quantiles",
    "simultaneous_level",
    "wilson_bounds",
    "wilson_interval",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def wilson_interval(successes: ArrayLike, trials: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Wilson's interval for a proportion of independent trials.

    Parameters
    ----------
    successes, trials : array_like
        Counts of any one shape; NaN comes back where `trials` is 0.
    level : float
        Coverage that is aimed at.

    Returns
    -------
    low, high : numpy.ndarray
        Float arrays of that shape.
    """
    y, n = np.broadcast_arrays(np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64))
    with np.errstate(invalid="ignore", divide="ignore"):
        share = y / n
    return wilson_bounds(share, n, np.full(n.shape, interval_quantiles(check_level(level))[0]))


def simultaneous_level(level: float, n_comparisons: int) -> float:
    """Level of each of several intervals that makes all of them cover at once with `level` (Bonferroni)."""
    if n_comparisons < 1:
        raise InvalidInput(f"n_comparisons = {n_comparisons}: must be at least 1")
    return 1 - (1 - check_level(level)) / n_comparisons


def adjust_p_values(p_values: ArrayLike, method: Literal["holm", "bonferroni"] = "holm") -> Floats:
    """P-values corrected for being many: reject where one is at most the error rate of the family.

    Parameters
    ----------
    p_values : array_like of float
        Shape (M,).
    method : {"holm", "bonferroni"}
        Holm's step-down rejects all that Bonferroni rejects, and more, under the same assumptions (none).

    Returns
    -------
    numpy.ndarray
        Shape (M,), at most 1.
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise InvalidInput("p_values: must be a list of numbers from 0 to 1")
    if check_choice("method", method, ("holm", "bonferroni")) == "bonferroni":
        return np.minimum(p * len(p), 1.0)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def interval_quantiles(level: float, degrees: Floats | float = np.inf) -> tuple[float, Floats]:
    """Half widths, in standard errors, of two-sided intervals: normal, and Student's."""
    from scipy.special import ndtri, stdtrit  # a third of the time that importing the lab would take

    tail = (1 + level) / 2
    return float(ndtri(tail)), np.asarray(stdtrit(degrees, tail), dtype=np.float64)


def check_level(level: float) -> float:
    """Return `level` if it can be a coverage, or raise `InvalidInput`."""
    if not 0 < level < 1:
        raise InvalidInput(f"level = {level!r}: must be between 0 and 1, such as 0.95")
    return float(level)


def wilson_bounds(share: Floats, trials: Floats | Ints, quantile: Floats) -> tuple[Floats, Floats]:
    """Both ends of Wilson's interval for given shares, trials and normal (or Student's) quantiles."""
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        z2 = quantile**2 / trials
        centre = (share + z2 / 2) / (1 + z2)
        half = np.sqrt(z2 * share * (1 - share) + z2**2 / 4) / (1 + z2)
    # Exact at the ends, where rounding would leave 1e-19 instead of 0.
    low = np.where(share == 0, 0.0, np.clip(centre - half, 0, 1))
    high = np.where(share == 1, 1.0, np.clip(centre + half, 0, 1))
    return low, high
