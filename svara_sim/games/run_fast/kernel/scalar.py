"""One deal, from the opening to the settlement (rules 2.3 to 5.8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits
from ....core.jit import inlined
from ....core.rng import word
from ...decisions import NOT_WHOLE
from .choose import choose_fewest, choose_greedy, choose_random
from .codes import ASK, FEWEST, FEWEST_LONG, GREEDY, HINT, MONTE_CARLO, RANDOM
from .hands import remove_move
from .legal import count_moves, is_legal, legal_moves, may_pass, nth_move
from .monte_carlo import choose_monte_carlo
from .moves import BOMB, FOUR_THREES, HEAVENLY, MOVE_KIND, PASS
from .slots import (
    BOMBS_PLAYED,
    BONUS,
    CLAMPED,
    FINISHED,
    HEAVENLY_PLAYED,
    ILLEGAL,
    KEY_OWN,
    KEY_RANDOM,
    KEY_WORLDS,
    N_LEDGER,
    PLAYS,
    PLIES,
    REPLY_BOMBS,
    ROUNDS,
    STATUS,
    STOP_MOVE,
    STOP_SEAT,
    WAITING,
    WINNER,
)
from .types import Position, Turn
from .view import call_own, make_view

__all__ = ["NO_MOVE", "play_deal"]

_ZERO = np.uint64(0)
NO_MOVE = -1


@inlined
def _after(seat: Any) -> Any:
    return 0 if seat == 2 else seat + 1


@inlined
def _from(seat: Any, other: Any) -> Any:
    """How many turns after `seat` `other` has its turn: 0, 1 or 2."""
    return other - seat if other >= seat else other - seat + 3


@inlined
def _decide(deal: Any, seat: Any, turn: Any, setup: Any, scratch: Any) -> Any:
    """The move of a seat that has a choice; `NO_MOVE` if it must be asked outside the kernel."""
    seats, keys = setup.seats, setup.keys
    code, leading = seats.codes[seat], turn.position.top == PASS
    if code == RANDOM:
        return choose_random(turn.moves, turn.n_moves, turn.passable, word(keys[KEY_RANDOM], deal, 0, seat, turn.ply))
    if code == GREEDY:
        return choose_greedy(turn.moves, leading)
    if code == FEWEST or code == FEWEST_LONG:
        return choose_fewest(turn, leading, code == FEWEST_LONG, setup.fewest, setup.options)
    if code == ASK:
        return NO_MOVE
    if code == MONTE_CARLO or code == HINT:
        key = word(keys[KEY_WORLDS], deal, 0, seat, turn.ply)
        how = (seats.worlds[seat], seats.inference[seat] != 0, seats.greedy_playouts[seat] != 0, key)
        move = choose_monte_carlo(turn, how, setup, scratch)
        return move if code == MONTE_CARLO else NO_MOVE
    view = make_view(turn, word(keys[KEY_OWN], deal, 0, seat, turn.ply), setup.options, scratch)
    return call_own(seats.handles[seat], view)


@inlined
def _pay_bonus(ledger: Any, seat: Any, each: Any) -> Any:
    """A bomb's bonus (rule 5.5)."""
    for other in range(3):
        ledger[BONUS + other] += 2 * each if other == seat else -each


@inlined
def _note_bomb(ledger: Any, seat: Any, move: Any, leading: Any, opening: Any, is_last: Any, options: Any) -> Any:
    """Note a bomb; returns the play to beat, and whether a bonus is due when the round ends (rules 5.5-5.7)."""
    ledger[BOMBS_PLAYED + seat] += 1
    if opening and move == FOUR_THREES and options.heavenly:
        ledger[HEAVENLY_PLAYED] = 1
        return HEAVENLY, False
    if not leading:
        ledger[REPLY_BOMBS + seat] += 1
    if leading and not options.bonus_for_lead_bombs:
        return move, False
    if is_last or options.bonus_to_beaten_bombs:
        _pay_bonus(ledger, seat, options.bomb_bonus_each)
        return move, False
    return move, True


@inlined
def _first_legal(moves: Any, n_moves: Any) -> Any:
    return PASS if n_moves == 0 else nth_move(moves, 0)


@inlined
def play_deal(deal: Any, hands: Any, opener: Any, opening: Any, script: Any, setup: Any, scratch: Any) -> Any:
    """Play one deal to its end, or to where it must stop; everything is left in `scratch.ledger` and `hands`.

    Parameters
    ----------
    deal : int64
        Keys the random numbers of the policies.
    hands : numpy.ndarray
        Shape (3,), uint64: levels by seat. Changed: what is left at the end.
    opener : int64
        Seat that leads first.
    opening : bool
        Whether the first play is under the rules of the opening (2.3); only hand-made positions say no.
    script : numpy.ndarray
        Shape (any,), int16: the first moves of the deal; the policies take over after them.
    setup : Setup
    scratch : Scratch
        Written: log, ledger.
    """
    options, log, ledger = setup.options, scratch.log, scratch.ledger
    for slot in range(N_LEDGER):
        ledger[slot] = 0
    top: Any = PASS
    move: Any = PASS
    owner, passes, bonus_due = opener, 0, False
    seat, ply, rounds, plays = opener, 0, 0, 0
    while True:
        hand = hands[seat]
        moves = legal_moves(hand, top, opening, options)
        n_moves = count_moves(moves)
        passable = may_pass(moves, top, options)
        if ply < len(script):
            move = np.int64(script[ply])
            if move == HEAVENLY:
                move = FOUR_THREES
        elif n_moves + np.int64(passable) == 1:
            move = _first_legal(moves, n_moves)
        else:
            after = _after(seat)
            sizes = (count_bits(hands[after]), count_bits(hands[_after(after)]))
            position = Position(top, _from(seat, owner), passes, bonus_due, opening)
            turn = Turn(hand, sizes, moves, n_moves, passable, position, ply, _from(opener, seat))
            move = _decide(deal, seat, turn, setup, scratch)
        if not is_legal(moves, passable, move):
            must_ask = ply >= len(script) and setup.seats.codes[seat] >= ASK
            if must_ask or not setup.lenient or ply < len(script) or move <= NOT_WHOLE:
                ledger[STATUS] = WAITING if must_ask else ILLEGAL
                ledger[STOP_SEAT], ledger[STOP_MOVE] = seat, move
                break
            ledger[CLAMPED + seat] += 1
            move = _first_legal(moves, n_moves)
        if move == PASS:
            log[ply] = PASS
            passes += 1
            if passes == 2:  # the round is over
                if bonus_due:
                    _pay_bonus(ledger, owner, options.bomb_bonus_each)
                top, bonus_due = PASS, False
        else:
            leading = top == PASS
            rounds += 1 if leading else 0
            plays += 1
            hand = remove_move(hand, move)
            hands[seat] = hand
            top, owner, passes, bonus_due = move, seat, 0, False
            if MOVE_KIND[move] == BOMB:
                top, bonus_due = _note_bomb(ledger, seat, move, leading, opening, hand == _ZERO, options)
            log[ply] = top
            if hand == _ZERO:
                ledger[STATUS], ledger[WINNER] = FINISHED, seat
                ply += 1
                break
        opening = False
        ply += 1
        seat = _after(seat)
    ledger[ROUNDS], ledger[PLIES], ledger[PLAYS] = rounds, ply, plays
