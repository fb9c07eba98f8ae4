"""A sweep on disk: a manifest, a small file a point, and one dataset of all points that are wanted.

A point's file is named by the hash of all that determines its result. So a changed sweep finds what still stands,
whatever was changed; points that are no longer wanted stay in their files, but not in the dataset.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ...core.errors import DataError
from ..dataset.folder import Folder
from ..dataset.manifest import MANIFEST, code_versions, read_fields, utc_now
from .play import PointResult
from .points import SweepSpec

__all__ = [
    "DATASET",
    "POINTS",
    "SWEEP_FORMAT",
    "SweepManifest",
    "Writer",
    "read_point",
    "read_points",
    "result_name",
    "write_point",
]

SWEEP_FORMAT = "svara-sweep/1"
POINTS = "points"
DATASET = "points.parquet"
BATCHES = "batch_payoffs"

_IO_THREADS = 8


def result_name(digest: str) -> str:
    """File of a point."""
    return f"{POINTS}/{digest}.parquet"


@dataclass(frozen=True)
class SweepManifest:
    """What ``manifest.json`` of a sweep holds.

    Parameters
    ----------
    status : {"running", "complete"}
        A sweep that was killed stays "running".
    sweep : dict
        The fields above ``[design]``.
    kind : str
        Of the design.
    fields : list of str
        The fields that vary.
    points : list
        Point by point, its values and the hash that names its file.
    versions : dict
        See `svara_sim.experiments.dataset.manifest.code_versions`.
    started, finished : str
        UTC, ISO 8601; `finished` is empty until it is.
    elapsed_seconds : float
        Time of the call that finished it.
    resumed : int
        How many times it was taken up again.
    """

    status: str
    sweep: dict[str, Any]
    kind: str
    fields: list[str]
    points: list[dict[str, Any]]
    versions: dict[str, str]
    started: str
    finished: str = ""
    elapsed_seconds: float = 0.0
    resumed: int = 0
    format: str = SWEEP_FORMAT

    @classmethod
    def begin(cls, spec: SweepSpec) -> SweepManifest:
        """Manifest of a sweep that starts now."""
        return cls(
            status="running",
            sweep=spec.describe(),
            kind=spec.design.kind,
            fields=list(spec.design.fields),
            points=[{"values": list(p.values), "hash": p.digest} for p in spec.points],
            versions=code_versions(),
            started=utc_now(),
        )

    @property
    def complete(self) -> bool:
        """Whether every point is there."""
        return self.status == "complete"

    @property
    def digests(self) -> list[str]:
        """Hash of each point, in the order of the design."""
        return [p["hash"] for p in self.points]

    def finish(self, elapsed_seconds: float) -> SweepManifest:
        """The same manifest, complete."""
        return replace(self, status="complete", finished=utc_now(), elapsed_seconds=round(elapsed_seconds, 3))

    def write(self, folder: Folder) -> None:
        """Write it into the sweep's folder."""
        first = {"format": self.format, "status": self.status}
        content = json.dumps({**first, **asdict(self)}, indent=1, ensure_ascii=False, default=list)
        folder.write_text(MANIFEST, content + "\n")

    @classmethod
    def read(cls, folder: Folder) -> SweepManifest:
        """Read the manifest of a sweep.

        Raises
        ------
        DataError
            If there is none, or it is damaged or something else.
        """
        where = folder.where(MANIFEST)
        if not folder.exists(MANIFEST):
            raise DataError(f"{where}: missing, so {folder} is not a sweep of this program")
        manifest = cls(**read_fields(folder, cls, SWEEP_FORMAT, "sweep"))
        wrong = manifest._first_wrong()
        if wrong is not None:
            raise DataError(f"{where}: damaged: {wrong} = {str(getattr(manifest, wrong))[:80]}")
        return manifest

    def _first_wrong(self) -> str | None:
        """Name of the first field that cannot be what it says; None if all can."""

        def is_point(point: Any) -> bool:
            return (
                isinstance(point, dict) and isinstance(point.get("hash"), str) and isinstance(point.get("values"), list)
            )

        if not (isinstance(self.fields, list) and all(isinstance(f, str) for f in self.fields)):
            return "fields"
        checks = {
            "status": self.status in ("running", "complete"),
            "sweep": isinstance(self.sweep, dict) and isinstance(self.sweep.get("game"), str),
            "points": isinstance(self.points, list)
            and all(is_point(p) and len(p["values"]) == len(self.fields) for p in self.points),
        }
        return next((name for name, right in checks.items() if not right), None)


