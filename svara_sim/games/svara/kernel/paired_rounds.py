"""The rounds of a deal whose only result is the hero's gain: a first round, and svaras with every hand in turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import highest_bit, lowest_bit
from ....core.jit import inlined, outlined
from .betting import betting_round
from .blinds import blind_chain
from .deal import deal_hands
from .decide import POT_OVERFLOW, find_rows
from .scalar import MAX_POT
from .seats import all_seats, has_seat, next_seat
from .showdown import best_hands, join_svara, split_pot
from .state import MAX_SEATS, Chain, Players, Spot

__all__ = ["DIFFERING", "N_COUNTS", "OUTCOME", "ROUNDS", "SVARAS", "first_round", "svara_difference", "svara_gain"]

OUTCOME = np.dtype(
    [
        ("bet", np.int64, (MAX_SEATS,)),
        ("pot", np.int64),
        ("winner", np.int64),  # -1 after a tie
        ("tied", np.uint64),  # mask of the tied seats
        ("n_tied", np.int64),  # 0 without a tie
    ],
    align=True,
)
"""How a first round ended."""

# What is counted: first rounds and svaras played; pairs of plays (deal, hero) whose first rounds can differ.
ROUNDS, SVARAS, DIFFERING = range(3)
N_COUNTS = 3


@inlined
def _rotate_hands(table: Any, rows: Any, work: Any, spot: Any, players: Any, turns: Any) -> None:
    """Move every player's hand on by some places among the players."""
    source = lowest_bit(players.mask)
    for _ in range(turns):
        source = next_seat(players.mask, source)
    seat = lowest_bit(players.mask)
    for _ in range(players.number):
        work.first_points[seat] = np.int64(work.hands[source])
        work.payoff[seat] = work.points[source]
        seat = next_seat(players.mask, seat)
        source = next_seat(players.mask, source)
    for _ in range(players.number):
        work.hands[seat] = np.uint64(work.first_points[seat])
        work.points[seat] = work.payoff[seat]
        find_rows(table, rows, work, spot.dealer, seat, 1, work.points[seat])
        seat = next_seat(players.mask, seat)


@inlined
def _play_round(table: Any, rows: Any, work: Any, spot: Any, players: Any, pot: Any, turns: Any) -> Any:
    """One round as `play` plays it, the hands moved on by some places: (Players still in, pot)."""
    for seat in range(MAX_SEATS):
        work.bet[seat] = 0
        work.raised[seat] = 0
    bets = spot.round_ == 0 or table.svara_betting == 1
    chain = Chain(0, -1, 0, np.uint64(0))
    if spot.round_ == 0 or table.svara_blinds == 1:
        chain, pot = blind_chain(table, work, None, spot, players, pot)
    deal_hands(table, rows, work, spot, 1 + highest_bit(players.mask))
    if turns > 0:
        _rotate_hands(table, rows, work, spot, players, turns)
    if bets:
        players, pot, _ = betting_round(table, rows, work, None, spot, players, pot, chain, spot)
    return players, pot


@inlined
def _offer_svara(table: Any, work: Any, spot: Any, dealt: Any, tied: Any, pot: Any) -> Any:
    """Ask the other seats whether they join: (Players of the svara, pot)."""
    players = tied
    if table.join_anyone == 1:
        fee = pot // tied.number if table.fee_chips < 0 else table.fee_chips
        players, pot = join_svara(table, work, None, spot, dealt, tied, pot, fee)
    if pot > MAX_POT:
        work.status[0] = POT_OVERFLOW
        work.status[1] = spot.deal
        work.status[3] = spot.round_
    return players, pot


@inlined
def _split_share(work: Any, spot: Any, tied: Any, pot: Any, hero: Any) -> Any:
    """What the hero gets of a pot that is split."""
    for seat in range(MAX_SEATS):
        work.payoff[seat] = 0
    split_pot(work, None, spot, tied, pot, 0)
    return work.payoff[hero]


