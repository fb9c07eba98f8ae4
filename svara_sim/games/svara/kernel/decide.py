"""How a seat decides: from its tables, or by calling its functions.

Answers are chips: to a betting decision `FOLD`, `CALL` (open at the opening price, if nobody has opened) or the
level to raise to; to a blind decision 0 or the blind's amount; to a svara 0 or 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import high_word
from ....core.jit import inlined
from ....core.rng import mix64
from .state import CAN_RAISE, MAX_SEATS, PLAYERS, POINTS, RAISES, STAGE, SVARA

__all__ = [
    "CALL",
    "FOLD",
    "MOST_RAISES",
    "POT_OVERFLOW",
    "PRICE_ONE",
    "SIZE_ANY",
    "SIZE_ONE",
    "report_illegal",
    "table_base",
    "table_bet",
    "table_blind",
    "table_join",
]

FOLD, CALL = -1, 0

MOST_RAISES = 4  # a table tells 0, 1, 2, 3, and 4 or more raises apart

PRICE_ONE = 65536  # a price of 1: always worth paying
SIZE_ONE = 256  # a raise by the pot
SIZE_ANY = 0xFFFFFFFF  # any legal size, uniformly
_PRICE_SCALE = 1.0 / PRICE_ONE
_S33 = np.uint64(33)  # draws of tables have 31 bits, so that a cut of 2**31 is "always"

BLIND_DECISION, BET_DECISION, JOIN_DECISION = 1, 2, 3
POT_OVERFLOW = 4


@inlined
def report_illegal(table: Any, work: Any, spot: Any, seat: Any, kind: Any, answer: Any, low: Any, high: Any) -> None:
    """Count an illegal answer; unless the table is lenient, the first one is also kept in `work.status`.

    `status` holds the kind of decision (0: all is well), deal, seat, answer, lowest and highest legal answer.
    """
    work.clamped[seat] += 1
    status = work.status
    if table.lenient == 0 and status[0] == 0:
        status[0] = kind
        status[1] = spot.deal
        status[2] = seat
        status[3] = answer
        status[4] = low
        status[5] = high


@inlined
def table_base(table: Any, dealer: Any, seat: Any, in_svara: Any, points: Any) -> Any:
    """The part of a seat's table row that stays the same for a round."""
    return table.offset[dealer, seat] + in_svara * table.stride[SVARA, seat] + points * table.stride[POINTS, seat]


@inlined
def table_bet(
    table: Any,
    rows: Any,
    work: Any,
    n_in: Any,
    pot: Any,
    chain: Any,
    bets: Any,
    seat: Any,
    turn: Any,
    bits: Any,
) -> Any:
    """A betting decision from a table.

    A row of a betting table (uint32): raise if the draw is below column 0, else call if below column 1, but never
    for more than the price in column 2 (share of the pot, in 65536ths); column 3 is the size of a raise.
    """
    can_raise = 1 if turn.low > 0 else 0
    stage = 2 if bets.opened == 1 else (1 if chain.last > 0 else 0)
    row = np.uint64(
        work.base_row[seat]
        + stage * table.stride[STAGE, seat]
        + can_raise * table.stride[CAN_RAISE, seat]
        + min(turn.raises, MOST_RAISES) * table.stride[RAISES, seat]
        + n_in * table.stride[PLAYERS, seat]
    )
    draw = np.uint32(bits >> _S33)
    if draw >= rows[row, 1]:
        return FOLD
    price = rows[row, 2]
    if price < PRICE_ONE and np.float64(turn.owed) > np.float64(price) * _PRICE_SCALE * np.float64(pot + turn.owed):
        return FOLD
    if draw >= rows[row, 0] or can_raise == 0:
        return CALL
    return _raise_level(rows[row, 3], bits, pot + bets.level - work.bet[seat], bets.level, turn)


@inlined
def _raise_level(size: Any, bits: Any, pot_after_call: Any, level: Any, turn: Any) -> Any:
    """The level of a raise by `size` / SIZE_ONE of the pot as it is after a call, within the legal range."""
    if size == np.uint32(SIZE_ANY):
        return turn.low + np.int64(high_word(mix64(bits), np.uint64(turn.high - turn.low + 1)))
    # size * pot_after_call // SIZE_ONE, but for the largest sizes and pots that product would not fit
    whole, rest = pot_after_call // SIZE_ONE, pot_after_call % SIZE_ONE
    lift = np.int64(size) * whole + np.int64(size) * rest // SIZE_ONE
    return min(turn.high, max(turn.low, level + lift))


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
