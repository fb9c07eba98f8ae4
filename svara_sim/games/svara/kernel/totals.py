"""Adding deals up: one row of whole numbers for each batch of units.

A row starts with the columns named here; blocks that depend on the number of seats S follow. Every deal touches as few
of them as can be: margins (deals, endings, payoffs by seat) are summed up from the joint counts afterwards, by
`svara_sim.games.svara.schema`, which also names the columns for the floors above.
"""

from __future__ import annotations

from typing import Any

from ....core.jit import inlined
from .scalar import payoff_of

__all__ = ["POINTS_RANGE", "add_deal", "n_columns"]

POINTS_RANGE = 35  # points run from 7 to 34
MOST_ROUNDS = 9  # the last column of the svara depths counts this many rounds and more

N_ENDINGS, N_CHAINS = 5, 11
OUTCOME = 0  # deals by (ending, number of blinds)
DEPTH = OUTCOME + N_ENDINGS * N_CHAINS  # deals with 1, 2, .. MOST_ROUNDS or more svara rounds; the first is not used
TIED = DEPTH + MOST_ROUNDS + 1  # deals whose first showdown tied 2, 3, .. 10 seats
SVARA_ROUNDS = TIED + 9
POT = SVARA_ROUNDS + 1
SVARA_DEALS = POT + 1
SVARA_FIRST_POT = SVARA_DEALS + 1  # pots when the first svara is called, and in the end, in deals with svara
SVARA_POT = SVARA_FIRST_POT + 1
JOINERS = SVARA_POT + 1  # seats that joined a first svara, of those that could
JOIN_OFFERS = JOINERS + 1
N_FIXED = JOIN_OFFERS + 1

# Then, S columns each: deals in which a seat joined, what it gained from then on, and deals that it dealt.
JOINS, JOIN_GAIN, DEALT, N_BY_SEAT = 0, 1, 2, 3

# Then payoffs by (dealer, seat), and payoffs and deals by (seat, points, which of the two). Joint cells of all would
# be one addition less, but for nine seats they do not fit the first cache.


@inlined
def n_columns(seats: Any) -> Any:
    """Length of a row for S seats."""
    return N_FIXED + seats * (N_BY_SEAT + seats + POINTS_RANGE * 2)


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
    row[OUTCOME + result.ending * N_CHAINS + result.blinds] += 1
    row[POT] += result.pot
    if result.tied > 0:
        _add_svara(row, work, result, seats)
    # Masks that change nothing, but tell the compiler that no index below can be negative.
    seats, dealer = seats & 15, dealer & 15
    row[N_FIXED + DEALT * seats + dealer] += 1
    by_dealer = N_FIXED + (N_BY_SEAT + dealer) * seats
    by_points = N_FIXED + (N_BY_SEAT + seats) * seats
    for seat in range(seats):
        payoff = payoff_of(table, work, result, seat)
        row[by_dealer + seat] += payoff
        cell = by_points + 2 * (seat * POINTS_RANGE + (work.points[seat] & 63))
        row[cell] += payoff
        row[cell + 1] += 1
