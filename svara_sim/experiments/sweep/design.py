"""Designs of experiments: which values the fields of a sweep take, point by point."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...core.errors import InvalidInput, check_choice, check_int
from .source import Source

__all__ = ["KINDS", "MAX_POINTS", "Design", "read_design"]

KINDS = ("grid", "list", "sobol")
MAX_POINTS = 100_000
_MAX_SOBOL_FIELDS = 1000
_OWN_KEYS = {"grid": (), "list": ("fields", "rows"), "sobol": ("points", "seed")}
_RANGE_KEYS = ("from", "to", "step")

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Design:
    """Points of a sweep, as values of its fields.

    Parameters
    ----------
    kind : {"grid", "list", "sobol", "none"}
        How they were made.
    fields : tuple of str
        Names such as ``"rules.blind_size"``.
    rows : tuple of tuple
        A value for each field, point by point.
    """

    kind: str
    fields: tuple[str, ...]
    rows: tuple[Row, ...]

    def place(self, field: str) -> str:
        """Full name of a field in the sweep file, to find its line."""
        return f"design.rows.{field}" if self.kind == "list" else f"design.{field}"


def read_design(table: Any, source: Source) -> Design:
    """The design that a ``[design]`` table describes; one point without fields if there is none.

    Raises
    ------
    InvalidInput
        With the line of the field that is wrong.
    """
    if table is None:
        return Design("none", (), ((),))
    if not isinstance(table, Mapping):
        raise source.error("design", f"design = {table!r}: must be a table")
    content = dict(table)
    with source.at("design.kind"):
        kind = check_choice("design.kind", content.pop("kind", "grid"), KINDS)
    own = {k: content.pop(k) for k in _OWN_KEYS[kind] if k in content}
    for key in content:
        # What another kind of design knows is no field of this one.
        if key in {"fields", "rows", "points"} or (key == "kind"):
            raise source.error(f"design.{key}", f"design.{key}: does not belong to a {kind} design")
    if kind == "list":
        if content:
            key = next(iter(_flat(content)))
            raise source.error(
                f"design.{key}",
                f"design.{key}: a list design has its values in rows, such as rows = [{{ {key!r} = 1 }}]",
            )
        return _list(own, source)
    values = _flat(content)
    if not values:
        raise source.error("design", f'design: a {kind} design needs fields, such as "rules.blind_size" = [60, 120]')
    return _grid(values, source) if kind == "grid" else _sobol(values, own, source)


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Fields by full name: ``"rules.ante"`` may be spelt as one quoted key, dotted, or in a table of its own."""
    found: dict[str, Any] = {}
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value and not set(value) & {"from", "to"}:
            found.update(_flat(value, f"{name}."))
        else:
            found[name] = value
    return found


def _grid(values: Mapping[str, Any], source: Source) -> Design:
    levels: list[Sequence[Any]] = []
    for field, value in values.items():
        with source.at(f"design.{field}"):
            levels.append(_levels(field, value))
    n_points = math.prod(len(level) for level in levels)
    if n_points > MAX_POINTS:
        raise source.error("design", f"design: {n_points} points: must be at most {MAX_POINTS}")
    return Design("grid", tuple(values), tuple(itertools.product(*levels)))


def _levels(field: str, value: Any) -> Sequence[Any]:
    if isinstance(value, Mapping):
        return _steps(field, value)
    if not isinstance(value, list | tuple):
        raise InvalidInput(
            f"{field} = {value!r}: must be a list of values or a range {{ from = 1, to = 9, step = 1 }}; "
            "a single value belongs above [design]"
        )
    if not value:
        raise InvalidInput(f"{field} = []: must have at least one value")
    seen: list[Any] = []
    for item in value:
        if any(item == s and type(item) is type(s) for s in seen):
            raise InvalidInput(f"{field}: {item!r} is given twice")
        seen.append(item)
    return seen


def _range(field: str, value: Mapping[str, Any]) -> tuple[float, float, float | None]:
    for key in value:
        check_choice(f"{field}: key", key, _RANGE_KEYS)
    for key in ("from", "to"):
        if key not in value:
            raise InvalidInput(f"{field}: a range needs {key!r}")
    for key, number in value.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
            raise InvalidInput(f"{field}: {key} = {number!r}: must be a number")
    low, high, step = value["from"], value["to"], value.get("step")
    if high < low:
        raise InvalidInput(f"{field}: the range goes backward: from = {low!r}, to = {high!r}")
    if step is not None and step <= 0:
        raise InvalidInput(f"{field}: step = {step!r}: must be above 0")
    return low, high, step


