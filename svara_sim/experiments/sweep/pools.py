"""Where the points of a sweep are played: threads, spawned processes, a Dask cluster, or any executor.

All of them are `concurrent.futures.Executor` to the sweep. A pool also knows how many pieces of work to keep in
flight, which errors mean that a worker was lost rather than that the work is wrong, and how to go on after one.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from typing import Any

from ...core.errors import InvalidInput, SvaraError, check_choice
from ..executors import check_threads
from .play import Chunk, PointResult, pack, play_chunk, play_packed

__all__ = ["EXECUTORS", "Pool", "open_pool"]

EXECUTORS = ("threads", "processes", "dask")

_MAX_LOSSES = 3
_LOOK_SECONDS = 0.2

OnDone = Callable[[list[PointResult]], None]


class Pool:
    """A pool of workers that play chunks of points.

    Parameters
    ----------
    executor : Executor
        Where the work goes.
    n_workers : int
        Pieces of work that it does at once.
    packed : bool
        Whether chunks travel to other processes.
    renew : callable, optional
        Makes another executor in the place of a broken one.
    lost : tuple of type
        Errors that mean that a worker died.
    """

    def __init__(
        self,
        executor: Executor,
        n_workers: int,
        *,
        packed: bool,
        renew: Callable[[], Executor] | None = None,
        lost: tuple[type[BaseException], ...] = (BrokenExecutor,),
    ) -> None:
        self.executor = executor
        self.n_workers = n_workers
        self.packed = packed
        self._renew = renew
        self._lost = lost
        self._stop = threading.Event()
        self._played = 0
        self._any_done = False
        self._count = threading.Lock()

    @property
    def played(self) -> int:
        """Deals that threads have played so far; other workers tell only when they are done."""
        return self._played

    def stop(self) -> None:
        """Tell threads to stop at the next block."""
        self._stop.set()

    def shutdown(self) -> None:
        """Stop, and wait for what runs."""
        self.stop()
        self.executor.shutdown(wait=True, cancel_futures=True)

    def run(self, chunks: Sequence[Chunk], on_done: OnDone, on_look: Callable[[], None]) -> None:
        """Play all chunks.

        Parameters
        ----------
        chunks : sequence of Chunk
            In the order in which they are begun.
        on_done : callable
            Called in this thread with the results of each chunk, in the order in which they finish.
        on_look : callable
            Called in this thread several times a second.

        Raises
        ------
        SvaraError
            The error of the first chunk (in order) that fails, after those begun before it are done; or if workers
            die again and again.
        """
        waiting = deque(enumerate(chunks))
        running: dict[Future[list[PointResult]], tuple[int, Chunk]] = {}
        failed: dict[int, BaseException] = {}
        losses = 0
        try:
            while running or (waiting and not failed):
                lost: list[tuple[int, Chunk]] = []
                while waiting and not failed and len(running) < self.n_workers + 2:
                    item = waiting.popleft()
                    try:
                        running[self._submit(item[1])] = item
                    except BrokenExecutor:
                        lost.append(item)
                        break
                for future in wait(running, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED).done:
                    item = running.pop(future)
                    error = _error_of(future)
                    if error is None:
                        losses, self._any_done = 0, True
                        on_done(future.result())
                    elif isinstance(error, self._lost):
                        lost.append(item)
                    else:
                        failed[item[0]] = error
                if lost:
                    losses += 1
                    lost = sorted(lost + self._replace(running, on_done), key=lambda item: item[0])
                    if losses > _MAX_LOSSES:
                        raise self._too_many(losses, lost[0][1])
                    waiting.extendleft(reversed(lost))
                on_look()
        finally:
            for future in running:
                future.cancel()
        if failed:
            raise failed[min(failed)]

    def _submit(self, chunk: Chunk) -> Future[list[PointResult]]:
        if self.packed:
            return self.executor.submit(play_packed, pack(chunk))
        return self.executor.submit(play_chunk, chunk, stop=self._stop.is_set, tick=self._tick)

    def _tick(self, n_deals: int) -> None:
        with self._count:
            self._played += n_deals

    def _replace(
        self, running: dict[Future[list[PointResult]], tuple[int, Chunk]], on_done: OnDone
    ) -> list[tuple[int, Chunk]]:
        """Go on after a lost worker; returns what else was lost with it (all that ran, if the pool is broken)."""
        if self._renew is None:
            return []
        lost = []
        for future in wait(running).done:
            item = running.pop(future)
            if _error_of(future) is None:
                on_done(future.result())
            else:
                lost.append(item)
        self.executor.shutdown(wait=True, cancel_futures=True)
        self.executor = self._renew()
        return lost

    def _too_many(self, losses: int, chunk: Chunk) -> SvaraError:
        points = ", ".join(str(p.index) for p in chunk.points)
        hint = ""
        if self._renew is not None and not self._any_done:
            hint = " (a script has to start processes below: if __name__ == '__main__')"
        return SvaraError(
            f"workers died {losses} times in a row, the last while playing points {points}{hint}; "
            "finished points are kept"
        )


def _error_of(future: Future[Any]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError as error:
        return error


@contextmanager
def open_pool(
    executor: str | Executor, *, n_workers: int | None = None, dask_address: str | None = None
) -> Iterator[Pool]:
    """A pool for a ``with`` statement.

    Parameters
    ----------
    executor : {"threads", "processes", "dask"} or Executor
        Which workers.
    n_workers : int, optional
        How many; one for each processor by default, and all those of a running cluster.
    dask_address : str, optional
        A Dask scheduler that runs, such as ``"tcp://127.0.0.1:8786"``; without it a local cluster is started.

    Raises
    ------
    InvalidInput
        If there is no such executor, or its package is not installed.
    SvaraError
        If the cluster does not answer.
    """
    if dask_address is not None and executor != "dask":
        raise InvalidInput(f"dask_address = {dask_address!r}: belongs to the executor 'dask', not {executor!r}")
    if isinstance(executor, Executor):
        is_here = isinstance(executor, ThreadPoolExecutor)
        pool = Pool(executor, check_threads(n_workers), packed=not is_here)
        try:
            yield pool
        finally:
            pool.stop()  # the executor is its owner's to shut down
        return
    check_choice("executor", executor, EXECUTORS)
    if executor == "dask":
        from .cluster import dask_pool

        with dask_pool(dask_address, n_workers) as pool:
            yield pool
        return
    pool = _local_pool(executor, check_threads(n_workers))
    try:
        yield pool
    finally:
        pool.shutdown()


def _local_pool(executor: str, n_workers: int) -> Pool:
    if executor == "threads":
        return Pool(ThreadPoolExecutor(n_workers, thread_name_prefix="svara"), n_workers, packed=False)

    def renew() -> Executor:
        # Forked children of a process with Polars' threads would hang.
        return ProcessPoolExecutor(n_workers, mp_context=multiprocessing.get_context("spawn"))

    return Pool(renew(), n_workers, packed=True, renew=renew)
