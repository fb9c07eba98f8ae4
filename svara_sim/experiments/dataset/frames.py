"""Per-deal records and totals as data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ...games.protocol import Column
from ..batches import BatchTotals

__all__ = [
    "DEAL",
    "frame_of_records",
    "frame_of_totals",
    "record_schema",
    "stored_totals",
    "stored_totals_schema",
]

DEAL = Column("deal", "uint64", "deals", "Number of the deal within the seed: the same number is the same deal.")

Arrays = Mapping[str, NDArray[Any]]


def record_schema(columns: Sequence[Column]) -> pl.Schema:
    """Schema of the records of a game: the deal's number, then the game's columns."""
    return pl.Schema({c.name: _polars_type(c) for c in (DEAL, *columns)})


def stored_totals_schema(columns: Sequence[Column]) -> pl.Schema:
    """Schema of the totals in a part's file: a row for each batch and total."""
    return pl.Schema({"batch": pl.Int64(), "total": pl.Enum([c.name for c in columns]), "value": pl.Int64()})


def frame_of_records(columns: Sequence[Column], first_deal: int, n_deals: int, arrays: Arrays) -> pl.DataFrame:
    """Data frame of the records of consecutive deals.

    Polars shares memory with the arrays: a game must not write into them once it has handed them over.

    Raises
    ------
    TypeError
        If the game's arrays are not what its schema says (a mistake in the game).
    """
    deals = np.arange(first_deal, first_deal + n_deals, dtype=np.uint64)
    series = [pl.Series(DEAL.name, deals)]
    for column in columns:
        values = arrays[column.name]
        if values.dtype != column.dtype or values.shape != (n_deals,):
            raise TypeError(
                f"record column {column.name!r}: {values.dtype} {values.shape}, must be {column.dtype} ({n_deals},)"
            )
        if column.categories:
            names = pl.Series(column.name, column.categories, dtype=pl.Enum(column.categories))
            series.append(names.gather(values))
        else:
            series.append(pl.Series(column.name, values))
    return pl.DataFrame(series)


def stored_totals(columns: Sequence[Column], totals: BatchTotals) -> pl.DataFrame:
    """Totals as a part's file holds them, batch by batch in the order of `columns`.

    A game has hundreds of totals and a part few batches: as columns, they would cost as much as the records.
    """
    n_batches, n_columns = totals.values.shape
    batches = np.arange(totals.first_batch, totals.first_batch + n_batches, dtype=np.int64)
    names = pl.Series("total", [c.name for c in columns], dtype=stored_totals_schema(columns)["total"])
    return pl.DataFrame(
        [
            pl.Series("batch", np.repeat(batches, n_columns)),
            names.gather(np.tile(np.arange(n_columns, dtype=np.uint32), n_batches)),
            pl.Series("value", totals.values.reshape(-1)),
        ]
    )


def frame_of_totals(columns: Sequence[Column], values: NDArray[np.int64]) -> pl.DataFrame:
    """Totals of all batches for people: a row a batch, ``batch`` and a column a total."""
    series = [pl.Series("batch", np.arange(len(values), dtype=np.int64))]
    series += [pl.Series(c.name, np.ascontiguousarray(values[:, i])) for i, c in enumerate(columns)]
    return pl.DataFrame(series)


def _polars_type(column: Column) -> pl.DataType:
    if column.categories:
        return pl.Enum(column.categories)
    return pl.Series(np.empty(0, dtype=column.dtype)).dtype