def _steps(field: str, value: Mapping[str, Any]) -> list[Any]:
    """Both ends included, if whole steps lead from one to the other."""
    low, high, step = _range(field, value)
    if step is None:
        if not (isinstance(low, int) and isinstance(high, int)):
            raise InvalidInput(f"{field}: a range in a grid needs a step, such as step = 0.1")
        step = 1
    n = _n_steps(low, high, step)
    if n > MAX_POINTS:
        raise InvalidInput(f"{field}: {n} values: must be at most {MAX_POINTS}")
    return [_nth(low, step, i) for i in range(n)]


def _list(own: Mapping[str, Any], source: Source) -> Design:
    rows = own.get("rows")
    if not isinstance(rows, list | tuple) or not rows:
        raise source.error("design.rows", "design.rows: must be a list of rows, at least one")
    if len(rows) > MAX_POINTS:
        raise source.error("design.rows", f"design.rows: {len(rows)} rows: must be at most {MAX_POINTS}")
    if "fields" in own:
        fields = own["fields"]
        if not isinstance(fields, list | tuple) or not fields or not all(isinstance(f, str) for f in fields):
            raise source.error("design.fields", f"design.fields = {fields!r}: must be a list of field names")
        if len(set(fields)) < len(fields):
            raise source.error("design.fields", "design.fields: a field is named twice")
        for number, row in enumerate(rows, 1):
            if not isinstance(row, list | tuple) or len(row) != len(fields):
                raise source.error(
                    "design.rows",
                    f"design.rows: row {number} must be a list of {len(fields)} values, one for each field",
                )
        return Design("list", tuple(fields), tuple(tuple(r) for r in rows))
    tables: list[dict[str, Any]] = []
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or not row:
            raise source.error(
                "design.rows", f"design.rows: row {number} must be a table of values (or name the columns in fields)"
            )
        tables.append(_flat(row))
        fields = tuple(tables[0])
        if set(tables[-1]) != set(fields):
            odd = sorted(set(tables[-1]) ^ set(fields))[0]
            here = f"design.rows.{next(iter(tables[-1]))}"
            raise source.error(here, f"design.rows: row {number}: {odd!r} must be in every row or in none", number - 1)
    return Design("list", fields, tuple(tuple(t[f] for f in fields) for t in tables))


def _sobol(values: Mapping[str, Any], own: Mapping[str, Any], source: Source) -> Design:
    if "points" not in own:
        raise source.error("design", "design.points: missing: say how many points a sobol design has, such as 256")
    with source.at("design.points"):
        n_points = check_int("design.points", own["points"], 1, MAX_POINTS)
    with source.at("design.seed"):
        seed = check_int("design.seed", own.get("seed", 0), 0, 2**32 - 1)
    if len(values) > _MAX_SOBOL_FIELDS:
        raise source.error("design", f"design: {len(values)} fields: must be at most {_MAX_SOBOL_FIELDS}")
    scales = []
    for field, value in values.items():
        with source.at(f"design.{field}"):
            scales.append(_Scale.of(field, value))
    from scipy.stats import qmc  # half a second that other designs need not wait

    # A power of two, of which the first points are kept: so more points never move those that stand.
    power = max(0, math.ceil(math.log2(n_points)))
    unit = qmc.Sobol(len(scales), scramble=True, seed=seed).random_base2(power)[:n_points]
    rows = tuple(tuple(s.value(float(u)) for s, u in zip(scales, row, strict=True)) for row in unit)
    return Design("sobol", tuple(values), rows)


@dataclass(frozen=True)
class _Scale:
    """From [0, 1) to the values of a field: a continuous range, a stepped one, or a list of levels."""

    low: float = 0
    high: float = 0
    step: float | None = None
    levels: tuple[Any, ...] = ()

    @classmethod
    def of(cls, field: str, value: Any) -> _Scale:
        if not isinstance(value, Mapping):
            return cls(levels=tuple(_levels(field, value)))
        low, high, step = _range(field, value)
        if step is None and isinstance(low, int) and isinstance(high, int):
            step = 1
        return cls(low, high, step)

    def value(self, u: float) -> Any:
        if self.levels:
            return self.levels[_index(u, len(self.levels))]
        if self.step is None:
            return _short(self.low + u * (self.high - self.low))
        return _nth(self.low, self.step, _index(u, _n_steps(self.low, self.high, self.step)))


def _index(u: float, n: int) -> int:
    return min(int(u * n), n - 1)


def _n_steps(low: float, high: float, step: float) -> int:
    return math.floor((high - low) / step + 1e-9) + 1


def _nth(low: float, step: float, i: int) -> Any:
    """The number without the noise of its last digits: 0.3, not 0.30000000000000004; whole numbers stay whole."""
    number = low + i * step
    return number if isinstance(low, int) and isinstance(step, int) else _short(number)


def _short(number: float) -> float:
    return float(f"{number:.12g}")
