"""What has to be done for one report, found out and checked before anything runs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from .execution import number_cells
from .notebooks import (
    cell_tags,
    find_notebook,
    inputs_hash,
    mode_parameters,
    notebook_settings,
    read_notebook,
)
from .pages import TEMPLATES, Page, check_writable, read_page, to_json
from .parameters import check_parameters, inject_parameters, read_parameters
from .pdf import check_pdf
from .provenance import Provenance, collect_provenance

__all__ = ["Job", "prepare_job"]

INTERACTIVE_TAG = "interactive"


@dataclass(frozen=True)
class Job:
    """A notebook ready to run, and all that its report depends on.

    Parameters
    ----------
    path : Path
        The notebook's file.
    notebook : NotebookNode
        Its cells, with the parameters put in and without those for JupyterLab; a run adds the outputs.
    facts : Provenance
        For the page.
    key : str
        Hash of all that the report depends on.
    target : Path
        The HTML file.
    pdf : Path or None
        The PDF, if one is wanted.
    show_code : bool
        Put the code into the page.
    standing : Page or None
        The page that stands, if it need not be made again.
    expected_seconds : int
        What the notebook says of itself; 0 if nothing.
    """

    path: Path
    notebook: NotebookNode
    facts: Provenance
    key: str
    target: Path
    pdf: Path | None
    show_code: bool
    standing: Page | None
    expected_seconds: int

    @property
    def name(self) -> str:
        """Name of the notebook."""
        return self.path.stem

    @property
    def log(self) -> Path:
        """Where the traceback goes if a cell fails."""
        return self.target.with_suffix(".log")


def prepare_job(
    name: str,
    *,
    parameters: Mapping[str, Any] | None = None,
    out: str | Path = "reports",
    mode: str = "default",
    force: bool = False,
    show_code: bool = False,
    pdf: bool = False,
    notebooks: str | Path | None = None,
) -> Job:
    """Read a notebook and check all that can be checked without running it; arguments and errors as in `render`."""
    path = find_notebook(name, notebooks)
    notebook = read_notebook(path)
    known = read_parameters(notebook, path.stem)
    values = check_parameters(notebook, path.stem, {**mode_parameters(notebook, path.stem, mode), **(parameters or {})})
    facts = collect_provenance(notebook, path.stem, mode, known, values)
    defaults = {key: parameter.default for key, parameter in known.items()}
    data = inputs_hash(notebook, path.stem, path.parent, {**defaults, **values})
    key = _content_key([facts.notebook_hash, facts.source_hash, to_json(facts.parameters), mode, str(show_code), data])
    if pdf:
        check_pdf()
    check_writable(Path(out))
    target = Path(out) / f"{path.stem}.html"
    page = None if force else read_page(target)
    number_cells(notebook)
    inject_parameters(notebook, path.stem, values)
    notebook.cells = [c for c in notebook.cells if INTERACTIVE_TAG not in cell_tags(c)]
    return Job(
        path=path,
        notebook=notebook,
        facts=facts,
        key=key,
        target=target,
        pdf=target.with_suffix(".pdf") if pdf else None,
        show_code=show_code,
        standing=page if page is not None and page.meta.get("key") == key else None,
        expected_seconds=notebook_settings(notebook, path.stem).get("seconds", 0),
    )


def _content_key(parts: Iterable[str]) -> str:
    """Hash of all that a report depends on; the templates too, which are no Python source."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part.encode() + b"\0")
    for template in sorted(p for p in TEMPLATES.rglob("*") if p.is_file()):
        digest.update(template.read_bytes())
    return digest.hexdigest()
