"""Passes over the decisions of a player, compiled: reaches, best responses, and the steps of the iterative methods.

All arrays have a row a sequence and a column a class, so that the inner loops run along the classes. Letters: as in
`sides`.
"""

from __future__ import annotations

from typing import Any

from ..core.jit import inlined, kernel
from .leaves import gradient

__all__ = ["best_pass", "forward", "gradient_pass", "value_pass"]


@inlined
def forward(side: Any, sigma: Any, reach: Any) -> None:
    """Multiply a player's own probabilities along its sequences."""
    for i in range(reach.shape[1]):
        reach[0, i] = 1
    for d in range(side.node.shape[0]):
        up = side.parent[d]
        for e in range(side.first[d], side.first[d] + side.n_actions[d]):
            for i in range(reach.shape[1]):
                reach[e, i] = reach[up, i] * sigma[e, i]


@inlined
def pool(row: Any) -> None:
    """Spread what a row sums up to evenly: the player decides without having seen its class."""
    total = 0.0
    for i in range(row.shape[0]):
        total += row[i]
    for i in range(row.shape[0]):
        row[i] = total / row.shape[0]


@kernel
def gradient_pass(dense: Any, ranked: Any, reach: Any, out: Any) -> None:
    """See `leaves.gradient`."""
    gradient(dense, ranked, reach, out)


@kernel
def forward_pass(side: Any, sigma: Any, reach: Any) -> None:
    """See `forward`."""
    forward(side, sigma, reach)


@kernel
def value_pass(side: Any, sigma: Any, worth: Any) -> None:
    """Carry what sequences are worth up to the root, the player deciding by `sigma`; ``worth[0].sum()`` is the value.

    Afterwards ``worth[e]`` holds what sequence e is worth with all that follows.
    """
    for d in range(side.node.shape[0] - 1, -1, -1):
        up = side.parent[d]
        for e in range(side.first[d], side.first[d] + side.n_actions[d]):
            if side.seen[d] == 0:
                pool(worth[e])
            for i in range(worth.shape[1]):
                worth[up, i] += sigma[e, i] * worth[e, i]


@kernel
def best_pass(side: Any, least: Any, free: Any, sigma: Any, worth: Any) -> None:
    """Like `value_pass`, but decide best wherever the player is free to.

    Parameters
    ----------
    side : Side
        The player.
    least : float
        Each action is taken at least this often where the player is free.
    free : numpy.ndarray
        Shape (Q, N), uint8: 0 where the player is held to `sigma`.
    sigma : numpy.ndarray
        Shape (Q, N): the player's probabilities; where it is free, overwritten by the best ones (of equals the first).
    worth : numpy.ndarray
        Shape (Q, N): as `gradient_pass` gives it.
    """
    n = worth.shape[1]
    for d in range(side.node.shape[0] - 1, -1, -1):
        up, first, count = side.parent[d], side.first[d], side.n_actions[d]
        if side.seen[d] == 0:
            for e in range(first, first + count):
                pool(worth[e])
        for i in range(n):
            if free[first, i] != 0:
                best = first
                for e in range(first + 1, first + count):
                    if worth[e, i] > worth[best, i]:
                        best = e
                for e in range(first, first + count):
                    sigma[e, i] = least
                sigma[best, i] = 1 - (count - 1) * least
            for e in range(first, first + count):
                worth[up, i] += sigma[e, i] * worth[e, i]
