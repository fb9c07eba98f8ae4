"""The errors that a user can cause, and how their messages are built.

Every message is one line that names the field, the value and what is allowed, so that the command line can
print it as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import Any

__all__ = ["DataError", "IllegalAction", "InvalidInput", "SvaraError", "check_choice", "check_int", "nearest", "one_of"]


class SvaraError(Exception):
    """Base class of every error that this package raises on purpose."""


class InvalidInput(SvaraError, ValueError):
    """A value from outside is not allowed; the message says which ones are."""


class IllegalAction(SvaraError, RuntimeError):
    """A policy answered with an action that the rules do not allow."""


class DataError(SvaraError, OSError):
    """A dataset is absent, incomplete, damaged, of another run, or cannot be written."""


def one_of(values: Iterable[object]) -> str:
    """``'a', 'b' or 'c'``: the allowed values as an error message lists them."""
    names = [repr(v) for v in values]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def check_int(field: str, value: Any, low: int, high: int, unit: str = "") -> int:
    """Return `value` as an int between `low` and `high`, or raise `InvalidInput` naming `field`."""
    unit = f" {unit}" if unit else ""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise InvalidInput(f"{field} = {value!r}: must be a whole number from {low} to {high}{unit}")
    number = int(value.__index__())
    if not low <= number <= high:
        raise InvalidInput(f"{field} = {number}: must be from {low} to {high}{unit}")
    return number


def nearest(value: Any, allowed: Iterable[Any]) -> str:
    """`` (did you mean 'a'?)``, or nothing if no allowed value is like this one."""
    near = get_close_matches(str(value), [str(a) for a in allowed], n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def check_choice(field: str, value: Any, allowed: Collection[Any]) -> Any:
    """Return `value` if it is one of `allowed`, or raise `InvalidInput` with the nearest name as a hint."""
    if value in allowed and type(value) in {type(a) for a in allowed}:
        return value
    raise InvalidInput(f"{field} = {value!r}: must be {one_of(allowed)}{nearest(value, allowed)}")
