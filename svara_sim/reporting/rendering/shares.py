"""Sharing the processors among notebooks that run at a time.

Two simulations that each use all processors take a fifth more time than with half of them each: their threads wait
for one another. So each notebook's process is told which processors it may use, which is what a simulation goes by
when it chooses its number of threads; the results do not depend on that number. As notebooks end and none follows,
the others get more.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress

__all__ = ["Shares", "usable_processors"]


def usable_processors() -> list[int]:
    """The processors that this process may use, by number; without numbers where the system knows none."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


class Shares:
    """Who runs, and on what; where processes cannot be told (outside Linux) all of them use all processors.

    Parameters
    ----------
    n_jobs : int
        Notebooks that are going to run.
    at_once : int
        How many of them at a time.
    """

    def __init__(self, n_jobs: int, at_once: int) -> None:
        self._lock = threading.Lock()
        self._waiting = n_jobs
        self._at_once = at_once
        self._running: dict[str, int | None] = {}
        self._processors = usable_processors()

    def begin(self, name: str) -> None:
        """The notebook `name` is no longer waiting."""
        with self._lock:
            self._waiting -= 1
            self._running[name] = None

    def join(self, name: str, process: int) -> None:
        """It runs in this process."""
        with self._lock:
            self._running[name] = process
            self._divide()

    def leave(self, name: str) -> None:
        """It has ended."""
        with self._lock:
            del self._running[name]
            self._divide()

    def _divide(self) -> None:
        n_shares = min(self._at_once, len(self._running) + self._waiting)
        if n_shares > len(self._processors) or not hasattr(os, "sched_setaffinity"):
            return
        for place, process in enumerate(self._running.values()):
            if process is not None:
                with suppress(OSError):  # it may have ended just now
                    os.sched_setaffinity(process, self._processors[place::n_shares])
