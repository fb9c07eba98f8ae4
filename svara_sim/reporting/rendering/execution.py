"""Running a notebook from top to bottom with the interpreter of this process."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from traitlets import Instance, Type

from svara_sim.core.caches import bytecode_folder
from svara_sim.core.errors import SvaraError

from ..protocol import RENDERING_VARIABLE

__all__ = ["WAIT_SECONDS", "ReportError", "execute"]

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_SHOWN_SOURCE = 50
WAIT_SECONDS = 0.2
"""Length of a wait: Polars sets up Ctrl-C such that it cannot end a long one."""

_STARTUP_SECONDS = 600  # a busy machine may take minutes to start Python
_NUMBER = "svara_sim_cell"

Progress = Callable[[int, int], None]


class ReportError(SvaraError, RuntimeError):
    """A notebook failed while a report was made; the message names notebook, cell and reason."""


class _ThisInterpreter(KernelSpecManager):
    """Knows one kernel, this Python: whatever is installed in Jupyter's folders, or nothing at all."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        # the kernel's own warnings, on ports and debuggers, would run through the caller's progress bar
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=ERROR"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


class _KernelManager(AsyncKernelManager):
    kernel_spec_manager_class = Type(_ThisInterpreter)
    kernel_spec_manager = Instance(KernelSpecManager)

    def _kernel_spec_manager_default(self) -> KernelSpecManager:
        return _ThisInterpreter(parent=self)


def _kernel_environment() -> dict[str, str]:
    # a backend inherited from the shell would keep IPython from choosing the inline one
    dropped = {"MPLBACKEND"}
    added = {RENDERING_VARIABLE: "1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    bytecode = bytecode_folder()
    if bytecode is not None:
        dropped.add("PYTHONDONTWRITEBYTECODE")
        added["PYTHONPYCACHEPREFIX"] = str(bytecode)
    return {**{name: value for name, value in os.environ.items() if name not in dropped}, **added}


def number_cells(notebook: NotebookNode) -> None:
    """Remember each cell's place in the file, before cells are inserted or left out."""
    for number, cell in enumerate(notebook.cells, start=1):
        cell.metadata[_NUMBER] = number


def cell_label(cell: NotebookNode) -> str:
    """``cell 3 ('first line of its source')``, as a message names it."""
    first = next((line for line in cell.source.splitlines() if line.strip()), "")
    shown = first if len(first) <= _SHOWN_SOURCE else first[: _SHOWN_SOURCE - 1] + "…"
    number = cell.metadata.get(_NUMBER)
    return f"cell {number} ({shown!r})" if number else f"the inserted parameters ({shown!r})"


def _run(client: NotebookClient, stop: threading.Event) -> None:
    """Run the notebook in a thread, so that Ctrl-C (or `stop`) reaches this one and ends both run and kernel.

    (On the main thread nbclient takes the signal, and what is left of it is a failed assertion.) A thread also
    leaves alone an event loop that the caller may be running, as JupyterLab does.
    """
    running: list[asyncio.Task[Any]] = []

    async def work() -> None:
        task = asyncio.current_task()
        assert task is not None
        running.append(task)
        await client.async_execute(env=_kernel_environment())

    def run() -> None:
        # the kernel's sockets need a selector loop, which is not the default on Windows
        with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
            runner.run(work())

    with ThreadPoolExecutor(1, thread_name_prefix="notebook") as pool:
        future = pool.submit(run)
        try:
            while not wait([future], timeout=WAIT_SECONDS).done:
                if stop.is_set():
                    raise KeyboardInterrupt
            future.result()
        except KeyboardInterrupt:
            client.shutdown_kernel = "immediate"
            with suppress(RuntimeError):  # the run may have ended meanwhile, and its loop with it
                for task in running:
                    task.get_loop().call_soon_threadsafe(task.cancel)
            raise


def _failure(name: str, cell: NotebookNode | None, reason: str, log: Path, details: str) -> ReportError:
    place = f"notebook {name!r}, {cell_label(cell)}" if cell is not None else f"notebook {name!r}"
    try:
        log.write_text(_ANSI.sub("", details), encoding="utf-8")
        where = f" (traceback: {log})"
    except OSError:
        where = ""
    return ReportError(f"{place}: {reason}{where}")


def execute(
    notebook: NotebookNode,
    name: str,
    *,
    folder: Path,
    log: Path,
    progress: Progress | None = None,
    started: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Run all cells in place, in a new kernel whose working folder is `folder`.

    Parameters
    ----------
    notebook : NotebookNode
        Its cells numbered by `number_cells`; receives the outputs.
    name : str
        For messages.
    folder : Path
        The notebook's own folder, so that its paths mean the same as in JupyterLab.
    log : Path
        Where the traceback goes if a cell fails.
    progress : callable, optional
        Called with (cells done, cells in all), from another thread.
    started : callable, optional
        Called with the number of the kernel's process before the first cell.
    stop : threading.Event, optional
        Ends the run as Ctrl-C does, when this is not the thread that Ctrl-C reaches.

    Raises
    ------
    ReportError
        If a cell raises, or the kernel dies.
    KeyboardInterrupt
        If it was ended.
    """
    total = len(notebook.cells)
    running: list[NotebookNode] = []

    def begin_notebook(**_: Any) -> None:
        process = getattr(getattr(client.km, "provisioner", None), "pid", None)
        if started is not None and process:
            started(process)

    def begin_cell(cell: NotebookNode, cell_index: int, **_: Any) -> None:
        running[:] = [cell]
        if progress is not None:
            progress(cell_index, total)

    client = NotebookClient(
        notebook,
        kernel_name="python3",
        kernel_manager_class=_KernelManager,
        resources={"metadata": {"path": str(folder)}},
        timeout=None,
        startup_timeout=_STARTUP_SECONDS,
        store_widget_state=False,
        on_notebook_start=begin_notebook,
        on_cell_start=begin_cell,
    )
    try:
        _run(client, stop or threading.Event())
    except CellExecutionError as error:
        value = (_ANSI.sub("", error.evalue).splitlines() or [""])[0]
        reason = f"{error.ename}: {value}" if value else error.ename
        raise _failure(name, running[0], reason, log, error.traceback) from error
    except (DeadKernelError, RuntimeError) as error:
        cell = running[0] if running else None
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        hint = "; it may have run out of memory" if isinstance(error, DeadKernelError) else ""
        raise _failure(name, cell, f"the kernel failed ({first_line}){hint}", log, str(error)) from error
    if progress is not None:
        progress(total, total)
