"""Blocks of deals: what a thread plays without coming back to Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core.jit import inlined, kernel
from .scalar import BY_SPLIT, payoff_of, play_deal
from .totals import add_deal

__all__ = ["Records", "play_block", "replay_unit"]


class Records(NamedTuple):
    """Arrays of one block's records, each (D,), but `points` and `payoff`, which are (S, D)."""

    dealer: Any
    blinds: Any
    last_blind: Any
    raises: Any
    level: Any
    pot: Any
    ending: Any
    winner: Any
    shown: Any
    best: Any
    svara_rounds: Any
    tied: Any
    joiners: Any
    join_gain: Any
    points: Any
    payoff: Any


@inlined
def _record(table: Any, records: Any, i: Any, work: Any, result: Any, seats: Any, dealer: Any) -> None:
    """Write one deal into row i of the records."""
    i = np.uint64(i)  # as with & 15 below: the compiler need not see to negative places
    records.dealer[i] = dealer
    records.blinds[i] = result.blinds
    records.last_blind[i] = result.last_blind
    records.raises[i] = result.raises
    records.level[i] = result.level
    records.pot[i] = result.pot
    records.ending[i] = result.ending
    records.winner[i] = result.winner
    records.shown[i] = result.shown
    records.best[i] = result.best
    records.svara_rounds[i] = result.rounds - 1
    records.tied[i] = result.tied
    records.joiners[i] = result.joiners
    for seat in range(seats):
        seat = seat & 15
        records.points[seat, i] = work.points[seat]
        records.payoff[seat, i] = payoff_of(table, work, result, seat)
    gain = 0
    if result.tied > 0:
        for seat in range(seats):
            if work.paid_before_join[seat] >= 0:
                gain += work.payoff[seat] + work.paid_before_join[seat]
    records.join_gain[i] = gain


@inlined
def _next_dealer(table: Any, result: Any, seats: Any, dealer: Any) -> Any:
    """Who deals next in a session (rule page, section 3, step 7)."""
    if table.winner_deals == 1 and result.ending != BY_SPLIT:
        return result.winner
    return (dealer + 1) % seats


@kernel
def play_block(
    table: Any,
    rows: Any,
    seats: Any,
    heads_up: Any,
    first_unit: Any,
    n_units: Any,
    session_deals: Any,
    batch_units: Any,
    totals: Any,
    records: Any,
    work: Any,
) -> None:
    """Play units and add them up.

    Parameters
    ----------
    table : record of TABLE
        Rules, policies and random keys.
    rows : uint32 (E * ROW,)
        Betting tables of all seats.
    seats : int
        S.
    heads_up : int or None
        2 at a table of two, else None. It gives Numba a kernel of its own for two seats, with their number known, so
        that no loop over seats is left: a fifth faster. Each other number of seats would gain a tenth at most, too
        little for as many compilations.
    first_unit, n_units, session_deals, batch_units : int
        Which units; deals in each; units in a batch.
    totals : int64 (G, n_columns(S))
        Row 0 is the batch of the first unit; added to.
    records : Records or None
        Where to write each deal, D = n_units * session_deals.
    work : record of WORK
        Fresh working memory. Afterwards `clamped` counts the illegal actions of each seat, and `status` says what
        stopped the block (all 0 if nothing did), see `decide.report_illegal`.
    """
    batch = 0
    if heads_up is not None:
        seats = 2
    i, unit = 0, first_unit
    for batch in range(totals.shape[0]):
        row = totals[batch]
        batch_end = min((unit // batch_units + 1) * batch_units, first_unit + n_units)
        deals_left = session_deals  # of the unit
        first_dealer = unit % seats
        dealer = first_dealer
        # Not units around deals: what a loop sets up anew would cost as much as a tenth of a deal for two seats.
        while unit < batch_end:
            result = play_deal(table, rows, work, None, first_unit * session_deals + i, seats, dealer)
            add_deal(table, row, work, result, seats, dealer)
            if records is not None:
                _record(table, records, i, work, result, seats, dealer)
            i += 1
            deals_left -= 1
            if deals_left > 0:
                dealer = _next_dealer(table, result, seats, dealer)
                continue
            if work.status[0] != 0:
                return
            unit += 1
            deals_left = session_deals
            first_dealer = first_dealer + 1 if first_dealer + 1 < seats else 0
            dealer = first_dealer


@kernel
def replay_unit(table: Any, rows: Any, work: Any, log: Any, seats: Any, deal: Any, dealer: Any) -> Any:
    """Play one deal with its events noted and every `work.payoff` set; returns the next dealer of its session."""
    result = play_deal(table, rows, work, log, deal, seats, dealer)
    for seat in range(seats):
        work.payoff[seat] = payoff_of(table, work, result, seat)
    return _next_dealer(table, result, seats, dealer)
