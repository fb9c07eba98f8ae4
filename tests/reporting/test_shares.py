"""Processors for those that run, none idle."""

from __future__ import annotations

import os

import pytest

from svara_sim.reporting.rendering import shares
from svara_sim.reporting.rendering.shares import Shares, usable_processors


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[int, list[int]]:
    """What each process was told last."""
    processes: dict[int, list[int]] = {}

    def tell(process: int, processors: list[int]) -> None:
        processes[process] = processors

    monkeypatch.setattr(os, "sched_setaffinity", tell, raising=False)
    monkeypatch.setattr(shares, "usable_processors", lambda: [0, 1, 2, 5])
    return processes


def start(shared: Shares, name: str, process: int) -> None:
    shared.begin(name)
    shared.join(name, process)


def test_those_that_run_divide_the_processors(told: dict[int, list[int]]) -> None:
    shared = Shares(3, 2)
    start(shared, "a", 10)
    start(shared, "b", 11)
    assert told == {10: [0, 2], 11: [1, 5]}, "from the first on, since others follow"
    shared.leave("a")
    assert told[11] == [0, 2], "one is still waiting for the other half"
    start(shared, "c", 12)
    assert told[12] == [1, 5]
    shared.leave("b")
    assert told[12] == [0, 1, 2, 5], "nothing follows"
    shared.leave("c")


def test_one_notebook_has_them_all(told: dict[int, list[int]]) -> None:
    start(Shares(1, 4), "a", 10)
    assert told == {10: [0, 1, 2, 5]}


def test_there_may_be_more_notebooks_than_processors(told: dict[int, list[int]]) -> None:
    start(Shares(9, 8), "a", 10)
    assert told == {}


def test_a_process_that_has_ended_is_no_error(told: dict[int, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(process: int, processors: list[int]) -> None:
        raise ProcessLookupError

    monkeypatch.setattr(os, "sched_setaffinity", gone, raising=False)
    shared = Shares(2, 2)
    start(shared, "a", 10)
    shared.leave("a")


def test_processors_can_be_counted_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_processors()
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert usable_processors() == list(range(os.cpu_count() or 1))
