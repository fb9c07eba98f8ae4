"""What a report was made from, so that a reader can make it again."""

from __future__ import annotations

import html
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from svara_sim.core.jit import source_hash

from .notebooks import notebook_hash
from .parameters import NotebookParameter

__all__ = ["Provenance", "collect_provenance"]

PROVENANCE_TAG = "provenance"


@dataclass(frozen=True)
class Provenance:
    """Facts of a report, in words.

    Parameters
    ----------
    notebook : str
        Name of the notebook.
    mode : str
        ``"default"``, ``"full"`` or ``"quick"``.
    parameters : mapping of str to str
        Every parameter's value as Python source, defaults included.
    changed : tuple of str
        Names of the parameters that are not at their default.
    notebook_hash, source_hash : str
        Of the notebook's cells, and of the package's source.
    versions : mapping of str to str
        Of this package and of what its numbers depend on.
    date : str
        When it was made, UTC.
    """

    notebook: str
    mode: str
    parameters: Mapping[str, str]
    changed: tuple[str, ...]
    notebook_hash: str
    source_hash: str
    versions: Mapping[str, str]
    date: str

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self)


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "not installed"


def collect_provenance(
    notebook: NotebookNode,
    name: str,
    mode: str,
    known: Mapping[str, NotebookParameter],
    values: Mapping[str, Any],
) -> Provenance:
    """Facts of a report that is about to be made from `notebook` with `values` in place of some defaults."""
    versions = {"svara_sim": _version("svara_sim"), "python": platform.python_version()}
    return Provenance(
        notebook=name,
        mode=mode,
        parameters={key: repr(values[key]) if key in values else p.source for key, p in known.items()},
        changed=tuple(k for k, v in values.items() if not (known[k].is_literal and known[k].default == v)),
        notebook_hash=notebook_hash(notebook),
        source_hash=source_hash(),
        versions={**versions, **{package: _version(package) for package in ("numba", "numpy", "polars")}},
        date=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
    )


def readable_value(source: str) -> str:
    """A parameter's value for people: thousands apart, no quotes around one word."""
    text = source.replace("_", "")
    if text.lstrip("-").isdigit():
        return f"{int(text):,}"
    plain = source[1:-1]
    return plain if source[:1] in "'\"" and source[-1:] == source[:1] and plain else source


def provenance_rows(facts: Provenance, seconds: float) -> list[tuple[str, str]]:
    """Name and value of each line of the table; seed, rules and number of deals first."""
    first = [k for k in ("seed", "rules", "n_deals") if k in facts.parameters]
    order = first + [k for k in facts.parameters if k not in first]
    rows = [
        (
            key,
            readable_value(facts.parameters[key]) + (" (changed for this report)" if key in facts.changed else ""),
        )
        for key in order
    ]
    return [
        *rows,
        ("notebook", f"{facts.notebook}.ipynb, {facts.mode} size, hash {facts.notebook_hash}"),
        ("source", f"svara_sim {facts.versions['svara_sim']}, hash {facts.source_hash}"),
        ("versions", ", ".join(f"{k} {v}" for k, v in facts.versions.items() if k != "svara_sim")),
        ("made", f"{facts.date}, in {seconds:.0f} s"),
    ]


def append_provenance(notebook: NotebookNode, facts: Provenance, seconds: float) -> None:
    """Put the provenance table at the notebook's end, in place."""
    lines = "".join(
        f'<tr><th scope="row">{html.escape(key)}</th><td>{html.escape(value)}</td></tr>'
        for key, value in provenance_rows(facts, seconds)
    )
    table = f'<table class="provenance">{lines}</table>'
    source = f'<h2 id="provenance">How this report was made</h2>\n<div class="table-scroll">{table}</div>'
    # an id of its own, or nbformat draws one and no two pages are alike
    cell = new_markdown_cell(  # type: ignore[no-untyped-call]
        source, metadata={"tags": [PROVENANCE_TAG]}, id=PROVENANCE_TAG
    )
    notebook.cells.append(cell)
