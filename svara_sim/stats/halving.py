"""Sequential halving: which candidates to go on with, and for how long.

Karnin, Koren and Somekh, "Almost optimal exploration in multi-armed bandits" (ICML 2013): the budget is cut into
equal rounds; in each, what is left of the candidates shares it, and the better half goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ..core.errors import check_int

__all__ = ["better_half", "halving_rounds"]


def halving_rounds(n_candidates: int, n_each: int) -> list[tuple[int, int]]:
    """Candidates and new observations of each, round by round.

    Parameters
    ----------
    n_candidates : int
        At least 2.
    n_each : int
        Observations of a candidate if all had the same number; the rounds together use no more in all.

    Returns
    -------
    list of (int, int)
    """
    check_int("n_candidates", n_candidates, 2, 10_000)
    rounds: list[int] = []
    left = n_candidates
    while left > 1:
        rounds.append(left)
        left = ceil(left / 2)
    budget = n_candidates * n_each // len(rounds)
    return [(left, max(1, budget // left)) for left in rounds]


def better_half(means: Sequence[float]) -> list[int]:
    """Indices of the better half (rounded up), in their old order; of equals the first ones."""
    order = sorted(range(len(means)), key=lambda i: -means[i])
    return sorted(order[: ceil(len(means) / 2)])
