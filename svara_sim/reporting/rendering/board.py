"""Progress of several things at once: a line for each in a terminal, nothing elsewhere."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TaskID, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar as Bar

from ..progress import UPDATES_PER_SECOND, waiting_terminal

__all__ = ["ProgressBoard"]


class _StillBar(BarColumn):
    """A bar that does not move before its work begins, where Rich's own one pulses."""

    def render(self, task: Task) -> Bar:
        bar = super().render(task)
        bar.pulse = False
        return bar


class ProgressBoard:
    """Shows how far each of several things is, for use in a ``with`` statement: ``board(name, done, total)``.

    The first call for a name adds its line, as of something that waits if `done` is 0; the next call starts its clock.
    At the end of the block the lines vanish. Calls may come from several threads.

    Parameters
    ----------
    unit : str
        What is counted.
    """

    def __init__(self, unit: str) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[str, TaskID] = {}
        console = waiting_terminal()
        self._view = (
            None
            if console is None
            else Progress(
                TextColumn("{task.description}"),
                _StillBar(bar_width=None),
                MofNCompleteColumn(),
                TextColumn(unit),
                TimeElapsedColumn(),
                console=console,
                transient=True,
                refresh_per_second=UPDATES_PER_SECOND,
            )
        )

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show that `done` of `total` units of the thing called `name` are done."""
        if self._view is None:
            return
        with self._lock:
            if name not in self._tasks:
                self._tasks[name] = self._view.add_task(name, total=total, completed=done, start=done > 0)
                return
            task = self._tasks[name]
            self._view.start_task(task)
            self._view.update(task, completed=done, total=total)

    def __enter__(self) -> ProgressBoard:
        if self._view is not None:
            self._view.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._view is not None:
            self._view.stop()
