"""A project folder with notebooks made on the spot, and a source hash that holds still."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

MakeNotebook = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project as working folder."""
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("svara_sim.reporting.rendering.provenance.source_hash", lambda: "0123456789abcdef")
    return tmp_path


def write_notebook(path: Path, *cells: Any, **metadata: Any) -> Path:
    """Write a notebook; a string is a Markdown cell, a pair is (code, tag)."""
    made = []
    for cell in cells:
        if isinstance(cell, str):
            made.append(new_markdown_cell(cell))
        else:
            source, tag = cell
            made.append(new_code_cell(source, metadata={"tags": [tag]} if tag else {}))
    notebook = new_notebook(cells=made, metadata=metadata)
    nbformat.write(notebook, path)
    return path


@pytest.fixture
def make_notebook(project: Path) -> MakeNotebook:
    """Write a notebook of the project by name."""

    def make(name: str, *cells: Any, **metadata: Any) -> Path:
        return write_notebook(project / "notebooks" / f"{name}.ipynb", *cells, **metadata)

    return make


FULL_STORY: tuple[Any, ...] = (
    "# How often does *svara* happen?\n\nAn introduction with a [link](#conclusion) and `code`.",
    ("n_deals = 1_000\nseed = 7\nrules = 'forte'\nplayers = [2, 4, 6]", "parameters"),
    ("import polars as pl\nfrom svara_sim.reporting import *\nuse_style()", None),
    "## Frequency\n\n| option | meaning |\n| --- | --- |\n| `blind_size` | " + "a long explanation " * 8 + "|",
    (
        "rows = [{'players': p, 'mean': 0.02 * p, 'standard_error': 0.002} for p in players]\n"
        "df = pl.DataFrame(rows)\n"
        "fig = interval_lines(df, 'players', title='More players, more svaras', x_label='Players',"
        " y_label='Share of deals')\n"
        "show(fig, alt='Line chart: \"svara\" grows from 4 % to 12 % & more', caption='95 % intervals')",
        None,
    ),
    ("estimate_table(df, caption='Share of deals', percent=['estimate'])", None),
    (
        "with progress_bar('Simulating', 10) as bar:\n    for i in range(11):\n        bar(i, 10)\n"
        "print('deals', n_deals)",
        None,
    ),
    ("raise RuntimeError('only for people')", "interactive"),
    (
        "say(f'## Conclusion\\n\\nWith {players[-1]} players **svara** happens in 12.0 ± 0.2 % of deals."
        " It is rarer with two.')\n"
        "record_finding('p_svara', df['mean'][-1], 0.002)",
        None,
    ),
)
