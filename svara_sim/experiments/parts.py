"""Playing a span of units, block by block, and keeping it as one part of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..games.protocol import Table
from .batches import BatchTotals, Layout, Span
from .dataset.folder import Folder
from .dataset.frames import frame_of_records, stored_totals
from .dataset.manifest import part_name
from .executors import Stopped
from .scenario import RunConfig

__all__ = ["Job", "PartJob", "Played", "PlayedPart"]


@dataclass(frozen=True)
class Played:
    """What a span of units leaves.

    Parameters
    ----------
    span : Span
        The units.
    totals : BatchTotals
        Of the batches that the span touches.
    clamped : numpy.ndarray
        Shape (seats,), int64.
    records : polars.DataFrame or None
        A row a deal.
    """

    span: Span
    totals: BatchTotals
    clamped: NDArray[np.int64]
    records: pl.DataFrame | None


@dataclass(frozen=True)
class PlayedPart:
    """What is known of a part without reading it: its number, and how often each seat was set right."""

    index: int
    clamped: list[int]


@lru_cache(maxsize=4)
def _table_of(config: RunConfig) -> Table:
    """The table of a config in a worker process, which plays many pieces of the same run."""
    return config.table()


@dataclass(frozen=True)
class Job:
    """How to play spans of a run; it can travel to another process.

    Parameters
    ----------
    config : RunConfig
        What is played.
    layout : Layout
        Its batches.
    block_units : int
        Units that the kernel plays in one call.
    records : bool
        Whether to keep records.
    """

    config: RunConfig
    layout: Layout
    block_units: int
    records: bool

    def play(self, span: Span, table: Table | None = None, stop: Callable[[], bool] | None = None) -> Played:
        """Play a span of units.

        Parameters
        ----------
        span : Span
            Which units.
        table : Table, optional
            Where threads of one process play; other processes make their own.
        stop : callable, optional
            Asked before each block; the answer True ends the work.

        Raises
        ------
        Stopped
            If `stop` said so.
        IllegalAction
            From the table.
        """
        table = table or _table_of(self.config)
        game, players, unit_deals = self.config.game, self.config.players, self.layout.unit_deals
        totals = BatchTotals.of_span(span, self.layout.batch_units, len(game.total_columns(players)))
        clamped = np.zeros(players, dtype=np.int64)
        columns = game.record_columns(players)
        frames: list[pl.DataFrame] = []
        for piece in span.pieces(self.block_units):
            if stop is not None and stop():
                raise Stopped
            block = table.simulate_block(piece.first, piece.count, self.layout.batch_units, self.records)
            totals.add(block.first_batch, block.totals)
            clamped += block.clamped
            if block.records is not None:
                first_deal, n_deals = piece.first * unit_deals, piece.count * unit_deals
                frames.append(frame_of_records(columns, first_deal, n_deals, block.records))
        # Each block stays a chunk of its own: nothing is copied.
        records = pl.concat(frames, rechunk=False) if self.records else None
        return Played(span, totals, clamped, records)


@dataclass(frozen=True)
class PartJob:
    """How to play and keep parts of a dataset; it can travel to another process.

    Parameters
    ----------
    job : Job
        How to play.
    folder : Folder
        Where the dataset is.
    identity : dict
        What every part carries in its footer; see `Manifest.part_identity`.
    """

    job: Job
    folder: Folder
    identity: dict[str, str]

    def run(self, index: int, table: Table | None = None, stop: Callable[[], bool] | None = None) -> PlayedPart:
        """Play a part and write its files, totals first.

        Raises
        ------
        DataError
            If a file cannot be written.
        Stopped, IllegalAction
            See `Job.play`.
        """
        job = self.job
        played = job.play(job.layout.part(index), table, stop)
        clamped = [int(n) for n in played.clamped]
        about = {**self.identity, "part": index}
        columns = job.config.game.total_columns(job.config.players)
        totals = stored_totals(columns, played.totals)
        self.folder.write_frame(part_name("totals", index), totals, {**about, "clamped": clamped})
        if played.records is not None:
            self.folder.write_frame(part_name("deals", index), played.records, about)
        return PlayedPart(index, clamped)
