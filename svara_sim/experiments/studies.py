"""Many runs on the same deals: what each is worth, and which cannot be told from the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InvalidInput, check_choice
from ..games.protocol import Measure
from ..stats.estimates import Estimates, estimate_ratios
from .contrast import contrast
from .runner import RunResult, simulate
from .scenario import RunConfig, RunFields
from .summary import Tables

__all__ = ["PairedGrid", "gain_of", "play_grid"]

_SHARED = ("players", "seed", "n_deals", "session_deals")


@dataclass(frozen=True)
class PairedGrid:
    """Points played on the same deals; make it with `play_grid`.

    Letters: P points, G batches, R rows of the summary tables that were kept.

    Parameters
    ----------
    keys : tuple of str
        Names of what tells the points apart.
    points : tuple of tuple
        Their values, P of them.
    rows : tuple of Measure
        What was kept of each run.
    totals, counts : numpy.ndarray
        Numerators and denominators by batch, shape (P, G, R), int64.
    batch_units : numpy.ndarray
        Shape (G,), int64.
    chips_per_ante : float
        For results in antes.
    """

    keys: tuple[str, ...]
    points: tuple[tuple[Any, ...], ...]
    rows: tuple[Measure, ...]
    totals: NDArray[np.int64]
    counts: NDArray[np.int64]
    batch_units: NDArray[np.int64]
    chips_per_ante: float

    def against_best(self, table: str, **where: Any) -> pl.DataFrame:
        """Estimates of one row of a summary table over all points, each with its distance from the best point.

        Parameters
        ----------
        table : str
            Name of the summary table.
        **where
            Keys of the row, such as ``position=0``.

        Returns
        -------
        polars.DataFrame
            A row a point: the keys; ``mean``, ``standard_error``, ``low`` and ``high`` (in antes, if the row is in
            chips); ``behind`` and ``behind_error``, how far it is below the best, from the differences on the same
            deals; ``best``; and ``undecided``, whether that distance is within the 95 % interval of zero. Each
            comparison stands alone, and the best point has been chosen by its luck too: one that is marked as worse
            is worse, but the best one is so only among those that are undecided.

        Raises
        ------
        InvalidInput
            If not exactly one kept row fits, or the runs do not count the same deals in it.
        """
        row = self._row(table, where)
        totals, counts = self.totals[:, :, row].T, self.counts[:, :, row].T
        if (counts != counts[:, :1]).any():
            raise InvalidInput(f"table {table!r}: the points do not count the same deals in this row")
        scale = self.chips_per_ante if self.rows[row].unit == "chips" else 1.0
        estimates = estimate_ratios(totals, counts, self.batch_units, units=self.rows[row].unit)
        best = int(np.argmax(estimates.mean))
        gap = estimate_ratios(totals[:, best : best + 1] - totals, counts, self.batch_units)
        keys = [pl.Series(key, [point[i] for point in self.points]) for i, key in enumerate(self.keys)]
        return pl.DataFrame(keys).with_columns(
            *(pl.Series(name, values / scale) for name, values in _numbers(estimates).items()),
            pl.Series("behind", gap.mean / scale),
            pl.Series("behind_error", gap.standard_error / scale),
            pl.Series("best", np.arange(len(self.points)) == best),
            pl.Series("undecided", gap.low <= 0),
        )

    def _row(self, table: str, where: Mapping[str, Any]) -> int:
        fits = [i for i, m in enumerate(self.rows) if m.table == table and where.items() <= m.keys.items()]
        if len(fits) != 1:
            raise InvalidInput(f"table {table!r}, {dict(where)}: {len(fits)} rows of it were kept, must be 1")
        return fits[0]


def _numbers(estimates: Estimates) -> dict[str, NDArray[np.float64]]:
    return {name: getattr(estimates, name) for name in ("mean", "standard_error", "low", "high")}


def play_grid(
    points: Mapping[tuple[Any, ...], RunFields],
    keys: Sequence[str],
    tables: Iterable[str] = ("payoff_by_seat",),
    *,
    where: Mapping[str, Any] | None = None,
    n_threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> PairedGrid:
    """Play runs that share their deals, and keep of each only some rows of its summary, by batch.

    Parameters
    ----------
    points : mapping of tuple to dict
        Values of `keys`, and the fields of the run (see `RunConfig.create`) that they stand for.
    keys : sequence of str
        Names of the values.
    tables : iterable of str
        Summary tables to keep.
    where : mapping, optional
        Keep only rows with these keys, such as ``{"seat": 0}``.
    n_threads : int, optional
        As in `simulate`.
    progress : callable, optional
        Called with (points done, all points).

    Raises
    ------
    InvalidInput
        If the runs do not share their deals, or there is no such table or row.
    """
    configs = {point: RunConfig.create(**fields) for point, fields in points.items()}
    first = next(iter(configs.values()), None)
    if first is None:
        raise InvalidInput("points: must be at least one")
    _check_shared(first, configs.values())
    measures = first.game.measures(first.seats)
    wanted = set(tables)
    for table in wanted:
        check_choice("table", table, tuple(dict.fromkeys(m.table for m in measures)))
    rows = tuple(m for m in measures if m.table in wanted and (where or {}).items() <= m.keys.items())
    if not rows:
        raise InvalidInput(f"where = {dict(where or {})}: no row of {sorted(wanted)} has these keys")
    kept: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for config in configs.values():
        run = simulate(config, n_threads=n_threads)
        kept.append((_columns(run, [m.total for m in rows]), _columns(run, [m.per for m in rows])))
        if progress is not None:
            progress(len(kept), len(configs))
    return PairedGrid(
        keys=tuple(keys),
        points=tuple(configs),
        rows=rows,
        totals=np.stack([totals for totals, _ in kept]),
        counts=np.stack([counts for _, counts in kept]),
        batch_units=run.batch_units,
        chips_per_ante=run.chips_per_ante,
    )


def _check_shared(first: RunConfig, configs: Iterable[RunConfig]) -> None:
    for config in configs:
        for field in _SHARED:
            if getattr(config, field) != getattr(first, field):
                raise InvalidInput(
                    f"{field} = {getattr(first, field)} and {getattr(config, field)}: must be the same at every point"
                )


def _columns(run: RunResult, names: Sequence[str]) -> NDArray[np.int64]:
    """Totals of some columns, shape (G, R)."""
    return np.stack([run.totals[name].to_numpy() for name in names], axis=1)


def gain_of(
    hero: Any,
    instead: Any,
    field: Sequence[Any] | str,
    table: str = "payoff_by_seat",
    *,
    players: int = 4,
    **fields: Any,
) -> Tables:
    """What seat 0 gains by playing `hero` rather than `instead` against the same others, on the same deals.

    Parameters
    ----------
    hero, instead : policy or str
        Of seat 0.
    field : sequence or str
        Policies of the other seats, in turn.
    table : str
        Summary table of the payoffs that are compared.
    players : int
        Number of seats.
    **fields
        Other fields of both runs (see `RunConfig.create`).

    Returns
    -------
    dict of str to polars.DataFrame
        ``"gain"``: the rows of seat 0, as `contrast` gives them, ready for `stack_tables`.
    """
    others = [field] if isinstance(field, str) else list(field)
    seats = [others[i % len(others)] for i in range(players - 1)]
    runs = [simulate(players=players, seats=[policy, *seats], **fields) for policy in (hero, instead)]
    return {"gain": contrast(runs[0], runs[1], table).filter(pl.col("seat") == 0)}
