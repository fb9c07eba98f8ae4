"""A deal as everybody sees it, as one value: the nodes of a game tree, made from `transition`.

`open_deal` gives the state in which the first seat is asked; `legal` says what it may answer and `apply` what becomes
of the answer, until nobody is asked any more (`asks` is `OVER`): then one seat is left and takes the pot (`taken_by`),
or those still in show their cards. After a tie `open_svara` goes on from there. What the cards say is the caller's
business; they are dealt between the last blind and the first bet, and whoever looks at a state knows by `asks` which
of them a seat has seen.

The functions are kernels: Python calls them with plain numbers, a kernel calls them too. A state is a plain tuple of
whole numbers, so it is a key of a dictionary as it is.

Examples
--------
>>> rules = new_rules(SvaraRules(blind_size=0))  # doctest: +SKIP
>>> state = open_deal(rules, 2, 1)  # doctest: +SKIP
>>> state.asks == ASK_BET, state.seat, legal(rules, state).low  # doctest: +SKIP
(True, 0, 60)
>>> state = apply(rules, state, CALL)  # seat 0 opens at 60  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import lowest_bit, to_int
from ....core.jit import inlined, kernel
from . import transition as step
from .public_state import NOTHING, OVER, Legal, PublicState, Seen, parts_of, put, state_of
from .seats import all_seats, has_seat, next_seat, position_of, seat_bit
from .state import ASK_BET, ASK_BLIND, ASK_JOIN, MOST_RAISES, Bets, Players, Spot, Turn

__all__ = [
    "OVER",
    "Legal",
    "PublicState",
    "Seen",
    "apply",
    "blind_answers",
    "legal",
    "open_deal",
    "open_svara",
    "seen",
    "taken_by",
]


@inlined
def _after_bet(rules: Any, spot: Any, players: Any, pot: Any, chain: Any, bets: Any, turn: Any, by_seat: Any) -> Any:
    """The state in which the next seat is asked to bet, or the end of the round."""
    none = np.uint64(0)
    if not step.goes_on(players, turn):
        return state_of(OVER, spot, players, pot, chain, bets, turn, none, by_seat)
    return state_of(ASK_BET, spot, players, pot, chain, bets, step.next_turn(players, turn), none, by_seat)


@inlined
def _begin_betting(rules: Any, spot: Any, players: Any, pot: Any, chain: Any, by_seat: Any) -> Any:
    """The state in which the first seat is asked to bet."""
    bets = step.opening_bets(rules, chain)
    return _after_bet(rules, spot, players, pot, chain, bets, step.first_turn(spot, players, chain), by_seat)


@inlined
def _after_blind(rules: Any, spot: Any, players: Any, pot: Any, chain: Any, by_seat: Any) -> Any:
    """The state in which the next seat is asked for a blind, or the first bet if the chain is at its end."""
    if chain.number == players.number or step.smallest_blind(rules, chain) == 0:
        return _begin_betting(rules, spot, players, pot, chain, by_seat)
    seat = next_seat(players.mask, spot.dealer if chain.seat < 0 else chain.seat)
    bets = Bets(chain.last, 0, 0, -1, 0, 0, 0)
    turn = Turn(seat, 0, players.number - chain.number)
    return state_of(ASK_BLIND, spot, players, pot, chain, bets, turn, np.uint64(0), by_seat)


@inlined
def _begin_round(rules: Any, spot: Any, players: Any, pot: Any, paid: Any) -> Any:
    """The first state of a round."""
    in_svara = 1 if spot.round_ > 0 else 0
    chain, by_seat = step.no_blinds(), (NOTHING, NOTHING, paid)
    if step.has_blinds(rules, in_svara):
        return _after_blind(rules, spot, players, pot, chain, by_seat)
    if step.has_betting(rules, in_svara):
        return _begin_betting(rules, spot, players, pot, chain, by_seat)
    bets, turn = Bets(0, 0, 0, -1, 0, 0, 0), Turn(-1, 0, 0)
    return state_of(OVER, spot, players, pot, chain, bets, turn, np.uint64(0), by_seat)


@inlined
def _after_join(rules: Any, spot: Any, players: Any, pot: Any, fee: Any, to_ask: Any, seat: Any, paid: Any) -> Any:
    """The state in which the seat after `seat` is asked to join, or the round if all have been asked."""
    if to_ask == np.uint64(0):
        return _begin_round(rules, spot, players, pot, paid)
    turn, bets = Turn(next_seat(to_ask, seat), 0, 0), Bets(0, 0, 0, -1, fee, 0, 0)
    by_seat = (NOTHING, NOTHING, paid)
    return state_of(ASK_JOIN, spot, players, pot, step.no_blinds(), bets, turn, to_ask, by_seat)


@kernel
def open_deal(rules: Any, seats: Any, dealer: Any) -> Any:
    """The first state of a deal.

    Parameters
    ----------
    rules : record of RULES
        See `interface.new_rules`.
    seats, dealer : int
        Seats at the table, 2 to 10, and which of them deals. With ``dealer = seats - 1`` seats are positions.

    Returns
    -------
    PublicState
    """
    paid = NOTHING
    for seat in range(seats):
        paid = put(paid, seat, rules.ante)
    players = Players(all_seats(seats), to_int(seats))
    return _begin_round(rules, Spot(0, 0, to_int(seats), to_int(dealer), 0), players, seats * rules.ante, paid)


@kernel
def open_svara(rules: Any, state: Any, tied_mask: Any) -> Any:
    """The state after a showdown in which the seats of a mask tied; see `open_deal`.

    The caller sees to `svara_limit`. A svara on a pot of one's own is opened from a state with another `pot`.
    """
    tied = np.uint64(tied_mask)
    number = 0
    for seat in range(state.seats):
        number += 1 if has_seat(tied, seat) else 0
    spot = Spot(0, state.round_ + 1, state.seats, state.dealer, number)
    to_ask = all_seats(state.seats) ^ tied if rules.join_anyone == 1 else np.uint64(0)
    fee = step.join_fee(rules, state.pot, number)
    return _after_join(rules, spot, Players(tied, number), state.pot, fee, to_ask, state.dealer, state.paid)


@kernel
def legal(rules: Any, state: Any) -> Any:
    """What the seat that is asked may answer; all 0 if nobody is.

    To a blind 0 is legal too, to a bet `FOLD` and `CALL`, to an offer to join 0 and 1.
    """
    _, _, chain, bets, _ = parts_of(state)
    if state.asks == ASK_BLIND:
        return Legal(step.smallest_blind(rules, chain), 0, 0, 0, step.blinds_allowed(rules, chain))
    if state.asks == ASK_BET:
        bets = step.bets_of_seat(rules, bets, state.raised[state.seat])
        high = rules.bet_limit if bets.low > 0 else 0
        return Legal(bets.price - state.bet[state.seat], bets.price, bets.low, high, 0)
    return Legal(state.price if state.asks == ASK_JOIN else 0, 0, 0, 0, 0)


@kernel
def _blind_answer(rules: Any, state: Any, index: Any) -> Any:
    _, _, chain, _, _ = parts_of(state)
    return step.blind_at(rules, chain, index)


def blind_answers(rules: Any, state: PublicState) -> list[int]:
    """The legal blinds, ascending, where a seat is asked for one; to decline, 0, is legal too."""
    return [int(_blind_answer(rules, state, index)) for index in range(legal(rules, state).n_blinds)]


@inlined
def _apply_blind(rules: Any, state: Any, amount: Any) -> Any:
    spot, players, chain, _, _ = parts_of(state)
    if amount == 0:
        return _begin_betting(rules, spot, players, state.pot, chain, (state.bet, state.raised, state.paid))
    chain = step.with_blind(chain, state.seat, amount)
    by_seat = _pay(state, amount, amount, 0)
    return _after_blind(rules, spot, players, state.pot + amount, chain, by_seat)


@inlined
def _pay(state: Any, chips: Any, bet: Any, raised: Any) -> Any:
    """(bet, raised, paid) of all seats after the one that is asked pays, its bet coming to `bet`."""
    seat = state.seat
    return (
        put(state.bet, seat, bet),
        put(state.raised, seat, state.raised[seat] + raised),
        put(state.paid, seat, state.paid[seat] + chips),
    )


@inlined
def _apply_bet(rules: Any, state: Any, answer: Any) -> Any:
    spot, players, chain, bets, turn = parts_of(state)
    if answer == step.FOLD:
        by_seat = (state.bet, state.raised, state.paid)
        return _after_bet(rules, spot, step.without(players, state.seat), state.pot, chain, bets, turn, by_seat)
    level = step.level_of(bets, answer)
    chips = level - state.bet[state.seat]
    lifts = answer > step.CALL or bets.opened == 0
    by_seat = _pay(state, chips, level, bets.opened if lifts else 0)
    if lifts:
        bets, turn = step.with_bet(rules, players, bets, turn, level)
    return _after_bet(rules, spot, players, state.pot + chips, chain, bets, turn, by_seat)


@inlined
def _apply_join(rules: Any, state: Any, joins: Any) -> Any:
    spot, players, _, _, _ = parts_of(state)
    pot, paid, seat = state.pot, state.paid, state.seat
    if joins == 1:
        players = step.with_joiner(players, seat)
        pot += state.price
        paid = put(paid, seat, paid[seat] + state.price)
    to_ask = np.uint64(state.to_ask) ^ seat_bit(seat)
    return _after_join(rules, spot, players, pot, state.price, to_ask, seat, paid)


@kernel
def apply(rules: Any, state: Any, answer: Any) -> Any:
    """The state after the seat that is asked has answered.

    Parameters
    ----------
    rules : record of RULES
        The same as before.
    state : PublicState
        In which somebody is asked.
    answer : int
        See `transition`.

    Raises
    ------
    ValueError
        If the answer is not legal, or nobody is asked.
    """
    _, _, chain, bets, _ = parts_of(state)
    if state.asks == ASK_BLIND and (answer == 0 or step.is_legal_blind(rules, chain, answer)):
        return _apply_blind(rules, state, answer)
    if state.asks == ASK_BET and step.is_legal_bet(
        rules, step.bets_of_seat(rules, bets, state.raised[state.seat]), answer
    ):
        return _apply_bet(rules, state, answer)
    if state.asks == ASK_JOIN and 0 <= answer <= 1:
        return _apply_join(rules, state, answer)
    raise ValueError("illegal answer")


@kernel
def taken_by(state: Any) -> Any:
    """(seat, ending) when the round is over and the last seat in takes the pot; (-1, -1) if cards are shown."""
    _, players, chain, bets, _ = parts_of(state)
    if state.asks != OVER or players.number > 1:
        return -1, -1
    return lowest_bit(players.mask), step.how_taken(bets, chain)


@kernel
def seen(rules: Any, state: Any) -> Any:
    """What a betting table sees of a state in which a seat is asked to bet, but for the seat's points."""
    spot, _, chain, bets, _ = parts_of(state)
    bets = step.bets_of_seat(rules, bets, state.raised[state.seat])
    stage = 2 if bets.opened == 1 else 1 if chain.last > 0 else 0
    raises = state.raised[state.seat] if rules.raises_by_seat == 1 else state.raises
    position = position_of(state.seat, spot)
    return Seen(
        stage, 1 if bets.low > 0 else 0, min(raises, MOST_RAISES), state.n_in, position, 1 if state.round_ > 0 else 0
    )
