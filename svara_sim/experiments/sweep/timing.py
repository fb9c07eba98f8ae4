"""How long a sweep will take, from a short timing of its first point."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from .measures import select
from .play import batch_counts, batch_size
from .points import Point

__all__ = ["estimated_seconds"]

_WARM_UP_DEALS = 64
_SECONDS = 0.2
_POINT_SECONDS = 0.002  # what a point costs besides its deals


def estimated_seconds(points: Sequence[Point], n_workers: int) -> float:
    """Rough time of playing `points` on `n_workers` processors.

    The first point is played for a fifth of a second. With a target, its error after that says how many deals such a
    point needs.

    Parameters
    ----------
    points : sequence of Point
        What is to be played.
    n_workers : int
        Points that are played at once.
    """
    if not points:
        return 0.0
    point = points[0]
    config, table = point.config, point.config.table()
    units = max(1, _WARM_UP_DEALS // config.unit_deals)
    table.simulate_block(0, units, batch_size(units), False)  # compiles, if need be
    started = time.perf_counter()
    seconds = 0.0
    while seconds < _SECONDS / 2 and units < config.n_units:
        units = min(units * 4, config.n_units)
        begun = time.perf_counter()
        block = table.simulate_block(0, units, batch_size(units), False)
        seconds = time.perf_counter() - begun
        if time.perf_counter() - started > 5 * _SECONDS:
            break
    n_deals, played = config.n_deals, units * config.unit_deals
    if point.target is not None:
        selection = select(config.game, config.seats)
        kept = block.totals[:, selection.columns]
        error = float(selection.payoff_errors(kept, batch_counts(units), table.chips_per_ante).max())
        n_deals = _deals_needed(point, error, played)
    share = n_deals / config.n_deals
    total = sum(p.config.n_deals for p in points) * share
    return (seconds / played * total + _POINT_SECONDS * len(points)) / min(n_workers, len(points))


def _deals_needed(point: Point, error: float, played: int) -> int:
    """Deals until the error, which falls with their square root, is at the target."""
    assert point.target is not None
    if not math.isfinite(error):
        return point.config.n_deals
    steps = math.ceil(played * (error / point.target.error_antes) ** 2 / point.target.step_deals)
    return min(max(1, steps) * point.target.step_deals, point.config.n_deals)
