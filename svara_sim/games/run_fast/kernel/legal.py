"""Legal moves of a hand (rules 3 and 4): three words of slots, by table and mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits, deposit_bits, lowest_bit
from ....core.jit import inlined
from .hands import ACE_BIT, bomb_ranks
from .moves import (
    BEATS_RUNS,
    BEATS_SETS,
    BEATS_STRAIGHTS,
    BOMB_SLOTS,
    OPENING_RUNS,
    OPENING_SETS,
    OPENING_STRAIGHTS,
    PASS,
    RUNS_OF,
    STRAIGHTS_OF,
)
from .types import MoveSet

__all__ = ["count_moves", "is_legal", "legal_moves", "may_pass", "nth_move", "nth_slot"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_S16, _S32, _S48 = np.uint64(16), np.uint64(32), np.uint64(48)
_SEQUENCE_RANKS = np.uint64((1 << 12) - 1)
_LOWER_FIELDS = np.uint64(1 | 1 << 16 | 1 << 32)
_ACE_TRIPLE = np.uint64(ACE_BIT << _S32)


@inlined
def legal_moves(hand: Any, top: Any, opening: Any, options: Any) -> Any:
    """Moves that may be played from `hand` on `top` (`PASS`: a lead), without the pass.

    Parameters
    ----------
    hand : uint64
        Levels.
    top : int64
        Slot of the play to beat, `PASS` on a lead, `HEAVENLY`.
    opening : bool
        Whether this is the first play of the deal (rule 2.3).
    options : Options

    Returns
    -------
    MoveSet
    """
    bombs = bomb_ranks(hand)
    if not options.may_split_bombs:
        hand &= ~(bombs * _LOWER_FIELDS)
    sets = (hand & ~(_S48_FIELD)) | (bombs << _S48)
    if not options.aaa_also_triple:
        sets &= ~_ACE_TRIPLE
    beats_straights, beats_runs = BEATS_STRAIGHTS[top], BEATS_RUNS[top]
    straights, runs = _ZERO, _ZERO
    if beats_straights != _ZERO:
        straights = STRAIGHTS_OF[hand & _SEQUENCE_RANKS] & beats_straights
    if beats_runs != _ZERO:
        runs = RUNS_OF[(hand >> _S16) & _SEQUENCE_RANKS] & beats_runs
    sets &= BEATS_SETS[top]
    if opening and options.opening_needs_h3:
        sets &= OPENING_SETS
        straights &= OPENING_STRAIGHTS
        runs &= OPENING_RUNS
    return MoveSet(sets, straights, runs)


_S48_FIELD = np.uint64(0xFFFF << 48)


@inlined
def may_pass(moves: Any, top: Any, options: Any) -> Any:
    """Whether a player with these legal moves may pass (rules 3.2, 3.3; 6.11, 6.12)."""
    if top == PASS:
        return False
    if not options.must_beat:
        return True
    ordinary = (moves.sets & ~BOMB_SLOTS) | moves.straights | moves.runs
    if ordinary != _ZERO:
        return False
    return moves.sets == _ZERO or not options.must_use_bomb


@inlined
def count_moves(moves: Any) -> Any:
    """Number of moves in a set, int64."""
    return count_bits(moves.sets) + count_bits(moves.straights) + count_bits(moves.runs)


@inlined
def nth_slot(mask: Any, n: Any) -> Any:
    """Index of the set bit number `n`, from 0, of a word that has one."""
    return lowest_bit(deposit_bits(_ONE << np.uint64(n), mask))


@inlined
def nth_move(moves: Any, n: Any) -> Any:
    """Move number `n`, from 0, of a set, in the order of the slots; int64."""
    n_sets = count_bits(moves.sets)
    if n < n_sets:
        return nth_slot(moves.sets, n)
    n -= n_sets
    n_straights = count_bits(moves.straights)
    if n < n_straights:
        return nth_slot(moves.straights, n) + 64
    return nth_slot(moves.runs, n - n_straights) + 128


@inlined
def is_legal(moves: Any, passable: Any, move: Any) -> Any:
    """Whether `move`, any int64, is in the set, or is a pass that is allowed."""
    if move == PASS:
        return passable
    if move < 0 or move > PASS:
        return False
    bit = _ONE << np.uint64(move & 63)
    if move < 64:
        return (moves.sets & bit) != _ZERO
    if move < 128:
        return (moves.straights & bit) != _ZERO
    return (moves.runs & bit) != _ZERO
