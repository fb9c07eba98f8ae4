"""Notebooks to reports: parameters in, run, one self-contained HTML file out, and nothing done twice.

`svara_sim.reporting.notebooks` says what a notebook must look like.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from .display import FINDING_MIME
from .execution import execute, number_cells
from .notebooks import (
    cell_tags,
    find_notebook,
    inputs_hash,
    mode_parameters,
    notebook_names,
    read_notebook,
)
from .pages import (
    TEMPLATES,
    Page,
    check_writable,
    notebook_html,
    parse_page,
    read_page,
    to_json,
    write_atomically,
)
from .parameters import check_parameters, inject_parameters, read_parameters
from .pdf import check_pdf, write_pdf
from .provenance import Provenance, append_provenance, collect_provenance
from .story import conclusion_sentence, notebook_title, recorded_findings

__all__ = ["RenderResult", "render", "render_all"]

INTERACTIVE_TAG = "interactive"

Progress = Callable[[int, int], None]
Findings = Mapping[str, tuple[float, float]]
NamedProgress = Callable[[str, int, int], None]


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


def _content_key(parts: Iterable[str]) -> str:
    """Hash of all that a report depends on; the templates too, which are no Python source."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode() + b"\0")
    for template in sorted(p for p in TEMPLATES.rglob("*") if p.is_file()):
        digest.update(template.read_bytes())
    return digest.hexdigest()


def _stored_findings(page: Page) -> Findings:
    return {key: (value, error) for key, (value, error) in json.loads(page.meta.get("findings", "{}")).items()}


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
    started = time.perf_counter()
    job = _prepare(find_notebook(name, notebooks), mode, parameters or {}, show_code)
    if pdf:
        check_pdf()
    folder = Path(out)
    check_writable(folder)
    target = folder / f"{job.name}.html"
    pdf_path = target.with_suffix(".pdf") if pdf else None

    standing = None if force else read_page(target)
    skipped = standing is not None and standing.meta.get("key") == job.key
    findings: Findings = {}
    warnings: list[str] = []
    if standing is not None and skipped:
        findings = _stored_findings(standing)
    else:
        log = folder / f"{job.name}.log"
        number_cells(job.notebook)
        inject_parameters(job.notebook, job.name, job.values)
        job.notebook.cells = [c for c in job.notebook.cells if INTERACTIVE_TAG not in cell_tags(c)]
        execute(job.notebook, job.name, folder=job.path.parent, log=log, progress=progress)
        findings, warnings = _write_page(job, target, started, show_code)
        with suppress(OSError):
            log.unlink(missing_ok=True)
    if pdf_path is not None and not (skipped and _is_newer(pdf_path, target)):
        write_pdf(target, pdf_path)
    seconds = time.perf_counter() - started
    return RenderResult(job.name, target, skipped, seconds, pdf_path, findings, tuple(warnings))


@dataclass(frozen=True)
class _Job:
    """A notebook with its checked parameters, and the hash of all that its report depends on."""

    path: Path
    name: str
    notebook: NotebookNode
    values: Mapping[str, Any]
    facts: Provenance
    key: str


def _prepare(path: Path, mode: str, parameters: Mapping[str, Any], show_code: bool) -> _Job:
    name = path.stem
    notebook = read_notebook(path)
    known = read_parameters(notebook, name)
    values = check_parameters(notebook, name, {**mode_parameters(notebook, name, mode), **parameters})
    facts = collect_provenance(notebook, name, mode, known, values)
    defaults = {key: parameter.default for key, parameter in known.items()}
    data = inputs_hash(notebook, name, path.parent, {**defaults, **values})
    key = _content_key([facts.notebook_hash, facts.source_hash, to_json(facts.parameters), mode, str(show_code), data])
    return _Job(path, name, notebook, values, facts, key)


def _write_page(job: _Job, target: Path, started: float, show_code: bool) -> tuple[Findings, list[str]]:
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
    append_provenance(job.notebook, job.facts, time.perf_counter() - started)
    text = notebook_html(
        job.notebook, title=title, date=job.facts.date, meta=meta, folder=job.path.parent, show_code=show_code
    )
    page = parse_page(text)
    for number in page.missing_alt:
        warnings.append(f"notebook {job.name!r}: picture {number} has no alternative text (use show(fig, alt=...))")
    for address in page.remote:
        warnings.append(f"notebook {job.name!r}: {address} is not in the page and will not be loaded")
    write_atomically(target, text.encode())
    return findings, warnings


def _is_newer(path: Path, than: Path) -> bool:
    return path.is_file() and path.stat().st_mtime_ns >= than.stat().st_mtime_ns


def render_all(
    names: Iterable[str] | None = None,
    *,
    progress: NamedProgress | None = None,
    notebooks: str | Path | None = None,
    out: str | Path = "reports",
    **options: Any,
) -> list[RenderResult]:
    """Make the reports of several notebooks and the index page.

    Parameters
    ----------
    names : iterable of str, optional
        Notebooks; all of them by default.
    progress : callable, optional
        Called with (name, cells done, cells in all).
    notebooks, out : path
        As in `render`.
    **options
        Other options of `render`, the same for all.

    Returns
    -------
    list of RenderResult
        In the order of `names`. The first failure ends the work; reports made before it stay.
    """
    from .index_page import build_index

    chosen = list(names) if names is not None else notebook_names(notebooks)
    for name in chosen:  # a misspelt last name should not cost the run of the first
        find_notebook(name, notebooks)
    results = []
    for name in chosen:
        callback = _named(progress, name) if progress is not None else None
        results.append(render(name, out=out, notebooks=notebooks, progress=callback, **options))
    build_index(out)
    return results


def _named(progress: NamedProgress, name: str) -> Progress:
    return lambda done, total: progress(name, done, total)
