"""A Dask cluster as a pool: one that runs somewhere, or one started here for the while of a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import contextmanager
from typing import Any

from ...core.errors import InvalidInput, SvaraError
from ..executors import check_threads
from .pools import Pool

__all__ = ["dask_pool"]

_CONNECT_SECONDS = 15


@contextmanager
def dask_pool(address: str | None, n_workers: int | None) -> Iterator[Pool]:
    """A pool on the cluster at `address`, or on a local one with a process for each worker.

    Raises
    ------
    InvalidInput
        If Dask is not installed.
    SvaraError
        If nobody answers at the address, or no worker is there.
    """
    try:
        import distributed
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise InvalidInput("executor = 'dask': needs Dask; install it with: pip install 'svara_sim[dask]'") from None
    dask: Any = distributed  # it has few types
    cluster: Any = None
    if address is None:
        cluster = dask.LocalCluster(
            n_workers=check_threads(n_workers), threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        )
    try:
        client = _connect(dask.Client, cluster or address, address)
        try:
            yield Pool(
                client.get_executor(),
                n_workers or _count_workers(client, address),
                packed=True,
                lost=(BrokenExecutor, KilledWorker, CancelledError),
            )
        finally:
            client.close()
    finally:
        if cluster is not None:
            cluster.close()


def _connect(client_type: Any, target: Any, address: str | None) -> Any:
    try:
        return client_type(target, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise SvaraError(f"dask_address = {address!r}: no Dask scheduler answers there: {reason}") from error


def _count_workers(client: Any, address: str | None) -> int:
    try:
        client.wait_for_workers(1, timeout=_CONNECT_SECONDS)
    except TimeoutError:
        raise SvaraError(f"dask_address = {address!r}: the cluster has no workers") from None
    return max(1, sum(int(n) for n in client.nthreads().values()))
