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

from ...games.protocol import Game, Measure, Policy
from ...stats.estimates import Estimates, estimate_ratios

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
    names : tuple of str
        What `values` are: the payoff with its error and interval, then each frequency with its error.
    places : numpy.ndarray
        Shape (seats, frequencies): which measure after the payoffs is a seat's frequency.
    """

    measures: tuple[Measure, ...]
    totals: NDArray[np.intp]
    pers: NDArray[np.intp]
    columns: NDArray[np.intp]
    n_seats: int
    names: tuple[str, ...]
    places: NDArray[np.intp]

    def payoff_errors(
        self, kept: NDArray[np.int64], batch_units: NDArray[np.int64], chips_per_ante: float
    ) -> NDArray[np.float64]:
        """Standard error of each seat's payoff in antes, shape (seats,)."""
        found = self._estimate(kept, batch_units, slice(0, self.n_seats))
        return found.standard_error / self.scale(chips_per_ante)

    def values(
        self, kept: NDArray[np.int64], batch_units: NDArray[np.int64], chips_per_ante: float
    ) -> NDArray[np.float64]:
        """Estimates of each seat, shape (seats, names); NaN where nothing was observed."""
        found = self._estimate(kept, batch_units, slice(None))
        n = self.n_seats
        payoffs = np.array([found.mean[:n], found.standard_error[:n], found.low[:n], found.high[:n]])
        both = np.array([found.mean[n:], found.standard_error[n:]])
        shares = both[:, self.places].transpose(1, 2, 0).reshape(n, -1)
        return np.hstack([payoffs.T / self.scale(chips_per_ante), shares])

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
    totals = list(dict.fromkeys(n for m in measures for n in (m.total, m.per)))
    at = {name: i for i, name in enumerate(totals)}
    names_of, places = _frequencies(measures[n_seats:], n_seats)
    return Selection(
        names=(*_payoff_names(payoffs[0].unit), *names_of),
        places=places,
        measures=measures,
        totals=np.array([at[m.total] for m in measures]),
        pers=np.array([at[m.per] for m in measures]),
        columns=np.array([place[n] for n in totals]),
        n_seats=n_seats,
    )


def _payoff_names(unit: str) -> list[str]:
    unit = "antes" if unit == "chips" else unit
    return [f"payoff_{unit}", f"payoff_se_{unit}", f"payoff_low_{unit}", f"payoff_high_{unit}"]


def _frequencies(measures: Sequence[Measure], n_seats: int) -> tuple[list[str], NDArray[np.intp]]:
    """Names of the frequencies (``svara``, ``ending_showdown``, ``joins``), each before its error, and their places.

    What happens to a deal is the same in the rows of all its seats; what a seat does has a measure for each.
    """
    places: dict[str, list[int]] = {}
    for i, measure in enumerate(measures):
        seat: Any = measure.keys.get("seat")
        if seat is None:
            places[measure.total.removesuffix("_deals")] = [i] * n_seats
        else:
            places.setdefault(measure.table, [0] * n_seats)[int(seat)] = i
    names = [column for name in places for column in (name, f"{name}_se")]
    found = np.array(list(places.values()), dtype=np.intp).reshape(-1, n_seats).T
    return names, found
