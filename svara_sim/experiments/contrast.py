"""Two runs on the same deals: how much a change of policy or rules is worth, with the error of the difference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InvalidInput, check_choice
from ..games.protocol import Column, Measure
from .runner import RunResult
from .summary import summarise

__all__ = ["contrast"]


def contrast(a: RunResult, b: RunResult, table: str) -> pl.DataFrame:
    """Estimates of `a` minus `b`, row by row of a summary table.

    Runs with one seed share their cards and draws (common random numbers), so what both have in common cancels batch by
    batch, and the difference is known far better than either.

    Parameters
    ----------
    a, b : RunResult
        Runs of one game with the same seats, deals, sessions and seed.
    table : str
        Name of a summary table; rows whose denominators differ between the runs (a payoff given that something
        happened, which happens in other deals in the other run) are left out.

    Returns
    -------
    polars.DataFrame
        As in `summarise`; the keys are those of `a`.

    Raises
    ------
    InvalidInput
        If the runs do not share their deals, or there is no such table.
    """
    for field in ("players", "seed", "n_deals", "session_deals"):
        if getattr(a.config, field) != getattr(b.config, field):
            raise InvalidInput(
                f"{field} = {getattr(a.config, field)} and {getattr(b.config, field)}: must be the same in both runs"
            )
    if a.config.game.name != b.config.game.name:
        raise InvalidInput(f"game = {a.config.game.name!r} and {b.config.game.name!r}: must be the same in both runs")
    check_choice("table", table, tuple(a.summary))
    columns = a.config.game.total_columns(a.config.players)
    mine, other = (run.totals.drop("batch").to_numpy() for run in (a, b))
    rows = _shared_denominators(a, table, columns, mine, other)
    # The numerators become differences; the denominators are the same in both.
    difference = mine.copy()
    for total in {_place(columns, m.total) for m in rows}:
        difference[:, total] -= other[:, total]
    tables = summarise(difference, a.batch_units, columns, rows, chips_per_ante=a.chips_per_ante)
    return tables[table]


def _place(columns: Sequence[Column], name: str) -> int:
    return next(i for i, column in enumerate(columns) if column.name == name)


def _shared_denominators(
    a: RunResult, table: str, columns: Sequence[Column], mine: NDArray[np.int64], other: NDArray[np.int64]
) -> list[Measure]:
    measures = [m for m in a.config.game.measures(a.config.seats) if m.table == table]
    rows = [
        Measure(m.table, m.keys, m.total, m.per, m.unit)  # a difference of proportions is not a proportion
        for m in measures
        if np.array_equal(mine[:, _place(columns, m.per)], other[:, _place(columns, m.per)])
    ]
    if not rows:
        raise InvalidInput(f"table {table!r}: no row of it counts the same deals in both runs")
    return rows
