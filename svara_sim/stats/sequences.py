"""A confidence sequence: intervals that cover the mean at every look at once, however often one looks.

It is the asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central
limit theory and asymptotic confidence sequences" (Annals of Statistics 52, 2024; theorem 2.2): Robbins' normal
mixture with the empirical variance in the place of the known one. After n observations with standard deviation s the
interval is mean ± s sqrt( 2 (n r² + 1) / (n² r²) · log( sqrt(n r² + 1) / alpha ) ). Any r is valid; it decides where
the sequence is tightest. "Asymptotic" means what it means for the usual interval: from the first look on, means must
be close to normal, so the first look comes after thousands of deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ..core.errors import InvalidInput

__all__ = ["ConfidenceSequence", "Moments"]


@dataclass(frozen=True)
class Moments:
    """Number, mean and sum of squared deviations of some observations; they can be added up."""

    n: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike) -> Moments:
        """Of an array of observations."""
        x = np.asarray(values, dtype=np.float64)
        return cls(x.size, float(x.mean()), float(((x - x.mean()) ** 2).sum())) if x.size else cls()

    def __add__(self, other: Moments) -> Moments:
        n = self.n + other.n
        if n == 0:
            return self
        apart = other.mean - self.mean
        mean = self.mean + apart * other.n / n
        return Moments(n, mean, self.squares + other.squares + apart**2 * self.n * other.n / n)

    @property
    def variance(self) -> float:
        """Unbiased variance; infinite for less than two observations."""
        return self.squares / (self.n - 1) if self.n > 1 else inf

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return sqrt(self.variance / self.n) if self.n > 1 else inf


@dataclass(frozen=True)
class ConfidenceSequence:
    """The widths of a confidence sequence.

    Parameters
    ----------
    level : float
        Probability of covering the mean at all looks.
    tight_at : float
        Number of observations at which the interval is about as tight as one can make it.
    """

    level: float = 0.95
    tight_at: float = 100_000.0

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise InvalidInput(f"level = {self.level!r}: must be between 0 and 1, such as 0.95")
        if not self.tight_at >= 1:
            raise InvalidInput(f"tight_at = {self.tight_at!r}: must be at least 1 observation")

    @property
    def _spread(self) -> float:
        """``tight_at * r**2`` (the same paper, appendix on tuning)."""
        alpha = 1 - self.level
        return -2 * log(alpha) + log(-2 * log(alpha) + 1)

    def multiplier(self, n: int) -> float:
        """Half width after `n` observations, in standard errors of the mean."""
        alpha = 1 - self.level
        x = n * self._spread / self.tight_at
        return sqrt(2 * (x + 1) / x * log(sqrt(x + 1) / alpha))

    def half_width(self, seen: Moments) -> float:
        """Half width of the interval."""
        return self.multiplier(seen.n) * seen.standard_error if seen.n > 1 else inf

    def needed(self, variance: float, half_width: float) -> float:
        """Observations of this variance after which a sequence that is tight there is as narrow as that."""
        tightest = ConfidenceSequence(self.level, 1_000.0).multiplier(1_000)
        return max(1.0, variance * (tightest / half_width) ** 2)
