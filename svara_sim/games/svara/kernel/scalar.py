"""One complete deal: ante, blinds, cards, betting, showdown, and svara after svara until somebody takes the pot."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core.bits import highest_bit, lowest_bit
from ....core.jit import inlined, outlined
from . import log as events
from .betting import betting_round
from .blinds import blind_chain
from .deal import deal_hands
from .decide import POT_OVERFLOW
from .log import note
from .seats import all_seats, next_seat
from .showdown import best_hands, join_svara, split_pot
from .state import MAX_SEATS, Bets, Chain, Players, Spot

__all__ = ["ENDINGS", "MAX_POT", "DealResult", "payoff_of", "play_deal"]

ENDINGS = ("dealer", "blind", "last", "showdown", "split")
BY_DEALER, BY_BLIND, BY_LAST, BY_SHOWDOWN, BY_SPLIT = range(5)

MAX_POT = 1 << 53
"""Largest pot in chips: below it int64 sums and float64 prices are exact. Every seat joining one svara after
another multiplies the pot by up to five each time, so a limit is needed; nothing but such a deal comes near it."""


class DealResult(NamedTuple):
    """What happened in a deal, besides what `Work` holds of each seat.

    `chain`, `bets` and `tied` are those of the first round (`tied` the number of seats, 0 without a svara);
    `rounds` counts all rounds, `raises` those of all rounds, `level` is that of the last betting round.
    """

    ending: int
    winner: int  # -1 after a split
    pot: int
    rounds: int
    blinds: int
    last_blind: int
    raises: int
    level: int
    shown: int  # seats in the last showdown, 0 without one
    best: int  # highest points of the last showdown, 0 without one
    tied: int
    offers: int  # seats that could join the first svara
    joiners: int  # seats that joined it
    first_pot: int  # pot when the first svara was called, 0 without one


@inlined
def _note_antes(table: Any, log: Any, spot: Any) -> None:
    if log is not None:
        for step in range(spot.seats):
            note(log, events.ANTE, (spot.dealer + 1 + step) % spot.seats, table.ante, 0)


@inlined
def _note_cards(work: Any, log: Any, spot: Any, players: Any) -> None:
    if log is not None:
        seat = spot.dealer
        for _ in range(players.number):
            seat = next_seat(players.mask, seat)
            note(log, events.CARDS, seat, np.int64(work.hands[seat]), work.points[seat])


@inlined
def _play_round_of(
    table: Any, rows: Any, work: Any, log: Any, spot: Any, players: Any, pot: Any, seats_differ: Any
) -> Any:
    """`_play_round` for tables of one kind, see `betting.betting_round`."""
    chain = Chain(0, -1, 0, np.uint64(0))
    bets = Bets(0, 0, 0, -1, 0, 0, 0)
    for seat in range(MAX_SEATS):  # all places, so that the compiler can use vectors
        work.bet[seat] = 0
    if seats_differ is not None:
        for seat in range(MAX_SEATS):
            work.raised[seat] = 0
    # Before the blinds, though nobody sees them: the processor deals while it waits for the draws of the blinds.
    deal_hands(table, rows, work, spot, 1 + highest_bit(players.mask))
    if spot.round_ == 0 or table.svara_blinds == 1:
        chain, pot = blind_chain(table, work, log, spot, players, pot)
    _note_cards(work, log, spot, players)
    if spot.round_ == 0 or table.svara_betting == 1:
        players, pot, bets = betting_round(table, rows, work, log, spot, players, pot, chain, seats_differ)
    return players, pot, chain, bets


@inlined
def _play_round(table: Any, rows: Any, work: Any, log: Any, spot: Any, players: Any, pot: Any) -> Any:
    """Cards, blinds and betting of one round, as far as the rules have them in it: (Players, pot, Chain, Bets)."""
    if table.alike == 1:
        return _play_round_of(table, rows, work, log, spot, players, pot, None)
    return _play_round_of(table, rows, work, log, spot, players, pot, spot)


@inlined
def _show(work: Any, log: Any, spot: Any, players: Any) -> None:
    """Note the hands of a showdown, in table order."""
    if log is not None:
        seat = spot.dealer
        for _ in range(players.number):
            seat = next_seat(players.mask, seat)
            note(log, events.SHOW, seat, work.points[seat], 0)


@inlined
def _how_taken(bets: Any, chain: Any) -> Any:
    """How the only seat left takes the pot."""
    if bets.opened == 1:
        return BY_LAST
    return BY_BLIND if chain.number > 0 else BY_DEALER


@inlined
def _call_svara(table: Any, work: Any, log: Any, spot: Any, dealt: Any, tied: Any, pot: Any) -> Any:
    """Offer round `spot.round_` to the seats that did not tie: (Players of it, pot).

    `dealt` are the Players that were in when the last round's cards were dealt.
    """
    fee = pot // tied.number if table.fee_chips < 0 else table.fee_chips
    if log is not None:
        note(log, events.SVARA, np.int64(tied.mask), pot, fee)
    players = tied
    if table.join_anyone == 1:
        players, pot = join_svara(table, work, log, spot, dealt, tied, pot, fee)
    return players, pot


@inlined
def _open_accounts(table: Any, work: Any) -> None:
    """From the first svara on, keep what each seat has paid, and its points of the first round."""
    for seat in range(MAX_SEATS):
        work.first_points[seat] = work.points[seat]
        work.paid[seat] = table.ante + work.bet[seat]
        work.paid_before_join[seat] = -1


@inlined
def _settle(work: Any, log: Any, first: Any, tied: Any, pot: Any, winner: Any, ending: Any) -> None:
    """Give the pot to the winner or share it, and put the first round's points back."""
    for seat in range(MAX_SEATS):
        work.points[seat] = work.first_points[seat]
        work.payoff[seat] = -work.paid[seat]
    if ending == BY_SPLIT:
        split_pot(work, log, first, tied, pot, ending)
        return
    work.payoff[winner] += pot
    if log is not None:
        note(log, events.WIN, winner, pot, ending)


