"""The Monte Carlo policy: draw hidden hands, play each legal move out in each, take the best on average."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....core.bits import count_bits
from ....core.jit import inlined, kernel
from .choose import choose_fewest, choose_greedy
from .hands import remove_move
from .hidden import draw_world, learn, ways_to_deal
from .legal import count_moves, legal_moves, may_pass, nth_move
from .moves import BOMB, FOUR_THREES, HEAVENLY, MOVE_KIND, PASS
from .settlement import penalty_of

__all__ = ["choose_monte_carlo", "play_out"]

_ZERO = np.uint64(0)


class _Choice(NamedTuple):
    """What `choose_fewest` reads of a `Turn`."""

    hand: Any
    moves: Any
    passable: Any


@inlined
def _fast_move(hand: Any, top: Any, greedy: Any, fewest: Any, options: Any) -> Any:
    """The playouts' choice, or the pass that is forced."""
    moves = legal_moves(hand, top, False, options)
    n_moves = count_moves(moves)
    if n_moves == 0:
        return PASS
    passable = may_pass(moves, top, options)
    if n_moves == 1 and not passable:
        return nth_move(moves, 0)
    if greedy:
        return choose_greedy(moves, top == PASS)
    return choose_fewest(_Choice(hand, moves, passable), top == PASS, True, fewest, options)


@inlined
def _final_points(actor: Any, after: Any, before: Any, options: Any) -> Any:
    """Points of player 0 when `actor` has gone out; `after` moves after the actor, `before` before."""
    pay_after = penalty_of(after, count_bits(after) == 16, options)
    pay_before = penalty_of(before, count_bits(before) == 16, options)
    if actor == 0:
        return pay_after + pay_before
    return -pay_after if actor == 2 else -pay_before


@inlined
def play_out(hands: Any, move: Any, position: Any, greedy: Any, setup: Any) -> Any:
    """Play `move`, then the rest of the deal, by a fast policy in all seats.

    Parameters
    ----------
    hands : tuple of uint64
        Levels of the player to move (player 0), the next (1) and the previous one (2).
    move : int64
        The move of player 0.
    position : Position
    greedy : bool
        The fast policy: greedy, or the fewest plays left with longer leads.
    setup : Setup

    Returns
    -------
    int64
        Points of player 0 from here on, bonuses included.
    """
    options = setup.options
    hand, after, before = hands
    top, owner, passes, bonus_due, opening = position
    each = options.bomb_bonus_each
    points, actor = 0, 0
    while True:
        if move == PASS:
            passes += 1
            if passes == 2:
                if bonus_due:
                    points += 2 * each if owner == 0 else -each
                top, bonus_due = PASS, False
        else:
            hand = remove_move(hand, move)
            is_bomb = MOVE_KIND[move] == BOMB
            heavenly = opening and move == FOUR_THREES and options.heavenly
            bonus_due = is_bomb and not heavenly and (top != PASS or options.bonus_for_lead_bombs)
            top, owner, passes = HEAVENLY if heavenly else move, actor, 0
            if bonus_due and (hand == _ZERO or options.bonus_to_beaten_bombs):
                points += 2 * each if actor == 0 else -each
                bonus_due = False
            if hand == _ZERO:
                return points + _final_points(actor, after, before, options)
        opening = False
        hand, after, before = after, before, hand
        actor = 0 if actor == 2 else actor + 1
        move = _fast_move(hand, top, greedy, setup.fewest, options)


@inlined
def _choice(turn: Any, i: Any) -> Any:
    """Legal move number `i`; the pass, if it is legal, comes last."""
    return PASS if i == turn.n_moves else nth_move(turn.moves, i)


@kernel
def choose_monte_carlo(turn: Any, how: Any, setup: Any, scratch: Any) -> Any:
    """The legal move with the best mean over sampled worlds, the same worlds for each move.

    Parameters
    ----------
    turn : Turn
    how : tuple
        Worlds (int64), inference (bool), greedy playouts (bool), and the uint64 key of this decision's draws.
    setup : Setup
    scratch : Scratch
        `log` is read; `hidden` and `sums` are written: `sums` holds the points of each legal move over all worlds.

    Returns
    -------
    int64
        The move.
    """
    n_worlds, inference, greedy, key = how
    options, hidden, sums = setup.options, scratch.hidden, scratch.sums
    n_choices = turn.n_moves + np.int64(turn.passable)
    for i in range(n_choices):
        sums[_choice(turn, i)] = 0
    pool, keeper = learn(turn, scratch.log, inference, options, hidden)
    n_ways = ways_to_deal(pool, keeper, turn.sizes[0], hidden)
    draw = 0
    for _ in range(n_worlds):
        after, before, draw = draw_world((pool, keeper, turn.sizes[0], n_ways), key, draw, hidden, options)
        for i in range(n_choices):
            move = _choice(turn, i)
            sums[move] += play_out((turn.hand, after, before), move, turn.position, greedy, setup)
    best = _choice(turn, 0)
    for i in range(1, n_choices):
        move = _choice(turn, i)
        if sums[move] > sums[best]:
            best = move
    return best
