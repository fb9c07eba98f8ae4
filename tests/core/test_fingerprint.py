"""What a function does, as one hash: it follows everything that the code refers to."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numba
import numpy as np
import pytest

from svara_sim.core.fingerprint import fingerprint


def made(source: str, **globals_: Any) -> FunctionType:
    namespace = dict(globals_)
    exec(source, namespace)
    return namespace["f"]


SOURCE = "def f(x):\n    return g(x) + T"


def helper(number: int) -> Callable[[int], int]:
    return lambda x: x + number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (made(SOURCE, T=1, g=abs), made(SOURCE, T=2, g=abs)),
        (made(SOURCE, T=1, g=helper(1)), made(SOURCE, T=1, g=helper(2))),
        (made(SOURCE, T=np.arange(3), g=abs), made(SOURCE, T=np.arange(3) + 1, g=abs)),
        (made(SOURCE, T=1, g=numba.njit(helper(1))), made(SOURCE, T=1, g=numba.njit(helper(2)))),
        (made(SOURCE, T={"a": 1}, g=abs), made(SOURCE, T={"a": 2}, g=abs)),
        (helper(1), helper(2)),
        (made("def f(x, y=1):\n    return x"), made("def f(x, y=2):\n    return x")),
        (made("def f(x):\n    return [i + 1 for i in x]"), made("def f(x):\n    return [i + 2 for i in x]")),
    ],
)
def test_what_makes_a_difference(one: Any, other: Any) -> None:
    assert fingerprint(one) != fingerprint(other)


def test_what_makes_none() -> None:
    assert fingerprint(made(SOURCE, T=1, g=helper(3), unused=1)) == fingerprint(
        made(SOURCE, T=1, g=helper(3), unused=2)
    )


def test_a_function_that_calls_itself() -> None:
    recursive = made("def f(x):\n    return f(x - 1) if x else T", T=1)
    assert fingerprint(recursive) != fingerprint(made("def f(x):\n    return f(x - 1) if x else T", T=2))
