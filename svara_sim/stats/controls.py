"""Control variates: taking from a quantity what others, whose mean is known to be 0, explain of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Control"]

Floats = NDArray[np.float64]

_FOLDS = 4
_PENALTIES = (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
_LEAST_OBSERVATIONS = 25.0


@dataclass(frozen=True)
class Control:
    """Weights of the controls.

    Parameters
    ----------
    weights : numpy.ndarray
        Shape (controls,). Found on other units than those that they are used on, they leave the mean unbiased,
        whatever they are.
    """

    weights: Floats

    @classmethod
    def fit(cls, values: Floats, controls: Floats) -> Control:
        """Ridge regression, the penalty chosen by cross-validation; no weights at all if none helps there.

        Controls that hardly ever differ from 0 are left out: a weight found on a handful of units would do harm on the
        others.

        Parameters
        ----------
        values : numpy.ndarray
            Shape (units,).
        controls : numpy.ndarray
            Shape (units, controls), each of mean 0.
        """
        n_controls = controls.shape[1]
        square = (controls**2).sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            effective = square**2 / (controls**4).sum(axis=0)
        used = effective >= _LEAST_OBSERVATIONS  # False where it is NaN
        weights = np.zeros(n_controls)
        if not used.any():
            return cls(weights)
        size = np.sqrt(square[used] / len(values))
        x, y = controls[:, used] / size, values - values.mean()
        penalty = _best_penalty(x, y)
        if penalty is not None:
            weights[used] = _ridge([x.T @ x], [x.T @ y], len(y), penalty) / size
        return cls(weights)

    def apply(self, values: Floats, controls: Floats) -> Floats:
        """The values minus what the controls explain."""
        return np.asarray(values - controls @ self.weights)


def _ridge(grams: Sequence[Floats], moments: Sequence[Floats], n: int, penalty: float) -> Floats:
    gram = np.sum(grams, axis=0)
    return np.asarray(np.linalg.solve(gram + n * penalty * np.eye(len(gram)), np.sum(moments, axis=0)))


def _best_penalty(x: Floats, y: Floats) -> float | None:
    folds = [(x[i::_FOLDS], y[i::_FOLDS]) for i in range(_FOLDS)]
    grams, moments = [f.T @ f for f, _ in folds], [f.T @ g for f, g in folds]
    errors: dict[float | None, float] = {None: float((y**2).sum())}
    for penalty in _PENALTIES:
        error = 0.0
        for i, (f, g) in enumerate(folds):
            rest = [j for j in range(_FOLDS) if j != i]
            weights = _ridge([grams[j] for j in rest], [moments[j] for j in rest], len(y) - len(g), penalty)
            error += float(((g - f @ weights) ** 2).sum())
        errors[penalty] = error
    return min(errors, key=lambda p: errors[p])