@outlined
def _play_out(
    table: Any,
    rows: Any,
    work: Any,
    spot: Any,
    players: Any,
    pot: Any,
    hero: Any,
    may_join: Any,
    turns: Any,
    differs: Any,
) -> Any:
    """What the hero takes less what it pays from the first svara round on, joining it included in neither.

    The second result is 1 if the hero held points with which the other policy may have decided differently.
    """
    gain, differed = 0, 0
    round_, n_tied = 1, spot.tied
    while work.status[0] == 0:
        here = Spot(spot.deal, round_, spot.seats, spot.dealer, n_tied)
        dealt = players
        players, pot = _play_round(table, rows, work, here, players, pot, turns % players.number)
        gain -= work.bet[hero]
        if has_seat(dealt.mask, hero) and differs[work.points[hero]] != 0:
            differed = 1
        tied = players
        if players.number > 1:
            _, tied = best_hands(work, spot.seats, players)
        if tied.number == 1:
            if has_seat(tied.mask, hero):
                gain += pot
            break
        if round_ == table.svara_limit:
            gain += _split_share(work, here, tied, pot, hero)
            break
        if not has_seat(tied.mask, hero) and may_join == 0:
            break
        round_ += 1
        n_tied = tied.number
        before = work.paid[hero]
        following = Spot(spot.deal, round_, spot.seats, spot.dealer, n_tied)
        players, pot = _offer_svara(table, work, following, dealt, tied, pot)
        gain -= work.paid[hero] - before
    return gain, differed


@inlined
def _call_first_svara(table: Any, rows: Any, work: Any, first: Any, outcome: Any) -> Any:
    """Offer the first svara: (its Spot, Players, pot); `work.paid` is what each seat paid to join."""
    everybody = Players(all_seats(first.seats), first.seats)
    deal_hands(table, rows, work, first, first.seats)  # which a policy's function may want to see when it joins
    for seat in range(MAX_SEATS):
        work.paid[seat] = 0
        work.paid_before_join[seat] = -1
    spot = Spot(first.deal, 1, first.seats, first.dealer, outcome.n_tied)
    tied = Players(outcome.tied, outcome.n_tied)
    players, pot = _offer_svara(table, work, spot, everybody, tied, outcome.pot)
    return spot, players, pot


@outlined
def svara_gain(
    table: Any, rows: Any, work: Any, first: Any, outcome: Any, hero: Any, may_join: Any, differs: Any, counts: Any
) -> Any:
    """Mean gain of the hero from a svara on, over all hands that it could have held there."""
    if not has_seat(outcome.tied, hero) and may_join == 0:
        return 0.0
    if table.svara_limit == 0:
        tied = Players(outcome.tied, outcome.n_tied)
        return np.float64(_split_share(work, first, tied, outcome.pot, hero))
    spot, players, pot = _call_first_svara(table, rows, work, first, outcome)
    if not has_seat(players.mask, hero):
        return 0.0
    fee = work.paid[hero]
    total = 0.0
    for turns in range(players.number):
        gain, _ = _play_out(table, rows, work, spot, players, pot, hero, may_join, turns, differs)
        total += gain
    counts[SVARAS] += players.number
    return total / players.number - fee


@outlined
def svara_difference(
    table: Any,
    other: Any,
    rows: Any,
    work: Any,
    first: Any,
    outcome: Any,
    hero: Any,
    may_join: Any,
    differs: Any,
    counts: Any,
) -> Any:
    """Difference of `svara_gain` between two policies that join alike: what differs is played, and no more."""
    if not has_seat(outcome.tied, hero) and may_join == 0:
        return 0.0
    spot, players, pot = _call_first_svara(table, rows, work, first, outcome)
    if not has_seat(players.mask, hero):
        return 0.0
    total = 0.0
    for turns in range(players.number):
        gain, differed = _play_out(table, rows, work, spot, players, pot, hero, may_join, turns, differs)
        counts[SVARAS] += 1
        if differed == 1:
            less, _ = _play_out(other, rows, work, spot, players, pot, hero, may_join, turns, differs)
            counts[SVARAS] += 1
            total += gain - less
    return total / players.number


@outlined
def first_round(table: Any, rows: Any, work: Any, spot: Any, outcome: Any) -> None:
    """Play a first round and note how it ends."""
    everybody = Players(all_seats(spot.seats), spot.seats)
    players, pot = _play_round(table, rows, work, spot, everybody, spot.seats * table.ante, 0)
    for seat in range(MAX_SEATS):
        outcome.bet[seat] = work.bet[seat]
    tied = players
    if players.number > 1:
        _, tied = best_hands(work, spot.seats, players)
    outcome.pot = pot
    outcome.tied = tied.mask
    outcome.n_tied = tied.number if tied.number > 1 else 0
    outcome.winner = -1 if tied.number > 1 else lowest_bit(tied.mask)
