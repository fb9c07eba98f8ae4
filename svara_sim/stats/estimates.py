"""Estimates that carry their error: ratios of totals by batch, proportions, and many of them at once.

The input is what a run leaves: whole-number totals by batch, where a batch is a known number of independent
units (deals, or sessions of deals). Whatever depends on whatever within a unit, the spread between batches
shows it.

Letters: G batches, M measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InvalidInput, check_choice
from .intervals import (
    adjust_p_values,
    check_level,
    interval_quantiles,
    simultaneous_level,
    wilson_bounds,
    wilson_interval,
)

__all__ = [
    "Estimate",
    "Estimates",
    "Kind",
    "adjust_p_values",
    "estimate_ratios",
    "simultaneous_level",
    "wilson_interval",
]

Kind = Literal["mean", "proportion"]
_KINDS: tuple[Kind, ...] = ("mean", "proportion")

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """One estimated quantity with its error.

    Parameters
    ----------
    mean : float
        The estimate; NaN if nothing was observed.
    standard_error : float
        Its standard error; infinite if a single unit (or batch) leaves no way to know it.
    low, high : float
        Ends of the interval at `level`.
    n : int
        Observations: the total of the denominator, such as the hands that held 31 points.
    n_units : int
        Independent units behind it (0 if nothing was observed).
    unit : str
        Unit of `mean`, `standard_error`, `low` and `high`.
    method : str
        How error and interval were found.
    level : float
        Coverage that the interval aims at.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    n: int
    n_units: int
    unit: str = ""
    method: str = ""
    level: float = 0.95

    def __str__(self) -> str:
        if self.n == 0:
            return "no observations"
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"{self.mean:.6g} ± {self.standard_error:.2g}{unit} "
            f"({self.level:.4g} interval {self.low:.6g} to {self.high:.6g}, {self.n_units} units)"
        )


@dataclass(frozen=True)
class Estimates(Sequence[Estimate]):
    """Estimates of M measures as arrays of shape (M,), for tables; indexing gives one `Estimate`.

    The fields are those of `Estimate`, and `degrees`, the degrees of freedom of the standard error.
    """

    mean: Floats
    standard_error: Floats
    low: Floats
    high: Floats
    n: Ints
    n_units: Ints
    degrees: Floats
    units: tuple[str, ...]
    methods: tuple[str, ...]
    level: float = field(default=0.95)

    def __len__(self) -> int:
        return len(self.mean)

    def __iter__(self) -> Iterator[Estimate]:
        return (self._one(i) for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self._one(i) for i in range(*index.indices(len(self)))]
        return self._one(range(len(self))[index])

    def _one(self, i: int) -> Estimate:
        return Estimate(
            mean=float(self.mean[i]),
            standard_error=float(self.standard_error[i]),
            low=float(self.low[i]),
            high=float(self.high[i]),
            n=int(self.n[i]),
            n_units=int(self.n_units[i]),
            unit=self.units[i],
            method=self.methods[i],
            level=self.level,
        )


