"""A hash of what a function does: its code, and all that the code refers to.

The source text alone is not enough: a constant beside the function, a helper that it calls or a variable that it
closes over changes what it does and not how it reads.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

__all__ = ["fingerprint", "source_of"]

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def fingerprint(function: Any) -> str:
    """Hash of a function, of the functions it calls and of the values it uses; 16 hexadecimal digits.

    Parameters
    ----------
    function : callable
        A Python function, or one compiled by Numba.
    """
    digest = hashlib.blake2b(digest_size=8)
    _add(digest, function, set())
    return digest.hexdigest()


def source_of(function: Callable[..., Any]) -> str:
    """Source text of a function for people, or a word where there is no text."""
    try:
        return textwrap.dedent(inspect.getsource(getattr(function, "py_func", function)))
    except (OSError, TypeError):
        return "(no source text)"


def _add(digest: Any, value: Any, seen: set[int]) -> None:
    value = getattr(value, "py_func", value)  # what Numba compiled
    if id(value) in seen:
        return
    if isinstance(value, (FunctionType, Mapping, list, set, tuple)):
        seen.add(id(value))
    digest.update(type(value).__name__.encode())
    if isinstance(value, FunctionType):
        _add_function(digest, value, seen)
    elif isinstance(value, CodeType):
        digest.update(value.co_code + repr((value.co_names, value.co_varnames, value.co_freevars)).encode())
        for constant in value.co_consts:
            _add(digest, constant, seen)
    elif isinstance(value, ModuleType):
        digest.update(f"{value.__name__} {getattr(value, '__version__', '')}".encode())
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
    elif isinstance(value, Mapping):
        for key, item in value.items():
            digest.update(repr(key).encode())
            _add(digest, item, seen)
    elif isinstance(value, (list, tuple)):
        for item in value:
            _add(digest, item, seen)
    elif isinstance(value, (set, frozenset)):
        digest.update(repr(sorted(map(repr, value))).encode())
    else:
        digest.update(_ADDRESS.sub("", repr(value)).encode())


def _add_function(digest: Any, function: FunctionType, seen: set[int]) -> None:
    _add(digest, function.__code__, seen)
    _add(digest, function.__defaults__ or (), seen)
    for cell in function.__closure__ or ():
        _add(digest, cell.cell_contents, seen)
    for name in sorted(_global_names(function.__code__)):
        if name in function.__globals__:
            digest.update(name.encode())
            _add(digest, function.__globals__[name], seen)


def _global_names(code: CodeType) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _global_names(constant)
    return names
