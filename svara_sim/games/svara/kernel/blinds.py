"""The blind chain (rule page, section 3, step 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import high_word, to_int
from ....core.jit import inlined, outlined
from ....core.rng import mix64, uniform, word
from . import log as events
from .decide import BLIND_DECISION, report_illegal, table_blind
from .log import note
from .seats import next_seat, position_of, seat_bit
from .state import ASK_BLIND, BLIND, Chain, View, call_policy

__all__ = ["blind_chain"]


@inlined
def _is_legal(table: Any, last: Any, amount: Any) -> Any:
    """Whether a blind of `amount` may follow a blind of `last` (0: none yet)."""
    if amount <= 0 or 2 * amount > table.bet_limit:
        return False
    if last == 0:
        return amount == table.blind_size
    for i in range(table.n_factors):
        if amount == last * table.blind_factors[i]:
            return True
    return False


@inlined
def _smallest_blind(table: Any, last: Any) -> Any:
    """The smallest legal blind after `last` (0: none yet), or 0. The factors are in ascending order."""
    amount = table.blind_size if last == 0 else last * table.blind_factors[0]
    return amount if 2 * amount <= table.bet_limit else 0


@outlined
def _other_blind(table: Any, last: Any, choice: Any, bits: Any) -> Any:
    """The largest legal blind after a blind of `last` (choice 1), or any (2); one is legal."""
    count = 0
    while count < table.n_factors and 2 * last * table.blind_factors[count] <= table.bet_limit:
        count += 1
    at = count - 1 if choice == 1 else np.int64(high_word(mix64(bits), np.uint64(count)))
    return last * table.blind_factors[at]


@inlined
def _ask_blind(
    table: Any,
    work: Any,
    spot: Any,
    players: Any,
    pot: Any,
    chain: Any,
    seat: Any,
    smallest: Any,
    bits: Any,
) -> Any:
    """The blind that a seat's own function bets, 0 for none."""
    position = position_of(seat, spot)
    view = View(
        -1, -1, -1, 0, seat, spot.dealer, position, spot.seats, players.number, to_int(players.mask),
        pot, chain.last, 0, smallest, 0, 0, 0, 0, 0, -1, chain.last, chain.number, to_int(chain.mask), smallest,
        spot.round_, spot.tied, table.ante, uniform(bits),
    )  # fmt: skip
    answer = np.int64(call_policy(table.functions[ASK_BLIND, seat], view))
    if answer == 0 or _is_legal(table, chain.last, answer):
        return answer
    report_illegal(table, work, spot, seat, BLIND_DECISION, answer, smallest, 0)
    return smallest if answer > 0 else 0


@inlined
def blind_chain(table: Any, work: Any, log: Any, spot: Any, players: Any, pot: Any) -> Any:
    """Offer blinds in table order until a seat declines, all have bet, or no blind is legal.

    Returns
    -------
    tuple
        (Chain, pot)
    """
    chain = Chain(0, -1, 0, np.uint64(0))
    if table.blind_size == 0:
        return chain, pot
    in_svara = 1 if spot.round_ > 0 else 0
    seat = spot.dealer
    for _ in range(players.number):
        seat = next_seat(players.mask, seat)
        bits = word(table.keys[BLIND], spot.deal, spot.round_, seat, 0)
        smallest = _smallest_blind(table, chain.last)
        if smallest == 0:
            break
        if table.is_function[ASK_BLIND, seat] == 1:
            amount = _ask_blind(table, work, spot, players, pot, chain, seat, smallest, bits)
        elif table_blind(table, seat, in_svara, chain.number, bits):
            choice = table.blind_choice[seat]
            amount = smallest if choice == 0 or chain.last == 0 else _other_blind(table, chain.last, choice, bits)
        else:
            amount = 0
        if amount == 0:
            if log is not None:
                note(log, events.NO_BLIND, seat, 0, 0)
            break
        if log is not None:
            note(log, events.BLIND, seat, amount, 0)
        chain = Chain(amount, seat, chain.number + 1, chain.mask | seat_bit(seat))
        work.bet[seat] = amount
        pot += amount
    return chain, pot
