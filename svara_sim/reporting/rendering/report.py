"""A notebook to a report: parameters in, run, one self-contained HTML file out, and nothing done twice.

`notebooks` says what a notebook must look like, `batch` makes many reports.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from ..protocol import FINDING_MIME
from ..story import conclusion_sentence, notebook_title, recorded_findings
from .execution import execute
from .jobs import Job, prepare_job
from .pages import Page, notebook_html, parse_page, to_json, write_atomically
from .pdf import write_pdf
from .provenance import append_provenance

__all__ = ["Progress", "RenderResult", "render", "run_job"]

Progress = Callable[[int, int], None]
Findings = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class RenderResult:
    """A report that now stands.

    Parameters
    ----------
    name : str
        Name of the notebook.
    path : Path
        The HTML file.
    skipped : bool
        Whether it stood already, made from the same notebook, parameters, source and data.
    seconds : float
        What it took.
    pdf : Path or None
        The PDF, if one was asked for.
    findings : mapping of str to (float, float)
        What the notebook recorded with `record_finding`: value and standard error.
    warnings : tuple of str
        What a reader might miss: a figure without alternative text, messages on standard error.
    """

    name: str
    path: Path
    skipped: bool
    seconds: float
    pdf: Path | None = None
    findings: Findings = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def render(
    name: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    out: str | Path = "reports",
    mode: str = "default",
    force: bool = False,
    show_code: bool = False,
    pdf: bool = False,
    progress: Progress | None = None,
    notebooks: str | Path | None = None,
) -> RenderResult:
    """Make the report of a notebook, unless it stands already.

    Parameters
    ----------
    name : str
        Name of a notebook in the notebooks folder, or path of an ``.ipynb`` file.
    parameters : mapping, optional
        Values in place of the notebook's defaults; they win over those of `mode`.
    out : path
        Folder of the reports.
    mode : {"default", "full", "quick"}
        Size of the run: as the notebook stands, for publication, or only to prove that it runs.
    force : bool
        Run the notebook even if nothing has changed.
    show_code : bool
        Put the code of each cell into the page, folded.
    pdf : bool
        Write a PDF beside the HTML file (extra ``svara_sim[pdf]``).
    progress : callable, optional
        Called with (cells done, cells in all), from another thread.
    notebooks : path, optional
        The notebooks folder; by default ``notebooks/`` here or above.

    Returns
    -------
    RenderResult
        Where the report is.

    Raises
    ------
    InvalidInput
        If the notebook, a parameter or the mode is unknown, a value does not fit, or the PDF extra is absent.
    ReportError
        If a cell fails; the traceback is in a log beside the report, and an older report stays as it was.
    DataError
        If the notebook cannot be read or the report cannot be written.
    """
    job = prepare_job(
        name, parameters=parameters, out=out, mode=mode, force=force, show_code=show_code, pdf=pdf, notebooks=notebooks
    )
    return run_job(job, progress=progress)


def run_job(
    job: Job,
    *,
    progress: Progress | None = None,
    started: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> RenderResult:
    """Do what `render` says, for a notebook that has been prepared; the callbacks and `stop` are those of `execute`."""
    begun = time.perf_counter()
    findings: Findings = {}
    warnings: list[str] = []
    if job.standing is not None:
        findings = _stored_findings(job.standing)
    else:
        folder = job.path.parent
        execute(job.notebook, job.name, folder=folder, log=job.log, progress=progress, started=started, stop=stop)
        findings, warnings = _write_page(job, begun)
        with suppress(OSError):
            job.log.unlink(missing_ok=True)
    if job.pdf is not None and not (job.standing is not None and _is_newer(job.pdf, job.target)):
        write_pdf(job.target, job.pdf)
    seconds = time.perf_counter() - begun
    return RenderResult(job.name, job.target, job.standing is not None, seconds, job.pdf, findings, tuple(warnings))


def _stored_findings(page: Page) -> Findings:
    return {key: (value, error) for key, (value, error) in json.loads(page.meta.get("findings", "{}")).items()}


def _is_newer(path: Path, than: Path) -> bool:
    return path.is_file() and path.stat().st_mtime_ns >= than.stat().st_mtime_ns


def _write_page(job: Job, begun: float) -> tuple[Findings, list[str]]:
    """Turn the executed notebook into the report; returns findings and warnings."""
    findings = recorded_findings(job.notebook)
    warnings = _take_messages(job.notebook, job.name)
    meta = {
        "key": job.key,
        "finding": conclusion_sentence(job.notebook) or "",
        "findings": to_json(findings),
        "provenance": to_json(job.facts.as_dict()),
    }
    title = notebook_title(job.notebook) or job.name
    append_provenance(job.notebook, job.facts, time.perf_counter() - begun)
    text = notebook_html(
        job.notebook, title=title, date=job.facts.date, meta=meta, folder=job.path.parent, show_code=job.show_code
    )
    page = parse_page(text)
    for number in page.missing_alt:
        warnings.append(f"notebook {job.name!r}: picture {number} has no alternative text (use show(fig, alt=...))")
    for address in page.remote:
        warnings.append(f"notebook {job.name!r}: {address} is not in the page and will not be loaded")
    write_atomically(job.target, text.encode())
    return findings, warnings


def _take_messages(notebook: NotebookNode, name: str) -> list[str]:
    """Move what is not for the page from the outputs to the caller: findings, and text on standard error."""
    warnings = []
    for cell in notebook.cells:
        kept = []
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                first = next((line for line in output.text.splitlines() if line.strip()), "")
                number = cell.metadata.get("svara_sim_cell", "of parameters")
                warnings.append(f"notebook {name!r}, cell {number} wrote to standard error: {first[:200]}")
            elif FINDING_MIME not in output.get("data", {}):
                kept.append(output)
        if "outputs" in cell:
            cell["outputs"] = kept
    return warnings
