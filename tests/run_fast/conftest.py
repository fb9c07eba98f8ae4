"""Without the JIT, NumPy warns of the overflows that hashing is made of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from svara_sim.core.jit import JIT_ENABLED


@pytest.fixture(autouse=True)
def _plain_hashing() -> Iterator[None]:
    with np.errstate(over="warn" if JIT_ENABLED else "ignore"):
        yield
