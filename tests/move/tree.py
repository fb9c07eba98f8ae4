"""Results as plain JSON, exact and small, and where two of them differ.

Numbers, texts, lists and mappings stay what they are. Of a table stay the number of rows and, by column, the type, a
digest of all values, and of floats also a weighted sum, by which one sees whether only the last digits differ; small
tables keep their values too.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

__all__ = ["NAMES", "Totals", "Wide", "differences", "digest", "form"]

SHORT = 12
"""Rows of the longest table whose values are kept, and of the longest list of rows that is kept as it is."""

SAME_SUM = 1e-8
"""Relative difference of two weighted sums that passes for rounding."""

NAMES: dict[str, list[str]] = {}
"""Names of the columns of totals, by digest: they are the same in many results."""

Tree = Any
Told = Callable[[str], bool]


class Totals:
    """A wide table of whole numbers, of which only names, sums of columns and one digest stay."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame


class Wide:
    """Tables by name, of which only some keep their values."""

    def __init__(self, tables: Mapping[str, pl.DataFrame], names: Collection[str]) -> None:
        self.tables, self.names = tables, names


def digest(raw: bytes) -> str:
    """A short hash: enough to tell values apart, not to name them."""
    return base64.b64encode(hashlib.blake2b(raw, digest_size=6).digest()).decode()


def form(value: Any, values: bool = True) -> Tree:
    """A result as plain JSON.

    Parameters
    ----------
    value : object
        Anything that `plays` returns.
    values : bool
        Whether small tables keep their values.
    """
    if isinstance(value, pl.DataFrame):
        return _frame(value, values)
    if isinstance(value, Totals):
        return _totals(value.frame)
    if isinstance(value, Wide):
        return {name: form(table, name in value.names) for name, table in value.tables.items()}
    if isinstance(value, Mapping):
        return {str(k): form(v, values) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if len(value) > SHORT and all(isinstance(row, Mapping) and row.keys() == value[0].keys() for row in value):
            return {"rows": len(value), "columns": {k: _loose([row[k] for row in value]) for k in value[0]}}
        if len(value) > 4 * SHORT:
            return {"rows": len(value), "columns": {"values": _loose(list(value))}}
        return [form(v, values) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, float):
        return _float(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"{type(value).__name__}: is no result that can be kept")


def _float(value: float) -> float | str:
    return value + 0.0 if math.isfinite(value) else str(value)


def _frame(frame: pl.DataFrame, values: bool) -> Tree:
    tree: Tree = {"rows": frame.height, "columns": {c.name: _column(c) for c in frame.get_columns()}}
    if values and frame.height <= SHORT:
        tree["values"] = {c.name: [form(v) for v in c.to_list()] for c in frame.get_columns()}
    return tree


def _column(column: pl.Series) -> list[Any]:
    """Type and digest of a column, and of floats the weighted sum."""
    kind = str(column.dtype)
    kind = kind if len(kind) < 40 else kind[:12] + digest(kind.encode())
    nulls = column.is_null().to_numpy().tobytes() if column.null_count() else b""
    if column.dtype.is_float():
        numbers = column.cast(pl.Float64).fill_null(0.0).fill_nan(np.nan).to_numpy() + 0.0
        return [kind, digest(nulls + numbers.tobytes()), _weighted(numbers)]
    if column.dtype.is_integer() or column.dtype == pl.Boolean:
        return [kind, digest(nulls + column.cast(pl.Int64).fill_null(0).to_numpy().tobytes())]
    return [kind, *_loose(column.to_list())]


def _weighted(numbers: Any) -> float:
    """A sum that tells orders apart, to some digits."""
    finite = np.where(np.isfinite(numbers), numbers, 0.0)
    return float(f"{np.sum(finite * (1 + np.arange(len(finite)) * 0.618034 % 1)):.9g}")


def _loose(values: list[Any]) -> list[Any]:
    """Digest of the values, and of floats their weighted sum."""
    found = [digest(json.dumps([form(v) for v in values], sort_keys=True).encode())]
    if any(isinstance(v, float) for v in values):
        found.append(_weighted(np.array([float(v) if isinstance(v, int | float) else 0.0 for v in values])))
    return found


def _totals(frame: pl.DataFrame) -> Tree:
    raw = np.ascontiguousarray(frame.to_numpy().astype(np.int64))
    names = digest(json.dumps(frame.columns).encode())
    NAMES[names] = frame.columns
    return {"rows": frame.height, "names": names, "sums": raw.sum(axis=0).tolist(), "digest": digest(raw.tobytes())}


def differences(old: Tree, new: Tree, *, gone: Told, added: Told, rounded: Told, at: str = "") -> Iterator[str]:
    """Where two results differ, a line each.

    Parameters
    ----------
    old, new : tree
        Before and after.
    gone, added, rounded : callable
        Told a path such as ``"summary.endings.mean"``: whether it need not be there any more, may be new, or may
        differ in its last digits.
    at : str
        Path of what is compared.
    """
    if at and gone(at):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from _in_mappings(old, new, gone=gone, added=added, rounded=rounded, at=at)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, gone=gone, added=added, rounded=rounded, at=f"{at}[{i}]")
    elif not _equal(old, new) and not (rounded(at) and _near(old, new)):
        yield f"{at}: was {_short(old)}, is {_short(new)}"


