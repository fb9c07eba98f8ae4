"""Reading what a sweep has left, finished or not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from ...core.errors import DataError, InvalidInput, check_int
from ...games.registry import get_game
from ...stats.estimates import estimate_ratios
from ..dataset.folder import Folder, folder_at
from .play import PointResult, batch_counts
from .points import Point, SweepSpec, entries_of
from .store import DATASET, POINTS, SweepManifest, read_point, read_points, result_name
from .table import dataset_of

__all__ = ["Sweep", "SweepStatus", "missing_points", "open_sweep", "sweep_status"]


def open_sweep(path: str | os.PathLike[str]) -> Sweep:
    """Open the results of a sweep; one that still runs, or was killed, has the points that stand.

    Parameters
    ----------
    path : str or path-like
        Its folder, or ``s3://bucket/key``.

    Raises
    ------
    DataError
        If it is absent, damaged or something else; one line that names the file.
    """
    folder = folder_at(path)
    if not folder.exists():
        raise DataError(f"{folder}: no such sweep")
    return Sweep(folder, SweepManifest.read(folder))


class Sweep:
    """The results of a sweep. Get one from `run_sweep` or `open_sweep`.

    Parameters
    ----------
    folder : Folder
        Where it is.
    manifest : SweepManifest
        What it says of itself.
    """

    def __init__(self, folder: Folder, manifest: SweepManifest) -> None:
        self.folder = folder
        self.manifest = manifest

    def __repr__(self) -> str:
        return f"<Sweep {self.folder}: {self.n_done} of {len(self.manifest.points)} points>"

    @property
    def fields(self) -> list[str]:
        """The fields that vary."""
        return self.manifest.fields

    @property
    def complete(self) -> bool:
        """Whether every point is there."""
        return self.manifest.complete

    @cached_property
    def n_done(self) -> int:
        """Points that are there."""
        if self.complete:
            return len(self.manifest.points)
        there = set(self.folder.names(POINTS))
        return sum(f"{d}.parquet" in there for d in self.manifest.digests)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row a point and seat.

        ``point``, the design's fields, ``seat``, ``policy``, ``deals``, ``target_met``, the payoff with its standard
        error and 95 % interval (``payoff_antes``, ``payoff_se_antes``, ``payoff_low_antes``, ``payoff_high_antes``),
        then frequencies per deal, each with its standard error (``svara``, ``svara_se``, ``ending_showdown``, ...).
        """
        if self.complete and self.folder.exists(DATASET):
            return self.folder.read_frame(DATASET)
        return dataset_of(self.manifest, read_points(self.folder, self.manifest.digests))

    def scan(self) -> pl.LazyFrame:
        """The rows of `frame`, lazily."""
        return self.folder.scan([DATASET]) if self.complete else self.frame.lazy()

    @property
    def payoff(self) -> tuple[str, str]:
        """Columns of the payoff and of its standard error in `frame`."""
        name = next(c for c in self.frame.columns if c.startswith("payoff_") and "_se_" not in c)
        return name, name.replace("payoff_", "payoff_se_")

    @cached_property
    def hero(self) -> int | None:
        """The seat whose payoff the design asks for: the first whose policy varies, if others' policies do not.

        None if no policy varies, or all do, since then the points have no common measure of what is good.
        """
        varied = [f.split(".")[1] for f in self.fields if f.startswith("seats.")]
        n_entries = len(self.manifest.sweep.get("seats") or get_game(self.manifest.sweep["game"]).default_seats)
        entries = sorted({i for text in varied for i in entries_of(text, n_entries)})
        return entries[0] if entries and len(entries) < n_entries else None

    def best(self, n_points: int = 5) -> pl.DataFrame:
        """The points where the hero's payoff is highest.

        The errors are those of each payoff; two points share their deals, so that `contrast` knows their difference far
        better. The best of many has been chosen by its luck too.

        Parameters
        ----------
        n_points : int
            How many.

        Returns
        -------
        polars.DataFrame
            Rows of `frame` of the seat `hero`, best first.

        Raises
        ------
        InvalidInput
            If the design has no hero.
        """
        if self.hero is None:
            raise InvalidInput("best: the design varies no single policy whose payoff it could be measured by")
        rows = self.frame.filter(pl.col("seat") == self.hero)
        return rows.sort(self.payoff[0], descending=True, nulls_last=True, maintain_order=True).head(n_points)

    def contrast(self, point: int, baseline: int) -> pl.DataFrame:
        """What a point's payoffs are above another's, seat by seat, with the error of the difference.

        Points share their cards and draws (common random numbers), so what two have in common cancels batch by batch,
        and their difference is known far better than either.

        Parameters
        ----------
        point, baseline : int
            Numbers of points.

        Returns
        -------
        polars.DataFrame
            ``seat``, ``mean``, ``standard_error``, ``low``, ``high`` (in antes), ``n_units``.

        Raises
        ------
        InvalidInput
            If the points do not share seats, deals and sessions, or there is no such point.
        DataError
            If one was not played yet.
        """
        mine, other = self._read(point), self._read(baseline)
        if self._seed_of(point) != self._seed_of(baseline):
            raise InvalidInput(f"points {point} and {baseline}: have different seeds, so they share no deals")
        for name, a, b in (
            ("seats", len(mine.labels), len(other.labels)),
            ("deals", mine.n_deals, other.n_deals),
            ("session", mine.unit_deals, other.unit_deals),
            ("ante", mine.scale, other.scale),
        ):
            if a != b:
                raise InvalidInput(f"points {point} and {baseline}: {name} = {a} and {b}: must be the same in both")
        assert mine.batch_payoffs is not None
        assert other.batch_payoffs is not None
        units = batch_counts(mine.n_deals // mine.unit_deals)
        differences = (mine.batch_payoffs - other.batch_payoffs).T
        deals = np.broadcast_to((units * mine.unit_deals)[:, None], differences.shape)
        found = estimate_ratios(differences, deals, units)
        columns = {n: getattr(found, n) / mine.scale for n in ("mean", "standard_error", "low", "high")}
        return pl.DataFrame({"seat": np.arange(len(mine.labels)), **columns, "n_units": found.n_units})

    def _read(self, point: int) -> PointResult:
        point = check_int("point", point, 0, len(self.manifest.points) - 1)
        digest = self.manifest.digests[point]
        if not self.folder.exists(result_name(digest)):
            raise DataError(f"{self.folder}: point {point} was not played yet")
        return read_point(self.folder, digest, batches=True)

    def _seed_of(self, point: int) -> Any:
        varied = dict(zip(self.fields, self.manifest.points[point]["values"], strict=True))
        return varied.get("seed", self.manifest.sweep.get("seed", 0))


@dataclass(frozen=True)
class SweepStatus:
    """How far a sweep is.

    Parameters
    ----------
    n_points, n_done : int
        Points wanted, and those of them that stand.
    n_deals, deals_done : int
        Deals of these.
    unwanted : int
        Points in the folder that the sweep no longer has; they stay in their files, but not in the dataset.
    complete : bool
        Whether the dataset of just these points stands.
    at_most : bool
        Whether `n_deals` and `deals_done` are the most that may be played, since the points have a target error.
    """

    n_points: int
    n_done: int
    n_deals: int
    deals_done: int
    unwanted: int
    complete: bool
    at_most: bool


def sweep_status(spec: SweepSpec, out: str | os.PathLike[str]) -> SweepStatus:
    """How far a sweep is in a folder.

    Raises
    ------
    DataError
        If the folder holds something else.
    """
    folder = folder_at(out)
    deals = {p.digest: p.config.n_deals for p in spec.points}
    if not folder.exists():
        return SweepStatus(len(deals), 0, sum(deals.values()), 0, 0, False, spec.target is not None)
    manifest = SweepManifest.read(folder)
    there = {name.removesuffix(".parquet") for name in folder.names(POINTS)}
    standing = there & set(deals)
    return SweepStatus(
        n_points=len(deals),
        n_done=len(standing),
        n_deals=sum(deals.values()),
        deals_done=sum(deals[d] for d in standing),
        unwanted=len(there - set(deals)),
        complete=manifest.complete and manifest.digests == [p.digest for p in spec.points],
        at_most=spec.target is not None,
    )


def missing_points(spec: SweepSpec, out: str | os.PathLike[str] | None = None) -> list[Point]:
    """Points of a sweep that do not stand in a folder yet, each once."""
    there = set() if out is None else set(folder_at(out).names(POINTS))
    return list({p.digest: p for p in spec.points if f"{p.digest}.parquet" not in there}.values())