def estimate_ratios(
    numerators: ArrayLike,
    denominators: ArrayLike,
    batch_units: ArrayLike,
    *,
    kinds: Kind | Sequence[Kind] = "mean",
    units: str | Sequence[str] = "",
    level: float = 0.95,
) -> Estimates:
    """Estimate ratios of totals, ``sum(Y) / sum(C)``, by batch means.

    The error comes from the linearised residuals ``Y_g - R C_g`` of the batches (delta method), each divided
    by ``1 - C_g / sum(C)``, which makes the variance unbiased when it grows with C; the interval is Student's
    with Satterthwaite's degrees of freedom. With equal batches these are the textbook's G - 1; with empty or
    unequal ones (a rare hand, a short last batch) they fall as they must.

    A proportion gets Wilson's interval. If C counts the units themselves, the trials are independent;
    otherwise the number of trials is replaced by the effective one that the spread between batches shows
    (never more than there were, because a chance agreement of few batches must not pass for certainty).

    Parameters
    ----------
    numerators, denominators : array_like of int
        Totals Y and C, shape (G, M) or (G,).
    batch_units : array_like of int
        Independent units in each batch, shape (G,); they may differ.
    kinds : {"mean", "proportion"} or sequence of them
        One for all measures, or one a measure. For a proportion 0 <= Y <= C.
    units : str or sequence of str
        Unit of each ratio.
    level : float
        Coverage of the intervals.

    Returns
    -------
    Estimates
        M estimates. Where C is 0 everywhere: NaN with ``n = n_units = 0``. Where only one batch has data, its
        error cannot be known: it is infinite, and `Estimate.method` says so.

    Raises
    ------
    InvalidInput
        If shapes do not fit, a proportion's total is not between 0 and its denominator, or `level` is not
        between 0 and 1.
    """
    level = check_level(level)
    y, c, sizes = _check_totals(numerators, denominators, batch_units)
    n_measures = y.shape[1]
    all_kinds = [kinds] * n_measures if isinstance(kinds, str) else list(kinds)
    all_units = (units,) * n_measures if isinstance(units, str) else tuple(units)
    if len(all_kinds) != n_measures or len(all_units) != n_measures:
        raise InvalidInput(f"kinds and units: must name one for all or one for each of {n_measures} measures")
    is_proportion = np.array([check_choice("kinds", k, _KINDS) == "proportion" for k in all_kinds], dtype=bool)
    if (is_proportion & ((y < 0) | (y > c)).any(axis=0)).any():
        raise InvalidInput("numerators: a proportion's total must be from 0 to its denominator")

    n = c.sum(axis=0)
    n_units = np.where(n > 0, sizes.sum(), 0)
    mean, error, degrees = _batch_error(y, c)
    z, quantile = interval_quantiles(level, degrees)
    with np.errstate(invalid="ignore"):
        half = np.where(error == 0, 0.0, quantile * error)
        low, high = mean - half, mean + half
    independent = is_proportion & (c == sizes[:, None]).all(axis=0)
    clustered = is_proportion & ~independent
    trials = np.where(independent, n, _effective_trials(mean, error, n, n_units))
    wilson_low, wilson_high = wilson_bounds(mean, trials, np.where(independent | np.isinf(error), z, quantile))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.where(independent, np.sqrt(mean * (1 - mean) / n), error)
    return Estimates(
        mean=mean,
        standard_error=error,
        low=np.where(is_proportion, wilson_low, low),
        high=np.where(is_proportion, wilson_high, high),
        n=n,
        n_units=n_units,
        degrees=degrees,
        units=all_units,
        methods=tuple(map(_method_name, n, error, independent, clustered)),
        level=level,
    )


def _check_totals(numerators: ArrayLike, denominators: ArrayLike, batch_units: ArrayLike) -> tuple[Ints, Ints, Ints]:
    y, c = np.asarray(numerators, dtype=np.int64), np.asarray(denominators, dtype=np.int64)
    sizes = np.asarray(batch_units, dtype=np.int64)
    if y.shape != c.shape or y.ndim not in (1, 2) or sizes.shape != y.shape[:1]:
        raise InvalidInput(
            f"numerators {y.shape}, denominators {c.shape}, batch_units {sizes.shape}: "
            "must be (batches, measures) twice and (batches,)"
        )
    if (c < 0).any() or (sizes < 1).any():
        raise InvalidInput("denominators must be at least 0, batch_units at least 1")
    return (y[:, None], c[:, None], sizes) if y.ndim == 1 else (y, c, sizes)


def _batch_error(y: Ints, c: Ints) -> tuple[Floats, Floats, Floats]:
    """Ratio, standard error and degrees of freedom of each measure; shapes (G, M) in, (M,) out.

    The variance is ``sum(e_g**2 / (1 - h_g)) / C**2`` with leverages ``h_g = C_g / C``; the degrees of
    freedom are exact for its mean and variance if ``var(Y_g)`` is proportional to ``C_g``.
    """
    total = c.sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = y.sum(axis=0) / total
        h = c / total
        known = h.max(axis=0, initial=0.0) < 1  # also False where h is NaN
        w = 1 / np.where(h < 1, 1 - h, 1.0)
        residuals = y - mean * c
        error = np.sqrt((residuals**2 * w).sum(axis=0)) / total
        wh2 = w * h**2
        degrees = 1 / ((h**2).sum(axis=0) + wh2.sum(axis=0) ** 2 - (wh2**2).sum(axis=0))
    error = np.where(known, error, np.where(total > 0, np.inf, np.nan))
    return mean, error, np.where(known, degrees, np.nan if not len(y) else 1.0)


def _effective_trials(mean: Floats, error: Floats, n: Ints, n_units: Ints) -> Floats:
    """Independent trials that would leave the same error as these `n` dependent ones."""
    with np.errstate(invalid="ignore", divide="ignore"):
        trials = np.minimum(mean * (1 - mean) / error**2, n)
    # All or nothing shows no spread: take the worst case, in which the trials of a unit are copies of one.
    trials = np.where((mean == 0) | (mean == 1), np.minimum(n, n_units), trials)
    return np.where(np.isinf(error), np.minimum(n, 1), np.where(np.isnan(trials), n, trials)).astype(np.float64)


def _method_name(n: int, error: float, independent: bool, clustered: bool) -> str:
    if n == 0:
        return "no observations"
    if independent:
        return "Wilson, independent units"
    if np.isinf(error):
        return "one batch with data: error unknown"
    return "Wilson, effective trials from batches" if clustered else "ratio by batch means, Student t"
