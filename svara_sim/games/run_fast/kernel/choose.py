"""The fast policies: each picks one of the legal moves. A player without a choice is not asked.

How they break ties is not in the rules; it was settled by the figures of rule 8, which they reproduce.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import highest_bit, lowest_bit
from ....core.jit import inlined
from ....core.rng import below
from .fewest import plays_left
from .hands import remove_move
from .legal import nth_move
from .moves import ACE, BOMB_SLOTS, MOVE_GROUP_SLOTS, MOVE_SIZE, MOVE_TOP, PASS, TIE_LONG, TIE_LOW

__all__ = ["choose_fewest", "choose_greedy", "choose_random"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_FOURS = np.uint64(int(BOMB_SLOTS) ^ 1 << (48 + ACE))
_TRIPLES = np.uint64(0xFFFF << 32)
_PAIRS = np.uint64(0xFFFF << 16)


@inlined
def choose_random(moves: Any, n_moves: Any, passable: Any, bits: Any) -> Any:
    """One of the legal moves, the pass among them if it is allowed, all with the same probability."""
    pick = below(bits, n_moves + np.int64(passable))
    return PASS if pick == n_moves else nth_move(moves, pick)


@inlined
def _longest_set(sets: Any) -> Any:
    """The lowest of the largest sets of equal ranks."""
    for field in (_FOURS, _TRIPLES, BOMB_SLOTS, _PAIRS):
        if sets & field:
            return lowest_bit(sets & field)
    return lowest_bit(sets)


@inlined
def _longest_sequence(mask: Any, base: Any) -> Any:
    """The lowest of the longest sequences of one word."""
    longest = highest_bit(mask)
    return lowest_bit(mask & MOVE_GROUP_SLOTS[longest + base]) + base


@inlined
def _longer(best: Any, move: Any) -> Any:
    """Of two leads, the one with more cards, then with the lower top rank, then the first."""
    if MOVE_SIZE[move] != MOVE_SIZE[best]:
        return move if MOVE_SIZE[move] > MOVE_SIZE[best] else best
    return move if MOVE_TOP[move] < MOVE_TOP[best] else best


@inlined
def choose_greedy(moves: Any, leading: Any) -> Any:
    """The longest, then lowest combination of a lead; the lowest reply that beats, a bomb only if it must.

    Never passes up a move. `moves` holds at least one.
    """
    if leading:
        # A lead always has a set: any rank held is a single or part of a bomb.
        best = _longest_set(moves.sets)
        if moves.straights != _ZERO:
            best = _longer(best, _longest_sequence(moves.straights, 64))
        if moves.runs != _ZERO:
            best = _longer(best, _longest_sequence(moves.runs, 128))
        return best
    if moves.straights != _ZERO:
        return lowest_bit(moves.straights) + 64
    if moves.runs != _ZERO:
        return lowest_bit(moves.runs) + 128
    return lowest_bit(moves.sets)


@inlined
def choose_fewest(turn: Any, leading: Any, longer: Any, table: Any, options: Any) -> Any:
    """The move that leaves the fewest plays; in reply, a bomb only if it must. Of the `Turn`, hand and moves are read.

    Ties go to the lowest top rank, or on a lead, if `longer`, by `TIE_LONG`; then to the first slot of the move
    table. A pass that is not forced is taken only if every move leaves more plays than the hand has now.
    """
    hand, moves, passable = turn.hand, turn.moves, turn.passable
    sets = moves.sets
    if not leading:
        ordinary = sets & ~BOMB_SLOTS
        if (ordinary | moves.straights | moves.runs) != _ZERO:
            sets = ordinary
    ties = TIE_LONG if longer and leading else TIE_LOW
    best, best_move = 1 << 20, PASS
    for word in range(3):
        mask = sets if word == 0 else (moves.straights if word == 1 else moves.runs)
        while mask != _ZERO:
            move = lowest_bit(mask) + 64 * word
            mask &= mask - _ONE
            value = plays_left(remove_move(hand, move), table, options) * 1024 + ties[move]
            if value < best:
                best, best_move = value, move
    if passable and (plays_left(hand, table, options) + 1) * 1024 <= best:
        return PASS
    return best_move
