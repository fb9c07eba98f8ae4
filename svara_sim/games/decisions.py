"""Functions of one's own that decide for a seat: compiled, kept from harming the kernel, and explained if refused."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from typing import Any

import numba as _numba
import numpy as np
from numba import types as _types
from numba.core.errors import NumbaError

from ..core.errors import InvalidInput, nearest
from ..core.jit import JIT_ENABLED, FirstClass, first_class

__all__ = ["NOT_WHOLE", "RAISED", "SPECIAL_ANSWERS", "compile_decision"]

RAISED = -(1 << 63)
"""What a function that raised an exception answers to the kernel, which takes no exceptions.

This and the next are no illegal actions, which a lenient table sets right, but mistakes in the function: they stop the
table in any case.
"""

NOT_WHOLE = RAISED + 1
"""What one answers that did not return a whole number of 64 bits."""

SPECIAL_ANSWERS = {RAISED: "raised an exception", NOT_WHOLE: "did not answer with a whole number"}
"""What to say of these instead of "answered -9223372036854775808"."""

_EXACT = 1 << 53
_MOST_CHARACTERS = 160
_NUMBAS_OWN = re.compile(r"[\\/]numba[\\/]")
_NOISE = ("Failed in", "During:", "File ", "- Resolution failure", "<source elided>")

numba: Any = _numba
types: Any = _types


def compile_decision(who: str, function: Callable[..., Any], view_type: Any) -> FirstClass:
    """Compile one decision of a policy: a function of a view that returns a whole number.

    With the JIT off it stays plain Python, and answers the same.

    Parameters
    ----------
    who : str
        Whose it is, for messages.
    function : callable
        Plain Python, or compiled by Numba already.
    view_type : numba type
        Of the view, a NamedTuple.

    Raises
    ------
    InvalidInput
        If it does not take one argument, or Numba cannot compile it: one line with the complaint, and the line of the
        source that it is about.
    """
    _check_arguments(who, function)
    signature = types.int64(view_type)
    if not JIT_ENABLED:
        return first_class(_guarded(lambda view: function(_in_plain_numbers(view))), signature)
    try:
        inner: Any = function if hasattr(function, "py_func") else numba.njit(function)
        _, _, arguments, _ = inner.get_call_template((view_type,), {})  # compiles; arguments with defaults have them
    except Exception as error:  # Numba's own errors are of several families, and some are no family of its own
        reason = _reason_of(error, function, view_type.instance_class._fields)
        raise InvalidInput(f"policy {who}: Numba cannot compile the function: {reason}") from error
    try:
        return first_class(_guarded(inner), signature)
    except NumbaError as error:
        returned = inner.overloads[arguments].signature.return_type
        raise InvalidInput(
            f"policy {who}: Numba cannot compile the function: it returns {_kind(returned)}, must return a whole number"
        ) from error


def _guarded(inner: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(view: Any) -> Any:
        try:
            answer = inner(view)
            if not abs(answer) < _EXACT:  # also of NaN, of which the cast below could make anything
                return NOT_WHOLE
            whole = np.int64(answer)
            return whole if whole == answer else NOT_WHOLE
        except Exception:
            return RAISED

    return guarded


def _in_plain_numbers(view: Any) -> Any:
    """The view in Python's numbers: NumPy's warn of a division by zero, where compiled code raises an exception."""
    return type(view)(*(x.item() if isinstance(x, np.int64 | np.float64) else x for x in view))


def _check_arguments(who: str, function: Callable[..., Any]) -> None:
    try:
        signature = inspect.signature(getattr(function, "py_func", function))
    except (TypeError, ValueError):  # something that does not tell
        return
    try:
        signature.bind(None)
    except TypeError:
        raise InvalidInput(f"policy {who}: the function takes {signature}: must take one argument, the view") from None


def _reason_of(error: Exception, function: Callable[..., Any], fields: tuple[str, ...]) -> str:
    """Numba's complaint in one line: what it does not know, why, and where in the source."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(_NOISE)]
    headline = _plain(told[0]) if told else type(error).__name__
    if headline.startswith("No implementation of function"):
        called = next((line.removeprefix(">>> ") for line in told if line.startswith(">>> ")), headline)
        headline = f"no implementation of {_plain(called)}{_rejected(lines)}"
    if unknown := re.match(r"Unknown attribute '(\w+)' of type View\b", headline):
        headline = f"unknown attribute {unknown[1]!r} of the view{nearest(unknown[1], fields)}"
    elif assigned := re.search(r"lowering View\.(\w+) = ", headline):
        headline = f"the view cannot be changed: it sets {assigned[1]!r}"
    if len(headline) > _MOST_CHARACTERS:
        headline = headline[:_MOST_CHARACTERS].rstrip() + " ..."
    source = _source_line(lines, headline, function)
    return headline + (f", in: {source}" if source else "")


def _plain(text: str) -> str:
    """A complaint without the long names of types, and without the places that follow."""
    text = re.sub(r"View\([\w, ]*\)", "View", text)
    text = re.sub(r"Function\(<(?:built-in )?\w+ ([\w.]+)[^>]*>\)", r"\1", text)
    text = re.sub(r"Literal\[str\]\(([^()]*)\)", r"'\1'", text)
    text = re.sub(r"Literal\[\w+\]\(([^()]*)\)", r"\1", text)
    text = re.sub(r"'(\w+)\.\d+'", r"'\1'", text)
    text = re.sub(r"<iv=[^>]*>", "", text)
    return re.sub(r",? defined at .*|\.*\s*Raised from .*", "", text).strip()


def _kind(returned: Any) -> str:
    """What a function returns, in words where there are some."""
    if isinstance(returned, types.UnicodeType | types.StringLiteral):
        return "text"
    if isinstance(returned, types.Generator):
        return "a generator"
    return "nothing" if returned == types.none else _plain(str(returned))


def _rejected(lines: list[str]) -> str:
    """Why the candidates were rejected, where one says it itself."""
    for line, following in itertools.pairwise(lines):
        if line.startswith("Rejected as the implementation raised a specific error"):
            reason = following.partition(": ")[2]
            return "" if reason.startswith(_NOISE) or not reason else f" ({_plain(reason)})"
    return ""


def _source_line(lines: list[str], headline: str, function: Callable[..., Any]) -> str:
    """The line of the source that Numba points at, or the one with the name that it does not know."""
    file = ""
    for line, following in itertools.pairwise(lines):
        file = line if line.startswith("File ") else file
        if following == "^" and not _NUMBAS_OWN.search(file):
            return line
    try:
        source, first = inspect.getsourcelines(getattr(function, "py_func", function))
    except (OSError, TypeError):
        return ""
    if undefined := re.search(r"name '(\w+)' is not defined", headline):
        return next((s.strip() for s in source if re.search(rf"\b{undefined[1]}\b", s)), "")
    if place := re.search(r"Raised from .*\((\d+)\)", " ".join(lines)):
        number = int(place[1]) - first
        return source[number].strip() if 0 <= number < len(source) else ""
    return ""
