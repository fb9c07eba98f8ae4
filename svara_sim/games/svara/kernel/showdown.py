"""The showdown, and who joins a svara (rule page, section 3, steps 5 and 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import to_int
from ....core.jit import inlined
from ....core.rng import uniform, word
from . import log as events
from .deal import cards_of
from .decide import JOIN_DECISION, report_illegal, table_join
from .log import note
from .seats import all_seats, count_seats, has_seat, next_seat, position_of, seat_bit
from .state import ASK_JOIN, JOIN, Players, View, call_policy

_ONE = np.uint64(1)

__all__ = ["best_hands", "join_svara", "split_pot"]


@inlined
def best_hands(work: Any, seats: Any, players: Any) -> Any:
    """(highest points, Players that hold them) among the players still in.

    The loops have no branches: who is still in is as good as random to the processor, and a wrong guess costs more than
    the work.
    """
    best = 0
    for seat in range(seats):
        is_in = np.int64((players.mask >> np.uint64(seat)) & _ONE)
        best = max(best, work.points[seat] & -is_in)
    mask = np.uint64(0)
    for seat in range(seats):
        mask |= np.uint64(work.points[seat] == best) << np.uint64(seat)
    mask &= players.mask
    return best, Players(mask, count_seats(mask))


@inlined
def _ask_join(
    table: Any, work: Any, spot: Any, dealt: Any, players: Any, pot: Any, seat: Any, fee: Any, bits: Any
) -> Any:
    """Whether a seat's own function joins."""
    a, b, c, points = -1, -1, -1, 0
    if has_seat(dealt.mask, seat):
        a, b, c = cards_of(work.hands[seat])
        points = work.points[seat]
    position = position_of(seat, spot)
    view = View(
        a, b, c, points, seat, spot.dealer, position, spot.seats, players.number, to_int(players.mask),
        pot, 0, 0, fee, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, spot.round_, spot.tied, table.ante, uniform(bits),
    )  # fmt: skip
    answer = np.int64(call_policy(table.functions[ASK_JOIN, seat], view))
    if answer != 0 and answer != 1:
        report_illegal(table, work, spot, seat, JOIN_DECISION, answer, 0, 1)
    return answer > 0


@inlined
def join_svara(table: Any, work: Any, log: Any, spot: Any, dealt: Any, tied: Any, pot: Any, fee: Any) -> Any:
    """Ask every seat that is not among the `tied` Players, in table order, whether it pays the fee to join.

    A seat that is not among the `dealt` Players had no cards in the round that ended in the tie.

    Returns
    -------
    tuple
        (Players of the svara, pot)
    """
    players = tied
    others = all_seats(spot.seats) ^ tied.mask
    seat = spot.dealer
    for _ in range(spot.seats - tied.number):
        seat = next_seat(others, seat)
        bits = word(table.keys[JOIN], spot.deal, spot.round_, seat, 0)
        if table.is_function[ASK_JOIN, seat] == 1:
            joins = _ask_join(table, work, spot, dealt, players, pot, seat, fee, bits)
        else:
            joins = table_join(table, seat, tied.number, bits, pot, fee)
        if joins:
            if work.paid_before_join[seat] < 0:
                work.paid_before_join[seat] = work.paid[seat]
            players = Players(players.mask | seat_bit(seat), players.number + 1)
            work.paid[seat] += fee
            pot += fee
        if log is not None:
            note(log, events.JOIN if joins else events.STAY_OUT, seat, fee, 0)
    return players, pot


@inlined
def split_pot(work: Any, log: Any, spot: Any, tied: Any, pot: Any, ending: Any) -> None:
    """Share the pot among the `tied` Players, odd chips to the earliest in table order."""
    share = pot // tied.number
    odd = pot - share * tied.number
    seat = spot.dealer
    for _ in range(tied.number):
        seat = next_seat(tied.mask, seat)
        chips = share + 1 if odd > 0 else share
        odd -= 1
        work.payoff[seat] += chips
        if log is not None:
            note(log, events.WIN, seat, chips, ending)
