"""Adding deals up: one row of whole numbers for each batch of units.

A row starts with the columns named here; the blocks that depend on the number of seats S follow, each of S, S x S
or S x POINTS_RANGE columns. `svara_sim.games.svara.records` names them all for the floors above.
"""

from __future__ import annotations

from typing import Any

from ....core.jit import inlined
from .play import payoff_of

__all__ = ["POINTS_RANGE", "add_deal", "n_columns"]

POINTS_RANGE = 35  # points run from 7 to 34
MOST_ROUNDS = 9  # the last column of the svara depths counts this many rounds and more

DEALS = 0  # this column and the depth 0 are filled in when the totals leave the kernel's floor
ENDING = 1  # 5 columns, one an ending
DEPTH = 6  # deals with 0, 1, .. MOST_ROUNDS or more svara rounds
TIED = DEPTH + MOST_ROUNDS + 1  # deals whose first showdown tied 2, 3, .. 10 seats
CHAIN = TIED + 9  # deals with 0, 1, .. 10 blinds
SVARA_ROUNDS = CHAIN + 11
POT = SVARA_ROUNDS + 1
SVARA_DEALS = POT + 1
SVARA_FIRST_POT = SVARA_DEALS + 1  # pots when the first svara is called, and in the end, in deals with svara
SVARA_POT = SVARA_FIRST_POT + 1
JOINERS = SVARA_POT + 1  # seats that joined a first svara, of those that could
JOIN_OFFERS = JOINERS + 1
N_FIXED = JOIN_OFFERS + 1

# Blocks by seat, as multiples of S after N_FIXED: joins and what they brought; payoffs by (dealer, seat).
JOINS, JOIN_GAIN, N_BY_SEAT = 0, 1, 2


@inlined
def n_columns(seats: Any) -> Any:
    """Length of a row for S seats."""
    return N_FIXED + seats * (N_BY_SEAT + seats + 2 * POINTS_RANGE)


@inlined
def _add_svara(row: Any, work: Any, result: Any, seats: Any) -> None:
    """The columns that only deals with a svara touch."""
    svara_rounds = result.rounds - 1
    row[TIED + result.tied - 2] += 1
    row[DEPTH + min(svara_rounds, MOST_ROUNDS)] += 1
    row[SVARA_DEALS] += 1
    row[SVARA_ROUNDS] += svara_rounds
    row[SVARA_FIRST_POT] += result.first_pot
    row[SVARA_POT] += result.pot
    row[JOINERS] += result.joiners
    row[JOIN_OFFERS] += result.offers
    for seat in range(seats):
        before = work.paid_before_join[seat]
        if before >= 0:
            row[N_FIXED + JOINS * seats + seat] += 1
            row[N_FIXED + JOIN_GAIN * seats + seat] += work.payoff[seat] + before


@inlined
def add_deal(table: Any, row: Any, work: Any, result: Any, seats: Any, dealer: Any) -> None:
    """Add one deal to its batch.

    Parameters
    ----------
    table : record of TABLE
        The rules.
    row : int64 (n_columns(S),)
        Totals of the batch.
    work : record of WORK
        As `play_deal` left it.
    result : DealResult
        What happened.
    seats, dealer : int
        Number of seats, and which of them dealt.
    """
    row[ENDING + result.ending] += 1
    row[CHAIN + result.blinds] += 1
    row[POT] += result.pot
    if result.tied > 0:
        _add_svara(row, work, result, seats)
    # Masks that change nothing, but tell the compiler that no index below can be negative.
    seats, dealer = seats & 15, dealer & 15
    by_dealer = N_FIXED + (N_BY_SEAT + dealer) * seats
    by_points = N_FIXED + (N_BY_SEAT + seats) * seats
    for seat in range(seats):
        payoff = payoff_of(table, work, result, seat)
        row[by_dealer + seat] += payoff
        cell = by_points + 2 * (seat * POINTS_RANGE + (work.points[seat] & 63))
        row[cell] += payoff
        row[cell + 1] += 1
