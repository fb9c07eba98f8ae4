"""Running a sweep: what stands is kept, what is missing is played, wherever and however often it was stopped."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from ...core.errors import DataError
from ..dataset.folder import Folder, folder_at
from ..dataset.manifest import MANIFEST
from ..runner import Progress
from .play import Chunk, PointResult
from .points import Point, SweepSpec, point_source
from .pools import Pool, open_pool
from .result import Sweep
from .spec import read_sweep
from .store import DATASET, POINTS, SweepManifest, Writer, read_points
from .table import dataset_of

__all__ = ["run_sweep"]

# A chunk is large enough that its way to another process costs little, and small enough that all workers have some.
_CHUNK_DEALS = 500_000
_CHUNK_POINTS = 64


def run_sweep(
    sweep: str | os.PathLike[str] | Mapping[str, Any] | SweepSpec,
    out: str | os.PathLike[str],
    *,
    executor: str | Executor = "threads",
    dask_address: str | None = None,
    n_threads: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    point_progress: Progress | None = None,
) -> Sweep:
    """Play every point of a sweep that does not stand yet, and make one dataset of all.

    The content does not depend on the executor, the number of workers, or on interruptions.

    Parameters
    ----------
    sweep : path-like, mapping or SweepSpec
        A TOML file, or its content as Python objects; see `read_sweep`.
    out : str or path-like
        Folder of the results, or an object store's ``s3://bucket/key``; made if need be.
    executor : {"threads", "processes", "dask"} or Executor
        Where points are played.
    dask_address : str, optional
        A Dask scheduler that runs; by default, "dask" starts a local cluster.
    n_threads : int, optional
        Workers; by default one for each processor (or all those of the cluster).
    overwrite : bool
        Remove all points that stand, and play them again.
    progress : callable, optional
        Called with (deals done, all deals) several times a second; a point with a target counts for the most that
        it may play.
    point_progress : callable, optional
        Called with (points done, all points), right before.

    Returns
    -------
    Sweep

    Raises
    ------
    InvalidInput
        If a field of the sweep is not allowed; nothing is played then.
    IllegalAction
        If a policy breaks the rules; finished points stay.
    DataError
        If the folder holds other files, another sweep is writing there, or it cannot be written; finished points
        stay.
    """
    started = time.perf_counter()
    spec = read_sweep(sweep)
    points = spec.points
    folder = folder_at(out)
    _refuse_strangers(folder)
    folder.prepare((POINTS,))
    with folder.lock():
        manifest = _begin(folder, spec, overwrite=overwrite)
        results = read_points(folder, manifest.digests)
        todo = list({p.digest: p for p in points if p.digest not in results}.values())
        if todo:
            told = _Told(points, todo, progress, point_progress)
            with open_pool(executor, n_workers=n_threads, dask_address=dask_address) as pool:
                _play(pool, todo, folder, results, told)
        folder.write_frame(DATASET, dataset_of(manifest, results), {"format": manifest.format})
        if not (manifest.complete and not todo):
            manifest = manifest.finish(time.perf_counter() - started)
            manifest.write(folder)
    return Sweep(folder, manifest)


def _refuse_strangers(folder: Folder) -> None:
    """Raise if the folder holds something else than a sweep."""
    if folder.exists(MANIFEST):
        SweepManifest.read(folder)
        return
    for name in folder.names():
        if name != POINTS or folder.names(name):
            raise DataError(f"{folder}: holds other files ({name}) and no {MANIFEST}; choose a new or empty folder")


def _begin(folder: Folder, spec: SweepSpec, *, overwrite: bool) -> SweepManifest:
    """Write the manifest of a sweep that begins, goes on, or has changed; only for the holder of the lock."""
    folder.remove_temporary((POINTS,))
    manifest = SweepManifest.begin(spec)
    if folder.exists(MANIFEST):
        there = SweepManifest.read(folder)
        if overwrite:
            for name in folder.names(POINTS):
                folder.remove(f"{POINTS}/{name}")
        elif there.digests == manifest.digests:
            if there.complete:
                return there
            manifest = replace(manifest, started=there.started, resumed=there.resumed + 1)
    manifest.write(folder)
    folder.remove(DATASET)
    return manifest


class _Told:
    """Counts what is done, for progress."""

    def __init__(
        self,
        points: Sequence[Point],
        todo: Sequence[Point],
        progress: Progress | None,
        point_progress: Progress | None,
    ) -> None:
        self._progress = progress
        self._point_progress = point_progress
        self._deals = {p.digest: p.config.n_deals for p in points}
        self._n_points = len(self._deals)
        self._n_deals = sum(self._deals.values())
        self._points_done = self._n_points - len(todo)
        self._deals_done = self._n_deals - sum(p.config.n_deals for p in todo)
        self._extra: Callable[[], int] = lambda: 0
        self._credited = 0

    def watch(self, played: Callable[[], int]) -> None:
        self._extra = played
        self.look()

    def done(self, result: PointResult) -> None:
        """Count a point; one that needed fewer deals than it might have counts for all of them."""
        self._points_done += 1
        self._deals_done += self._deals[result.digest]
        self._credited += result.n_deals

    def look(self) -> None:
        if self._point_progress is not None:
            self._point_progress(self._points_done, self._n_points)
        if self._progress is not None:
            unfinished = max(0, self._extra() - self._credited)
            done = min(self._deals_done + unfinished, self._n_deals)
            self._progress(done, self._n_deals)


def _play(pool: Pool, todo: Sequence[Point], folder: Folder, results: dict[str, PointResult], told: _Told) -> None:
    with Writer(folder) as writer:

        def take(played: list[PointResult]) -> None:
            for result in played:
                writer.write(result)
                results[result.digest] = replace(result, batch_payoffs=None)
                told.done(result)

        told.watch(lambda: pool.played)
        pool.run(_chunks(todo, pool), take, told.look)
        writer.flush()


def _chunks(points: Sequence[Point], pool: Pool) -> list[Chunk]:
    if not pool.packed:
        return [Chunk((p,)) for p in points]
    most = min(_CHUNK_POINTS, max(1, len(points) // (4 * pool.n_workers)))
    source, chunks = point_source(), list[Chunk]()
    chunk: list[Point] = []
    for point in points:
        chunk.append(point)
        if len(chunk) >= most or sum(p.config.n_deals for p in chunk) >= _CHUNK_DEALS:
            chunks.append(Chunk(tuple(chunk), source))
            chunk = []
    return [*chunks, Chunk(tuple(chunk), source)] if chunk else chunks
