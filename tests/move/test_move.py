"""What was recorded before the move is what the package computes now, value by value.

``python -m tests.move.record`` wrote the record from the package as it stood before; `api` says what is called
otherwise now. Delete this folder when the move is over.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest

from . import api
from .plays import play
from .record import read_record
from .scenarios import all_cases
from .tree import NAMES, differences

CHUNK = 8
"""Cases of one test: few enough to spread over workers."""

SAMPLED = 5
"""One test in so many is always run, the others with ``-m full``."""

_MOST_TOLD = 30
Case = dict[str, Any]


@lru_cache(maxsize=1)
def recorded() -> dict[str, Case]:
    return {case["id"]: case for case in read_record()}


def chunks() -> list[Any]:
    """The cases of each kind, some at a time: the first of every kind, and a sample of the others, are always run."""
    by_kind: dict[str, list[str]] = {}
    for case in all_cases():
        by_kind.setdefault(case["kind"], []).append(case["id"])
    found = []
    for ids in by_kind.values():
        for number, start in enumerate(range(0, len(ids), CHUNK)):
            some = ids[start : start + CHUNK]
            marks = [pytest.mark.full] if number % SAMPLED else []
            found.append(pytest.param(some, id=f"{some[0]}..{some[-1][-3:]}", marks=marks))
    return found


def changes(case: Case) -> list[str]:
    """Where a case differs from its record."""
    told = {"gone": api.gone, "added": api.added, "rounded": api.rounded}
    return list(differences(case["result"], play(case), at=case["id"], **told))


def test_record_is_of_these_cases() -> None:
    kept = [{k: v for k, v in case.items() if k != "result"} for case in recorded().values()]
    assert kept == all_cases()
    scenarios = [case for case in kept if case["kind"] == "run"]
    assert len(scenarios) >= 220
    assert {case["scenario"]["game"] for case in scenarios} == {"svara", "run_fast"}


@pytest.mark.slow
@pytest.mark.parametrize("ids", chunks())
def test_same_as_before(ids: list[str]) -> None:
    found = [line for name in ids for line in changes(recorded()[name])]
    more = [f"and {len(found) - _MOST_TOLD} more"] if len(found) > _MOST_TOLD else []
    assert not found, "\n".join(["differs from what was recorded:", *found[:_MOST_TOLD], *more])


def test_differences_are_found() -> None:
    case = next(c for c in recorded().values() if c["kind"] == "run" and c["scenario"]["game"] == "svara")
    changed = {**case, "scenario": {**case["scenario"], "seed": case["scenario"]["seed"] + 1}}
    found = changes(changed)
    assert any(line.startswith(f"{case['id']}.summary.payoff_by_seat.mean: row ") for line in found)
    assert any(line.startswith(f"{case['id']}.totals.") for line in found)
    assert len(NAMES) > 2
