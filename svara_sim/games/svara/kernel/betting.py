"""One betting round (rule page, section 3, step 4)."""

from __future__ import annotations

from typing import Any

from ....core.bits import to_int
from ....core.jit import inlined
from ....core.rng import round_base, uniform, word_at
from . import log as events
from .deal import cards_of
from .decide import BET_DECISION, CALL, FOLD, report_illegal, situation, table_bet
from .log import note
from .seats import next_seat, position_of, seat_bit
from .state import ASK_BET, BET, Bets, Players, View, call_policy

__all__ = ["betting_round"]


@inlined
def _ask_bet(
    table: Any, work: Any, spot: Any, players: Any, pot: Any, chain: Any, bets: Any, seat: Any, bits: Any
) -> Any:
    """The answer of a seat's own function, set right if it is illegal; as `table_bet` gives it."""
    a, b, c = cards_of(work.hands[seat])
    position = position_of(seat, spot)
    raises = bets.raises if table.raises_by_seat == 0 else work.raised[seat]
    low = bets.low
    high = table.bet_limit if low > 0 else 0
    view = View(
        a, b, c, work.points[seat], seat, spot.dealer, position, spot.seats, players.number, to_int(players.mask),
        pot, bets.level, work.bet[seat], bets.price - work.bet[seat], low, high, bets.opened, raises,
        table.max_raises - raises, bets.last_raiser, chain.last, chain.number, to_int(chain.mask), 0,
        spot.round_, spot.tied, table.ante, uniform(bits),
    )  # fmt: skip
    answer = to_int(call_policy(table.functions[ASK_BET, seat], view))
    if answer != FOLD and answer != CALL and (low == 0 or answer < low or answer > high):
        report_illegal(table, work, spot, seat, BET_DECISION, answer, low, high)
        answer = FOLD if answer < FOLD else CALL if low == 0 else min(high, max(low, answer))
    return answer != FOLD, answer > CALL, answer if answer > CALL else bets.price


@inlined
def _unopened(table: Any, chain: Any) -> Any:
    """The bets of a round in which nobody has acted."""
    price = table.min_bet if chain.last == 0 else 2 * chain.last
    stage = 0 if chain.last == 0 else 1
    return Bets(chain.last, 0, 0, -1, price, price, situation(stage, 1, 0))


@inlined
def _raised(table: Any, bets: Any, seat: Any, level: Any) -> Any:
    """The bets after a seat opened or raised to `level`."""
    raises = bets.raises + bets.opened
    low = level + table.min_raise
    if low > table.bet_limit or (raises >= table.max_raises and table.raises_by_seat == 0):
        low = 0
    return Bets(level, 1, raises, seat, level, low, situation(2, 1 if low > 0 else 0, raises))


@inlined
def _for_seat(table: Any, bets: Any, raised: Any) -> Any:
    """The bets as they are for a seat with `raised` raises, where each seat has its own limit."""
    if bets.opened == 0:
        return bets
    low = bets.low if raised < table.max_raises else 0
    case = situation(2, 1 if low > 0 else 0, raised)
    return Bets(bets.level, 1, bets.raises, bets.last_raiser, bets.price, low, case)


@inlined
def _decide(
    table: Any,
    rows: Any,
    work: Any,
    spot: Any,
    players: Any,
    pot: Any,
    chain: Any,
    bets: Any,
    seat: Any,
    base: Any,
    lap: Any,
    seats_differ: Any,
) -> Any:
    """What a seat decides, as `table_bet` gives it."""
    if seats_differ is not None:
        if table.raises_by_seat == 1:
            bets = _for_seat(table, bets, work.raised[seat])
        if table.is_function[ASK_BET, seat] == 1:
            return _ask_bet(table, work, spot, players, pot, chain, bets, seat, word_at(base, seat, lap))
    return table_bet(table, rows, work, players.number, pot, bets, seat, base, lap)


@inlined
def betting_round(
    table: Any, rows: Any, work: Any, log: Any, spot: Any, players: Any, pot: Any, chain: Any, seats_differ: Any
) -> Any:
    """Play until every seat still in has matched the level, or one is left.

    The first turn is that of the seat after the last blind, or of the seat left of the dealer. A seat that is the
    only one left never gets a turn, which is how the last seat takes an unopened pot.

    `seats_differ` is None at a table of which all seats bet by tables and share one limit of raises
    (``table.alike``): then the code for anything else is left out.

    Returns
    -------
    tuple
        (Players still in, pot, Bets)
    """
    bets = _unopened(table, chain)
    base = round_base(table.keys[BET], spot.deal, spot.round_)
    to_act = players.number
    seat = spot.dealer if chain.seat < 0 else chain.seat
    lap = 0  # a seat acts at most once a lap, so (seat, lap) names a decision
    while to_act > 0 and players.number > 1:
        before = seat
        seat = next_seat(players.mask, seat)
        if seat <= before:
            lap += 1
        to_act -= 1
        stays, raises, level = _decide(
            table, rows, work, spot, players, pot, chain, bets, seat, base, lap, seats_differ
        )
        if not stays:
            players = Players(players.mask ^ seat_bit(seat), players.number - 1)
            if log is not None:
                note(log, events.FOLD, seat, 0, 0)
            continue
        chips = level - work.bet[seat]
        work.bet[seat] = level
        pot += chips
        if not raises and bets.opened == 1:
            if log is not None:
                note(log, events.CALL, seat, chips, 0)
            continue
        if log is not None:
            note(log, events.RAISE if bets.opened == 1 else events.BET, seat, chips, level)
        to_act = players.number - 1
        if seats_differ is not None:
            work.raised[seat] += bets.opened
        bets = _raised(table, bets, seat, level)
    return players, pot, bets
