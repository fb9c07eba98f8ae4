"""Parameters of a notebook: read from its tagged cell, checked, and put in below it."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from svara_sim.core.errors import InvalidInput, one_of

from .notebooks import cell_tags

__all__ = ["NotebookParameter", "check_parameters", "parse_assignments", "read_parameters"]

PARAMETERS_TAG = "parameters"
INJECTED_TAG = "injected-parameters"


@dataclass(frozen=True)
class NotebookParameter:
    """A name that the parameters cell assigns.

    Parameters
    ----------
    name : str
        The variable.
    source : str
        The default as it is written.
    default : object
        Its value, if it is a literal.
    is_literal : bool
        Whether it is; a computed default takes any value.
    """

    name: str
    source: str
    default: Any
    is_literal: bool


def _parameters_cell(notebook: NotebookNode, name: str) -> int | None:
    found = [i for i, c in enumerate(notebook.cells) if c.cell_type == "code" and PARAMETERS_TAG in cell_tags(c)]
    if len(found) > 1:
        numbers = " and ".join(str(i + 1) for i in found)
        raise InvalidInput(f"notebook {name!r}: cells {numbers} are tagged {PARAMETERS_TAG!r}: must be one cell")
    return found[0] if found else None


def read_parameters(notebook: NotebookNode, name: str) -> dict[str, NotebookParameter]:
    """Parameters of a notebook by name, in the order of its ``parameters`` cell.

    Raises
    ------
    InvalidInput
        If two cells are tagged, or the cell is not Python.
    """
    index = _parameters_cell(notebook, name)
    if index is None:
        return {}
    source = notebook.cells[index].source
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise InvalidInput(f"notebook {name!r}, cell {index + 1}: parameters are not Python ({error.msg})") from error
    found: dict[str, NotebookParameter] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name):
                found[target.id] = _parameter(target.id, value)
    return found


def _parameter(name: str, value: ast.expr) -> NotebookParameter:
    source = ast.unparse(value)
    try:
        return NotebookParameter(name, source, ast.literal_eval(value), True)
    except ValueError:
        return NotebookParameter(name, source, None, False)


def _kind(value: Any) -> str:
    names = {
        bool: "True or False",
        int: "a whole number",
        float: "a number",
        str: "a string",
        dict: "a dictionary",
    }
    return next((text for kind, text in names.items() if isinstance(value, kind)), "a list")


def _fits(value: Any, default: Any) -> bool:
    """Whether `value` is of the kind of `default`, and so are its items of the default's first item."""
    if default is None:
        return True
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, float):
        return isinstance(value, int | float)
    if isinstance(default, list | tuple | set):
        if not isinstance(value, list | tuple):
            return False
        return not default or all(_fits(item, next(iter(default))) for item in value)
    return isinstance(value, type(default))


def _is_literal(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list | tuple):
        return all(_is_literal(item) for item in value)
    if isinstance(value, dict):
        return all(_is_literal(item) for pair in value.items() for item in pair)
    return value is None or isinstance(value, bool | int | str)


def check_parameters(notebook: NotebookNode, name: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Check new values against the notebook's parameters.

    Returns
    -------
    dict
        The values, in the order of the notebook's cell.

    Raises
    ------
    InvalidInput
        If a name is not one of the notebook's, or a value not of its default's kind.
    """
    known = read_parameters(notebook, name)
    for key, value in parameters.items():
        if key not in known:
            allowed = f"must be {one_of(known)}" if known else "the notebook has no parameters"
            near = get_close_matches(str(key), known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise InvalidInput(f"notebook {name!r}: unknown parameter {key!r}: {allowed}{hint}")
        parameter = known[key]
        if not _is_literal(value):
            raise InvalidInput(
                f"notebook {name!r}: {key} = {value!r}: must be a finite number, string, True, False, None, "
                "or a list, tuple or dictionary of these"
            )
        if parameter.is_literal and not _fits(value, parameter.default):
            example = f", such as the default {parameter.source}"
            raise InvalidInput(f"notebook {name!r}: {key} = {value!r}: must be {_kind(parameter.default)}{example}")
    return {key: parameters[key] for key in known if key in parameters}


def inject_parameters(notebook: NotebookNode, name: str, values: Mapping[str, Any]) -> None:
    """Insert a cell that assigns `values` below the parameters cell, in place."""
    index = _parameters_cell(notebook, name)
    if not values or index is None:
        return
    source = "\n".join(f"{key} = {value!r}" for key, value in values.items())
    cell = new_code_cell(  # type: ignore[no-untyped-call]
        source, metadata={"tags": [INJECTED_TAG]}, id=INJECTED_TAG
    )
    notebook.cells.insert(index + 1, cell)


def parse_assignments(assignments: Iterable[str]) -> dict[str, Any]:
    """Parameters as a command line gives them: ``["n_deals=1_000", "rules=forte"]``.

    Values are Python literals; what is none is a string.

    Raises
    ------
    InvalidInput
        If an item is not ``name=value``, or a name comes twice.
    """
    values: dict[str, Any] = {}
    for item in assignments:
        key, equals, text = item.partition("=")
        key = key.strip()
        if not equals or not key.isidentifier():
            raise InvalidInput(f"parameter = {item!r}: must be NAME=VALUE, such as n_deals=100_000")
        if key in values:
            raise InvalidInput(f"parameter = {item!r}: {key!r} was already given as {values[key]!r}")
        try:
            values[key] = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError):
            values[key] = text
    return values
