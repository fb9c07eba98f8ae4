"""Reading ``"name:parameter=value,..."``, the same in every game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ..core.errors import InvalidInput, check_choice, one_of
from .protocol import Parameter, PolicyInfo

__all__ = ["as_policy", "read_policy"]

Number = TypeVar("Number", int, float)


def as_policy(policy: Any, library: Mapping[str, PolicyInfo], read: Callable[[str], Any]) -> Any:
    """A policy as it is, or read from its text.

    Parameters
    ----------
    policy : str or policy
        What somebody seats.
    library : mapping of str to PolicyInfo
        The policies that there are.
    read : callable
        Makes a policy of the library from its text.

    Raises
    ------
    InvalidInput
        If it is something else; of a function, how to make a policy of it.
    """
    if isinstance(policy, str):
        return read(policy)
    if hasattr(policy, "plan"):
        return policy
    if callable(policy):
        name = getattr(policy, "__name__", "decide")
        raise InvalidInput(
            f"policy = {name}: is a function, not a policy yet: wrap it, such as "
            f'my_policy = FunctionPolicy("{name}", {name})'
        )
    raise InvalidInput(f"policy = {policy!r}: must be one of {one_of(library)}, or a policy of this game")


def _split(text: str) -> tuple[str, dict[str, str]]:
    name, _, rest = text.partition(":")
    values: dict[str, str] = {}
    for item in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise InvalidInput(f"policy {text!r}: {item!r} must be parameter=value")
        if key in values:
            raise InvalidInput(f"policy {text!r}: parameter {key!r} is given twice")
        values[key] = value
    return name.strip(), values


def read_policy(
    text: str,
    library: Mapping[str, PolicyInfo],
    number: type[Number],
    check: Callable[[str, Number, Parameter], Number],
) -> tuple[str, tuple[tuple[str, Number], ...]]:
    """Name and parameters of a library policy, those that are not given at their defaults.

    Parameters
    ----------
    text : str
        What was typed.
    library : mapping of str to PolicyInfo
        The policies that there are.
    number : type
        ``int`` or ``float``.
    check : callable
        ``check(field, value, parameter)`` returns the value or raises `InvalidInput` naming the field.

    Raises
    ------
    InvalidInput
        On an unknown policy or parameter, something that is not a number, or a value out of range.
    """
    name, given = _split(text)
    info = library[check_choice("policy", name, tuple(library))]
    known = tuple(p.name for p in info.parameters)
    values: dict[str, Number] = {}
    for key, value in given.items():
        if not known:
            raise InvalidInput(f"policy {text!r}: {name} has no parameters")
        check_choice(f"policy {name!r}: parameter", key, known)
        try:
            values[key] = number(value)
        except ValueError:
            what = "a whole number" if number is int else "a number"
            raise InvalidInput(f"policy {text!r}: {key} = {value!r} must be {what}") from None
    return name, tuple(
        (p.name, check(f"policy {name!r}: {p.name}", values.get(p.name, number(p.default)), p)) for p in info.parameters
    )
