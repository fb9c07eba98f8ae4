"""What everybody sees of a deal, as one plain tuple: see `public`, which moves from one to the next."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core.bits import to_int
from ....core.jit import inlined
from .state import MAX_SEATS, Bets, Chain, Players, Spot, Turn

__all__ = ["NOTHING", "OVER", "Legal", "PublicState", "Seen", "parts_of", "put", "state_of"]

OVER = 3
"""Nobody is asked any more in this round."""

PerSeat = tuple[int, int, int, int, int, int, int, int, int, int]
NOTHING: PerSeat = (0,) * MAX_SEATS  # type: ignore[assignment]
"""A seat's figure for every seat, before anything has happened."""


class PublicState(NamedTuple):
    """A moment of a deal without its cards. All fields are whole numbers, amounts are chips.

    Attributes
    ----------
    asks : int
        What is asked: `ASK_BLIND`, `ASK_BET`, `ASK_JOIN`, or `OVER`.
    seat : int
        Who is asked; -1 if nobody is.
    seats, dealer : int
        Seats at the table, and which of them deals.
    round_ : int
        0 in the first round of the deal, 1 in its first svara, ...
    tied : int
        Seats that tied for this svara; 0 in the first round.
    in_mask, n_in : int
        Bit s is set if seat s is in; how many are. While seats are asked to join: who is in so far.
    to_ask : int
        Mask of the seats that have still to say whether they join, the one asked included.
    pot : int
        Chips in the pot, all bets included.
    last_blind, blind_seat, blinds, blind_mask : int
        The last blind of the round (0) and its seat (-1), how many blinds there are, and the mask of their seats.
    level, opened, raises, last_raiser, price, low, case : int
        As in `state.Bets`; 0 before the betting. While seats are asked to join, `price` is the fee.
    lap, to_act : int
        As in `state.Turn`.
    bet, raised : tuple of int, length MAX_SEATS
        What each seat has bet, and how often it has raised, in this round.
    paid : tuple of int, length MAX_SEATS
        What each seat has paid in this deal: antes, blinds, bets and fees.
    """

    asks: int
    seat: int
    seats: int
    dealer: int
    round_: int
    tied: int
    in_mask: int
    n_in: int
    to_ask: int
    pot: int
    last_blind: int
    blind_seat: int
    blinds: int
    blind_mask: int
    level: int
    opened: int
    raises: int
    last_raiser: int
    price: int
    low: int
    case: int
    lap: int
    to_act: int
    bet: PerSeat
    raised: PerSeat
    paid: PerSeat


class Legal(NamedTuple):
    """What the seat that is asked may answer.

    Attributes
    ----------
    owed : int
        Chips to call, to open at the opening price, to bet the smallest blind, or to join.
    price : int
        Bets: the level that `CALL` brings the seat's bet to. Otherwise 0.
    low, high : int
        Bets: every level from `low` to `high` may be raised to (or opened at); 0 if none. Otherwise 0.
    n_blinds : int
        Blinds: how many amounts are legal, see `blind_answers`. Otherwise 0.
    """

    owed: int
    price: int
    low: int
    high: int
    n_blinds: int


class Seen(NamedTuple):
    """What a betting table sees of a betting decision besides points; the names are those of `plan.FEATURES`."""

    stage: int
    can_raise: int
    raises: int
    players: int
    position: int
    svara: int


@inlined
def put(values: Any, seat: Any, value: Any) -> Any:
    """The tuple with one seat's value changed."""
    return (
        value if seat == 0 else values[0],
        value if seat == 1 else values[1],
        value if seat == 2 else values[2],
        value if seat == 3 else values[3],
        value if seat == 4 else values[4],
        value if seat == 5 else values[5],
        value if seat == 6 else values[6],
        value if seat == 7 else values[7],
        value if seat == 8 else values[8],
        value if seat == 9 else values[9],
    )


@inlined
def parts_of(state: Any) -> Any:
    """(Spot, Players, Chain, Bets, Turn) of a state, for `transition`."""
    return (
        Spot(0, state.round_, state.seats, state.dealer, state.tied),
        Players(np.uint64(state.in_mask), state.n_in),
        Chain(state.last_blind, state.blind_seat, state.blinds, np.uint64(state.blind_mask)),
        Bets(state.level, state.opened, state.raises, state.last_raiser, state.price, state.low, state.case),
        Turn(state.seat, state.lap, state.to_act),
    )


@inlined
def state_of(
    asks: Any, spot: Any, players: Any, pot: Any, chain: Any, bets: Any, turn: Any, to_ask: Any, by_seat: Any
) -> Any:
    """A state of its parts; `by_seat` is (bet, raised, paid)."""
    seat = turn.seat if asks != OVER else -1
    return PublicState(
        asks, seat, spot.seats, spot.dealer, spot.round_, spot.tied, to_int(players.mask), players.number,
        to_int(to_ask), pot, chain.last, chain.seat, chain.number, to_int(chain.mask), bets.level, bets.opened,
        bets.raises, bets.last_raiser, bets.price, bets.low, bets.case, turn.lap, turn.to_act,
        by_seat[0], by_seat[1], by_seat[2],
    )  # fmt: skip
