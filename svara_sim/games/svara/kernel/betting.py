"""One betting round (rule page, section 3, step 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import to_int
from ....core.jit import inlined
from ....core.rng import round_base, uniform, word_at
from . import log as events
from .deal import cards_of
from .decide import BET_DECISION, CALL, FOLD, report_illegal, table_bet
from .log import note
from .seats import next_seat, seat_bit
from .state import ASK_BET, BET, Bets, Players, Turn, View, call_policy

__all__ = ["betting_round"]


@inlined
def _ask_bet(
    table: Any,
    work: Any,
    spot: Any,
    players: Any,
    pot: Any,
    chain: Any,
    bets: Any,
    seat: Any,
    turn: Any,
    bits: Any,
) -> Any:
    """The answer of a seat's own function, set right if it is illegal."""
    a, b, c = cards_of(work.hands[seat])
    position = (seat - spot.dealer - 1 + spot.seats) % spot.seats
    low, high = turn.low, turn.high
    view = View(
        a, b, c, work.points[seat], seat, spot.dealer, position, spot.seats, players.number, to_int(players.mask),
        pot, bets.level, work.bet[seat], turn.owed, low, high, bets.opened, turn.raises,
        table.max_raises - turn.raises, bets.last_raiser, chain.last, chain.number, to_int(chain.mask), 0,
        spot.round_, spot.tied, table.ante, uniform(bits),
    )  # fmt: skip
    answer = np.int64(call_policy(table.functions[ASK_BET, seat], view))
    if answer == FOLD or answer == CALL or (low > 0 and low <= answer <= high):
        return answer
    report_illegal(table, work, spot, seat, BET_DECISION, answer, low, high)
    if answer < FOLD:
        return FOLD
    return CALL if low == 0 else min(high, max(low, answer))


@inlined
def _legal_range(table: Any, work: Any, chain: Any, bets: Any, seat: Any) -> Any:
    """What a seat may do: what it owes, the levels it may raise (or open) to, and its raises so far."""
    raises = bets.raises if table.raises_by_seat == 0 else work.raised[seat]
    if bets.opened == 0:
        price = table.min_bet if chain.last == 0 else 2 * chain.last
        return Turn(price - work.bet[seat], price, table.bet_limit, raises)
    low = bets.level + table.min_raise
    if raises >= table.max_raises or low > table.bet_limit:
        return Turn(bets.level - work.bet[seat], 0, 0, raises)
    return Turn(bets.level - work.bet[seat], low, table.bet_limit, raises)


@inlined
def betting_round(table: Any, rows: Any, work: Any, log: Any, spot: Any, players: Any, pot: Any, chain: Any) -> Any:
    """Play until every seat still in has matched the level, or one is left.

    The first turn is that of the seat after the last blind, or of the seat left of the dealer. A seat that is the
    only one left never gets a turn, which is how the last seat takes an unopened pot.

    Returns
    -------
    tuple
        (Players still in, pot, Bets)
    """
    bets = Bets(chain.last, 0, 0, -1)
    to_act = players.number
    seat = spot.dealer if chain.seat < 0 else chain.seat
    base = round_base(table.keys[BET], spot.deal, spot.round_)
    lap = 0  # a seat acts at most once a lap, so (seat, lap) names a decision
    while to_act > 0 and players.number > 1:
        before = seat
        seat = next_seat(players.mask, seat)
        if seat <= before:
            lap += 1
        to_act -= 1
        turn = _legal_range(table, work, chain, bets, seat)
        if table.is_function[ASK_BET, seat] == 1:
            bits = word_at(base, seat, lap)
            answer = _ask_bet(table, work, spot, players, pot, chain, bets, seat, turn, bits)
        else:
            answer = table_bet(table, rows, work, players.number, pot, chain, bets, seat, turn, base, lap)
        if answer == FOLD:
            players = Players(players.mask ^ seat_bit(seat), players.number - 1)
            if log is not None:
                note(log, events.FOLD, seat, 0, 0)
            continue
        chips = turn.owed
        if answer == CALL and bets.opened == 1:
            if log is not None:
                note(log, events.CALL, seat, chips, 0)
        else:
            level = work.bet[seat] + chips if answer == CALL else answer
            chips = level - work.bet[seat]
            to_act = players.number - 1
            work.raised[seat] += bets.opened
            if log is not None:
                note(log, events.RAISE if bets.opened == 1 else events.BET, seat, chips, level)
            bets = Bets(level, 1, bets.raises + bets.opened, seat)
        work.bet[seat] += chips
        work.paid[seat] += chips
        pot += chips
    return players, pot, bets
