"""Totals of a batch of deals (`layout.TOTAL_NAMES`)."""

from __future__ import annotations

from typing import Any

from ....core.jit import inlined
from .layout import (
    BOMB_RANKS,
    BOMBS_DEALT,
    BOMBS_LEFT,
    BONUS_POINTS,
    FEWEST_DEALT,
    HEAVENLY_STATE,
    N_BOMBS,
    N_PLAYS,
    N_PLIES,
    N_ROUNDS,
    OPENER,
    PENALTY,
    PLAYED_BOMBS,
    REPLIED_BOMBS,
    SCORE,
    SHUT_OUT,
    TOTAL_AT,
    TWO_LEFT,
    TWO_SEAT,
    WINNING_SEAT,
)

__all__ = ["add_deal"]

(
    _DEALS,
    _PLIES,
    _PLAYS,
    _ROUNDS,
    _BOMBS_DEALT,
    _BOMBS_PLAYED,
    _REPLY_BOMBS,
    _BOMBS_LEFT,
    _BONUS_DEALS,
    _HEAVENLY_DEALT,
    _HEAVENLY_PLAYED,
    _TWO_LEFT,
    _NEVER_PLAYED,
    _TWO_WINS,
    _TWO_POINTS,
    _OPENED,
    _WINS,
    _POINTS,
    _BONUS,
    _PENALTY,
    _PLACE_WINS,
    _PLACE_POINTS,
    _SEAT_PLACE_WINS,
    _SEAT_PLACE_POINTS,
    _FEWEST_HANDS,
    _FEWEST_WINS,
    _FEWEST_POINTS,
    _BOMB_HANDS,
    _BOMB_WINS,
    _BOMB_POINTS,
) = TOTAL_AT.values()


@inlined
def _add_seat(totals: Any, batch: Any, row: Any, seat: Any) -> None:
    """What a deal was for one seat."""
    score, won = row[SCORE + seat], 1 if row[WINNING_SEAT] == seat else 0
    place = seat - row[OPENER]
    if place < 0:
        place += 3
    pair = 3 * seat + place
    fewest = row[FEWEST_DEALT + seat] - 1
    totals[batch, _WINS + seat] += won
    totals[batch, _POINTS + seat] += score
    totals[batch, _BONUS + seat] += row[BONUS_POINTS + seat]
    totals[batch, _PENALTY + seat] += row[PENALTY + seat]
    totals[batch, _PLACE_WINS + place] += won
    totals[batch, _PLACE_POINTS + place] += score
    totals[batch, _SEAT_PLACE_WINS + pair] += won
    totals[batch, _SEAT_PLACE_POINTS + pair] += score
    totals[batch, _FEWEST_HANDS + fewest] += 1
    totals[batch, _FEWEST_WINS + fewest] += won
    totals[batch, _FEWEST_POINTS + fewest] += score
    totals[batch, _BOMBS_DEALT] += row[BOMBS_DEALT + seat]
    totals[batch, _BOMBS_PLAYED] += row[PLAYED_BOMBS + seat]
    totals[batch, _REPLY_BOMBS] += row[REPLIED_BOMBS + seat]
    totals[batch, _BOMBS_LEFT] += row[BOMBS_LEFT + seat]
    totals[batch, _NEVER_PLAYED] += row[SHUT_OUT + seat]
    ranks = row[BOMB_RANKS + seat]
    if ranks != 0:
        for rank in range(N_BOMBS):
            if (ranks >> rank) & 1:
                totals[batch, _BOMB_HANDS + rank] += 1
                totals[batch, _BOMB_WINS + rank] += won
                totals[batch, _BOMB_POINTS + rank] += score


@inlined
def add_deal(totals: Any, batch: Any, row: Any) -> None:
    """Add one deal's record `row` to row `batch` of `totals`."""
    totals[batch, _DEALS] += 1
    totals[batch, _PLIES] += row[N_PLIES]
    totals[batch, _PLAYS] += row[N_PLAYS]
    totals[batch, _ROUNDS] += row[N_ROUNDS]
    totals[batch, _TWO_LEFT] += row[TWO_LEFT]
    totals[batch, _OPENED + row[OPENER]] += 1
    if row[HEAVENLY_STATE] > 0:
        totals[batch, _HEAVENLY_DEALT] += 1
        totals[batch, _HEAVENLY_PLAYED] += row[HEAVENLY_STATE] - 1
    if row[BONUS_POINTS] != 0 or row[BONUS_POINTS + 1] != 0 or row[BONUS_POINTS + 2] != 0:
        totals[batch, _BONUS_DEALS] += 1
    holder = row[TWO_SEAT]
    totals[batch, _TWO_WINS] += 1 if row[WINNING_SEAT] == holder else 0
    totals[batch, _TWO_POINTS] += row[SCORE + holder]
    for seat in range(3):
        _add_seat(totals, batch, row, seat)
