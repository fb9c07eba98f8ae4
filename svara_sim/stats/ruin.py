"""What a sequence of payoffs does to a bankroll: variance, ruin, and the deals that skill needs to show.

Payoffs of independent deals are cut into paths of equal length, which are then independent too. Ruin means that the
losses since the start of a path have reached the bankroll; a table of Svara has no all-in, so the deal in which it
happens is paid in full.

Letters: T deals of a path, N paths, B bankrolls.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InvalidInput
from .estimates import wilson_interval

__all__ = [
    "bankroll_fan",
    "bankroll_for",
    "deals_to_show",
    "diffusion_ruin",
    "lundberg_rate",
    "payoff_moments",
    "ruin_table",
    "share_shown",
]

Floats = NDArray[np.float64]
_Z95 = 1.959963984540054


def _paths(payoffs: ArrayLike, path_deals: int) -> Floats:
    """Cumulative payoffs of the paths, shape (N, T)."""
    values = np.asarray(payoffs, dtype=np.float64)
    if values.ndim != 1 or not 1 <= path_deals <= len(values):
        raise InvalidInput(f"path_deals = {path_deals}: must be from 1 to the {values.size} deals that there are")
    n_paths = len(values) // path_deals
    return values[: n_paths * path_deals].reshape(n_paths, path_deals).cumsum(axis=1)


def payoff_moments(payoffs: ArrayLike) -> dict[str, float]:
    """Mean and standard deviation of the payoffs of independent deals, each with its standard error.

    Returns
    -------
    dict of str to float
        ``rate``, ``rate_error``, ``low`` and ``high`` (its 95 % interval), ``deviation``, ``deviation_error``. The
        error of the deviation comes from the fourth moment, which few deals make: it is itself rough.
    """
    values = np.asarray(payoffs, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2:
        raise InvalidInput(f"payoffs: has shape {values.shape}, must be a list of at least 2 deals")
    rate, deviation = float(values.mean()), float(values.std(ddof=1))
    error = deviation / len(values) ** 0.5
    squares = (values - rate) ** 2
    return {
        "rate": rate,
        "rate_error": error,
        "low": rate - _Z95 * error,
        "high": rate + _Z95 * error,
        "deviation": deviation,
        "deviation_error": float(squares.std(ddof=1)) / len(values) ** 0.5 / (2 * deviation) if deviation else 0.0,
    }


def diffusion_ruin(bankrolls: ArrayLike, mean: float, deviation: float, n_deals: float = np.inf) -> Floats:
    """Probability of ruin within `n_deals` if the bankroll were a Brownian motion with drift.

    Parameters
    ----------
    bankrolls : array_like of float
        Shape (B,), in the unit of the payoffs.
    mean, deviation : float
        Mean and standard deviation of a deal's payoff.
    n_deals : float
        Deals played; infinite for ever.

    Returns
    -------
    numpy.ndarray
        Shape (B,).
    """
    from scipy.special import log_ndtr, ndtr

    b = np.asarray(bankrolls, dtype=np.float64)
    pull = -2 * mean * b / deviation**2
    if np.isinf(n_deals):
        return np.exp(np.minimum(pull, 0.0))
    spread = deviation * np.sqrt(n_deals)
    reflected = np.exp(pull + log_ndtr((-b + mean * n_deals) / spread))
    return np.clip(np.asarray(ndtr((-b - mean * n_deals) / spread) + reflected, dtype=np.float64), 0.0, 1.0)


def lundberg_rate(payoffs: ArrayLike) -> float:
    """Rate R at which the probability of ever being ruined falls with the bankroll b, at most ``exp(-R b)``.

    R solves ``E[exp(-R X)] = 1`` over the whole distribution of the payoffs X (Lundberg's inequality), where the
    diffusion knows only two moments, which make it ``2 mean / variance``. It is 0 if
    nothing is won on average.
    """
    from scipy.optimize import brentq

    values, times = np.unique(np.asarray(payoffs, dtype=np.float64), return_counts=True)
    weights = times / times.sum()
    if values @ weights <= 0:
        return 0.0
    if values[0] >= 0:
        return float("inf")

    def excess(rate: float) -> float:
        return float(weights @ np.expm1(-rate * values))

    high = 1.0 / -values[0]  # doubles until beyond the root; the losses make it finite
    while excess(high) < 0:
        high *= 2
    low = high
    while excess(low) >= 0:
        low /= 2
    return float(brentq(excess, low, high))


def ruin_table(payoffs: ArrayLike, bankrolls: Sequence[float], path_deals: int) -> pl.DataFrame:
    """How often each bankroll is lost within `path_deals` deals, with the diffusion's answer beside it.

    Parameters
    ----------
    payoffs : array_like
        Payoffs of independent deals, in order.
    bankrolls : sequence of float
        In the unit of the payoffs.
    path_deals : int
        Deals of a path; a last, shorter one is left out.

    Returns
    -------
    polars.DataFrame
        ``bankroll``, ``mean`` (share of paths that are ruined), ``standard_error``, ``low``, ``high`` (Wilson, 95 %),
        ``n`` (paths), and ``diffusion``.
    """
    values = np.asarray(payoffs, dtype=np.float64)
    lowest = _paths(values, path_deals).min(axis=1)
    n = len(lowest)
    ruined = np.array([int((lowest <= -b).sum()) for b in bankrolls])
    low, high = wilson_interval(ruined, np.full(len(ruined), n))
    share = ruined / n
    return pl.DataFrame(
        {
            "bankroll": [float(b) for b in bankrolls],
            "mean": share,
            "standard_error": np.sqrt(share * (1 - share) / n),
            "low": low,
            "high": high,
            "n": np.full(len(ruined), n),
            "diffusion": diffusion_ruin(bankrolls, float(values.mean()), float(values.std(ddof=1)), path_deals),
        }
    )


def bankroll_for(payoffs: ArrayLike, risk: float, path_deals: int) -> tuple[float, float, float]:
    """The bankroll that is lost within `path_deals` deals with probability `risk`, and its 95 % interval.

    It is a quantile of the paths' lowest points; the interval's ends are two other ones (binomial, by the normal
    approximation).

    Returns
    -------
    bankroll, low, high : float
        In the unit of the payoffs.
    """
    if not 0 < risk < 1:
        raise InvalidInput(f"risk = {risk!r}: must be between 0 and 1, such as 0.05")
    lowest = _paths(payoffs, path_deals).min(axis=1)
    reach = _Z95 * (risk * (1 - risk) / len(lowest)) ** 0.5
    places = np.clip([risk, risk + reach, risk - reach], 0.0, 1.0)
    bankroll, low, high = np.maximum(-np.quantile(lowest, places), 0.0)
    return float(bankroll), float(low), float(high)


def bankroll_fan(payoffs: ArrayLike, path_deals: int, quantiles: Sequence[float], n_places: int = 50) -> pl.DataFrame:
    """Quantiles of what has been won along the paths.

    Returns
    -------
    polars.DataFrame
        ``deals`` (0 first), and a column ``q05`` or the like for each of `quantiles`.
    """
    paths = _paths(payoffs, path_deals)
    places = np.unique(np.linspace(1, path_deals, min(n_places, path_deals)).round().astype(np.int64))
    cuts = np.quantile(paths[:, places - 1], list(quantiles), axis=0)
    columns = {f"q{round(100 * q):02d}": np.concatenate([[0.0], cut]) for q, cut in zip(quantiles, cuts, strict=True)}
    return pl.DataFrame({"deals": np.concatenate([[0], places]), **columns})


def deals_to_show(table: pl.DataFrame, power: float = 0.5, level: float = 0.95) -> pl.DataFrame:
    """Deals until the interval of a win rate excludes zero with probability `power`.

    That is ``((z_level + z_power) deviation / rate)**2``; the interval is that of the rate carried through, so its
    upper end is infinite where the rate itself is not known to differ from zero.

    Parameters
    ----------
    table : polars.DataFrame
        With columns ``mean``, ``low``, ``high`` (the rate a deal) and ``deviation`` (of a deal's payoff).
    power : float
        Probability that the interval excludes zero on the right side, after that many deals.
    level : float
        Of the interval that is watched.

    Returns
    -------
    polars.DataFrame
        The table with ``deals``, ``deals_low`` and ``deals_high``.
    """
    from scipy.special import ndtri

    reach = float(ndtri((1 + level) / 2) + ndtri(power))
    rate = {name: table[name].cast(pl.Float64).to_numpy() for name in ("mean", "low", "high", "deviation")}
    near = np.minimum(np.abs(rate["low"]), np.abs(rate["high"]))
    near = np.where(rate["low"] * rate["high"] <= 0, 0.0, near)
    far = np.maximum(np.abs(rate["low"]), np.abs(rate["high"]))
    with np.errstate(divide="ignore"):
        found = {
            name: (reach * rate["deviation"] / edge) ** 2
            for name, edge in (("deals", np.abs(rate["mean"])), ("deals_low", far), ("deals_high", near))
        }
    return table.with_columns(pl.Series(name, values) for name, values in found.items())


def share_shown(payoffs: ArrayLike, n_deals: int, level: float = 0.95) -> tuple[float, float]:
    """Share of stretches of `n_deals` deals whose own interval lies above zero, and its standard error.

    A player's own view: each stretch has its own mean and deviation, and the normal interval made of them.
    """
    from scipy.special import ndtri

    values = np.asarray(payoffs, dtype=np.float64)
    if not 2 <= n_deals <= len(values):
        raise InvalidInput(f"n_deals = {n_deals}: must be from 2 to the {values.size} deals that there are")
    n = len(values) // n_deals
    stretches = values[: n * n_deals].reshape(n, n_deals)
    error = stretches.std(axis=1, ddof=1) / np.sqrt(n_deals)
    shown = float((stretches.mean(axis=1) > float(ndtri((1 + level) / 2)) * error).mean())
    return shown, float(np.sqrt(shown * (1 - shown) / n))
