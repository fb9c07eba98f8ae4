"""The manifest of a dataset: what was played, by which code, and how far it is."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ...core.errors import DataError
from ...core.jit import source_hash
from ...games.protocol import Column
from ..batches import Layout
from ..scenario import RunConfig, content_hash, first_difference
from .folder import Folder

__all__ = ["FORMAT", "MANIFEST", "Manifest", "code_versions", "format_of", "part_name", "read_fields", "utc_now"]

FORMAT = "svara-run/1"
MANIFEST = "manifest.json"
_PACKAGES = ("svara_sim", "numba", "numpy", "polars")


_OTHERWISE = "choose another folder, or overwrite it (--overwrite; in Python overwrite=True)"
_COLUMN_KEYS = {f.name for f in fields(Column)}


def part_name(folder: str, index: int) -> str:
    """Name of a part's file, such as ``deals/part-000000.parquet``."""
    return f"{folder}/part-{index:06d}.parquet"


@lru_cache(maxsize=1)
def code_versions() -> dict[str, str]:
    """Versions of Python and of the packages that make a dataset, and the hash of the source that plays."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # run from a checkout that is not installed
            found[package] = "unknown"
    return {**found, "source": source_hash("core", "games", "experiments")}


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` holds.

    Parameters
    ----------
    status : {"running", "complete"}
        A run that was killed stays "running".
    config : dict
        See `RunConfig.to_dict`.
    config_hash : str
        See `RunConfig.digest`.
    versions : dict
        See `code_versions`.
    records : bool
        Whether there are per-deal records.
    columns, totals : list of dict
        Name, type, unit and meaning of each column of the records and of the totals.
    n_deals, n_units, unit_deals, batch_units, part_units, n_parts : int
        How the run is cut; see `svara_sim.experiments.batches`.
    chips_per_ante : float
        For results in antes.
    clamped : list of int
        Illegal actions of each seat that were set right (known when complete).
    started, finished : str
        UTC, ISO 8601; `finished` is empty until it is.
    elapsed_seconds : float
        Time of the run that finished it.
    resumed : int
        How many times a killed run was taken up again.
    """

    status: str
    config: dict[str, Any]
    config_hash: str
    versions: dict[str, str]
    records: bool
    columns: list[dict[str, Any]]
    totals: list[dict[str, Any]]
    n_deals: int
    n_units: int
    unit_deals: int
    batch_units: int
    part_units: int
    n_parts: int
    chips_per_ante: float
    clamped: list[int]
    started: str
    finished: str = ""
    elapsed_seconds: float = 0.0
    resumed: int = 0
    format: str = FORMAT

    @classmethod
    def begin(cls, config: RunConfig, layout: Layout, *, records: bool, chips_per_ante: float) -> Manifest:
        """Manifest of a run that starts now."""
        saved = config.to_dict()
        return cls(
            status="running",
            config=saved,
            config_hash=config.digest,
            versions=code_versions(),
            records=records,
            columns=[asdict(c) for c in config.game.record_columns(config.players)] if records else [],
            totals=[asdict(c) for c in config.game.total_columns(config.players)],
            n_deals=layout.n_deals,
            n_units=layout.n_units,
            unit_deals=layout.unit_deals,
            batch_units=layout.batch_units,
            part_units=layout.part_units,
            n_parts=layout.n_parts,
            chips_per_ante=chips_per_ante,
            clamped=[0] * config.players,
            started=utc_now(),
        )

    @property
    def complete(self) -> bool:
        """Whether every part is there."""
        return self.status == "complete"

    @property
    def layout(self) -> Layout:
        """How the run is cut."""
        return Layout(self.n_units, self.unit_deals, self.part_units)

    @property
    def folders(self) -> tuple[str, ...]:
        """Folders of the parts, in the order in which a part's files are written."""
        return ("totals", "deals") if self.records else ("totals",)

    @property
    def part_identity(self) -> dict[str, str]:
        """What every part carries in its footer, to tell it from the parts of other runs."""
        return {"format": self.format, "config_hash": self.config_hash, "source": self.versions["source"]}

    def count_parts(self, folder: Folder) -> int:
        """Parts of which all files stand in the folder, whole or not."""
        found = [set(folder.names(f)) for f in self.folders]
        names = [part_name("", i).lstrip("/") for i in range(self.n_parts)]
        return sum(all(name in files for files in found) for name in names)

    def finish(self, clamped: list[int], elapsed_seconds: float) -> Manifest:
        """The same manifest, complete."""
        return replace(
            self,
            status="complete",
            clamped=clamped,
            finished=utc_now(),
            elapsed_seconds=round(elapsed_seconds, 3),
        )

    def write(self, folder: Folder) -> None:
        """Write it into a dataset's folder."""
        first = {"format": self.format, "status": self.status}
        folder.write_text(MANIFEST, json.dumps({**first, **asdict(self)}, indent=2, ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, folder: Folder) -> Manifest:
        """Read the manifest of a dataset.

        Raises
        ------
        DataError
            If the file is damaged, or something else.
        """
        where = folder.where(MANIFEST)
        found = read_fields(folder, cls, FORMAT, "run")
        try:
            config_hash = content_hash({k: v for k, v in found["config"].items() if k != "labels"})
        except (AttributeError, ValueError) as error:
            raise DataError(f"{where}: damaged: config = {found['config']!r}") from error
        if config_hash != found["config_hash"]:
            raise DataError(f"{where}: edited by hand: its config does not have the hash {found['config_hash']!r}")
        manifest = cls(**found)
        try:
            wrong = manifest._first_wrong()
        except (TypeError, KeyError, AttributeError) as error:
            raise DataError(f"{where}: damaged: {error}") from error
        if wrong is not None:
            raise DataError(f"{where}: damaged: {wrong} = {getattr(manifest, wrong)!r}")
        return manifest

    def _first_wrong(self) -> str | None:
        """Name of the first field that cannot be what it says; None if all can."""
        for name in ("n_deals", "n_units", "unit_deals", "batch_units", "part_units", "n_parts"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                return name
        checks = {
            "n_deals": self.n_deals == self.config["n_deals"],
            "n_units": self.n_units * self.unit_deals == self.n_deals,
            "n_parts": self.n_parts == -(-self.n_units // self.part_units),
            "records": isinstance(self.records, bool),
            "status": self.status in ("running", "complete"),
            "chips_per_ante": isinstance(self.chips_per_ante, (int, float)) and self.chips_per_ante > 0,
            "elapsed_seconds": isinstance(self.elapsed_seconds, (int, float)) and self.elapsed_seconds >= 0,
            "clamped": all(isinstance(n, int) and n >= 0 for n in self.clamped),
            "versions": all(isinstance(v, str) for v in self.versions.values()) and "source" in self.versions,
            "columns": all(set(c) == _COLUMN_KEYS for c in self.columns),
            "totals": all(set(c) == _COLUMN_KEYS for c in self.totals) and len(self.totals) > 0,
        }
        return next((name for name, right in checks.items() if not right), None)

    def refuse_other(self, wanted: Manifest, folder: Folder) -> None:
        """Raise unless this manifest (on disk) is of the run that is wanted here.

        Raises
        ------
        DataError
            Naming the first field that differs, and both values.
        """
        mine = {**_without_labels(self.config), "records": self.records, "part_units": self.part_units}
        theirs = {
            **_without_labels(wanted.config),
            "records": wanted.records,
            "part_units": wanted.part_units,
        }
        other = first_difference(mine, theirs)
        if other is not None:
            field, there, here = other
            raise DataError(f"{folder}: holds another run: {field} = {there!r} there, {here!r} here; {_OTHERWISE}")
        other = first_difference(self.versions, wanted.versions)
        if other is not None:
            field, there, here = other
            raise DataError(f"{folder}: was made by other code: {field} = {there!r} there, {here!r} here; {_OTHERWISE}")


def read_fields(folder: Folder, kind: Any, format_: str, called: str) -> dict[str, Any]:
    """Fields of a manifest of some kind, by name.

    Parameters
    ----------
    folder : Folder
        Of the dataset.
    kind : dataclass
        Whose fields it must have.
    format_ : str
        What it must say that it is.
    called : str
        The same for people: "run".

    Raises
    ------
    DataError
        If the file is damaged, or something else.
    """
    where = folder.where(MANIFEST)
    try:
        found = json.loads(folder.read_text(MANIFEST))
    except json.JSONDecodeError as error:
        raise DataError(f"{where}: damaged: {error}") from error
    says = found.get("format") if isinstance(found, dict) else type(found).__name__
    if says != format_:
        raise DataError(f"{where}: not a {called} of this program: format = {says!r}, must be {format_!r}")
    names = [f.name for f in fields(kind)]
    missing = [n for n in names if n not in found]
    if missing:
        raise DataError(f"{where}: damaged: {missing[0]!r} is missing")
    return {n: found[n] for n in names}


def format_of(folder: Folder) -> str:
    """What a folder's manifest says that it is, such as ``svara-run/1``; empty if there is none, or none to be read."""
    if not folder.exists(MANIFEST):
        return ""
    try:
        found = json.loads(folder.read_text(MANIFEST))
    except (DataError, json.JSONDecodeError):
        return ""
    return str(found.get("format", "")) if isinstance(found, dict) else ""


def _without_labels(config: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in config.items() if k != "labels"}


def utc_now() -> str:
    """The time now, UTC, to the second, ISO 8601."""
    return datetime.now(UTC).replace(microsecond=0).isoformat()
