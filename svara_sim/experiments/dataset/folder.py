"""File operations of a dataset, all in one class, so that another kind of store can stand in for a folder.

Nothing is ever written under its final name: a file is written beside it, flushed to the disk, and renamed.
So a name that can be seen holds a whole file, at whatever instant the writer was killed.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import socket
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import polars as pl

from ...core.errors import DataError
from .locks import first_line, take_lock

__all__ = ["Folder", "folder_at"]

_METADATA_KEY = "svara_sim"
_TEMPORARY = ".tmp"
_LOCK = ".lock"


class Folder:
    """A folder of the local file system that holds one dataset.

    Names are relative, with ``/`` between folders, such as ``"deals/part-000000.parquet"``. Every failure is
    a `DataError` of one line that names the file.

    Parameters
    ----------
    path : str or path-like
        The folder; it need not exist.
    """

    is_remote = False

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def __str__(self) -> str:
        return str(self.path)

    def where(self, name: str) -> str:
        """Full path of a file, for messages and readers."""
        return str(self.path / name)

    def exists(self, name: str = "") -> bool:
        """Whether a file or folder stands under this name."""
        return (self.path / name).exists()

    def names(self, folder: str = "") -> list[str]:
        """Sorted names of the files in a folder, without temporary and other hidden ones."""
        with self._failing("read", folder):
            found = self.path / folder
            files = [p.name for p in found.iterdir() if not p.name.startswith(".")] if found.is_dir() else []
        return sorted(files)

    def prepare(self, folders: Sequence[str]) -> None:
        """Make the folder and those below it, and find out whether files can be written there."""
        with self._failing("write", ""):
            for folder in ("", *folders):
                (self.path / folder).mkdir(parents=True, exist_ok=True)
        for folder in folders:
            self._write(f"{folder}/probe", lambda path: path.write_bytes(b""), keep=False)

    def remove(self, name: str) -> None:
        """Remove a file, if there is one."""
        with self._failing("remove", name):
            (self.path / name).unlink(missing_ok=True)

    def remove_empty(self, folder: str) -> None:
        """Remove a folder below, if there is one and nothing is in it."""
        with contextlib.suppress(OSError):
            (self.path / folder).rmdir()

    def remove_temporary(self, folders: Sequence[str]) -> None:
        """Remove what writers left that were killed while they wrote. Only for the holder of the lock."""
        for folder in ("", *folders):
            with self._failing("remove", folder):
                for path in (self.path / folder).glob(f".*{_TEMPORARY}"):
                    path.unlink(missing_ok=True)

    def read_text(self, name: str) -> str:
        """Content of a text file."""
        with self._failing("read", name):
            return (self.path / name).read_text(encoding="utf-8")

    def write_text(self, name: str, text: str) -> None:
        """Write a text file."""
        self._write(name, lambda path: path.write_text(text, encoding="utf-8"))

    def write_frame(
        self,
        name: str,
        frame: pl.DataFrame,
        about: Mapping[str, Any],
        *,
        compress: bool = True,
        flush: bool = True,
    ) -> None:
        """Write a Parquet file that carries `about` (ready for JSON) in its footer.

        Column statistics are left out: they halve the speed, and a run's columns look the same in every row
        group, so that no reader could skip any by them.

        Parameters
        ----------
        name : str
            Of the file.
        frame : polars.DataFrame
            Its rows.
        about : mapping
            What it says of itself.
        compress : bool
            Small files are written faster without.
        flush : bool
            Have the system write it to the disk at once. Without, thousands of small files are written in no time; one
            that a power failure cuts short is found out by whoever reads it.
        """
        if flush:
            self._write(name, lambda path: write_parquet(path, frame, about, compress=compress))
            return
        buffer = io.BytesIO()
        write_parquet(buffer, frame, about, compress=compress)
        self._put(name, buffer.getbuffer())

    def read_frame(self, name: str) -> pl.DataFrame:
        """Content of a Parquet file."""
        with self._failing("read", name):
            return pl.read_parquet(self.path / name, glob=False, hive_partitioning=False)

    def read_frame_about(self, name: str, without: Sequence[str] = ()) -> tuple[pl.DataFrame, dict[str, Any]]:
        """Content of a small Parquet file without some columns, and what was written about it."""
        with self._failing("read", name):
            return read_parquet_about((self.path / name).read_bytes(), without)

    def inspect_frame(self, name: str) -> tuple[dict[str, Any], pl.Schema, int]:
        """What the footer of a Parquet file says: what was written about it, schema and number of rows."""
        path = self.path / name
        with self._failing("read", name):
            about = parse_about(pl.read_parquet_metadata(path))
            scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
            return about, scan.collect_schema(), scan.select(pl.len()).collect().item()

    def scan(self, names: Sequence[str]) -> pl.LazyFrame:
        """The rows of several Parquet files, one after the other."""
        paths = [self.path / n for n in names]
        return pl.scan_parquet(paths, glob=False, hive_partitioning=False)

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes (and other runs of this one) from writing here.

        The lock belongs to the operating system, which lets go of it when its holder ends, however that ends;
        a file that a killed run left behind does not lock anything. The file tells people who holds it.

        Raises
        ------
        DataError
            If another run holds it.
        """
        path = self.path / _LOCK
        with self._failing("lock", _LOCK):
            handle = take_lock(path)
        if handle is None:
            holder = first_line(path) or "unknown process"
            raise DataError(f"{self}: another run is writing here ({holder}); wait for it, or choose another folder")
        try:
            handle.truncate(0)
            handle.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            handle.flush()
            yield
        finally:
            # Unlinked before it is released: a waiting process then finds that its file has gone, and asks
            # again.
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            handle.close()

    def _put(self, name: str, content: memoryview) -> None:
        """What `_write` does, without flushing and with as few calls as it takes."""
        final = os.path.join(self.path, name)
        folder, file = os.path.split(final)
        temporary = os.path.join(folder, f".{file}.{uuid.uuid4().hex[:8]}{_TEMPORARY}")
        with self._failing("write", name):
            try:
                with open(temporary, "wb", buffering=0) as handle:
                    while content:
                        content = content[handle.write(content) :]
                os.replace(temporary, final)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise

    def _write(self, name: str, write: Callable[[Path], object], *, keep: bool = True) -> None:
        final = self.path / name
        temporary = final.with_name(f".{final.name}.{uuid.uuid4().hex[:8]}{_TEMPORARY}")
        with self._failing("write", name):
            try:
                write(temporary)
                _flush(temporary)
                if keep:
                    os.replace(temporary, final)
                    _flush(final.parent)
            finally:
                with contextlib.suppress(OSError):
                    temporary.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _failing(self, verb: str, name: str) -> Iterator[None]:
        target = self.path / name if name else self.path
        try:
            yield
        except DataError:
            raise
        except (OSError, ValueError, pl.exceptions.PolarsError) as error:
            raise DataError(f"{target}: cannot {verb} it: {reason_of(error)}") from error


