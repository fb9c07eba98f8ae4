"""What a run finds in its folder: nothing, a run to resume, a finished one, or something else."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace

from ...core.errors import DataError, check_int
from ...core.rng import MAX_DEALS
from ..batches import Layout, default_part_deals
from ..scenario import RunConfig
from .folder import Folder
from .manifest import MANIFEST, Manifest, code_versions, part_name
from .reader import Dataset, check_part

__all__ = ["begin", "is_done", "kept_parts", "parts_there", "wanted_manifest"]

_FOLDERS = ("totals", "deals")
_PART = re.compile(r"part-\d+\.parquet")


def wanted_manifest(
    folder: Folder, config: RunConfig, *, records: bool, part_deals: int | None, ante: float
) -> Manifest:
    """Manifest of the run that is asked for; if no part size is, it is that of the run on disk."""
    if part_deals is None:
        part_deals = default_part_deals(config.n_deals, records=records)
        if folder.exists(MANIFEST):
            try:
                there = Manifest.read(folder)
            except DataError:  # `is_done` says so, unless it is to be overwritten
                there = None
            if there is not None and there.config_hash == config.digest and there.records == records:
                part_deals = there.part_units * there.unit_deals
    else:
        part_deals = check_int("part_deals", part_deals, 1, MAX_DEALS)
    part_units = min(max(1, part_deals // config.unit_deals), config.n_units)
    layout = Layout(config.n_units, config.unit_deals, part_units)
    return Manifest.begin(config, layout, records=records, chips_per_ante=ante)


def parts_there(folder: Folder, config: RunConfig, *, records: bool) -> tuple[int, int]:
    """How many of a run's parts stand in its folder, and how many it has; (0, 0) if the folder holds no such run.

    A look for people: parts are not checked, and whoever goes on with the run checks all that is said here.
    """
    try:
        there = Manifest.read(folder) if folder.exists(MANIFEST) else None
        same = there is not None and there.config_hash == config.digest and there.records == records
        if there is None or not same or there.versions != code_versions():
            return 0, 0
        return there.count_parts(folder), there.n_parts
    except DataError:
        return 0, 0


def is_done(folder: Folder, wanted: Manifest, *, overwrite: bool) -> bool:
    """Whether the wanted run stands complete in the folder, and is to stay.

    Raises
    ------
    DataError
        If something else stands there: another run, unless it is to be overwritten, or other files.
    """
    if not folder.exists(MANIFEST):
        _refuse_strangers(folder)
        return False
    if overwrite:
        _refuse_foreign(folder)
        return False
    there = Manifest.read(folder)
    there.refuse_other(wanted, folder)
    if not there.complete:
        return False
    try:
        Dataset(folder, there).validate()
    except DataError:  # a part was damaged or removed since: it can be played again
        return False
    return True


def begin(folder: Folder, wanted: Manifest, *, overwrite: bool) -> Manifest:
    """Write the manifest of a run that begins or goes on; only for the holder of the lock."""
    folder.remove_temporary(_FOLDERS)
    if folder.exists(MANIFEST) and not overwrite:
        found = Manifest.read(folder)
        manifest = replace(found, status="running", finished="", resumed=found.resumed + 1)
        manifest.write(folder)
        return manifest
    # The new manifest comes first: if the old parts outlive a kill at this point, they count as strangers.
    wanted.write(folder)
    for name in _FOLDERS:
        for file in folder.names(name):
            if _PART.fullmatch(file):
                folder.remove(f"{name}/{file}")
    if not wanted.records:
        folder.remove_empty("deals")
    return wanted


def kept_parts(folder: Folder, manifest: Manifest) -> dict[int, list[int]]:
    """Clamped actions of each part that is finished and whole; files of all other parts are removed."""
    kept: dict[int, list[int]] = {}
    wanted: set[str] = set()
    for index in range(manifest.n_parts):
        names = [part_name(f, index) for f in manifest.folders]
        try:
            about = [check_part(folder, manifest, name, index) for name in names]
            kept[index] = [int(n) for n in about[0]["clamped"]]
        except (DataError, KeyError):
            continue
        wanted.update(names)
    for name in manifest.folders:
        for file in folder.names(name):
            if f"{name}/{file}" not in wanted:
                folder.remove(f"{name}/{file}")
    return kept


def _refuse_foreign(folder: Folder) -> None:
    """Raise unless what is to be overwritten is a run, whole or damaged, and nothing else."""
    with contextlib.suppress(json.JSONDecodeError):
        found = json.loads(folder.read_text(MANIFEST))
        if not isinstance(found, dict) or not str(found.get("format", "")).startswith("svara-run/"):
            raise DataError(f"{folder}: its {MANIFEST} is not that of a run; choose another folder")
    for name in _FOLDERS:
        for file in folder.names(name):
            if not _PART.fullmatch(file):
                raise DataError(f"{folder}: holds other files ({name}/{file}); choose another folder")


def _refuse_strangers(folder: Folder) -> None:
    """Raise if a folder without a manifest holds more than the empty folders of a run just begun."""
    for name in folder.names():
        if name not in _FOLDERS or folder.names(name):
            raise DataError(f"{folder}: holds other files ({name}) and no {MANIFEST}; choose a new or empty folder")
