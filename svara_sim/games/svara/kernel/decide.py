"""How a seat decides: from its tables, or by calling its functions.

Answers are chips: to a betting decision `FOLD`, `CALL` (open at the opening price, if nobody has opened) or the
level to raise to; to a blind decision 0 or the blind's amount; to a svara 0 or 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import high_word
from ....core.jit import inlined
from ....core.rng import mix64, word_at
from ...decisions import NOT_WHOLE
from .state import MAX_SEATS, MOST_RAISES

__all__ = [
    "ALWAYS_CALL",
    "ALWAYS_FOLD",
    "ALWAYS_RAISE",
    "ALWAYS_SHIFT",
    "CALL",
    "CUT_ONE",
    "FOLD",
    "POT_OVERFLOW",
    "PRICE_ONE",
    "SIZE_ANY",
    "SIZE_ONE",
    "find_rows",
    "report_illegal",
    "situation",
    "table_bet",
    "table_blind",
    "table_join",
]

FOLD, CALL = -1, 0

PRICE_ONE = 65536  # a price of 1: always worth paying
SIZE_ONE = 256  # a raise by the pot
SIZE_ANY = 0xFFFFFFFF  # any legal size, uniformly
_PRICE_SCALE = 1.0 / PRICE_ONE
CUT_ONE = 1 << 31  # draws of tables have 31 bits, so that this cut is "always"
ALWAYS_FOLD, ALWAYS_CALL, ALWAYS_RAISE = 1, 2, 3
ALWAYS_SHIFT = np.uint32(24)  # where in the price of a round's first row it stands what all rows of the round say
_CHANCE = np.uint32(CUT_ONE - 1)
_S33 = np.uint64(33)

# Columns of a betting table after the first; see `table_bet`.
_CALL, _PRICE, _SIZE = np.uint64(1), np.uint64(2), np.uint64(3)

BLIND_DECISION, BET_DECISION, JOIN_DECISION = 1, 2, 3
POT_OVERFLOW = 4


@inlined
def report_illegal(table: Any, work: Any, spot: Any, seat: Any, kind: Any, answer: Any, low: Any, high: Any) -> None:
    """Count an illegal answer; unless the table is lenient, the first one is also kept in `work.status`.

    One that is no answer at all, because the function has failed, is kept in any case.

    `status` holds the kind of decision (0: all is well), deal, seat, answer, lowest and highest legal answer.
    """
    work.clamped[seat] += 1
    status = work.status
    if (table.lenient == 0 or answer <= NOT_WHOLE) and status[0] == 0:
        status[0] = kind
        status[1] = spot.deal
        status[2] = seat
        status[3] = answer
        status[4] = low
        status[5] = high


@inlined
def find_rows(table: Any, rows: Any, work: Any, dealer: Any, seat: Any, in_svara: Any, points: Any) -> None:
    """Note where a seat finds its rows in a round in which it holds these points, and whether they all say the same.

    With most hands a policy's answer does not depend on what the others do. It is read here, long before it is wanted,
    so that a processor that guesses it wrong finds out at once.
    """
    base = table.offset[dealer, seat] + in_svara * table.svara_stride[seat] + points * table.points_stride[seat]
    work.base_row[seat] = base
    work.always[seat] = rows[np.uint64(base) + _PRICE] >> ALWAYS_SHIFT


@inlined
def situation(stage: Any, can_raise: Any, raises: Any) -> Any:
    """Index of what a table sees of the betting, in `SITUATION_SHAPE`, with nobody in: add the players still in."""
    return ((stage * 2 + can_raise) * (MOST_RAISES + 1) + min(raises, MOST_RAISES)) * (MAX_SEATS + 1)


@inlined
def table_bet(table: Any, rows: Any, work: Any, n_in: Any, pot: Any, bets: Any, seat: Any, base: Any, lap: Any) -> Any:
    """A betting decision from a table: (stays, raises, level it brings its bet to if it stays).

    A row of a betting table (uint32): raise if the draw is below column 0, else call if below column 1, but never
    for more than the price in column 2 (share of the pot, in 65536ths); column 3 is the size of a raise. Most rows
    leave nothing to chance: then the draw is not made, and the branch need not wait for it.
    """
    always = work.always[seat]
    if always != 0:
        raises = (always == ALWAYS_RAISE) & (bets.low != 0)
        return always != ALWAYS_FOLD, raises, bets.low if raises else bets.price
    at = np.uint64(work.base_row[seat] + np.int64(table.situation[seat, np.uint64(bets.case + n_in)]))
    raise_cut, call_cut = rows[at], rows[at + _CALL]
    stays, raises = call_cut != 0, raise_cut == CUT_ONE
    if (raise_cut | call_cut) & _CHANCE != 0:
        draw = np.uint32(word_at(base, seat, lap) >> _S33)
        stays, raises = draw < call_cut, draw < raise_cut
    price = rows[at + _PRICE]
    if price < PRICE_ONE:
        owed = bets.price - work.bet[seat]
        stays &= np.float64(owed) <= np.float64(price) * _PRICE_SCALE * np.float64(pot + owed)
    raises &= stays & (bets.low != 0)
    low = bets.low
    size = rows[at + _SIZE]
    if size != 0:
        low = _sized_raise(table, work, pot, bets, seat, base, lap, size)
    return stays, raises, low if raises else bets.price


@inlined
def _sized_raise(table: Any, work: Any, pot: Any, bets: Any, seat: Any, base: Any, lap: Any, size: Any) -> Any:
    """The level that a raise of a size other than the least goes to, if one is legal."""
    if size == SIZE_ANY:
        bits = mix64(word_at(base, seat, lap))
        return bets.low + np.int64(high_word(bits, np.uint64(table.bet_limit - bets.low + 1)))
    lift = _raise_lift(size, pot + bets.level - work.bet[seat])
    return min(table.bet_limit, max(bets.low, bets.level + lift))


@inlined
def _raise_lift(size: Any, pot_after_call: Any) -> Any:
    """The lift of a raise by `size` / SIZE_ONE of the pot as it is after a call."""
    # size * pot_after_call // SIZE_ONE, but for the largest sizes and pots that product would not fit
    whole, rest = pot_after_call // SIZE_ONE, pot_after_call % SIZE_ONE
    return np.int64(size) * whole + np.int64(size) * rest // SIZE_ONE


@inlined
def table_blind(table: Any, seat: Any, in_svara: Any, blinds: Any, bits: Any) -> Any:
    """Whether a seat bets blind."""
    return np.uint32(bits >> _S33) < table.blind_cut[seat, in_svara, min(blinds, MAX_SEATS - 1)]


@inlined
def table_join(table: Any, seat: Any, tied: Any, bits: Any, pot: Any, fee: Any) -> Any:
    """Whether a seat joins a svara of `tied` seats for `fee`."""
    price = np.float64(table.join_price[seat]) * _PRICE_SCALE
    willing = np.uint32(bits >> _S33) < table.join_cut[seat, tied]
    return willing and np.float64(fee) <= price * np.float64(pot + fee)
