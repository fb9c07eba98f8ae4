"""Blocks of deals: dealt, played, settled, recorded and added up."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....core.bits import count_bits
from ....core.jit import inlined, kernel
from .deal import deal_hands, find_opener
from .fewest import plays_left
from .hands import bomb_ranks, pack_levels
from .layout import (
    BOMB_RANKS,
    BOMBS_DEALT,
    BOMBS_LEFT,
    BONUS_POINTS,
    CARDS_LEFT,
    FEWEST_DEALT,
    HEAVENLY_STATE,
    N_PLAYS,
    N_PLIES,
    N_RECORD,
    N_ROUNDS,
    OPENER,
    PENALTY,
    PLAYED_BOMBS,
    REPLIED_BOMBS,
    SCORE,
    SHUT_OUT,
    TWO_LEFT,
    TWO_SEAT,
    WINNING_SEAT,
)
from .scalar import play_deal
from .settlement import penalty_of
from .slots import (
    BOMBS_PLAYED,
    BONUS,
    CLAMPED,
    FINISHED,
    HEAVENLY_PLAYED,
    KEY_CARDS,
    PLAYS,
    PLIES,
    REPLY_BOMBS,
    ROUNDS,
    STATUS,
    WINNER,
)
from .totals import add_deal
from .types import Scratch

__all__ = ["Given", "Room", "Span", "deal_cards", "play_block", "settle"]

_FOUR_THREES = np.uint64(1)
_TWO = np.uint64(1 << 12)


class Span(NamedTuple):
    """Deals `first` ... `first + n - 1`, added up in batches of `batch_units` (int64 each)."""

    first: int
    n: int
    batch_units: int


class Given(NamedTuple):
    """How a deal starts.

    Parameters
    ----------
    opener : int64
        Seat that leads, with the hands as they are in `Room.hands`; -1 to deal them.
    opening : bool
        Whether the first play is under the rules of the opening (2.3); only hand-made positions say no.
    script : numpy.ndarray
        Shape (any,), int16: the first moves, whoever's they are.
    """

    opener: int
    opening: bool
    script: NDArray[np.int16]


class Room(NamedTuple):
    """Working memory: hands (3,), uint64 levels; a record (N_RECORD,), int64; and scratch."""

    hands: NDArray[np.uint64]
    row: NDArray[np.int64]
    scratch: Scratch


@inlined
def _note_dealt(hands: Any, opener: Any, setup: Any, row: Any) -> None:
    """What a record says of the hands as dealt."""
    row[OPENER] = opener
    row[TWO_SEAT] = 0
    for seat in range(3):
        hand = hands[seat]
        bombs = bomb_ranks(hand)
        row[BOMB_RANKS + seat] = np.int64(bombs)
        row[BOMBS_DEALT + seat] = count_bits(bombs)
        row[FEWEST_DEALT + seat] = plays_left(hand, setup.fewest, setup.options)
        if hand & _TWO:
            row[TWO_SEAT] = seat
        if seat == opener:
            row[HEAVENLY_STATE] = np.int64(bombs & _FOUR_THREES)


@inlined
def settle(hands: Any, options: Any, ledger: Any, row: Any) -> None:
    """Penalties, bonuses and scores of a finished deal (rule 5), with what is left in the hands."""
    winner = ledger[WINNER]
    row[WINNING_SEAT] = winner
    row[TWO_LEFT] = 0
    paid = 0
    for seat in range(3):
        hand = hands[seat]
        cards = count_bits(hand)
        never_played = cards == 16
        penalty = 0 if seat == winner else penalty_of(hand, never_played, options)
        paid += penalty
        row[PENALTY + seat] = penalty
        row[CARDS_LEFT + seat] = cards
        row[SHUT_OUT + seat] = np.int64(never_played)
        row[BOMBS_LEFT + seat] = count_bits(bomb_ranks(hand))
        row[BONUS_POINTS + seat] = ledger[BONUS + seat]
        row[PLAYED_BOMBS + seat] = ledger[BOMBS_PLAYED + seat]
        row[REPLIED_BOMBS + seat] = ledger[REPLY_BOMBS + seat]
        row[SCORE + seat] = ledger[BONUS + seat] - penalty
        if hand & _TWO:
            row[TWO_LEFT] = 1
    row[SCORE + winner] += paid
    row[HEAVENLY_STATE] += ledger[HEAVENLY_PLAYED]
    row[N_PLIES], row[N_PLAYS], row[N_ROUNDS] = ledger[PLIES], ledger[PLAYS], ledger[ROUNDS]


@kernel
def play_block(span: Any, given: Any, room: Any, setup: Any, totals: Any, records: Any, clamped: Any) -> Any:
    """Play some deals.

    Parameters
    ----------
    span : Span
        Which deals.
    given : Given
        How they start: dealt, or from given hands.
    room : Room
        Working memory. After a stop, `scratch.ledger` says why.
    setup : Setup
        Rules, policies, random keys.
    totals : numpy.ndarray
        Shape (batches touched, N_TOTALS), int64, added to.
    records : numpy.ndarray
        Shape (deals, N_RECORD), int16, written; or no rows to keep no records.
    clamped : numpy.ndarray
        Shape (3,), int64, added to: illegal moves of each seat that were set right.

    Returns
    -------
    int64
        The deal that stopped before its end, or -1.
    """
    hands, row, scratch = room.hands, room.row, room.scratch
    keep = len(records) > 0
    batch, left = 0, span.batch_units - span.first % span.batch_units
    for unit in range(span.first, span.first + span.n):
        opener = given.opener
        if opener < 0:
            first, second, third = deal_hands(setup.keys[KEY_CARDS], unit)
            opener = find_opener(first, second)
            hands[0], hands[1], hands[2] = pack_levels(first), pack_levels(second), pack_levels(third)
        _note_dealt(hands, opener, setup, row)
        play_deal(unit, hands, opener, given.opening, given.script, setup, scratch)
        if scratch.ledger[STATUS] != FINISHED:
            return unit
        settle(hands, setup.options, scratch.ledger, row)
        for seat in range(3):
            clamped[seat] += scratch.ledger[CLAMPED + seat]
        if left == 0:
            batch, left = batch + 1, span.batch_units
        left -= 1
        add_deal(totals, batch, row)
        if keep:
            for column in range(N_RECORD):
                records[unit - span.first, column] = row[column]
    return -1


@kernel
def deal_cards(deal: Any, keys: Any, cards: Any) -> Any:
    """Deal the real cards of a deal into `cards`, shape (3,), uint64; returns the opener's seat."""
    cards[0], cards[1], cards[2] = deal_hands(keys[KEY_CARDS], deal)
    return find_opener(cards[0], cards[1])
