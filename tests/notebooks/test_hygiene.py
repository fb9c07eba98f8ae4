"""What every notebook of the project must keep to; `svara_sim.reporting.rendering.notebooks` says why."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from svara_sim.reporting.rendering.notebooks import notebook_settings, read_notebook
from svara_sim.reporting.rendering.parameters import check_parameters, read_parameters
from svara_sim.reporting.story import notebook_title

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

ABSOLUTE = re.compile(r"""(?:^|["'\s(=])(?:/(?:home|Users|root|tmp|work|mnt|opt|var|usr)\b|[A-Za-z]:\\|~/)""")
LATEX = re.compile(r"\$\$|\\\(|\\\[|\$[^$\n]*\\[a-zA-Z]+[^$\n]*\$")
BARE_FIGURES = re.compile(r"\bplt\.show\(|%matplotlib")


def code_cells(notebook: NotebookNode) -> Iterator[tuple[int, str, ast.Module]]:
    """Number, source and syntax tree of each code cell."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            yield number, cell.source, ast.parse(cell.source)


def problems(notebook: NotebookNode, name: str) -> list[str]:
    """What is wrong with a notebook, in words; nothing if all is well."""
    found = []
    if notebook_title(notebook) is None or not notebook.cells[0].source.lstrip().startswith("# "):
        found.append("the first cell must open with a title (# ...)")
    parameters = read_parameters(notebook, name)  # raises if two cells are tagged
    if not parameters:
        found.append("one cell must be tagged 'parameters' and assign some")
    found += [f"parameter {key!r} must be a literal" for key, p in parameters.items() if not p.is_literal]
    for mode in ("full", "quick"):
        wanted = notebook_settings(notebook, name).get(mode)
        if wanted is None:
            found.append(f"metadata svara_sim.{mode} must name the parameters of that size")
        else:
            check_parameters(notebook, name, wanted)
    markdown = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    code = "\n".join(c.source for c in notebook.cells if c.cell_type == "code")
    if not re.search(r"#+ +Conclusion", markdown + code):
        found.append("a heading must begin with 'Conclusion'")
    if LATEX.search(markdown):
        found.append("formulas must be written in Unicode: a page that opens offline has no LaTeX")
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.get("outputs") or cell.get("execution_count"):
            found.append(f"cell {number} must have no output and no execution count (nbstripout)")
        if ABSOLUTE.search(cell.source):
            found.append(f"cell {number} must name no absolute path")
    for number, source, tree in code_cells(notebook):
        found += [f"cell {number} {problem}" for problem in code_problems(tree)]
        if BARE_FIGURES.search(source):
            found.append(f"cell {number} must show figures by svara_sim.reporting.show(fig, alt=...)")
    return found


def code_problems(tree: ast.Module) -> Iterator[str]:
    """What code in a notebook must not do: define what belongs in the package, or reach into its insides."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield f"must not define {node.name!r}: what a notebook needs belongs in the package"
        names: list[str] = []
        if isinstance(node, ast.Attribute):
            names = [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            names = [part for alias in node.names for part in alias.name.split(".")]
        for private in names:
            if private.startswith("_") and not private.startswith("__"):
                yield f"must not use the private name {private!r}"


@pytest.mark.skipif(not NOTEBOOKS, reason="no notebooks yet")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_keeps_to_the_rules(path: Path) -> None:
    notebook = read_notebook(path)
    nbformat.validate(notebook)
    assert problems(notebook, path.stem) == []


def test_the_check_sees_each_fault() -> None:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_markdown_cell("No title; $\\frac{1}{2}$"),
        nbformat.v4.new_code_cell("n = 10 * 10\nm = 1", metadata={"tags": ["parameters"]}, execution_count=1),
        nbformat.v4.new_code_cell("from svara_sim.experiments._inside import x\ndef f():\n    return x._y\nplt.show()"),
        nbformat.v4.new_code_cell("open('/home/somebody/x')\nbet = lambda p: p.__class__"),
    ]
    assert problems(notebook, "bad") == [
        "the first cell must open with a title (# ...)",
        "parameter 'n' must be a literal",
        "metadata svara_sim.full must name the parameters of that size",
        "metadata svara_sim.quick must name the parameters of that size",
        "a heading must begin with 'Conclusion'",
        "formulas must be written in Unicode: a page that opens offline has no LaTeX",
        "cell 2 must have no output and no execution count (nbstripout)",
        "cell 4 must name no absolute path",
        "cell 3 must not use the private name '_inside'",
        "cell 3 must not define 'f': what a notebook needs belongs in the package",
        "cell 3 must not use the private name '_y'",
        "cell 3 must show figures by svara_sim.reporting.show(fig, alt=...)",
    ]


def test_a_good_notebook_passes() -> None:
    notebook = nbformat.v4.new_notebook(metadata={"svara_sim": {"full": {"n": 9}, "quick": {"n": 1}}})
    notebook.cells = [
        nbformat.v4.new_markdown_cell("# What is it worth?\n\nAbout 5/7 of 3 $ or 4 $."),
        nbformat.v4.new_code_cell("n = 5", metadata={"tags": ["parameters"]}),
        nbformat.v4.new_code_cell("say(f'## Conclusion\\n\\n{n} antes')"),
    ]
    assert problems(notebook, "good") == []
