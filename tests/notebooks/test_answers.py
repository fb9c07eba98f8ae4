"""Every notebook runs from top to bottom at its small size, and what it concludes agrees with what was recorded."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from svara_sim.reporting import render
from svara_sim.reporting.rendering.pages import parse_page

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "notebooks"
NOTEBOOKS = sorted(p.stem for p in FOLDER.glob("*.ipynb"))
RECORD = HERE / "findings.json"
STANDARD_ERRORS = 4.5  # dozens of findings are compared in every run


def disagreements(found: dict[str, tuple[float, float]], recorded: dict[str, list[float]]) -> list[str]:
    """Findings that differ from the recorded ones by more than their errors allow, or that only one side has."""
    wrong = [f"{name}: only in one of notebook and record" for name in sorted(found.keys() ^ recorded.keys())]
    for name in sorted(found.keys() & recorded.keys()):
        (value, error), (known, known_error) = found[name], recorded[name]
        allowed = STANDARD_ERRORS * math.hypot(error, known_error) + 1e-9 * abs(known)
        if not abs(value - known) <= allowed:
            wrong.append(f"{name}: {value} is not {known} within {allowed:.2g}")
    return wrong


@pytest.mark.slow
@pytest.mark.skipif(not NOTEBOOKS, reason="no notebooks yet")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_runs_and_agrees_with_the_record(name: str, tmp_path: Path) -> None:
    result = render(name, notebooks=FOLDER, out=tmp_path, mode="quick")
    assert result.warnings == ()
    page = parse_page(result.path.read_text(encoding="utf-8"))
    assert page.images, "a notebook shows at least one figure"
    assert page.missing_alt == []
    assert page.remote == []
    assert page.meta["finding"], "the conclusion has a first sentence"
    assert result.path.stat().st_size < 1_500_000
    assert result.findings, "record_finding(name, value, standard_error) leaves the numbers of the conclusion"
    recorded = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {}
    assert name in recorded, "run python tests/notebooks/record_findings.py"
    assert disagreements(dict(result.findings), recorded[name]) == []


def test_disagreements_are_found() -> None:
    assert disagreements({"a": (1.0, 0.1)}, {"a": [1.3, 0.1]}) == []
    assert disagreements({"a": (1.0, 0.0)}, {"a": [1.0, 0.0]}) == []
    assert disagreements({"a": (1.0, 0.1), "b": (0.0, 1.0)}, {"a": [2.0, 0.1]}) == [
        "b: only in one of notebook and record",
        "a: 1.0 is not 2.0 within 0.64",
    ]
    assert disagreements({"a": (math.nan, 0.1)}, {"a": [2.0, 0.1]}) == ["a: nan is not 2.0 within 0.64"]