def folder_at(path: str | os.PathLike[str]) -> Folder:
    """The folder of a dataset: of the local file system, or of an object store if `path` is ``s3://bucket/key``."""
    from .objects import ObjectFolder, is_object_url

    return ObjectFolder(path) if is_object_url(path) else Folder(path)


def write_parquet(target: Path | IO[bytes], frame: pl.DataFrame, about: Mapping[str, Any], *, compress: bool) -> None:
    """Write a frame as Parquet, with `about` in its footer; see `Folder.write_frame`."""
    frame.write_parquet(
        target,
        compression="zstd" if compress else "uncompressed",
        compression_level=1 if compress else None,
        statistics=False,
        metadata={_METADATA_KEY: json.dumps(about)},
    )


def parse_about(metadata: Mapping[str, str]) -> dict[str, Any]:
    """What `write_parquet` was told about a frame, from the footer of the file."""
    about: dict[str, Any] = json.loads(metadata.get(_METADATA_KEY, "{}"))
    return about


def read_parquet_about(content: bytes, without: Sequence[str]) -> tuple[pl.DataFrame, dict[str, Any]]:
    """A frame and what was written about it, from the bytes of a Parquet file."""
    about = parse_about(pl.read_parquet_metadata(io.BytesIO(content)))
    frame = pl.read_parquet(io.BytesIO(content), hive_partitioning=False)
    return frame.drop([c for c in without if c in frame.columns]), about


def reason_of(error: Exception) -> str:
    """One line that says why, without repeating the path."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    text = str(error)
    if code := re.search(r"\(os error (\d+)\)", text):  # how Polars passes on what the system said
        return os.strerror(int(code[1])).lower()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].removeprefix("parquet: File out of specification: ") if lines else type(error).__name__


def _flush(path: Path) -> None:
    """Have the system write a file, or a folder's list of names, to the disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
