"""Many pieces of work on any executor: few in flight, the same error every time, a clean stop."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TypeVar

from ..core.errors import check_int

__all__ = ["Stopped", "check_threads", "run_all", "threads"]

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_THREADS = 4096


class Stopped(Exception):
    """The work was stopped from outside before it was done."""


def check_threads(n_threads: int | None) -> int:
    """Number of threads to use; None is one for each processor that this process may use."""
    if n_threads is None:
        usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return usable or 1
    return check_int("n_threads", n_threads, 1, MAX_THREADS)


@contextmanager
def threads(n_threads: int) -> Iterator[tuple[Executor, threading.Event]]:
    """A pool of threads, and the event (set when an exception leaves the block) that tells them to stop."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="svara")
    try:
        yield pool, stop
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def run_all(
    executor: Executor,
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    window: int,
    on_done: Callable[[Result], None],
) -> None:
    """Run `function` on every item, with at most `window` items in flight.

    Parameters
    ----------
    executor : Executor
        Threads, spawned processes, or a cluster's; `function`, items and results must be able to travel
        there.
    function : callable
        The work.
    items : iterable
        In the order in which they are begun.
    window : int
        Bounds the memory that results and items need.
    on_done : callable
        Called in this thread with each result, in the order in which they finish.

    Raises
    ------
    Exception
        The error of the first item (in order) that fails, however many workers there are: what was begun
        before it is waited for, nothing is begun after it.
    """
    queue = enumerate(items)
    running: dict[Future[Result], int] = {}
    failed: dict[int, BaseException] = {}
    try:
        while True:
            while not failed and len(running) < window and (following := next(queue, None)) is not None:
                running[executor.submit(function, following[1])] = following[0]
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                index = running.pop(future)
                error = _error_of(future)
                if error is None:
                    on_done(future.result())
                else:
                    failed[index] = error
    finally:
        for future in running:
            future.cancel()
    if failed:
        raise failed[min(failed)]


def _error_of(future: Future[Result]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error