def write_point(folder: Folder, result: PointResult) -> None:
    """Write the file of a point: a row a seat, the estimates in one list and their names in the footer.

    (A column for each estimate would make the file several times as slow to write as the point is to play.)

    Raises
    ------
    DataError
        If it cannot be written.
    """
    batches = [] if result.batch_payoffs is None else list(result.batch_payoffs)
    frame = pl.DataFrame(
        [
            pl.Series("policy", result.labels, dtype=pl.String),
            pl.Series("clamped", result.clamped, dtype=pl.Int64),
            pl.Series("values", list(result.values), dtype=pl.List(pl.Float64)),
            pl.Series(BATCHES, batches, dtype=pl.List(pl.Int64)),
        ]
    )
    about = {
        "format": SWEEP_FORMAT,
        "point": result.digest,
        "deals": result.n_deals,
        "target_met": result.target_met,
        "names": list(result.names),
        "unit_deals": result.unit_deals,
        "scale": result.scale,
    }
    # To wait for the disk at each would cost more than to play some.
    folder.write_frame(result_name(result.digest), frame, about, flush=False, compress=False)


def read_point(folder: Folder, digest: str, *, batches: bool = False) -> PointResult:
    """Read the file of a point, with its payoffs by batch only if they are asked for.

    Raises
    ------
    DataError
        If it is damaged, or something else.
    """
    name = result_name(digest)
    frame, about = folder.read_frame_about(name, without=() if batches else (BATCHES,))
    try:
        if about["format"] != SWEEP_FORMAT or about["point"] != digest:
            raise DataError(f"{folder.where(name)}: is of another point")
        return PointResult(
            digest=digest,
            labels=frame["policy"].to_list(),
            n_deals=about["deals"],
            target_met=about["target_met"],
            clamped=frame["clamped"].to_list(),
            names=tuple(about["names"]),
            values=np.array(frame["values"].to_list(), dtype=np.float64),
            batch_payoffs=np.array(frame[BATCHES].to_list(), dtype=np.int64) if batches else None,
            unit_deals=about["unit_deals"],
            scale=about["scale"],
        )
    except (KeyError, pl.exceptions.ColumnNotFoundError) as error:
        raise DataError(f"{folder.where(name)}: damaged: {error} is missing") from error


class Writer:
    """Writes the files of points: at once into a local folder, several at a time into an object store.

    Use it in a ``with`` statement; leaving it waits for what is being written.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._pool = ThreadPoolExecutor(_IO_THREADS) if folder.is_remote else None
        self._pending: list[Future[None]] = []

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True)

    def write(self, result: PointResult) -> None:
        """Write a point's file, or begin to.

        Raises
        ------
        DataError
            If this or an earlier one cannot be written.
        """
        if self._pool is None:
            write_point(self._folder, result)
        else:
            self._pending.append(self._pool.submit(write_point, self._folder, result))
            self._check(wait=len(self._pending) > 4 * _IO_THREADS)

    def flush(self) -> None:
        """Wait for everything; raises as `write`."""
        while self._pending:
            self._check(wait=True)

    def _check(self, wait: bool) -> None:
        while self._pending and (wait or self._pending[0].done()):
            self._pending.pop(0).result()
            wait = False


def read_points(folder: Folder, digests: Iterable[str]) -> dict[str, PointResult]:
    """The points that stand, by hash; damaged files and files of something else are left out."""
    there = set(folder.names(POINTS))
    wanted = [d for d in dict.fromkeys(digests) if f"{d}.parquet" in there]

    def read(digest: str) -> PointResult | None:
        try:
            return read_point(folder, digest)
        except DataError:
            return None

    if folder.is_remote:
        with ThreadPoolExecutor(_IO_THREADS) as pool:
            found = list(pool.map(read, wanted))
    else:
        found = [read(d) for d in wanted]
    return {p.digest: p for p in found if p is not None}
