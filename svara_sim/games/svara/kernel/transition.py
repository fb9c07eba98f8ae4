"""What may happen next in a deal, and what becomes of it (rule page, section 3): the one place that says so.

Everything here is a function of a few numbers and named tuples, and inlined: what each seat has bet or raised is
kept by the caller, who passes a seat's own figures in. The scalar kernel and the paired kernel keep them in arrays, a
game tree and a person at the table in a tuple (`public`).

`rules` is a record of `state.RULES`; nothing else of it is read than the options of the rule page. A betting decision
is an *answer*: `FOLD`, `CALL` (open at the opening price, if nobody has opened), or the level to bring one's bet to.
To a blind the answer is 0 or the blind's amount; to an offer to join a svara it is 0 or 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.jit import inlined
from .seats import next_seat, seat_bit
from .state import MAX_SEATS, MOST_RAISES, Bets, Chain, Players, Turn

__all__ = [
    "BY_BLIND",
    "BY_DEALER",
    "BY_LAST",
    "BY_SHOWDOWN",
    "BY_SPLIT",
    "CALL",
    "ENDINGS",
    "FOLD",
    "MAX_POT",
    "bets_of_seat",
    "blind_at",
    "blinds_allowed",
    "corrected_bet",
    "first_turn",
    "goes_on",
    "has_betting",
    "has_blinds",
    "how_taken",
    "is_legal_bet",
    "is_legal_blind",
    "join_fee",
    "level_of",
    "next_turn",
    "no_blinds",
    "opening_bets",
    "round_row",
    "situation",
    "smallest_blind",
    "turn_row",
    "with_bet",
    "with_blind",
    "with_joiner",
    "without",
]

FOLD, CALL = -1, 0

ENDINGS = ("dealer", "blind", "last", "showdown", "split")
BY_DEALER, BY_BLIND, BY_LAST, BY_SHOWDOWN, BY_SPLIT = range(5)

MAX_POT = 1 << 53
"""Largest pot in chips: below it int64 sums and float64 prices are exact. Every seat joining one svara after
another multiplies the pot by up to five each time, so a limit is needed; nothing but such a deal comes near it."""


# -- blinds (step 2) ---------------------------------------------------------------------------------------------------


@inlined
def has_blinds(rules: Any, in_svara: Any) -> Any:
    """Whether a round begins with a chain of blinds."""
    return rules.blind_size > 0 and (in_svara == 0 or rules.svara_blinds == 1)


@inlined
def no_blinds() -> Any:
    """The Chain before the first blind."""
    return Chain(0, -1, 0, np.uint64(0))


@inlined
def smallest_blind(rules: Any, chain: Any) -> Any:
    """The smallest legal blind of the next seat; 0 if none is legal, which ends the chain without a decision."""
    amount = rules.blind_size if chain.last == 0 else chain.last * rules.blind_factors[0]
    return amount if 2 * amount <= rules.bet_limit else 0


@inlined
def blinds_allowed(rules: Any, chain: Any) -> Any:
    """How many blinds are legal for the next seat. The factors are in ascending order, so the rest is not."""
    if chain.last == 0:
        return 1 if smallest_blind(rules, chain) > 0 else 0
    count = 0
    while count < rules.n_factors and 2 * chain.last * rules.blind_factors[count] <= rules.bet_limit:
        count += 1
    return count


@inlined
def blind_at(rules: Any, chain: Any, index: Any) -> Any:
    """The legal blind number `index` of the next seat, in ascending order from 0."""
    return rules.blind_size if chain.last == 0 else chain.last * rules.blind_factors[index]


@inlined
def is_legal_blind(rules: Any, chain: Any, amount: Any) -> Any:
    """Whether the next seat may bet this blind."""
    for index in range(blinds_allowed(rules, chain)):
        if amount == blind_at(rules, chain, index):
            return True
    return False


@inlined
def with_blind(chain: Any, seat: Any, amount: Any) -> Any:
    """The Chain after a seat's blind; the seat pays `amount`."""
    return Chain(amount, seat, chain.number + 1, chain.mask | seat_bit(seat))


# -- betting (step 4) --------------------------------------------------------------------------------------------------


@inlined
def has_betting(rules: Any, in_svara: Any) -> Any:
    """Whether a round is bet in; if not, its cards are shown at once."""
    return in_svara == 0 or rules.svara_betting == 1


@inlined
def opening_bets(rules: Any, chain: Any) -> Any:
    """The Bets of a round in which nobody has acted."""
    price = rules.min_bet if chain.last == 0 else 2 * chain.last
    stage = 0 if chain.last == 0 else 1
    return Bets(chain.last, 0, 0, -1, price, price, situation(stage, 1, 0))