def _in_mappings(old: Tree, new: Tree, *, gone: Told, added: Told, rounded: Told, at: str) -> Iterator[str]:
    if "sums" in old and "sums" in new:
        yield from _in_totals(old, new, at)
        return
    told = {"gone": gone, "added": added, "rounded": rounded}
    if "columns" in old and "columns" in new:
        yield from _in_tables(old, new, gone=gone, added=added, rounded=rounded, at=at)
        return
    here = f"{at}." if at else ""
    for key in [*old, *(k for k in new if k not in old)]:
        if key not in new:
            if not gone(f"{here}{key}"):
                yield f"{here}{key}: was {_short(old[key])}, is missing"
        elif key not in old:
            if not added(f"{here}{key}"):
                yield f"{here}{key}: was not there, is {_short(new[key])}"
        else:
            yield from differences(old[key], new[key], at=f"{here}{key}", **told)


def _in_tables(old: Tree, new: Tree, *, gone: Told, added: Told, rounded: Told, at: str) -> Iterator[str]:
    if old["rows"] != new["rows"]:
        yield f"{at}: had {old['rows']} rows, has {new['rows']}"
        return
    mine, other = old["columns"], new["columns"]
    kept = [c for c in mine if not gone(f"{at}.{c}")]
    for column in kept:
        path = f"{at}.{column}"
        if column not in other:
            yield f"{path}: column is missing; there are {', '.join(other)}"
        elif not (_alike(mine[column], other[column]) or (rounded(path) and _close(mine[column], other[column]))):
            yield f"{path}: {_how_columns_differ(old, new, column)}"
    extra = [c for c in other if c not in mine and not added(f"{at}.{c}")]
    if extra:
        yield f"{at}: new columns {', '.join(extra)}"
    shared = [c for c in other if c in kept]
    if shared != [c for c in kept if c in other]:
        yield f"{at}: order of columns was {', '.join(kept)}; is {', '.join(shared)}"


def _in_totals(old: Tree, new: Tree, at: str) -> Iterator[str]:
    if old == new:
        return
    was, now = (NAMES.get(tree["names"], []) for tree in (old, new))
    if old["rows"] != new["rows"] or was != now:
        odd = ", ".join(sorted(set(was) ^ set(now))) or "only their order differs"
        yield f"{at}: had {old['rows']} rows, has {new['rows']}; columns of one side only: {odd}"
        return
    apart = [i for i, (a, b) in enumerate(zip(old["sums"], new["sums"], strict=True)) if a != b]
    for i in apart[:3]:
        yield f"{at}.{now[i]}: added up to {old['sums'][i]}, adds up to {new['sums'][i]}"
    if not apart:
        yield f"{at}: columns add up to the same, but batches differ"
    elif len(apart) > 3:
        yield f"{at}: {len(apart) - 3} more columns differ"


def _alike(old: list[Any], new: list[Any]) -> bool:
    """Whether two descriptions of a column agree; the weighted sum only explains."""
    return [x for x in old if not isinstance(x, float)] == [x for x in new if not isinstance(x, float)]


def _close(old: list[Any], new: list[Any]) -> bool:
    """Whether two descriptions of a column of floats differ by rounding only."""
    return len(old) == len(new) and isinstance(old[-1], float) and old[:-2] == new[:-2] and _near(old[-1], new[-1])


def _how_columns_differ(old: Tree, new: Tree, column: str) -> str:
    mine, other = old["columns"][column], new["columns"][column]
    if len(mine) > 1 and len(other) > 1 and mine[0] != other[0] and isinstance(mine[1], str):
        return f"type was {mine[0]}, is {other[0]}" + ("" if mine[1:] == other[1:] else "; values differ too")
    if column in old.get("values", {}) and column in new.get("values", {}):
        pairs = zip(old["values"][column], new["values"][column], strict=True)
        row, (was, now) = next((i, p) for i, p in enumerate(pairs) if not _equal(*p))
        return f"row {row} was {_short(was)}, is {_short(now)}"
    if _close(mine, other):
        return "values differ by rounding only"
    sums = f"; weighted sum was {mine[-1]}, is {other[-1]}" if isinstance(mine[-1], float) else ""
    return f"values differ{sums}"


def _equal(old: Tree, new: Tree) -> bool:
    return type(old) is type(new) and old == new


def _near(old: Tree, new: Tree) -> bool:
    if not all(isinstance(x, int | float) and not isinstance(x, bool) for x in (old, new)):
        return False
    return math.isclose(old, new, rel_tol=SAME_SUM, abs_tol=SAME_SUM)


def _short(value: Tree) -> str:
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, float) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
