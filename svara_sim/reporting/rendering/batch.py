"""Many reports, several at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

from svara_sim.core.errors import DataError, SvaraError, check_int

from .execution import WAIT_SECONDS, ReportError
from .jobs import Job, prepare_job
from .notebooks import find_notebook, notebook_names
from .pages import check_writable
from .report import Progress, RenderResult, run_job
from .shares import Shares, usable_processors

__all__ = ["NamedProgress", "render_all"]

NamedProgress = Callable[[str, int, int], None]

_MOST_AT_ONCE = 4  # each may need a gigabyte
_MAX_JOBS = 64


def render_all(
    names: Iterable[str] | None = None,
    *,
    progress: NamedProgress | None = None,
    done: Callable[[RenderResult], None] | None = None,
    jobs: int | None = None,
    notebooks: str | Path | None = None,
    out: str | Path = "reports",
    **options: Any,
) -> list[RenderResult]:
    """Make the reports of several notebooks and the index page.

    Each notebook runs in a process of its own, several at a time, each on its share of the processors. What they find
    does not depend on that.

    Parameters
    ----------
    names : iterable of str, optional
        Notebooks; all of them by default.
    progress : callable, optional
        Called with (name, cells done, cells in all), from other threads; at first with 0 cells for each notebook that
        is going to run.
    done : callable, optional
        Called with each report that stands, in the order of `names`; also if others have failed.
    jobs : int, optional
        Notebooks at a time; by default one for each processor, but at most four.
    notebooks, out : path
        As in `render`.
    **options
        Other options of `render`, the same for all.

    Returns
    -------
    list of RenderResult
        In the order of `names`.

    Raises
    ------
    InvalidInput
        As in `render`, for any of the notebooks, before one has run.
    ReportError, DataError
        If notebooks fail; the reports of all the others are made nevertheless.
    """
    from .index_page import build_index

    at_once = min(len(usable_processors()), _MOST_AT_ONCE) if jobs is None else check_int("jobs", jobs, 1, _MAX_JOBS)
    chosen = list(names) if names is not None else notebook_names(notebooks)
    paths = dict.fromkeys(find_notebook(name, notebooks) for name in chosen)
    check_writable(Path(out))
    prepared = [_prepare(path, {"out": out, "notebooks": notebooks, **options}) for path in paths]
    outcomes = _run_all(prepared, at_once, progress)
    results = [outcome for outcome in outcomes if isinstance(outcome, RenderResult)]
    failures = [outcome for outcome in outcomes if isinstance(outcome, SvaraError)]
    for result in results:
        if done is not None:
            done(result)
    if results:
        build_index(out)
    if len(failures) == 1:
        raise failures[0]
    if failures:
        raise ReportError("; ".join(str(failure) for failure in failures))
    return results


def _prepare(path: Path, options: dict[str, Any]) -> Job | SvaraError:
    try:
        return prepare_job(str(path), **options)
    except DataError as error:  # a damaged notebook costs no other one its page
        return error


def _run_all(
    prepared: list[Job | SvaraError], at_once: int, progress: NamedProgress | None
) -> list[RenderResult | SvaraError]:
    """Run what has been prepared, and give for each what became of it."""
    wanted = [job for job in prepared if isinstance(job, Job) and job.standing is None]
    for job in wanted:
        if progress is not None:
            progress(job.name, 0, len(job.notebook.cells))
    stop = threading.Event()
    shares = Shares(len(wanted), at_once)
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="report")
    try:
        longest_first = sorted(range(len(prepared)), key=lambda i: -_expected_seconds(prepared[i]))
        futures = {i: pool.submit(_run_one, prepared[i], progress, shares, stop) for i in longest_first}
        _wait_for(futures.values())
        return [futures[i].result() for i in range(len(prepared))]
    finally:
        stop.set()  # after Ctrl-C; it changes nothing for what is done
        pool.shutdown(wait=True, cancel_futures=True)


def _expected_seconds(job: Job | SvaraError) -> int:
    return job.expected_seconds if isinstance(job, Job) and job.standing is None else 0


def _wait_for(futures: Collection[Future[RenderResult | SvaraError]]) -> None:
    while wait(futures, timeout=WAIT_SECONDS).not_done:
        if any(future.done() and future.exception() is not None for future in futures):
            return  # no failure of a notebook, which is an outcome: `result` will raise it


def _run_one(
    job: Job | SvaraError, progress: NamedProgress | None, shares: Shares, stop: threading.Event
) -> RenderResult | SvaraError:
    if isinstance(job, SvaraError):
        return job
    callback: Progress | None = partial(progress, job.name) if progress is not None else None
    try:
        if job.standing is not None:
            return run_job(job)
        shares.begin(job.name)
        try:
            return run_job(job, progress=callback, started=partial(shares.join, job.name), stop=stop)
        finally:
            shares.leave(job.name)
    except SvaraError as error:
        return error
