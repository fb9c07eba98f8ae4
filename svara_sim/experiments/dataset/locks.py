"""Locks of the operating system: one writer to a folder, and none left behind by a writer that died."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

__all__ = ["first_line", "take_lock"]


def take_lock(path: Path) -> IO[str] | None:
    """Open and lock a file; None if somebody else holds the lock."""
    while True:
        handle = open(path, "a+", encoding="utf-8")  # noqa: SIM115 - it stays open while the lock is held
        if not _lock_handle(handle):
            handle.close()
            return None
        try:
            if os.path.samestat(os.fstat(handle.fileno()), os.stat(path)):
                return handle
        except FileNotFoundError:
            pass
        handle.close()  # the last holder removed this file between our opening and our locking it


def _lock_handle(handle: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        return _lock_handle_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_handle_windows(handle: IO[str]) -> bool:
    import msvcrt

    lock: Any = msvcrt
    handle.seek(1 << 20)  # a byte far behind the text, which stays readable
    try:
        lock.locking(handle.fileno(), lock.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def first_line(path: Path) -> str:
    """What the holder of a lock wrote into its file, for people; empty if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8").strip().partition("\n")[0]
    except OSError:
        return ""
