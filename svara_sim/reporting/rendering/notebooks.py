"""Finding and reading notebooks, and the conventions that they keep.

A notebook of this project answers one question. Reports know it by these marks:

``parameters`` (cell tag)
    One code cell of plain assignments, ``name = value``, with values that are numbers, strings, booleans,
    None, or lists, tuples and dictionaries of these. A report changes them in a cell inserted below.
``interactive`` (cell tag)
    Controls for JupyterLab (sliders, menus). Reports leave these cells out.
``svara_sim`` (notebook metadata)
    A dictionary with any of these keys:

    - ``full`` : parameters of publication size, used by ``svara report --full``
    - ``quick`` : small ones, used where notebooks are only proven to run
    - ``inputs`` : files or folders that the notebook reads, relative to its own folder, or names of string
      parameters that hold one; a report is made anew when they change
    - ``seconds`` : roughly how long it takes by itself; of several notebooks the longest are begun first, so that
      none is left to run alone

The first heading is the report's title. A heading that begins with "Conclusion" opens the conclusion, in
Markdown or made by `svara_sim.reporting.say`; its first sentence is the finding on the index page. Notebooks
run in their own folder, in JupyterLab as in reports. A figure is shown by `svara_sim.reporting.show`, with
its alternative text. Formulas are written in Unicode: a page that opens offline has no LaTeX.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from svara_sim.core.errors import DataError, InvalidInput, check_choice, one_of

__all__ = [
    "MODES",
    "find_notebook",
    "find_notebooks_folder",
    "mode_parameters",
    "notebook_hash",
    "notebook_names",
]

MODES = ("default", "full", "quick")
_FOLDER = "notebooks"
_SETTINGS: dict[str, tuple[type, str]] = {
    "full": (dict, "a dictionary of parameters"),
    "quick": (dict, "a dictionary of parameters"),
    "inputs": (list, "a list of paths or parameter names"),
    "seconds": (int, "a whole number"),
}


def find_notebooks_folder(notebooks: str | Path | None = None) -> Path:
    """The folder of the notebooks: as given, or ``notebooks/`` here or in the nearest folder above.

    Raises
    ------
    InvalidInput
        If there is none, or it holds no notebook.
    """
    if notebooks is not None:
        folder = Path(notebooks)
        if not any(folder.glob("*.ipynb")):
            raise InvalidInput(f"notebooks = {str(notebooks)!r}: must be a folder that holds .ipynb files")
        return folder.resolve()
    here = Path.cwd()
    for parent in (here, *here.parents):
        for folder in (parent / _FOLDER, parent):
            if folder.name == _FOLDER and any(folder.glob("*.ipynb")):
                return folder
    raise InvalidInput(
        f"notebooks: no folder {_FOLDER!r} with .ipynb files in {str(here)!r} or above it; give one (--notebooks DIR)"
    )


def notebook_names(notebooks: str | Path | None = None) -> list[str]:
    """Names of the notebooks, without their ending, in alphabetical order."""
    return sorted(p.stem for p in find_notebooks_folder(notebooks).glob("*.ipynb"))


def find_notebook(name: str, notebooks: str | Path | None = None) -> Path:
    """Path of the notebook called `name` (which may also be the path of an ``.ipynb`` file).

    Raises
    ------
    InvalidInput
        If there is none of that name; the message lists those that there are.
    """
    path = Path(name)
    if path.suffix == ".ipynb" and path.is_file():
        return path.resolve()
    folder = find_notebooks_folder(notebooks)
    wanted = name.removesuffix(".ipynb")
    check_choice("notebook", wanted, notebook_names(folder))
    return folder / f"{wanted}.ipynb"


def read_notebook(path: Path) -> NotebookNode:
    """Read and validate a notebook.

    Raises
    ------
    DataError
        If the file cannot be read or is not a valid notebook.
    """
    try:
        with warnings.catch_warnings():
            # cells without ids, from old editors: nbformat gives them ids and warns
            warnings.simplefilter("ignore")
            notebook: NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
            nbformat.validate(notebook)
    except OSError as error:
        raise DataError(f"notebook {str(path)!r}: cannot be read ({error.strerror})") from error
    except Exception as error:  # nbformat has a dozen ways to say that this is not a notebook
        first_line = (str(error) or type(error).__name__).splitlines()[0]
        raise DataError(f"notebook {str(path)!r}: not a valid notebook ({first_line[:200]})") from error
    return notebook


def cell_tags(cell: NotebookNode) -> list[str]:
    """Tags of a cell."""
    return list(cell.metadata.get("tags", []))


def notebook_settings(notebook: NotebookNode, name: str) -> dict[str, Any]:
    """The notebook's ``svara_sim`` metadata, checked.

    Raises
    ------
    InvalidInput
        If it has an unknown key or a value of the wrong type.
    """
    settings = dict(notebook.metadata.get("svara_sim", {}))
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise InvalidInput(f"notebook {name!r}: metadata svara_sim.{key}: must be {one_of(_SETTINGS)}")
        wanted, kind = _SETTINGS[key]
        if not isinstance(value, wanted):
            raise InvalidInput(f"notebook {name!r}: metadata svara_sim.{key} = {value!r}: must be {kind}")
    return settings


def mode_parameters(notebook: NotebookNode, name: str, mode: str) -> dict[str, Any]:
    """Parameters that the notebook asks for in a mode; none in the default one.

    Raises
    ------
    InvalidInput
        If the mode is unknown.
    """
    check_choice("mode", mode, MODES)
    return dict(notebook_settings(notebook, name).get(mode, {})) if mode != "default" else {}


def notebook_hash(notebook: NotebookNode) -> str:
    """Hash of what a notebook says and does: 16 hexadecimal digits, the same with or without outputs."""
    cells = [(c.cell_type, c.source, sorted(cell_tags(c))) for c in notebook.cells]
    text = json.dumps([cells, notebook.metadata.get("svara_sim", {})], sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


_WHOLE_FILE_BYTES = 64 << 20


def inputs_hash(notebook: NotebookNode, name: str, folder: Path, parameters: Mapping[str, Any]) -> str:
    """Hash of the data that the notebook declares as its inputs.

    Files above 64 MiB count by name, size and time of change: reading them could take longer than the report.
    """
    digest = hashlib.blake2b(digest_size=8)
    for entry in notebook_settings(notebook, name).get("inputs", []):
        place = folder / str(parameters.get(entry, entry))
        files = sorted(p for p in place.rglob("*") if p.is_file()) if place.is_dir() else [place]
        for file in files:
            digest.update(f"{entry}|{file.relative_to(place).as_posix()}|".encode())
            if not file.is_file():
                digest.update(b"absent")
            elif (facts := file.stat()).st_size <= _WHOLE_FILE_BYTES:
                digest.update(hashlib.blake2b(file.read_bytes()).digest())
            else:
                digest.update(f"{facts.st_size}|{facts.st_mtime_ns}".encode())
    return digest.hexdigest()
