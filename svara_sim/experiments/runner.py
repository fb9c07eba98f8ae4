"""Running: in memory, or into a dataset on disk that a killed run can be resumed from."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol, TypeVar, Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import check_int
from ..core.rng import MAX_DEALS
from ..games.protocol import Table
from .batches import BatchTotals, Layout, Span
from .dataset.folder import folder_at
from .dataset.frames import frame_of_totals
from .dataset.reader import Dataset
from .dataset.resume import begin, is_done, kept_parts, wanted_manifest
from .executors import check_threads, run_all, threads
from .parts import Job, PartJob, Played, PlayedPart
from .scenario import RunConfig, RunFields
from .summary import Tables, summarise

__all__ = ["Progress", "RunResult", "run_to", "simulate"]

Item = TypeVar("Item")
Result = TypeVar("Result")

# Each worker holds a part in memory, so that a dozen stay below 2 GiB; Polars writes on all processors anyway.
_MAX_WRITERS = 12
# In memory a block is a task of its own; in a part it is a chunk of the file, as large as a row group of it.
_MIN_BLOCK_DEALS, _MAX_BLOCK_DEALS, _CHUNK_DEALS = 1 << 10, 1 << 16, 1 << 18


class Progress(Protocol):
    """Told how far a run is, in the thread that started it."""

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` deals are finished."""
        ...


@dataclass(frozen=True)
class RunResult:
    """A run in memory.

    Parameters
    ----------
    config : RunConfig
        What was played.
    totals : polars.DataFrame
        Totals by batch: ``batch``, then the game's total columns.
    batch_units : numpy.ndarray
        Independent units in each batch, shape (batches,).
    clamped : list of int
        Illegal actions of each seat that were set right.
    chips_per_ante : float
        For results in antes.
    records : polars.DataFrame or None
        A row a deal, if they were asked for.
    elapsed_seconds : float
        Time that it took.
    """

    config: RunConfig
    totals: pl.DataFrame
    batch_units: NDArray[np.int64]
    clamped: list[int]
    chips_per_ante: float
    records: pl.DataFrame | None
    elapsed_seconds: float

    @cached_property
    def summary(self) -> Tables:
        """Tables of estimates by name; see `summarise`."""
        config = self.config
        return summarise(
            self.totals.drop("batch").to_numpy(),
            self.batch_units,
            config.game.total_columns(config.players),
            config.game.measures(config.seats),
            chips_per_ante=self.chips_per_ante,
        )


def simulate(
    config: RunConfig | None = None,
    *,
    records: bool = False,
    n_threads: int | None = None,
    block_deals: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    **fields: Unpack[RunFields],
) -> RunResult:
    """Simulate deals and keep the result in memory.

    The result does not depend on `n_threads`, `block_deals` or `executor`.

    Parameters
    ----------
    config : RunConfig, optional
        What to play; or give its fields (see `RunConfig.create`) as keyword arguments.
    records : bool
        Whether to keep a row for each deal, about 50 bytes.
    n_threads : int, optional
        By default one for each processor.
    block_deals : int, optional
        Deals in one call of the kernel.
    executor : Executor, optional
        Where to play instead of on own threads: spawned processes, or a cluster's executor.
    progress : callable, optional
        Called with (deals done, all deals).
    **fields
        Fields of the config.

    Returns
    -------
    RunResult

    Raises
    ------
    InvalidInput
        If a field is not allowed.
    IllegalAction
        If a policy breaks the rules; always for the same deal.

    Examples
    --------
    >>> simulate(players=4, n_deals=10_000, seed=7).summary["payoff_by_seat"]  # doctest: +SKIP
    """
    started = time.perf_counter()
    config = _config(config, fields)
    n_threads = check_threads(n_threads)
    layout = Layout(config.n_units, config.unit_deals, config.n_units)
    fair_share = config.n_deals // (4 * n_threads)
    default = min(max(fair_share, _MIN_BLOCK_DEALS), _MAX_BLOCK_DEALS)
    job = Job(config, layout, _block_units(config, block_deals, default), records)
    columns = config.game.total_columns(config.players)
    totals = BatchTotals(0, layout.n_batches, len(columns))
    clamped = np.zeros(config.players, dtype=np.int64)
    frames: dict[int, pl.DataFrame] = {}
    done = 0

    def take(played: Played) -> None:
        nonlocal done
        totals.add(played.totals.first_batch, played.totals.values)
        clamped.__iadd__(played.clamped)
        if played.records is not None:
            frames[played.span.first] = played.records
        done += played.span.count * config.unit_deals
        if progress is not None:
            progress(done, config.n_deals)

    table = config.table()
    blocks = Span(0, config.n_units).pieces(job.block_units)
    _work(job.play, blocks, take, table=table, n_threads=n_threads, executor=executor)
    return RunResult(
        config=config,
        totals=frame_of_totals(columns, totals.values),
        batch_units=layout.batch_counts(),
        clamped=[int(n) for n in clamped],
        chips_per_ante=float(table.chips_per_ante),
        records=pl.concat([frames[i] for i in sorted(frames)], rechunk=False) if records else None,
        elapsed_seconds=time.perf_counter() - started,
    )


