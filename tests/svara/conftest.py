"""Functions of policies are compiled once for all tables of a session, not once a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import pytest

from svara_sim.games.svara import seating


@pytest.fixture(scope="session", autouse=True)
def compile_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seating, "compile_decision", lru_cache(maxsize=None)(seating.compile_decision))
        yield