@outlined
def _play_svaras(
    table: Any,
    rows: Any,
    work: Any,
    log: Any,
    first: Any,
    dealt: Any,
    tied: Any,
    pot: Any,
    chain: Any,
    bets: Any,
    shown: Any,
) -> Any:
    """Play svara after svara, from the tie of the first round to the end of the deal.

    Parameters
    ----------
    table, rows, work, log
        As in `play_deal`.
    first : Spot
        The first round.
    dealt, tied : Players
        Who was in at its beginning, and who holds its highest points.
    pot : int
        Chips when it ended.
    chain, bets : Chain, Bets
        Its blinds and its betting.
    shown : int
        Seats in its showdown.

    Returns
    -------
    DealResult
    """
    first_tied, first_pot = tied.number, pot
    offers, joiners, round_ = 0, 0, 0
    raises, level, best = bets.raises, bets.level, work.points[lowest_bit(tied.mask)]
    winner, ending = -1, BY_SPLIT
    _open_accounts(table, work)
    while round_ < table.svara_limit:
        round_ += 1
        spot = Spot(first.deal, round_, first.seats, first.dealer, tied.number)
        players, pot = _call_svara(table, work, log, spot, dealt, tied, pot)
        if round_ == 1:
            joiners = players.number - tied.number
            offers = spot.seats - tied.number if table.join_anyone == 1 else 0
        if pot > MAX_POT:
            if work.status[0] == 0:
                work.status[0] = POT_OVERFLOW
                work.status[1] = spot.deal
                work.status[3] = round_
            break
        dealt = players
        players, pot, blinds, bets = _play_round(table, rows, work, log, spot, players, pot)
        for seat in range(spot.seats):
            work.paid[seat] += work.bet[seat]
        raises += bets.raises
        if table.svara_betting == 1:
            level = bets.level
        shown, best = 0, 0
        if players.number == 1:
            winner, ending = lowest_bit(players.mask), _how_taken(bets, blinds)
            break
        _show(work, log, spot, players)
        shown = players.number
        best, tied = best_hands(work, spot.seats, players)
        if tied.number == 1:
            winner, ending = lowest_bit(tied.mask), BY_SHOWDOWN
            break
    _settle(work, log, first, tied, pot, winner, ending)
    return DealResult(
        ending, winner, pot, round_ + 1, chain.number, chain.last, raises, level, shown, best,
        first_tied, offers, joiners, first_pot,
    )  # fmt: skip


@inlined
def play_deal(table: Any, rows: Any, work: Any, log: Any, deal: Any, seats: Any, dealer: Any) -> Any:
    """Play one deal to its end.

    Parameters
    ----------
    table : record of TABLE
        Rules, policies and random keys.
    rows : uint32 (E * ROW,)
        Betting tables of all seats.
    work : record of WORK
        Working memory; afterwards `points` (of the first round), `payoff_of` and, if there was a svara,
        `paid_before_join` tell of each seat.
    log : Log or None
        Where to note the events.
    deal, seats, dealer : int
        Which deal it is, how many seats play, and which of them deals.

    Returns
    -------
    DealResult
    """
    spot = Spot(deal, 0, seats, dealer, 0)
    everybody = Players(all_seats(seats), seats)
    _note_antes(table, log, spot)
    players, pot, chain, bets = _play_round(table, rows, work, log, spot, everybody, seats * table.ante)
    shown, best = 0, 0
    if players.number == 1:
        winner, ending = lowest_bit(players.mask), _how_taken(bets, chain)
    else:
        _show(work, log, spot, players)
        shown = players.number
        best, tied = best_hands(work, spot.seats, players)
        if tied.number > 1:
            return _play_svaras(table, rows, work, log, spot, everybody, tied, pot, chain, bets, shown)
        winner, ending = lowest_bit(tied.mask), BY_SHOWDOWN
    if log is not None:
        note(log, events.WIN, winner, pot, ending)
    return DealResult(
        ending, winner, pot, 1, chain.number, chain.last, bets.raises, bets.level, shown, best, 0, 0, 0, 0
    )


@inlined
def payoff_of(table: Any, work: Any, result: Any, seat: Any) -> Any:
    """What a seat took less all that it paid, in chips."""
    if result.tied > 0:
        return work.payoff[seat]
    took = result.pot if seat == result.winner else 0
    return took - work.bet[seat] - table.ante
