"""The schemas of this game: per-deal records and totals, each column named, typed and explained once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..protocol import Column
from .kernel import totals as t
from .kernel.block import Records
from .kernel.scalar import ENDINGS
from .kernel.totals import POINTS_RANGE

__all__ = ["export_totals", "new_records", "record_columns", "records_as_columns", "total_columns"]


def _fixed_record_columns() -> tuple[Column, ...]:
    return (
        Column("dealer", "uint8", "seat", "Seat that dealt."),
        Column("blinds", "uint8", "bets", "Blind bets in the first round."),
        Column("last_blind_chips", "int32", "chips", "Last blind bet of the first round; 0 if there was none."),
        Column("raises", "uint16", "raises", "Raises in all betting rounds of the deal."),
        Column(
            "level_chips", "int32", "chips", "Level of the last betting round: what a seat had to bet to stay in it."
        ),
        Column("pot_chips", "int64", "chips", "Pot when the deal ended."),
        Column("ending", "uint8", "", "How the deal ended.", ENDINGS),
        Column("winner", "int8", "seat", "Seat that took the pot; -1 if it was split."),
        Column("shown", "uint8", "seats", "Seats in the last showdown; 0 if the pot was taken without one."),
        Column("best_points", "uint8", "points", "Highest points of the last showdown; 0 without one."),
        Column("svara_rounds", "uint16", "rounds", "Svara rounds played; 0 if nobody tied, or svara_limit is 0."),
        Column("svara_tied", "uint8", "seats", "Seats that tied in the first showdown; 0 if none did."),
        Column("svara_joiners", "uint8", "seats", "Seats that paid to join the first svara."),
        Column(
            "join_gain_chips",
            "int64",
            "chips",
            "What all seats that joined a svara took less what they paid from then on (fees and bets).",
        ),
    )


def record_columns(players: int) -> tuple[Column, ...]:
    """Schema of the per-deal records of a table, in order; the lab puts the deal's number before them."""
    return (
        *_fixed_record_columns(),
        *(
            Column(
                f"points_{s}",
                "uint8",
                "points",
                f"Points of seat {s} in the first round, whether it showed them or not.",
            )
            for s in range(players)
        ),
        *(
            Column(f"payoff_{s}_chips", "int64", "chips", f"What seat {s} took less all that it paid.")
            for s in range(players)
        ),
    )


_KERNEL_NAMES = (
    "dealer", "blinds", "last_blind", "raises", "level", "pot", "ending", "winner", "shown", "best",
    "svara_rounds", "tied", "joiners", "join_gain",
)  # fmt: skip


_LINE = 64  # bytes of a cache line