@inlined
def first_turn(spot: Any, players: Any, chain: Any) -> Any:
    """The Turn before the first; the seat after the last blind, or after the dealer, follows."""
    return Turn(spot.dealer if chain.seat < 0 else chain.seat, 0, players.number)


@inlined
def goes_on(players: Any, turn: Any) -> Any:
    """Whether another seat gets a turn: somebody has not matched the level, and more than one is in."""
    return turn.to_act > 0 and players.number > 1


@inlined
def next_turn(players: Any, turn: Any) -> Any:
    """The Turn of the next seat still in."""
    seat = next_seat(players.mask, turn.seat)
    return Turn(seat, turn.lap + (1 if seat <= turn.seat else 0), turn.to_act - 1)


@inlined
def bets_of_seat(rules: Any, bets: Any, raised: Any) -> Any:
    """The Bets as they are for a seat that has raised `raised` times, where each seat has its own limit."""
    if rules.raises_by_seat == 0 or bets.opened == 0:
        return bets
    low = bets.low if raised < rules.max_raises else 0
    case = situation(2, 1 if low > 0 else 0, raised)
    return Bets(bets.level, 1, bets.raises, bets.last_raiser, bets.price, low, case)


@inlined
def is_legal_bet(rules: Any, bets: Any, answer: Any) -> Any:
    """Whether the seat whose turn it is may answer so; `bets` as `bets_of_seat` gives them."""
    return answer == FOLD or answer == CALL or (bets.low > 0 and bets.low <= answer <= rules.bet_limit)


@inlined
def corrected_bet(rules: Any, bets: Any, answer: Any) -> Any:
    """The legal answer nearest to an illegal one."""
    if answer < FOLD:
        return FOLD
    return CALL if bets.low == 0 else min(rules.bet_limit, max(bets.low, answer))


@inlined
def level_of(bets: Any, answer: Any) -> Any:
    """What a seat that does not fold brings its bet of this round to."""
    return answer if answer > CALL else bets.price


@inlined
def without(players: Any, seat: Any) -> Any:
    """The Players after a seat has folded."""
    return Players(players.mask ^ seat_bit(seat), players.number - 1)


@inlined
def with_bet(rules: Any, players: Any, bets: Any, turn: Any, level: Any) -> Any:
    """The (Bets, Turn) after the seat whose turn it is opened or raised to `level`; a call changes neither."""
    raises = bets.raises + bets.opened
    low = level + rules.min_raise
    if low > rules.bet_limit or (raises >= rules.max_raises and rules.raises_by_seat == 0):
        low = 0
    case = situation(2, 1 if low > 0 else 0, raises)
    return Bets(level, 1, raises, turn.seat, level, low, case), Turn(turn.seat, turn.lap, players.number - 1)


@inlined
def how_taken(bets: Any, chain: Any) -> Any:
    """How the only seat left takes the pot."""
    if bets.opened == 1:
        return BY_LAST
    return BY_BLIND if chain.number > 0 else BY_DEALER


# -- svara (step 6) ----------------------------------------------------------------------------------------------------


@inlined
def join_fee(rules: Any, pot: Any, n_tied: Any) -> Any:
    """What each seat that joins a svara pays into the pot."""
    return pot // n_tied if rules.fee_chips < 0 else rules.fee_chips


@inlined
def with_joiner(players: Any, seat: Any) -> Any:
    """The Players after a seat has joined."""
    return Players(players.mask | seat_bit(seat), players.number + 1)


# -- which row of a betting table a seat is in -------------------------------------------------------------------------


@inlined
def situation(stage: Any, can_raise: Any, raises: Any) -> Any:
    """Index of what a betting table sees of the bets, in `SITUATION_SHAPE`, with nobody in: add the players in."""
    return ((stage * 2 + can_raise) * (MOST_RAISES + 1) + min(raises, MOST_RAISES)) * (MAX_SEATS + 1)


@inlined
def round_row(table: Any, dealer: Any, seat: Any, in_svara: Any, points: Any) -> Any:
    """Place in the betting tables of what stays the same for a seat throughout a round."""
    return table.offset[dealer, seat] + in_svara * table.svara_stride[seat] + points * table.points_stride[seat]


@inlined
def turn_row(table: Any, base: Any, seat: Any, bets: Any, n_in: Any) -> Any:
    """Place of the row that a seat is in, from its `round_row`, its bets and how many are in."""
    return np.uint64(base + np.int64(table.situation[seat, np.uint64(bets.case + n_in)]))
