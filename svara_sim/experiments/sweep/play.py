"""Playing a point, here or in another process."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cloudpickle
from numpy.typing import NDArray

from ...core.errors import InvalidInput, SvaraError
from ...games.protocol import Table
from ..batches import Span
from ..executors import Stopped
from ..scenario import RunConfig
from .measures import Selection, select
from .points import Point, Target, point_source

__all__ = ["Chunk", "PointResult", "batch_counts", "batch_size", "pack", "play_chunk", "play_packed", "play_point"]

_BLOCK_DEALS = 1 << 17
_BATCHES_LOG2 = 6
_cloudpickle: Any = cloudpickle  # it has no types


def batch_size(n_units: int) -> int:
    """Units in a batch: a power of two that makes 64 to 128 batches, or 1 if there are fewer units.

    A run has four times as many. But adding up hundreds of totals for each batch costs a point of 100,000 deals a sixth
    of its time, and what it buys is small: with 64 batches a standard error is known to 9 % of itself, with 256 to 4 %;
    intervals allow for that.
    """
    return 1 << max(0, n_units.bit_length() - 1 - _BATCHES_LOG2)


def batch_counts(n_units: int) -> NDArray[np.int64]:
    """Units in each batch of a point, shape (batches,)."""
    size = batch_size(n_units)
    counts = np.full(-(-n_units // size), size, dtype=np.int64)
    counts[-1] = n_units - (len(counts) - 1) * size
    return counts


@dataclass(frozen=True)
class PointResult:
    """What is known of a point that was played.

    Parameters
    ----------
    digest : str
        Of the point.
    labels : list of str
        Policy of each seat.
    n_deals : int
        Deals played.
    target_met : bool or None
        Whether the error came below the target; None without one.
    clamped : list of int
        Illegal actions of each seat that were set right.
    names : tuple of str
        What `values` are; see `svara_sim.experiments.sweep.measures`.
    values : numpy.ndarray
        Estimates, shape (seats, names).
    batch_payoffs : numpy.ndarray or None
        Shape (seats, batches), int64: payoffs by batch, from which differences between points get their error.
    unit_deals : int
        Deals in an independent unit.
    scale : float
        Chips (or points) of one of the unit in which payoffs are reported.
    """

    digest: str
    labels: list[str]
    n_deals: int
    target_met: bool | None
    clamped: list[int]
    names: tuple[str, ...]
    values: NDArray[np.float64]
    batch_payoffs: NDArray[np.int64] | None
    unit_deals: int
    scale: float


class _Tally:
    """Totals of the units played so far, in the batches that a run of just these units would have."""

    def __init__(self, config: RunConfig, table: Table, selection: Selection) -> None:
        self._table = table
        self._columns = selection.columns
        self._unit_deals = config.unit_deals
        self.n_units = 0
        self.kept: NDArray[np.int64] = np.zeros((0, len(selection.columns)), dtype=np.int64)
        self.clamped: NDArray[np.int64] = np.zeros(config.players, dtype=np.int64)

    def play_to(self, n_units: int, stop: Callable[[], bool] | None, tick: Callable[[int], None] | None) -> None:
        """Play on until there are `n_units`."""
        size = batch_size(n_units)
        self._rebatch(size, -(-n_units // size))
        block = max(1, _BLOCK_DEALS // self._unit_deals)
        for span in Span(self.n_units, n_units - self.n_units).pieces(block):
            if stop is not None and stop():
                raise Stopped
            played = self._table.simulate_block(span.first, span.count, size, False)
            rows = played.totals[:, self._columns]
            self.kept[played.first_batch : played.first_batch + len(rows)] += rows
            self.clamped += played.clamped
            if tick is not None:
                tick(span.count * self._unit_deals)
        self.n_units = n_units

    def batch_units(self) -> NDArray[np.int64]:
        return batch_counts(self.n_units)

    def _rebatch(self, size: int, n_batches: int) -> None:
        """Sizes are powers of two, so larger batches are whole numbers of those so far."""
        old = self.kept
        if self.n_units and (factor := size // batch_size(self.n_units)) > 1:
            padded = np.zeros((-(-len(old) // factor) * factor, old.shape[1]), dtype=np.int64)
            padded[: len(old)] = old
            old = padded.reshape(-1, factor, old.shape[1]).sum(axis=1)
        self.kept = np.zeros((n_batches, old.shape[1]), dtype=np.int64)
        self.kept[: len(old)] = old


def play_point(
    point: Point, *, stop: Callable[[], bool] | None = None, tick: Callable[[int], None] | None = None
) -> PointResult:
    """Play a point.

    With a target, deals are added step by step until the largest standard error of a seat's payoff is small
    enough; the result is that of a run of as many deals, whoever plays it and wherever.

    Parameters
    ----------
    point : Point
        What to play.
    stop : callable, optional
        Asked before each block; the answer True ends the work.
    tick : callable, optional
        Told the deals of each block that is done.

    Raises
    ------
    Stopped
        If `stop` said so.
    SvaraError
        From the game; the message names the point.
    """
    config = point.config
    try:
        return _play(point, config.table(), stop, tick)
    except SvaraError as error:
        raise type(error)(f"point {point.index}: {error}") from error


def _play(
    point: Point, table: Table, stop: Callable[[], bool] | None, tick: Callable[[int], None] | None
) -> PointResult:
    config, target = point.config, point.target
    selection = select(config.game, config.seats)
    tally = _Tally(config, table, selection)
    ante = float(table.chips_per_ante)
    met: bool | None = None
    if target is None:
        tally.play_to(config.n_units, stop, tick)
    else:
        met = _play_until(target, tally, selection, ante, config.unit_deals, stop, tick)
    return PointResult(
        digest=point.digest,
        labels=config.labels,
        n_deals=tally.n_units * config.unit_deals,
        target_met=met,
        clamped=[int(n) for n in tally.clamped],
        names=selection.names,
        values=selection.values(tally.kept, tally.batch_units(), ante),
        batch_payoffs=selection.payoff_totals(tally.kept),
        unit_deals=config.unit_deals,
        scale=selection.scale(ante),
    )


def _play_until(
    target: Target,
    tally: _Tally,
    selection: Selection,
    ante: float,
    unit_deals: int,
    stop: Callable[[], bool] | None,
    tick: Callable[[int], None] | None,
) -> bool:
    n_deals = 0
    while n_deals < target.max_deals:
        n_deals = min(n_deals + target.step_deals, target.max_deals)
        tally.play_to(n_deals // unit_deals, stop, tick)
        errors = selection.payoff_errors(tally.kept, tally.batch_units(), ante)
        if errors.max() <= target.error_antes:
            return True
    return False


@dataclass(frozen=True)
class Chunk:
    """Points that travel to a worker together.

    Parameters
    ----------
    points : tuple of Point
        In order.
    source : str
        Hash of the source that is to play them; empty does not ask.
    """

    points: tuple[Point, ...]
    source: str = ""


def play_chunk(chunk: Chunk, **watch: Any) -> list[PointResult]:
    """Play the points of a chunk one after the other; keyword arguments as in `play_point`."""
    return [play_point(point, **watch) for point in chunk.points]


def pack(chunk: Chunk) -> bytes:
    """A chunk as bytes for another process, with functions from notebooks and policy files in it.

    Raises
    ------
    InvalidInput
        If something in it cannot travel.
    """
    try:
        packed: bytes = _cloudpickle.dumps(chunk)
    except Exception as error:  # whatever an object of somebody else's raises when it is pickled
        labels: Sequence[str] = chunk.points[0].config.labels
        raise InvalidInput(
            f"seats = {', '.join(labels)}: cannot travel to another process ({type(error).__name__}: "
            f"{str(error).splitlines()[0] if str(error) else 'no reason given'}); use the executor 'threads'"
        ) from error
    return packed


def play_packed(packed: bytes) -> list[PointResult]:
    """Play the points of a packed chunk.

    Raises
    ------
    SvaraError
        If this worker runs other source than the process that packed it; from `play_point`.
    """
    chunk: Chunk = _cloudpickle.loads(packed)
    if chunk.source and chunk.source != point_source():
        raise SvaraError(
            f"the worker on {socket.gethostname()} runs other source than this process: "
            "another version of svara_sim, or files that were edited meanwhile"
        )
    return play_chunk(chunk)