def _pitch(n_bytes: int) -> int:
    """Bytes from one column to the next: whole cache lines, an odd number of them.

    Columns a power of two apart would all want the same few places of the cache as the kernel writes one row.
    """
    return (-(-n_bytes // _LINE) | 1) * _LINE


def new_records(players: int, n_deals: int) -> Records:
    """Arrays for the kernel to write records into.

    All lie in one allocation: from a few megabytes on, the system backs it with large pages, and the first touch of
    them costs a fraction of what it does for many middle-sized arrays.
    """
    shapes = [(name, np.dtype(c.dtype), 1) for name, c in zip(_KERNEL_NAMES, _fixed_record_columns(), strict=True)]
    shapes += [("points", np.dtype(np.uint8), players), ("payoff", np.dtype(np.int64), players)]
    memory = np.empty(_LINE + sum(_pitch(n_deals * dtype.itemsize) * rows for _, dtype, rows in shapes), np.uint8)
    at = -memory.ctypes.data % _LINE
    arrays = {}
    for name, dtype, rows in shapes:
        pitch = _pitch(n_deals * dtype.itemsize)
        table = memory[at : at + pitch * rows].view(dtype).reshape(rows, -1)[:, :n_deals]
        arrays[name] = table if name in ("points", "payoff") else table[0]
        at += pitch * rows
    return Records(**arrays)


def records_as_columns(records: Records) -> dict[str, NDArray[Any]]:
    """The arrays of records under their column names, without copying."""
    columns = {
        column.name: getattr(records, kernel_name)
        for kernel_name, column in zip(_KERNEL_NAMES, _fixed_record_columns(), strict=True)
    }
    players = records.points.shape[0]
    columns |= {f"points_{s}": records.points[s] for s in range(players)}
    columns |= {f"payoff_{s}_chips": records.payoff[s] for s in range(players)}
    return columns


def _fixed_total_columns() -> list[Column]:
    def count(name: str, meaning: str) -> Column:
        return Column(name, "int64", "deals", meaning)

    def more(number: int, most: int) -> str:
        return f"{number} or more" if number == most else str(number)

    columns = [count("deals", "Deals played.")]
    columns += [count(f"ending_{e}", f"Deals that ended by {e!r}.") for e in ENDINGS]
    columns += [
        count(f"svara_rounds_{r}", f"Deals with {more(r, t.MOST_ROUNDS)} svara rounds.")
        for r in range(t.MOST_ROUNDS + 1)
    ]
    columns += [count(f"svara_tied_{k}", f"Deals whose first showdown tied {k} seats.") for k in range(2, 11)]
    columns += [count(f"blinds_{b}", f"Deals with {b} blind bets in the first round.") for b in range(11)]
    columns += [
        Column("svara_rounds", "int64", "rounds", "Svara rounds played."),
        Column("pot_chips", "int64", "chips", "Pots when the deals ended."),
        count("svara_deals", "Deals with a tie at the top of the first showdown."),
        Column("svara_first_pot_chips", "int64", "chips", "Pots when the first svara was called."),
        Column("svara_pot_chips", "int64", "chips", "Pots at the end of deals with a svara."),
        Column("svara_joiners", "int64", "seats", "Seats that joined first svaras."),
        Column("svara_join_offers", "int64", "seats", "Seats that could have joined first svaras."),
    ]
    return columns


def total_columns(players: int) -> tuple[Column, ...]:
    """Schema of the totals of a table, in order."""
    seats = range(players)
    return (
        *_fixed_total_columns(),
        *(Column(f"joins_{s}", "int64", "deals", f"Deals in which seat {s} joined a svara.") for s in seats),
        *(
            Column(f"join_gain_{s}_chips", "int64", "chips", f"What seat {s} gained after joining svaras.")
            for s in seats
        ),
        *(Column(f"payoff_{s}_chips", "int64", "chips", f"Payoffs of seat {s}.") for s in seats),
        *(
            Column(f"payoff_position_{p}_chips", "int64", "chips", f"Payoffs of the seat in position {p} (0 first).")
            for p in seats
        ),
        *(Column(f"points_{p}_seats", "int64", "seats", f"Seats with {p} points.") for p in range(POINTS_RANGE)),
        *(
            Column(f"points_{p}_payoff_chips", "int64", "chips", f"Payoffs of seats with {p} points.")
            for p in range(POINTS_RANGE)
        ),
        *(
            Column(f"points_{p}_deals_{s}", "int64", "deals", f"Deals in which seat {s} had {p} points.")
            for s in seats
            for p in range(POINTS_RANGE)
        ),
        *(
            Column(f"points_{p}_payoff_{s}_chips", "int64", "chips", f"Payoffs of seat {s} with {p} points.")
            for s in seats
            for p in range(POINTS_RANGE)
        ),
        *(
            Column(f"position_{p}_deals_{s}", "int64", "deals", f"Deals in which seat {s} was in position {p}.")
            for s in seats
            for p in seats
        ),
        *(
            Column(f"position_{p}_payoff_{s}_chips", "int64", "chips", f"Payoffs of seat {s} in position {p}.")
            for s in seats
            for p in seats
        ),
    )


def export_totals(raw: NDArray[np.int64], players: int) -> NDArray[np.int64]:
    """Totals in the order of `total_columns`, from the kernel's.

    Parameters
    ----------
    raw : numpy.ndarray
        Shape (G, kernel.totals.n_columns(S)), int64.
    players : int
        S.
    """
    n_batches = raw.shape[0]
    outcomes = raw[:, : t.DEPTH].reshape(n_batches, t.N_ENDINGS, t.N_CHAINS)
    deals = outcomes.sum(axis=(1, 2))
    depths = raw[:, t.DEPTH : t.TIED].copy()
    depths[:, 0] = deals - depths[:, 1:].sum(axis=1)
    by_seat = t.N_FIXED + t.DEALT * players  # where the columns by seat end that go out as they are
    start = t.N_FIXED + t.N_BY_SEAT * players
    dealt = raw[:, by_seat:start]
    by_dealer = raw[:, start : start + players**2].reshape(n_batches, players, players)  # batch, dealer, seat
    by_points = raw[:, start + players**2 :].reshape(n_batches, players, POINTS_RANGE, 2)
    payoffs, counts = by_points[..., 0], by_points[..., 1]
    dealers, seats = np.indices((players, players))
    position = (seats - dealers - 1) % players
    dealer_at = (seats.T - np.arange(players) - 1) % players  # shape (seat, position): who then dealt
    return np.concatenate(
        [
            deals[:, None],
            outcomes.sum(axis=2),
            depths,
            raw[:, t.TIED : t.SVARA_ROUNDS],
            outcomes.sum(axis=1),
            raw[:, t.SVARA_ROUNDS : by_seat],
            by_dealer.sum(axis=1),
            np.stack([by_dealer[:, position == p].sum(axis=1) for p in range(players)], axis=1),
            counts.sum(axis=1),
            payoffs.sum(axis=1),
            counts.reshape(n_batches, -1),
            payoffs.reshape(n_batches, -1),
            dealt[:, dealer_at].reshape(n_batches, -1),
            by_dealer[:, dealer_at, np.arange(players)[:, None]].reshape(n_batches, -1),
        ],
        axis=1,
    )
