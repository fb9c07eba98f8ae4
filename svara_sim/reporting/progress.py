"""Progress while a person waits: a bar in a terminal, a line in JupyterLab, nothing in a report or a log."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from .protocol import RENDERING_VARIABLE

__all__ = ["UPDATES_PER_SECOND", "ProgressBar", "progress_bar", "waiting_terminal"]

UPDATES_PER_SECOND = 5
_BAR_CELLS = 24


def format_rate(per_second: float, unit: str) -> str:
    """``2.4 M deals/s``: three digits at most."""
    for limit, scale, prefix in ((1e9, 1e9, " G"), (1e6, 1e6, " M"), (1e4, 1e3, " k")):
        if per_second >= limit:
            return f"{per_second / scale:.3g}{prefix} {unit}/s"
    return f"{per_second:,.0f} {unit}/s" if per_second >= 10 else f"{per_second:.2g} {unit}/s"


def format_seconds(seconds: float) -> str:
    """``45 s``, ``3 min 20 s``, ``2 h 5 min``."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class _Rate(ProgressColumn):
    def __init__(self, unit: str) -> None:
        super().__init__()
        self.unit = unit

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(format_rate(speed, self.unit) if speed else "", style="progress.data.speed")


class ProgressBar:
    """Shows how far a run is. It is itself the callback: ``bar(done, total)``.

    Use it in a ``with`` statement, which also clears it when the run fails, or pass it as it is: it opens at
    the first call and closes when `done` reaches `total`. Calls may come from several threads.

    Parameters
    ----------
    description : str
        What is going on.
    total : int
        How many units there are; later calls may change it.
    unit : str
        What is counted.
    """

    def __init__(self, description: str, total: int, unit: str = "deals") -> None:
        self.description = description
        self.total = total
        self.unit = unit
        self._lock = threading.Lock()
        self._view: _TerminalView | _NotebookView | None = None
        self._closed = False

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` units are done."""
        with self._lock:
            self.total = total
            if self._view is None and not self._closed:
                self._view = _make_view(self)
            if self._view is not None:
                self._view.update(done)
            if done >= total:
                self._close()

    def __enter__(self) -> ProgressBar:
        with self._lock:
            self._closed = False
            self._view = self._view or _make_view(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._view is not None:
            self._view.close()
        self._view = None
        self._closed = True


class _TerminalView:
    def __init__(self, bar: ProgressBar, console: Console) -> None:
        self._bar = bar
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}%"),
            _Rate(bar.unit),
            TimeRemainingColumn(compact=True),
            console=console,
            transient=True,
            refresh_per_second=UPDATES_PER_SECOND,
        )
        self._task = self._progress.add_task(bar.description, total=bar.total)
        self._progress.start()

    def update(self, done: int) -> None:
        self._progress.update(self._task, completed=done, total=self._bar.total)

    def close(self) -> None:
        self._progress.stop()


class _NotebookView:
    """One line of text that is written over: it needs no widgets and leaves one line behind."""

    def __init__(self, bar: ProgressBar) -> None:
        self._bar = bar
        self._started = time.monotonic()
        self._shown = 0.0
        self._done = 0
        self._handle: Any = None

    def update(self, done: int) -> None:
        self._done = done
        if time.monotonic() - self._shown >= 1 / UPDATES_PER_SECOND:
            self._write(self._line())

    def close(self) -> None:
        seconds = time.monotonic() - self._started
        rate = format_rate(self._done / seconds, self._bar.unit) if seconds > 0 else ""
        text = f"{self._bar.description}: {self._done:,} {self._bar.unit} in {format_seconds(seconds)} ({rate})"
        self._write(text)

    def _line(self) -> str:
        seconds = time.monotonic() - self._started
        share = min(self._done / self._bar.total, 1.0) if self._bar.total else 1.0
        full = round(share * _BAR_CELLS)
        line = f"{self._bar.description}: {'█' * full}{'░' * (_BAR_CELLS - full)} {share:4.0%}"
        if self._done and seconds > 0:
            left = seconds * (1 - share) / share
            line += f", {format_rate(self._done / seconds, self._bar.unit)}, {format_seconds(left)} left"
        return line

    def _write(self, text: str) -> None:
        from IPython.display import display

        data = {"text/plain": text}
        if self._handle is None:
            self._handle = display(data, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self._handle.update(data, raw=True)
        self._shown = time.monotonic()


def _make_view(bar: ProgressBar) -> _TerminalView | _NotebookView | None:
    if os.environ.get(RENDERING_VARIABLE):
        return None
    # a process that never imported IPython is no notebook, and need not pay for the import
    if "IPython" in sys.modules:
        from IPython.core.getipython import get_ipython

        shell = get_ipython()
        if shell is not None and getattr(shell, "kernel", None) is not None:
            return _NotebookView(bar)
    console = waiting_terminal()
    return _TerminalView(bar, console) if console is not None else None


def waiting_terminal() -> Console | None:
    """The terminal at which somebody may be waiting, if there is one."""
    console = Console(stderr=True)
    return console if console.is_terminal and not console.is_dumb_terminal else None


def progress_bar(description: str, total: int, unit: str = "deals") -> ProgressBar:
    """A progress bar, to be passed wherever a callback ``callback(done, total)`` is taken.

    Parameters
    ----------
    description : str
        What is going on, such as ``"Simulating"``.
    total : int
        How many units there are.
    unit : str
        What is counted.

    Examples
    --------
    >>> with progress_bar("Simulating", 1_000_000) as bar:  # doctest: +SKIP
    ...     run(table, n_deals=1_000_000, progress=bar)
    """
    return ProgressBar(description, total, unit)
