"""Parameters: read, checked, put in."""

from __future__ import annotations

import math
from typing import Any

import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from svara_sim.core.errors import InvalidInput
from svara_sim.reporting.rendering.notebooks import mode_parameters
from svara_sim.reporting.rendering.parameters import (
    check_parameters,
    inject_parameters,
    parse_assignments,
    read_parameters,
)

CELL = """
# how much
n_deals = 100_000  # a point
share: float = -0.5
rules = "forte"
players = [2, 4]
fast = True
seed = None
total = n_deals * 2
options = {"a": 1}
a = b = 3
"""


def notebook(*sources: str) -> NotebookNode:
    cells = [new_code_cell(s, metadata={"tags": ["parameters"]}) for s in sources]
    return new_notebook(cells=[new_markdown_cell("# Title"), *cells, new_code_cell("print(1)")])


def test_defaults_are_read_without_running_the_cell() -> None:
    known = read_parameters(notebook(CELL), "x")
    assert {k: p.default for k, p in known.items() if p.is_literal} == {
        "n_deals": 100_000,
        "share": -0.5,
        "rules": "forte",
        "players": [2, 4],
        "fast": True,
        "seed": None,
        "options": {"a": 1},
        "a": 3,
        "b": 3,
    }
    assert known["total"].source == "n_deals * 2"
    assert read_parameters(new_notebook(), "x") == {}


@pytest.mark.parametrize(
    "values",
    [
        {"n_deals": 5, "share": 1, "rules": "vip", "players": (3,), "fast": False},
        {"seed": 7, "total": "anything", "options": {}, "players": []},
    ],
)
def test_values_of_the_right_kind_pass(values: dict[str, Any]) -> None:
    assert check_parameters(notebook(CELL), "x", values) == values


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"n_deal": 5}, r"unknown parameter 'n_deal': must be 'n_deals', .* \(did you mean 'n_deals'\?\)"),
        ({"n_deals": 1.5}, "n_deals = 1.5: must be a whole number, such as the default 100000"),
        ({"n_deals": True}, "n_deals = True: must be a whole number"),
        ({"fast": 1}, "fast = 1: must be True or False"),
        ({"share": "1"}, "share = '1': must be a number, such as the default -0.5"),
        ({"share": math.nan}, "share = nan: must be a finite number"),
        ({"players": 4}, "players = 4: must be a list"),
        ({"players": [2, "x"]}, r"players = \[2, 'x'\]: must be a list, such as the default \[2, 4\]"),
        ({"rules": object}, "rules = <class 'object'>: must be a finite number, string"),
        ({"options": [1]}, r"options = \[1\]: must be a dictionary"),
    ],
)
def test_others_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        check_parameters(notebook(CELL), "x", values)


def test_notebooks_without_parameters_take_none() -> None:
    with pytest.raises(InvalidInput, match="unknown parameter 'n': the notebook has no parameters"):
        check_parameters(new_notebook(), "x", {"n": 1})


def test_two_parameter_cells_and_bad_python_are_refused() -> None:
    with pytest.raises(InvalidInput, match="cells 2 and 3 are tagged 'parameters': must be one cell"):
        read_parameters(notebook("a = 1", "b = 2"), "x")
    with pytest.raises(InvalidInput, match="cell 2: parameters are not Python"):
        read_parameters(notebook("a = = 1"), "x")


def test_values_go_into_a_cell_below() -> None:
    nb = notebook(CELL)
    inject_parameters(nb, "x", {"n_deals": 7, "rules": "it's"})
    assert nb.cells[2].source == 'n_deals = 7\nrules = "it\'s"'
    assert nb.cells[2].metadata.tags == ["injected-parameters"]
    assert len(nb.cells) == 4
    inject_parameters(nb, "x", {})
    assert len(nb.cells) == 4


def test_assignments_are_parsed_as_literals_or_strings() -> None:
    assert parse_assignments(["n=1_000", "rules=forte", "p=[2, 3]", "q = 'a=b'", "f=false"]) == {
        "n": 1000,
        "rules": "forte",
        "p": [2, 3],
        "q": "a=b",
        "f": "false",
    }
    with pytest.raises(InvalidInput, match="parameter = 'n': must be NAME=VALUE"):
        parse_assignments(["n"])
    with pytest.raises(InvalidInput, match="'n' was already given as 1"):
        parse_assignments(["n=1", "n=2"])


def test_metadata_are_checked() -> None:
    nb = new_notebook(metadata={"svara_sim": {"full": {"n": 1}}})
    assert mode_parameters(nb, "x", "full") == {"n": 1}
    assert mode_parameters(nb, "x", "quick") == {}
    for bad, message in (
        ({"fulll": {}}, "svara_sim.fulll: must be 'full', 'quick', 'inputs' or 'seconds'"),
        ({"seconds": "long"}, "svara_sim.seconds = 'long': must be a whole number"),
        ({"full": [1]}, r"svara_sim.full = \[1\]: must be a dictionary"),
    ):
        with pytest.raises(InvalidInput, match=message):
            mode_parameters(new_notebook(metadata={"svara_sim": bad}), "x", "full")
