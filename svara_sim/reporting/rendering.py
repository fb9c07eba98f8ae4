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

from svara_sim.core.jit import source_hash

from .display import FINDING_MIME
from .execution import execute, number_cells
from .notebooks import (
    cell_tags,
    find_notebook,
    inputs_hash,
    mode_parameters,
    notebook_hash,
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
from .provenance import append_provenance, collect_provenance
from .story import conclusion_sentence, notebook_title, recorded_findings

__all__ = ["RenderResult", "render", "render_all"]

INTERACTIVE_TAG = "interactive"

Progress = Callable[[int, int], None]
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
    findings: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def _content_key(parts: Iterable[str]) -> str:
    """Hash of all that a report depends on; the templates too, which are no Python source."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (*parts, source_hash()):
        digest.update(part.encode() + b"\0")
    for template in sorted(p for p in TEMPLATES.rglob("*") if p.is_file()):
        digest.update(template.read_bytes())
    return digest.hexdigest()


def _stored_findings(page: Page) -> dict[str, tuple[float, float]]:
    return {
        key: (value, error) for key, (value, error) in json.loads(page.meta.get("findings", "{}")).items()
    }


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
        Called with (cells done, cells in all).
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
    path = find_notebook(name, notebooks)
    name = path.stem
    notebook = read_notebook(path)
    wanted = {**mode_parameters(notebook, name, mode), **(parameters or {})}
    values = check_parameters(notebook, name, wanted)
    known = read_parameters(notebook, name)
    facts = collect_provenance(notebook, name, mode, known, values)
    defaults = {key: p.default for key, p in known.items()}
    data = inputs_hash(notebook, name, path.parent, {**defaults, **values})
    key = _content_key([notebook_hash(notebook), to_json(facts.parameters), mode, str(show_code), data])
    if pdf:
        check_pdf()
    folder = Path(out)
    check_writable(folder)
    target = folder / f"{name}.html"
    pdf_path = target.with_suffix(".pdf") if pdf else None

    standing = None if force else read_page(target)
    if standing is not None and standing.meta.get("key") == key:
        if pdf_path is not None and not _is_newer(pdf_path, target):
            write_pdf(target, pdf_path)
        seconds = time.perf_counter() - started
        return RenderResult(name, target, True, seconds, pdf_path, _stored_findings(standing))

    log = folder / f"{name}.log"
    number_cells(notebook)
    inject_parameters(notebook, name, values)
    notebook.cells = [c for c in notebook.cells if INTERACTIVE_TAG not in cell_tags(c)]
    execute(notebook, name, folder=path.parent, log=log, progress=progress)
    findings = recorded_findings(notebook)
    warnings = _take_messages(notebook, name)
    title = notebook_title(notebook) or name
    meta = {
        "key": key,
        "finding": conclusion_sentence(notebook) or "",
        "findings": to_json(findings),
        "provenance": to_json(facts.as_dict()),
    }
    append_provenance(notebook, facts, time.perf_counter() - started)
    text = notebook_html(
        notebook, title=title, date=facts.date, meta=meta, folder=path.parent, show_code=show_code
    )
    page = parse_page(text)
    warnings += [
        f"notebook {name!r}: picture {n} has no alternative text (use show(fig, alt=...))"
        for n in page.missing_alt
    ]
    warnings += [
        f"notebook {name!r}: {address} is not in the page and will not be loaded" for address in page.remote
    ]
    write_atomically(target, text.encode())
    with suppress(OSError):
        log.unlink(missing_ok=True)
    if pdf_path is not None:
        write_pdf(target, pdf_path)
    seconds = time.perf_counter() - started
    return RenderResult(name, target, False, seconds, pdf_path, findings, tuple(warnings))


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
