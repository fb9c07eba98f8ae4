"""From totals by batch to tables of estimates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..games.protocol import Column, Measure
from ..stats.estimates import Estimates, estimate_ratios

__all__ = ["Tables", "as_json", "stack_tables", "summarise"]

Tables = dict[str, pl.DataFrame]

_SCALED = ("mean", "standard_error", "low", "high")


def summarise(
    totals: NDArray[np.int64],
    batch_units: NDArray[np.int64],
    columns: Sequence[Column],
    measures: Sequence[Measure],
    *,
    chips_per_ante: float = 1.0,
    level: float = 0.95,
) -> Tables:
    """Estimate every measure of a game.

    Parameters
    ----------
    totals : numpy.ndarray
        Shape (batches, columns), int64.
    batch_units : numpy.ndarray
        Units in each batch, shape (batches,), int64.
    columns : sequence of Column
        What the totals are.
    measures : sequence of Measure
        What to estimate.
    chips_per_ante : float
        For measures in chips, which are reported in antes too.
    level : float
        Coverage of the intervals.

    Returns
    -------
    dict of str to polars.DataFrame
        By table: the measures' keys, then ``mean``, ``standard_error``, ``low``, ``high`` (in ``unit``), the
        same four with ``_antes`` if the table has measures in chips, ``n`` (observations: the total of the
        denominator), ``n_units`` (independent units) and ``unit``. A measure without observations has nulls.
    """
    place = {c.name: i for i, c in enumerate(columns)}
    tables: Tables = {}
    for name in dict.fromkeys(m.table for m in measures):
        rows = [m for m in measures if m.table == name]
        estimates = estimate_ratios(
            totals[:, [place[m.total] for m in rows]],
            totals[:, [place[m.per] for m in rows]],
            batch_units,
            kinds=[m.kind for m in rows],
            units=[m.unit for m in rows],
            level=level,
        )
        tables[name] = _keys(rows).hstack(_values(estimates, chips_per_ante))
    return tables


def stack_tables(
    summaries: Mapping[tuple[Any, ...], Tables], keys: Sequence[str], table: str, antes: bool = False
) -> pl.DataFrame:
    """One table of several runs, one below the other, with what tells the runs apart in front.

    Parameters
    ----------
    summaries : mapping of tuple to dict
        Values of `keys`, and the summary of the run that they belong to.
    keys : sequence of str
        Names of the values.
    table : str
        Name of a summary table.
    antes : bool
        Put the estimates in antes, where there are any, in the place of those in chips.

    Returns
    -------
    polars.DataFrame
    """
    parts = []
    for values, tables in summaries.items():
        front = [pl.lit(value).alias(key) for key, value in zip(keys, values, strict=True)]
        rest = [c for c in tables[table].columns if c not in keys]
        parts.append(tables[table].select(*front, *rest))
    stacked = pl.concat(parts)
    if antes:
        stacked = stacked.with_columns(pl.col(f"{c}_antes").alias(c) for c in _SCALED)
    return stacked


def as_json(tables: Mapping[str, pl.DataFrame]) -> dict[str, list[dict[str, Any]]]:
    """Tables as lists of rows for JSON; what is infinite or unknown becomes None."""
    return {
        name: [{k: _finite(v) for k, v in row.items()} for row in table.iter_rows(named=True)]
        for name, table in tables.items()
    }


def _keys(measures: Sequence[Measure]) -> pl.DataFrame:
    names = dict.fromkeys(k for m in measures for k in m.keys)
    return pl.DataFrame([pl.Series(k, [m.keys.get(k) for m in measures]) for k in names])


def _values(estimates: Estimates, chips_per_ante: float) -> pl.DataFrame:
    found = {name: getattr(estimates, name) for name in _SCALED}
    in_chips = np.array([u == "chips" for u in estimates.units])
    if in_chips.any():
        found |= {f"{k}_antes": np.where(in_chips, found[k] / chips_per_ante, np.nan) for k in _SCALED}
    numbers = pl.DataFrame(found).fill_nan(None)
    return numbers.with_columns(
        pl.Series("n", estimates.n),
        pl.Series("n_units", estimates.n_units),
        pl.Series("unit", estimates.units, dtype=pl.String),
    )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
