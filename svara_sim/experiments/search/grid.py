"""Many policies in one word: ``threshold:call=15..26,raise_at=24..30/2``."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from itertools import product

from ...core.errors import InvalidInput

__all__ = ["expand_policies"]

_MOST = 1_000


def expand_policies(texts: Iterable[str]) -> list[str]:
    """Replace every range of every policy by its values, all combinations of them; what is given twice counts once.

    A range is ``LOW..HIGH`` in steps of 1, or ``LOW..HIGH/STEP``; both ends are included.

    Raises
    ------
    InvalidInput
        If a range makes no sense, or there are more than 1000 policies.
    """
    found: dict[str, None] = {}
    for text in texts:
        name, colon, rest = text.partition(":")
        choices = [_values(text, part) for part in rest.split(",")] if colon and ".." in rest else [[rest]]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > _MOST:
            raise InvalidInput(f"policy {text!r}: makes {count} policies; at most {_MOST} can be compared")
        for parts in product(*choices):
            found[name + colon + ",".join(parts)] = None
    if len(found) > _MOST:
        raise InvalidInput(f"{len(found)} policies: at most {_MOST} can be compared")
    return list(found)


def _values(text: str, part: str) -> list[str]:
    name, _, value = part.partition("=")
    if ".." not in value:
        return [part]
    ends, slash, step_text = value.partition("/")
    try:
        low, high = (Decimal(end) for end in ends.split(".."))
        step = Decimal(step_text) if slash else Decimal(1)
        n_steps = int((high - low) / step) if step > 0 and low <= high else -1
    except (InvalidOperation, ValueError):
        n_steps = -1
    if n_steps < 0 or n_steps >= _MOST:
        raise InvalidInput(f"policy {text!r}: {part!r}: a range is LOW..HIGH or LOW..HIGH/STEP, such as call=15..26")
    return [f"{name}={low + i * step}" for i in range(n_steps + 1)]
