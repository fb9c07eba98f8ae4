"""Reading a dataset that a run has left."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ...core.errors import DataError, InvalidInput, check_int
from ...games.protocol import Column, Game, Table
from ..batches import Span
from ..scenario import RunConfig
from ..summary import Tables, summarise
from .folder import Folder, folder_at, reason_of
from .frames import DEAL, frame_of_records, frame_of_totals, record_schema, stored_totals_schema
from .manifest import MANIFEST, Manifest, part_name

__all__ = ["Dataset", "check_part", "open_run"]

_CHECKED_DEALS = 1 << 18


def open_run(path: str | os.PathLike[str], *, game: Game | None = None) -> Dataset:
    """Open a finished dataset.

    Parameters
    ----------
    path : str or path-like
        Its folder, or an object store's ``s3://bucket/key``.
    game : Game, optional
        The game, if the program does not know it by name.

    Raises
    ------
    DataError
        If it is absent, incomplete, damaged or something else; one line that names the file.
    """
    return Dataset.at(folder_at(path), game)


class Dataset:
    """A finished run on disk. Get one from `open_run`.

    Parameters
    ----------
    folder : Folder
        Where it is.
    manifest : Manifest
        What it says of itself.
    game : Game, optional
        The game, if the program does not know it by name.
    """

    def __init__(self, folder: Folder, manifest: Manifest, game: Game | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        self._game = game

    @classmethod
    def at(cls, folder: Folder, game: Game | None = None) -> Dataset:
        """Open and check; see `open_run`."""
        if not folder.exists():
            raise DataError(f"{folder}: no such dataset")
        if not folder.exists(MANIFEST):
            raise DataError(f"{folder.where(MANIFEST)}: missing, so {folder} is not a dataset of this program")
        manifest = Manifest.read(folder)
        if not manifest.complete:
            done = manifest.count_parts(folder)
            raise DataError(
                f"{folder}: incomplete, {done} of {manifest.n_parts} parts; run the same command to finish it"
            )
        dataset = cls(folder, manifest, game)
        dataset.validate()
        return dataset

    def __repr__(self) -> str:
        kind = "with records" if self.manifest.records else "totals only"
        return f"<Dataset {self.folder}: {self.manifest.n_deals} deals, {kind}>"

    @property
    def path(self) -> Path:
        """Its folder."""
        return self.folder.path

    @cached_property
    def config(self) -> RunConfig:
        """What was played. Policies made in Python come back as names only (`SavedPolicy`)."""
        try:
            return RunConfig.from_dict(self.manifest.config, self._game)
        except (InvalidInput, KeyError, TypeError) as error:
            raise DataError(f"{self.folder.where(MANIFEST)}: {error}") from error

    @property
    def clamped(self) -> list[int]:
        """Illegal actions of each seat that were set right."""
        return self.manifest.clamped

    def scan(self) -> pl.LazyFrame:
        """The records, a row a deal in the order of deals, lazily.

        Raises
        ------
        DataError
            If the run kept none.
        """
        return self.folder.scan(self._deal_parts(0, self.manifest.n_parts))

    def deals(self, first: int, n_deals: int = 1) -> pl.DataFrame:
        """Records of consecutive deals, read from only the parts that hold them.

        Raises
        ------
        InvalidInput
            If the dataset holds no such deals.
        DataError
            If the run kept no records.
        """
        first = check_int("deal", first, 0, self.manifest.n_deals - 1)
        n_deals = check_int("n_deals", n_deals, 1, self.manifest.n_deals - first, "deals")
        part_deals = self.manifest.part_units * self.manifest.unit_deals
        begin, end = first // part_deals, (first + n_deals - 1) // part_deals + 1
        rows = self.folder.scan(self._deal_parts(begin, end)).slice(first - begin * part_deals, n_deals)
        return self._collect(rows)

    @cached_property
    def totals(self) -> pl.DataFrame:
        """Totals by batch, a row a batch."""
        return frame_of_totals(_columns(self.manifest.totals), self._totals)

    @cached_property
    def _totals(self) -> NDArray[np.int64]:
        parts = [part_name("totals", i) for i in range(self.manifest.n_parts)]
        stored = self._collect(self.folder.scan(parts).select("batch", "value"))
        n_columns = len(self.manifest.totals)
        totals = np.zeros((self.manifest.layout.n_batches, n_columns), dtype=np.int64)
        batches = stored["batch"].to_numpy()[::n_columns]
        np.add.at(totals, batches, stored["value"].to_numpy().reshape(-1, n_columns))
        return totals

    def _collect(self, rows: pl.LazyFrame) -> pl.DataFrame:
        try:
            return rows.collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise DataError(
                f"{self.folder}: a part is damaged ({reason_of(error)}); give the command that made it again, and the "
                "damaged parts are played anew"
            ) from error

    @cached_property
    def summary(self) -> Tables:
        """Tables of estimates by name; see `summarise`."""
        return summarise(
            self._totals,
            self.manifest.layout.batch_counts(),
            _columns(self.manifest.totals),
            self.config.game.measures(self.config.seats),
            chips_per_ante=self.manifest.chips_per_ante,
        )

    def validate(self, *, deep: bool = False) -> None:
        """Check that every part is there and whole.

        Parameters
        ----------
        deep : bool
            Read every value, not only the footers.

        Raises
        ------
        DataError
            Naming the first file that is not.
        """
        for index in range(self.manifest.n_parts):
            for name in (part_name(f, index) for f in self.manifest.folders):
                check_part(self.folder, self.manifest, name, index)
                if deep:
                    self.folder.read_frame(name)

    def check_played(self, table: Table, first: int, n_deals: int) -> None:
        """Check that a table plays consecutive deals as they stand here.

        Parameters
        ----------
        table : Table
            That of the dataset's config.
        first, n_deals : int
            Which deals.

        Raises
        ------
        DataError
            Naming the first deal and column that differ.
        """
        columns = self.config.game.record_columns(self.config.players)
        unit = self.manifest.unit_deals
        first_unit, last_unit = first // unit, (first + n_deals - 1) // unit
        for span in Span(first_unit, last_unit - first_unit + 1).pieces(max(1, _CHECKED_DEALS // unit)):
            block = table.simulate_block(span.first, span.count, self.manifest.batch_units, True)
            assert block.records is not None
            begin = span.first * unit
            played = frame_of_records(columns, begin, span.count * unit, block.records)
            self._refuse_different(self.deals(begin, span.count * unit), played, first, first + n_deals)

    def _refuse_different(self, stored: pl.DataFrame, played: pl.DataFrame, first: int, end: int) -> None:
        shared = [c for c in stored.columns if c in played.columns]
        other = [c for c in shared if stored.schema[c] != played.schema[c]]  # of another version's enumeration, say
        wanted = pl.col(DEAL.name).is_between(first, end - 1)
        there, here = (f.select(shared).filter(wanted).cast(dict.fromkeys(other, pl.String)) for f in (stored, played))
        if there.equals(here):
            return
        row = next(i for i in range(there.height) if there.row(i) != here.row(i))
        mine, theirs = there.row(row, named=True), here.row(row, named=True)
        column = next(c for c in shared if mine[c] != theirs[c])
        source = self.manifest.versions["source"]
        raise DataError(
            f"{self.folder}: deal {mine[DEAL.name]} is played otherwise now: {column} = {mine[column]!r} there, "
            f"{theirs[column]!r} here; the dataset was made by another version of the code (source {source})"
        )

    def _deal_parts(self, begin: int, end: int) -> list[str]:
        if not self.manifest.records:
            raise DataError(f"{self.folder}: holds totals only, no records of single deals")
        return [part_name("deals", i) for i in range(begin, end)]


def check_part(folder: Folder, manifest: Manifest, name: str, index: int) -> dict[str, Any]:
    """Check a part's file by its footer; returns what it says of itself.

    Raises
    ------
    DataError
        If the file is absent, cut short, of another run, or of a wrong size.
    """
    if not folder.exists(name):
        raise DataError(f"{folder.where(name)}: missing")
    about, schema, rows = folder.inspect_frame(name)
    mine = {k: about.get(k) for k in manifest.part_identity}
    if mine != manifest.part_identity or about.get("part") != index:
        raise DataError(f"{folder.where(name)}: belongs to another run")
    span, batch_units = manifest.layout.part(index), manifest.batch_units
    if name.startswith("deals"):
        wanted_schema, wanted = record_schema(_columns(manifest.columns)), span.count * manifest.unit_deals
    else:
        wanted_schema = stored_totals_schema(_columns(manifest.totals))
        n_batches = (span.first + span.count - 1) // batch_units - span.first // batch_units + 1
        wanted = n_batches * len(manifest.totals)
    if rows != wanted:
        raise DataError(f"{folder.where(name)}: damaged: {rows} rows, must be {wanted}")
    if schema != wanted_schema:
        raise DataError(f"{folder.where(name)}: damaged: its columns are not those of the manifest")
    if not name.startswith("deals"):
        folder.read_frame(name)  # small, and every summary reads it: look past the footer
    return about


def _columns(saved: list[dict[str, Any]]) -> list[Column]:
    return [Column(**{**c, "categories": tuple(c["categories"])}) for c in saved]
