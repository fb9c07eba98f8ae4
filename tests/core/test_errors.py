"""Checks of what comes from outside: one line that names the field, the value, and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from svara_sim.core.errors import (
    DataError,
    IllegalAction,
    InvalidInput,
    SvaraError,
    check_choice,
    check_int,
    one_of,
)


@pytest.mark.parametrize("value", [0, 7, 10, np.int64(5), np.uint8(5)])
def test_whole_numbers_that_are_allowed(value: Any) -> None:
    assert check_int("x", value, 0, 10) == value
    assert type(check_int("x", value, 0, 10)) is int


@pytest.mark.parametrize("value", [True, False, 5.0, "5", None, [5], np.float64(5), np.bool_(True), 5j, object])
def test_things_that_are_no_whole_numbers(value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_int("n_deals", value, 0, 10, "deals")
    assert str(caught.value) == f"n_deals = {value!r}: must be a whole number from 0 to 10 deals"


@pytest.mark.parametrize("value", [-1, 11, 10**30])
def test_whole_numbers_out_of_range(value: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        check_int("n_deals", value, 0, 10)
    assert str(caught.value) == f"n_deals = {value}: must be from 0 to 10"


def test_choices() -> None:
    assert check_choice("kind", "a", ("a", "b")) == "a"
    for value, message in (
        ("c", "kind = 'c': must be 'apple' or 'pear'"),
        ("aple", "kind = 'aple': must be 'apple' or 'pear' (did you mean 'apple'?)"),
        (None, "kind = None: must be 'apple' or 'pear'"),
        ([2], "kind = [2]: must be 'apple' or 'pear'"),
    ):
        with pytest.raises(InvalidInput) as caught:
            check_choice("kind", value, ("apple", "pear"))
        assert str(caught.value) == message


@pytest.mark.parametrize(("value", "allowed"), [(1, (True, False)), (True, (1, 0)), (0.0, (23, 0)), (False, (23, 0))])
def test_equal_values_of_another_type_are_no_choice(value: Any, allowed: tuple[Any, ...]) -> None:
    with pytest.raises(InvalidInput, match="must be"):
        check_choice("flag", value, allowed)


def test_lists_of_allowed_values() -> None:
    assert one_of(["a"]) == "'a'"
    assert one_of(["a", 2]) == "'a' or 2"
    assert one_of(iter("abc")) == "'a', 'b' or 'c'"


def test_errors_are_of_one_family() -> None:
    for error, builtin in ((InvalidInput, ValueError), (IllegalAction, RuntimeError), (DataError, OSError)):
        assert issubclass(error, SvaraError)
        assert issubclass(error, builtin)