def run_to(
    out: str | os.PathLike[str],
    config: RunConfig | None = None,
    *,
    records: bool = True,
    part_deals: int | None = None,
    n_threads: int | None = None,
    block_deals: int | None = None,
    executor: Executor | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    **fields: Unpack[RunFields],
) -> Dataset:
    """Simulate deals into a dataset on disk, in bounded memory.

    If the run was killed, the same call resumes it: finished parts are checked and kept. If it is complete,
    it is opened at once. The content does not depend on `n_threads`, `block_deals`, `executor`, or on
    interruptions.

    Parameters
    ----------
    out : str or path-like
        Folder of the dataset, made if need be; or an object store's ``s3://bucket/key``, where nothing keeps two runs
        from writing at once.
    config : RunConfig, optional
        What to play; or give its fields (see `RunConfig.create`) as keyword arguments.
    records : bool
        Whether to write a row for each deal, or totals only.
    part_deals : int, optional
        Deals in a file.
    n_threads, block_deals, executor, progress
        As in `simulate`.
    overwrite : bool
        Replace another run in the folder.
    **fields
        Fields of the config.

    Returns
    -------
    Dataset

    Raises
    ------
    InvalidInput
        If a field is not allowed.
    IllegalAction
        If a policy breaks the rules; finished parts stay.
    DataError
        If the folder holds another run or other files, another run is writing there, or it cannot be written
        (finished parts stay).
    """
    started = time.perf_counter()
    config = _config(config, fields)
    n_threads = check_threads(n_threads)
    folder = folder_at(out)
    table = config.table()
    block_units = _block_units(config, block_deals, _CHUNK_DEALS)
    wanted = wanted_manifest(folder, config, records=records, part_deals=part_deals, ante=table.chips_per_ante)
    if is_done(folder, wanted, overwrite=overwrite):
        return Dataset.at(folder, config.game)
    folder.prepare(wanted.folders)
    with folder.lock():
        if is_done(folder, wanted, overwrite=overwrite):  # by the run that held the lock until now
            return Dataset.at(folder, config.game)
        manifest = begin(folder, wanted, overwrite=overwrite)
        parts = kept_parts(folder, manifest)
        todo = [i for i in range(manifest.n_parts) if i not in parts]
        done = sum(manifest.layout.part(i).count for i in parts) * config.unit_deals

        def take(part: PlayedPart) -> None:
            nonlocal done
            parts[part.index] = part.clamped
            done += manifest.layout.part(part.index).count * config.unit_deals
            if progress is not None:
                progress(done, config.n_deals)

        job = PartJob(Job(config, manifest.layout, block_units, records), folder, manifest.part_identity)
        if progress is not None and parts:
            progress(done, config.n_deals)
        workers = min(n_threads, _MAX_WRITERS) if records else n_threads
        _work(job.run, todo, take, table=table, n_threads=workers, executor=executor)
        clamped = [sum(counts) for counts in zip(*parts.values(), strict=True)]
        manifest = manifest.finish(clamped, time.perf_counter() - started)
        manifest.write(folder)
    return Dataset(folder, manifest, config.game)


def _config(config: RunConfig | None, fields: RunFields) -> RunConfig:
    if config is None:
        return RunConfig.create(**fields)
    return config.change(**fields) if fields else config


def _block_units(config: RunConfig, block_deals: int | None, default: int) -> int:
    """Units in a call of the kernel."""
    deals = default if block_deals is None else check_int("block_deals", block_deals, 1, MAX_DEALS)
    return max(1, deals // config.unit_deals)


def _work(
    function: Callable[..., Result],
    items: Iterable[Item],
    take: Callable[[Result], None],
    *,
    table: Table,
    n_threads: int,
    executor: Executor | None,
) -> None:
    """Run all items on the executor, or on own threads, which share a table and can be told to stop."""
    if executor is not None:
        run_all(executor, function, items, window=2 * n_threads, on_done=take)
        return
    with threads(n_threads) as (pool, stop):
        shared = partial(function, table=table, stop=stop.is_set)
        run_all(pool, shared, items, window=n_threads + 1, on_done=take)
