"""Svara in NumPy: thousands of deals side by side, one array operation for one turn of all of them.

Letters: D deals of a batch, S seats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..rules import SvaraRules
from ..scoring import points_table
from . import Outcome, Threshold

__all__ = ["play_deals"]

_RULES = SvaraRules()
_POINTS = points_table(_RULES).astype(np.int64)
_BELOW_2 = np.array([comb(c, 2) for c in range(32)])
_BELOW_3 = np.array([comb(c, 3) for c in range(32)])
_BATCH = 4096

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass
class _Seats:
    """The policies as arrays, shape (S,)."""

    call: Ints
    raise_at: Ints
    blind: NDArray[np.float64]
    join: NDArray[np.float64]


@dataclass
class _Round:
    """A round of D deals: who is in (D, S), bets (D, S), the last blind and its seat, whether anybody opened (D,)."""

    players: Flags
    bets: Ints
    blind: Ints
    blinder: Ints
    opened: Flags


def _deal(rng: np.random.Generator, n_deals: int, n_seats: int) -> Ints:
    """Points of every seat, shape (D, S)."""
    keys = rng.random((n_deals, 32), dtype=np.float32)
    cards = np.argsort(keys, axis=1)[:, : 3 * n_seats].reshape(n_deals, n_seats, 3)
    cards.sort(axis=2)
    points: Ints = _POINTS[cards[..., 0] + _BELOW_2[cards[..., 1]] + _BELOW_3[cards[..., 2]]]
    return points


def _bet_blind(rng: np.random.Generator, seats: _Seats, dealer: Ints, state: _Round) -> None:
    n_deals, n_seats = state.players.shape
    deals = np.arange(n_deals)
    asking = np.ones(n_deals, bool)
    for step in range(n_seats):
        seat = (dealer + 1 + step) % n_seats
        amount = np.where(state.blind == 0, _RULES.blind_size, 2 * state.blind)
        turn = asking & state.players[deals, seat]
        bets = turn & (2 * amount <= _RULES.bet_limit) & (rng.random(n_deals) < seats.blind[seat])
        asking &= bets | ~turn
        if not asking.any():
            return
        state.bets[deals[bets], seat[bets]] = amount[bets]
        state.blind[bets], state.blinder[bets] = amount[bets], seat[bets]


def _bet(seats: _Seats, points: Ints, dealer: Ints, state: _Round) -> None:
    """Turns until no deal of the batch has one left."""
    n_deals, n_seats = points.shape
    level = np.where(state.blind == 0, _RULES.min_bet, 2 * state.blind)
    raises = np.zeros(n_deals, np.int64)
    number = state.players.sum(axis=1)
    to_act = number.copy()
    seat = np.where(state.blinder < 0, dealer, state.blinder)
    active = np.flatnonzero(number > 1)
    while len(active):
        seat[active] = (seat[active] + 1) % n_seats
        d = active[state.players[active, seat[active]]]
        s = seat[d]
        held = points[d, s]
        stays = held >= seats.call[s]
        to_act[d] -= 1
        state.players[d, s] = stays
        number[d] -= ~stays
        d, s, held = d[stays], s[stays], held[stays]
        may = (raises[d] < _RULES.max_raises) & (level[d] + _RULES.min_raise <= _RULES.bet_limit)
        lifts = state.opened[d] & may & (held >= seats.raise_at[s])
        leads = lifts | ~state.opened[d]
        raises[d] += lifts
        level[d] += lifts * _RULES.min_raise
        state.opened[d] = True
        to_act[d] = np.where(leads, number[d] - 1, to_act[d])
        state.bets[d, s] = level[d]
        active = active[(to_act[active] > 0) & (number[active] > 1)]


def _round(rng: np.random.Generator, seats: _Seats, dealer: Ints, players: Flags) -> tuple[_Round, Flags]:
    """A whole round, and the seats that take the pot or tie for it (D, S)."""
    n_deals, n_seats = players.shape
    zeros = np.zeros(n_deals, np.int64)
    state = _Round(players, np.zeros((n_deals, n_seats), np.int64), zeros.copy(), zeros - 1, np.zeros(n_deals, bool))
    _bet_blind(rng, seats, dealer, state)
    points = _deal(rng, n_deals, n_seats)
    _bet(seats, points, dealer, state)
    shown = np.where(state.players, points, 0)
    return state, shown == shown.max(axis=1, keepdims=True)


def _count_endings(outcome: Outcome, state: _Round, ends: Flags) -> None:
    alone = ends & (state.players.sum(axis=1) == 1)
    blind = state.blinder >= 0
    outcome.endings["showdown"] += int((ends & ~alone).sum())
    outcome.endings["last"] += int((alone & state.opened).sum())
    outcome.endings["blind"] += int((alone & ~state.opened & blind).sum())
    outcome.endings["dealer"] += int((alone & ~state.opened & ~blind).sum())


def _play(rng: np.random.Generator, seats: _Seats, first: int, n_deals: int, outcome: Outcome) -> None:
    n_seats = len(seats.call)
    dealer = (first + np.arange(n_deals)) % n_seats
    paid = np.full((n_deals, n_seats), _RULES.ante, np.int64)
    winner = np.zeros(n_deals, np.int64)
    open_deals = np.arange(n_deals)  # those not ended
    players = np.ones((n_deals, n_seats), bool)
    while len(open_deals):
        state, best = _round(rng, seats, dealer[open_deals], players)
        paid[open_deals] += state.bets
        tied = best.sum(axis=1)
        ends = tied == 1
        winner[open_deals[ends]] = best[ends].argmax(axis=1)
        _count_endings(outcome, state, ends)
        if len(open_deals) == n_deals:
            outcome.svaras += int((~ends).sum())
        open_deals, best = open_deals[~ends], best[~ends]
        joins = ~best & (rng.random(best.shape) < seats.join)
        fee = paid[open_deals].sum(axis=1) // np.maximum(tied[~ends], 1)
        paid[open_deals] += joins * fee[:, None]
        players = best | joins
    payoff = -paid
    payoff[np.arange(n_deals), winner] += paid.sum(axis=1)
    outcome.deals += n_deals
    for seat in range(n_seats):
        outcome.payoffs[seat] += float(payoff[:, seat].sum())
        outcome.squares[seat] += float((payoff[:, seat].astype(np.float64) ** 2).sum())


def play_deals(policies: Sequence[Threshold], n_deals: int, seed: int) -> Outcome:
    """Play independent deals, the dealer moving seat by seat.

    Parameters
    ----------
    policies : sequence of Threshold
        One a seat.
    n_deals, seed : int
        How many deals, and where the random numbers begin.
    """
    rng = np.random.default_rng(seed)
    seats = _Seats(
        np.array([p.call for p in policies]),
        np.array([p.raise_at for p in policies]),
        np.array([p.blind for p in policies]),
        np.array([p.join for p in policies]),
    )
    outcome = Outcome.of(policies)
    for first in range(0, n_deals, _BATCH):
        _play(rng, seats, first, min(_BATCH, n_deals - first), outcome)
    return outcome
