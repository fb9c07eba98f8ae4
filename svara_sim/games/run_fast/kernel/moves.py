"""The table of moves: the 140 rank-level moves (and three aces as a triple, an option), written out once.

A move is an index. Its slot says what it is, so that the legal moves of a hand are three 64-bit words:

* word 0, slots 0-63, equal ranks: single at 0 + rank, pair at 16 + rank, triple at 32 + rank, bomb at 48 + rank;
* word 1, slots 64-127, straights, by length and then by top rank;
* word 2, slots 128-191, pair runs, by length and then by top rank.

Index 192 is the pass, and as the play to beat it means that there is none; 193 is the heavenly bomb as the
play to beat. Ranks count from 0, a three, to 11, an ace, and 12, the two (rule 1.1).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ACE",
    "BEATS_RUNS",
    "BEATS_SETS",
    "BEATS_STRAIGHTS",
    "BOMB",
    "BOMB_SLOTS",
    "FOUR_THREES",
    "HEAVENLY",
    "KIND_NAMES",
    "MOVES",
    "MOVE_GROUP",
    "MOVE_GROUP_SLOTS",
    "MOVE_HALF_SHIFT",
    "MOVE_KIND",
    "MOVE_LEVELS",
    "MOVE_RANKS",
    "MOVE_SIZE",
    "MOVE_TOP",
    "N_GROUPS",
    "N_SLOTS",
    "OPENING_RUNS",
    "OPENING_SETS",
    "OPENING_STRAIGHTS",
    "PAIR",
    "PASS",
    "RUNS_OF",
    "RUN_GROUP",
    "SINGLE",
    "STRAIGHTS_OF",
    "STRAIGHT_GROUP",
    "TIE_LONG",
    "TIE_LOW",
    "TRIPLE",
    "TRIPLE_ACES",
    "TWO",
    "Move",
]

ACE, TWO = 11, 12
SINGLE, PAIR, TRIPLE, BOMB, STRAIGHT, PAIR_RUN = range(6)
KIND_NAMES = ("single", "pair", "triple", "bomb", "straight", "pair_run")
N_SLOTS = 192
PASS = 192
HEAVENLY = 193
FOUR_THREES = 48
TRIPLE_ACES = 32 + ACE
_FIRST_STRAIGHT, _FIRST_RUN = 64, 128
STRAIGHT_GROUP, RUN_GROUP = 4, 12
N_GROUPS = 19


class Move(NamedTuple):
    """One combination, as ranks (rule 4.1).

    Parameters
    ----------
    slot : int
        Its index in the table.
    kind : int
        `SINGLE` ... `PAIR_RUN`.
    group : int
        Moves of one group are of one kind and length: they beat each other by rank. 0-3 are single, pair,
        triple, bomb; 4-11 straights of 5-12; 12-18 pair runs of 2-8.
    ranks : range
        The ranks it uses, consecutive.
    depth : int
        Cards of each rank.
    """

    slot: int
    kind: int
    group: int
    ranks: range
    depth: int

    @property
    def size(self) -> int:
        """Number of cards."""
        return len(self.ranks) * self.depth


def _list_moves() -> tuple[Move, ...]:
    moves = [Move(rank, SINGLE, 0, range(rank, rank + 1), 1) for rank in range(TWO + 1)]
    moves += [Move(16 + rank, PAIR, 1, range(rank, rank + 1), 2) for rank in range(ACE + 1)]
    moves += [Move(32 + rank, TRIPLE, 2, range(rank, rank + 1), 3) for rank in range(ACE + 1)]
    moves += [Move(48 + rank, BOMB, 3, range(rank, rank + 1), 3 if rank == ACE else 4) for rank in range(ACE + 1)]
    slot = _FIRST_STRAIGHT
    for length in range(5, 13):
        for low in range(ACE + 2 - length):
            moves.append(Move(slot, STRAIGHT, STRAIGHT_GROUP + length - 5, range(low, low + length), 1))
            slot += 1
    slot = _FIRST_RUN
    for length in range(2, 9):
        for low in range(ACE + 2 - length):
            moves.append(Move(slot, PAIR_RUN, RUN_GROUP + length - 2, range(low, low + length), 2))
            slot += 1
    return tuple(moves)


MOVES: tuple[Move, ...] = _list_moves()
"""Every move, in the order of the slots: 141 with three aces as a triple."""


def _by_move(values: list[int], dtype: type, fill: int = 0) -> NDArray[Any]:
    table: NDArray[Any] = np.full(N_SLOTS + 2, fill, dtype)
    for move, value in zip(MOVES, values, strict=True):
        table[move.slot] = value
    table[HEAVENLY] = table[FOUR_THREES]
    table.setflags(write=False)
    return table


def _rank_mask(ranks: range) -> int:
    return sum(1 << rank for rank in ranks)


def _slots(moves: list[Move], word: int) -> int:
    return sum(1 << (move.slot - 64 * word) for move in moves if move.slot >> 6 == word)


def _beats(word: int) -> NDArray[Any]:
    """For each play to beat, the slots of one word that beat it (rule 3.3)."""
    table = np.zeros(N_SLOTS + 2, np.uint64)
    for top in MOVES:
        better = [m for m in MOVES if m.group == top.group and m.ranks[-1] > top.ranks[-1]]
        if top.kind != BOMB:
            better += [m for m in MOVES if m.kind == BOMB]
        table[top.slot] = _slots(better, word)
    table[PASS] = _slots(list(MOVES), word)  # a lead: anything
    table[HEAVENLY] = 0
    table.setflags(write=False)
    return table


def _sequences_of(kind: int, word: int) -> NDArray[np.uint64]:
    """For each mask of the ranks 3 to A, the slots of the sequences that these ranks hold."""
    masks = np.arange(1 << (ACE + 1))
    table = np.zeros(len(masks), np.uint64)
    for move in MOVES:
        if move.kind == kind:
            ranks = _rank_mask(move.ranks)
            table[(masks & ranks) == ranks] |= np.uint64(1 << (move.slot - 64 * word))
    table.setflags(write=False)
    return table


_ALL_LEVELS = 1 | 1 << 16 | 1 << 32 | 1 << 48

# Tables by slot (194 long: with the pass and the heavenly bomb); words are uint64, all else int64.
MOVE_RANKS = _by_move([_rank_mask(m.ranks) * _ALL_LEVELS for m in MOVES], np.uint64)
MOVE_HALF_SHIFT = _by_move([8 * m.depth for m in MOVES], np.uint64)
MOVE_LEVELS = _by_move([_rank_mask(m.ranks) * (_ALL_LEVELS & ((1 << 16 * m.depth) - 1)) for m in MOVES], np.uint64)
MOVE_SIZE = _by_move([m.size for m in MOVES], np.int64)
MOVE_KIND = _by_move([m.kind for m in MOVES], np.int64, -1)
MOVE_GROUP = _by_move([m.group for m in MOVES], np.int64, -1)
MOVE_TOP = _by_move([m.ranks[-1] for m in MOVES], np.int64, -1)
MOVE_GROUP_SLOTS = _by_move(
    [_slots([m for m in MOVES if m.group == move.group], move.slot >> 6) for move in MOVES], np.uint64
)
# What breaks a tie between moves that leave equally many plays, the lesser the better: the lowest play; or longer
# leads, where a card more outweighs two ranks, and bombs last.
TIE_LOW = MOVE_TOP
TIE_LONG = _by_move([m.ranks[-1] - 2 * m.size + (200 if m.kind == BOMB else 0) for m in MOVES], np.int64)
BEATS_SETS, BEATS_STRAIGHTS, BEATS_RUNS = _beats(0), _beats(1), _beats(2)

# Slots of the moves that use a three (rule 2.3), and of the bombs.
_WITH_THREE = [m for m in MOVES if m.ranks[0] == 0]
OPENING_SETS = np.uint64(_slots(_WITH_THREE, 0))
OPENING_STRAIGHTS = np.uint64(_slots(_WITH_THREE, 1))
OPENING_RUNS = np.uint64(_slots(_WITH_THREE, 2))
BOMB_SLOTS = np.uint64(_slots([m for m in MOVES if m.kind == BOMB], 0))

# Tables by the 12-bit mask of the ranks 3 to A that a hand holds once (straights) or twice (pair runs).
STRAIGHTS_OF = _sequences_of(STRAIGHT, 1)
RUNS_OF = _sequences_of(PAIR_RUN, 2)
