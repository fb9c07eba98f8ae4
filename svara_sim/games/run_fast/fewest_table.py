"""The table of fewest plays on disk: built once in seconds, kept in the user's cache, checked when read."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...core.jit import JIT_ENABLED, cache_folder
from .kernel.fewest import empty_table, fill_plays, high_counts, low_counts, make_index
from .kernel.types import FewestTable

__all__ = ["FILE_NAME", "build_plays", "load_fewest_table", "read_plays", "write_plays"]

FILE_NAME = "run_fast-fewest.bin"
_DIGEST_BYTES = 16


def build_plays() -> NDArray[np.uint8]:
    """The whole table, computed: 14 million entries in a few seconds."""
    start, place, n_entries = make_index()
    plays = np.zeros(n_entries, np.uint8)
    fill_plays(plays, start, place, (low_counts(), high_counts()), np.argsort(place), np.zeros(12, np.int64))
    return plays


def read_plays(path: Path, n_entries: int) -> NDArray[np.uint8] | None:
    """The table in a file, or None if there is none, or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, body = content[:_DIGEST_BYTES], content[_DIGEST_BYTES:]
    if len(body) != n_entries or hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest() != digest:
        return None
    return np.frombuffer(body, np.uint8)


def write_plays(path: Path, plays: NDArray[np.uint8]) -> None:
    """Write the table under a temporary name, then give it its own: readers never see half a file."""
    body = plays.tobytes()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.blake2b(body, digest_size=_DIGEST_BYTES).digest())
            file.write(body)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@cache
def load_fewest_table() -> FewestTable:
    """The table, from the cache folder if an intact one is there; without the JIT, an empty one (not needed)."""
    if not JIT_ENABLED:
        return empty_table()
    start, place, n_entries = make_index()
    path = cache_folder() / FILE_NAME
    plays = read_plays(path, n_entries)
    if plays is None:
        plays = build_plays()
        with contextlib.suppress(OSError):  # a full or read-only disk: build it again next time
            write_plays(path, plays)
    plays.setflags(write=False)
    return FewestTable(plays, start, place)
