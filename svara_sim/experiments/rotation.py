"""Players compared on the same deals with seats rotated: every player plays every seat of every deal.

A run of S seats is played S times on one seed, each time with the players moved on by a seat. What a player gets is
the mean over its seats, so that neither the cards nor the seats speak for anybody; and two tables that share the seed
differ only by what was changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ..core.errors import InvalidInput, check_choice
from ..games.protocol import Column, Measure
from .runner import Progress, RunResult, simulate
from .scenario import RunConfig, RunFields
from .summary import summarise

__all__ = ["Rotation", "contrast_rotated", "simulate_rotated"]


@dataclass(frozen=True)
class Rotation:
    """Runs of the same deals with the players in all seats.

    Parameters
    ----------
    runs : tuple of RunResult
        One for each rotation r, in which player i sits in seat (i + r) modulo the number of seats.
    labels : tuple of str
        Policy of each player.
    """

    runs: tuple[RunResult, ...]
    labels: tuple[str, ...]

    def by_player(self, table: str) -> pl.DataFrame:
        """Estimates of each player, over all its seats.

        Parameters
        ----------
        table : str
            A summary table with one row a seat, such as ``"points_by_seat"`` or ``"payoff_by_seat"``.

        Returns
        -------
        polars.DataFrame
            Columns ``player`` and ``policy``, then those of `svara_sim.experiments.summarise`.

        Raises
        ------
        InvalidInput
            If there is no such table, or its rows are not seats.
        """
        return _estimate(self, table, *_sums(self, table))


def simulate_rotated(progress: Progress | None = None, **fields: Unpack[RunFields]) -> Rotation:
    """Play the same deals once for each rotation of the players.

    Parameters
    ----------
    progress : callable, optional
        As in `simulate`, over all rotations.
    **fields
        Of `RunConfig.create`; ``seats`` are the players.
    """
    config = RunConfig.create(**fields)
    players = config.seats
    runs = []
    for r in range(config.players):
        moved = [players[(seat - r) % config.players] for seat in range(config.players)]
        part = None if progress is None else _Part(progress, r, config.players)
        runs.append(simulate(config.change(seats=moved), progress=part))
    return Rotation(tuple(runs), tuple(p.label for p in players))


def contrast_rotated(a: Rotation, b: Rotation, table: str) -> pl.DataFrame:
    """Estimates of `a` minus `b`, player by player, for rotations that share their deals.

    Parameters
    ----------
    a, b : Rotation
        Of one game with the same number of players, deals, sessions, and seed.
    table : str
        As in `Rotation.by_player`.

    Raises
    ------
    InvalidInput
        If they do not share their deals, or the table will not do.
    """
    first, second = a.runs[0].config, b.runs[0].config
    if first.game.name != second.game.name:
        raise InvalidInput(f"game = {first.game.name!r} and {second.game.name!r}: must be the same in both")
    for field in ("players", "seed", "n_deals", "session_deals"):
        if getattr(first, field) != getattr(second, field):
            told = f"{field} = {getattr(first, field)} and {getattr(second, field)}"
            raise InvalidInput(f"{told}: must be the same in both")
    (mine, counts, rows), (other, other_counts, _) = _sums(a, table), _sums(b, table)
    if not np.array_equal(counts, other_counts):
        raise InvalidInput(f"table {table!r}: its rows do not count the same deals in both")
    differences = [Measure(m.table, m.keys, m.total, m.per, m.unit) for m in rows]  # no longer proportions
    return _estimate(a, table, mine - other, counts, differences)


@dataclass(frozen=True)
class _Part:
    """Progress of one of several runs of the same size."""

    whole: Progress
    index: int
    number: int

    def __call__(self, done: int, total: int) -> None:
        self.whole(self.index * total + done, self.number * total)


def _sums(rotation: Rotation, table: str) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Measure]]:
    """Numerators and denominators of each player, summed over its seats, shapes (G, S); and a measure for each."""
    number = len(rotation.runs)
    numerators: NDArray[np.int64] = np.zeros((len(rotation.runs[0].batch_units), number), np.int64)
    denominators = np.zeros_like(numerators)
    rows: Sequence[Measure] = ()
    for r, run in enumerate(rotation.runs):
        measures = run.config.game.measures(run.config.seats)
        check_choice("table", table, tuple(dict.fromkeys(m.table for m in measures)))
        rows = [m for m in measures if m.table == table]
        if [m.keys.get("seat") for m in rows] != list(range(number)):
            raise InvalidInput(f"table {table!r}: must have one row for each seat, such as points_by_seat")
        for seat, measure in enumerate(rows):
            player = (seat - r) % number
            numerators[:, player] += run.totals[measure.total].to_numpy()
            denominators[:, player] += run.totals[measure.per].to_numpy()
    players = [
        Measure(table, {"player": i, "policy": label}, f"total_{i}", f"per_{i}", rows[0].unit, rows[0].kind)
        for i, label in enumerate(rotation.labels)
    ]
    return numerators, denominators, players


def _estimate(
    rotation: Rotation, table: str, numerators: Any, denominators: Any, measures: Sequence[Measure]
) -> pl.DataFrame:
    columns = [Column(m.total, "int64", m.unit, "") for m in measures]
    columns += [Column(m.per, "int64", "", "") for m in measures]
    run = rotation.runs[0]
    totals = np.concatenate([numerators, denominators], axis=1)
    return summarise(totals, run.batch_units, columns, measures, chips_per_ante=run.chips_per_ante)[table]
