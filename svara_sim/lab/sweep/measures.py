"""What a sweep keeps of a point: each seat's payoff, and how often this and that happened.

A game says what it measures (`Game.measures`). A sweep keeps, of those that are per deal: the first one by seat,
which is the payoff; the other proportions by seat; and all proportions of deals, such as svaras and endings.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ...analysis.estimates import Estimates, estimate_ratios
from ...games.protocol import Game, Measure, Policy

__all__ = ["Selection", "select"]

_DEALS = "deals"


@dataclass(frozen=True)
class Selection:
    """The measures that a sweep keeps, and where their totals stand.

    Parameters
    ----------
    measures : tuple of Measure
        Payoffs first, seat by seat.
    totals, pers : numpy.ndarray
        Shape (measures,): columns of numerators and denominators among `columns`.
    columns : numpy.ndarray
        Shape (kept,): which of the game's total columns are kept.
    n_seats : int
        How many payoffs there are.
    """

    measures: tuple[Measure, ...]
    totals: NDArray[np.intp]
    pers: NDArray[np.intp]
    columns: NDArray[np.intp]
    n_seats: int

    def payoff_errors(
        self, kept: NDArray[np.int64], batch_units: NDArray[np.int64], chips_per_ante: float
    ) -> NDArray[np.float64]:
        """Standard error of each seat's payoff in antes, shape (seats,)."""
        found = self._estimate(kept, batch_units, slice(0, self.n_seats))
        return found.standard_error / self.scale(chips_per_ante)

    def columns_of(
        self, kept: NDArray[np.int64], batch_units: NDArray[np.int64], chips_per_ante: float
    ) -> dict[str, list[float | None]]:
        """Estimates by column name, a value a seat."""
        found = self._estimate(kept, batch_units, slice(None))
        n, scale = self.n_seats, self.scale(chips_per_ante)
        suffix = "antes" if self.measures[0].unit == "chips" else self.measures[0].unit
        columns: dict[str, list[float | None]] = {}
        for name in ("mean", "standard_error", "low", "high"):
            column = f"payoff_{suffix}" if name == "mean" else f"payoff_{_SHORT[name]}_{suffix}"
            columns[column] = _floats(getattr(found, name)[:n] / scale)
        means, errors = _floats(found.mean), _floats(found.standard_error)
        for i, measure in enumerate(self.measures[n:], n):
            name, seat = _name(measure)
            for column, value in ((name, means[i]), (f"{name}_se", errors[i])):
                if seat is None:
                    columns[column] = [value] * n
                else:
                    columns.setdefault(column, [None] * n)[seat] = value
        return columns

    def payoff_totals(self, kept: NDArray[np.int64]) -> NDArray[np.int64]:
        """Payoff of each seat in each batch, shape (seats, batches)."""
        return np.ascontiguousarray(kept[:, self.totals[: self.n_seats]].T)

    def scale(self, chips_per_ante: float) -> float:
        """Chips (or points) of one of the unit in which payoffs are reported."""
        return chips_per_ante if self.measures[0].unit == "chips" else 1.0

    def _estimate(self, kept: NDArray[np.int64], batch_units: NDArray[np.int64], which: slice) -> Estimates:
        chosen = self.measures[which]
        return estimate_ratios(
            kept[:, self.totals[which]], kept[:, self.pers[which]], batch_units, kinds=[m.kind for m in chosen]
        )


_SHORT = {"standard_error": "se", "low": "low", "high": "high"}


def select(game: Game, seats: Sequence[Policy]) -> Selection:
    """What to keep of a game with these seats.

    Raises
    ------
    TypeError
        If the game measures no payoff by seat (a mistake in the game).
    """
    found: Selection = _select(cast(Hashable, game), len(seats), _Seats(seats))
    return found


class _Seats(tuple[Policy, ...]):
    """Seats that all compare equal: of them, measures take labels only, which a sweep does not keep there."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seats)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=32)
def _select(game: Any, n_seats: int, seats: _Seats) -> Selection:
    per_deal = [m for m in game.measures(seats) if m.per == _DEALS]
    by_seat = [m for m in per_deal if set(m.keys) == {"seat", "policy"}]
    if not by_seat:
        raise TypeError(f"{game.name} measures no payoff by seat")
    payoffs = [m for m in by_seat if m.table == by_seat[0].table]
    others = [m for m in by_seat if m.table != by_seat[0].table and m.kind == "proportion"]
    events = [m for m in per_deal if "seat" not in m.keys and m.kind == "proportion"]
    measures = (*payoffs, *events, *others)
    place = {column.name: i for i, column in enumerate(game.total_columns(n_seats))}
    names = list(dict.fromkeys(n for m in measures for n in (m.total, m.per)))
    at = {name: i for i, name in enumerate(names)}
    return Selection(
        measures=measures,
        totals=np.array([at[m.total] for m in measures]),
        pers=np.array([at[m.per] for m in measures]),
        columns=np.array([place[n] for n in names]),
        n_seats=n_seats,
    )


def _name(measure: Measure) -> tuple[str, int | None]:
    """Column of a frequency, and its seat if it has one: ``svara``, ``ending_showdown``, ``joins`` of seat 2."""
    seat: Any = measure.keys.get("seat")
    if seat is not None:
        return measure.table, int(seat)
    return measure.total.removesuffix("_deals"), None


def _floats(values: NDArray[np.float64]) -> list[float | None]:
    return [None if v != v else float(v) for v in values]
