"""Datasets in an object store: `ObjectFolder` stands in for `Folder` where a path is ``s3://bucket/key``.

An object is put whole or not at all, so nothing needs to be written under another name and renamed. What a store does
not have is locks: two processes that write the same dataset at once are not kept apart (they write the same content
under the same names, unless one of them overwrites).

Access keys, region and endpoint come from the usual variables: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
``AWS_DEFAULT_REGION``, ``AWS_ENDPOINT_URL``, or the files that the AWS tools keep.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

import polars as pl

from ...core.errors import DataError, InvalidInput
from .folder import Folder, parse_about, read_parquet_about, reason_of, write_parquet

__all__ = ["ObjectFolder", "is_object_url"]

_URL = re.compile(r"^s3:/{1,2}")
_CONNECT_SECONDS = 10
_RETRIES = 3


def is_object_url(path: str | os.PathLike[str]) -> bool:
    """Whether a path belongs to an object store (also if pathlib has made one slash of two)."""
    return bool(_URL.match(os.fspath(path)))


class ObjectFolder(Folder):
    """A dataset in an object store; see `Folder` for what its methods do.

    Parameters
    ----------
    url : str
        ``s3://bucket/key``.

    Raises
    ------
    InvalidInput
        If no bucket is named, or the package for object stores is not installed.
    """

    is_remote = True

    def __init__(self, url: str | os.PathLike[str]) -> None:
        self.url = _URL.sub("s3://", os.fspath(url)).rstrip("/")
        if not self.url.removeprefix("s3://").partition("/")[0] or self.url == "s3:":
            raise InvalidInput(f"{os.fspath(url)}: must name a bucket: s3://BUCKET/KEY")
        # Never touched: it is there for readers of `Folder.path`, such as representations.
        self.path = PurePosixPath(self.url)  # type: ignore[assignment]
        _import_s3fs()

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_files"}

    def __str__(self) -> str:
        return self.url

    @cached_property
    def _files(self) -> Any:
        client: dict[str, Any] = {}
        if endpoint := _endpoint():
            client["endpoint_url"] = endpoint
        config = {"connect_timeout": _CONNECT_SECONDS, "retries": {"max_attempts": _RETRIES}}
        return _import_s3fs().S3FileSystem(
            client_kwargs=client, config_kwargs=config, use_listings_cache=False, skip_instance_cache=True
        )

    def where(self, name: str) -> str:
        """Full address of an object."""
        return f"{self.url}/{name}" if name else self.url

    def exists(self, name: str = "") -> bool:
        """Whether an object, or any below this name, is there."""
        with self._failing("read", name):
            return bool(self._files.exists(self.where(name)))

    def names(self, folder: str = "") -> list[str]:
        """Sorted names of the objects in a folder."""
        with self._failing("read", folder):
            try:
                found = self._files.ls(self.where(folder), detail=False)
            except FileNotFoundError:
                return []
        names = {str(f).rstrip("/").rpartition("/")[2] for f in found}
        return sorted(n for n in names if n and not n.startswith("."))

    def prepare(self, folders: Sequence[str]) -> None:
        """Find out whether objects can be written there (folders are no objects of their own)."""
        with self._failing("write", ""):
            probe = self.where(".probe")
            self._files.pipe_file(probe, b"probe")
            self._files.rm_file(probe)

    def remove(self, name: str) -> None:
        """Remove an object, if there is one."""
        with self._failing("remove", name), contextlib.suppress(FileNotFoundError):
            self._files.rm_file(self.where(name))

    def remove_empty(self, folder: str) -> None:
        """Nothing to do: a folder without objects is none."""

    def remove_temporary(self, folders: Sequence[str]) -> None:
        """Nothing to do: there are no temporary names."""

    def read_text(self, name: str) -> str:
        """Content of a text object."""
        with self._failing("read", name):
            return self._read(name).decode("utf-8")

    def write_text(self, name: str, text: str) -> None:
        """Write a text object."""
        with self._failing("write", name):
            self._files.pipe_file(self.where(name), text.encode("utf-8"))

    def write_frame(
        self,
        name: str,
        frame: pl.DataFrame,
        about: Mapping[str, Any],
        *,
        compress: bool = True,
        flush: bool = True,
    ) -> None:
        """Write a Parquet object that carries `about` in its footer; it is on the disk when this returns."""
        buffer = io.BytesIO()
        write_parquet(buffer, frame, about, compress=compress)
        with self._failing("write", name):
            self._files.pipe_file(self.where(name), buffer.getvalue())

    def read_frame(self, name: str) -> pl.DataFrame:
        """Content of a Parquet object."""
        with self._failing("read", name):
            return pl.read_parquet(io.BytesIO(self._read(name)))

    def read_frame_about(self, name: str, without: Sequence[str] = ()) -> tuple[pl.DataFrame, dict[str, Any]]:
        """Content of a small Parquet object without some columns, and what was written about it."""
        with self._failing("read", name):
            return read_parquet_about(self._read(name), without)

    def inspect_frame(self, name: str) -> tuple[dict[str, Any], pl.Schema, int]:
        """What the footer of a Parquet object says; only the footer is fetched."""
        with self._failing("read", name), self._files.open(self.where(name), "rb", block_size=1 << 16) as file:
            about = parse_about(pl.read_parquet_metadata(file))
        scan = self.scan([name])
        with self._failing("read", name):
            return about, scan.collect_schema(), scan.select(pl.len()).collect().item()

    def scan(self, names: Sequence[str]) -> pl.LazyFrame:
        """The rows of several Parquet objects; only the columns and rows that are asked for are fetched."""
        urls = [self.where(n) for n in names]
        return pl.scan_parquet(urls, glob=False, hive_partitioning=False, storage_options=_polars_options())

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """No lock: an object store has none."""
        yield

    def _read(self, name: str) -> bytes:
        content: bytes = self._files.cat_file(self.where(name))
        return content

    @contextlib.contextmanager
    def _failing(self, verb: str, name: str) -> Iterator[None]:
        try:
            yield
        except DataError:
            raise
        except Exception as error:  # the client's own errors share no base class with each other
            raise DataError(f"{self.where(name)}: cannot {verb} it: {reason_of(error)}") from error


def _import_s3fs() -> Any:
    try:
        import s3fs
    except ImportError:
        raise InvalidInput("s3://: needs s3fs; install it with: pip install 'svara_sim[s3]'") from None
    return s3fs


def _endpoint() -> str | None:
    return os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")


def _polars_options() -> dict[str, str]:
    """Polars has a client of its own, which reads keys from the same variables, and must be told the rest."""
    options: dict[str, str] = {}
    if endpoint := _endpoint():
        options["aws_endpoint_url"] = endpoint
        if endpoint.startswith("http://"):
            options["aws_allow_http"] = "true"
    if region := os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION"):
        options["aws_region"] = region
    return options
