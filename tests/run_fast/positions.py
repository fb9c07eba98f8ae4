"""What the tests of Run Fast share: hands and moves in writing, and single positions played by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from svara_sim.games.run_fast.kernel.legal import legal_moves, may_pass
from svara_sim.games.run_fast.kernel.moves import HEAVENLY, KIND_NAMES, MOVES, PASS
from svara_sim.games.run_fast.kernel.types import MoveSet, Setup
from svara_sim.games.run_fast.policies import make_policy
from svara_sim.games.run_fast.rules import RunFastRules
from svara_sim.games.run_fast.table import new_setup, play_hands

RANKS = "3456789TJQKA2"


def rank_counts(text: str) -> list[int]:
    """Counts by rank of a hand: ``TJQKA2``, or with suits and blanks ``3H 4S`` (one card: a blank at the end)."""
    words = text.split()
    ranks = [w[0] for w in words] if " " in text else list(text)
    return [ranks.count(r) for r in RANKS]


def levels(text: str) -> np.uint64:
    return levels_of_counts(rank_counts(text))


def levels_of_counts(counts: list[int]) -> np.uint64:
    return np.uint64(sum(1 << (rank + 16 * k) for rank, n in enumerate(counts) for k in range(n)))


def slot(text: str) -> int:
    """Slot of a move in the notation of section 10."""
    if text == "-":
        return PASS
    if text.endswith("*"):
        return HEAVENLY
    counts = rank_counts(text)
    for move in MOVES:
        if counts == [move.depth if r in move.ranks else 0 for r in range(13)] and move.slot != 32 + 11:
            return move.slot
    raise ValueError(text)


def combination(slot_: int) -> tuple[str, int, int]:
    """A slot as the slow rulebook writes it."""
    if slot_ == HEAVENLY:
        return ("heavenly", 1, 0)
    move = next(m for m in MOVES if m.slot == slot_)
    return (KIND_NAMES[move.kind], len(move.ranks), move.ranks[-1])


SLOT_OF = {combination(m.slot): m.slot for m in MOVES} | {("heavenly", 1, 0): HEAVENLY}


def slots(moves: MoveSet) -> list[int]:
    words = [int(w) for w in (moves.sets, moves.straights, moves.runs)]
    return [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]


def legal_slots(hand: np.uint64, top: int, opening: bool, rules: RunFastRules) -> tuple[list[int], bool]:
    options = rules.kernel_options()
    moves = MoveSet(*(np.uint64(w) for w in legal_moves(np.uint64(hand), top, opening, options)))
    return slots(moves), bool(may_pass(moves, top, options))


def setup_of(seats: list[Any], rules: RunFastRules | None = None, seed: int = 1, lenient: bool = False) -> Setup:
    """Kernel arguments of a table (library policies only: own functions must be kept alive)."""
    return new_setup(rules or RunFastRules(), [make_policy(s) for s in seats], seed, lenient)[0]


def play_position(
    hands: list[np.uint64], opener: int, opening: bool, script: list[int], setup: Setup, deal: int = 0
) -> tuple[Any, Any, Any]:
    """Play from given hands; returns the record, the ledger and the scratch."""
    room = play_hands(deal, hands, opener, opening, script, setup)
    return room.row, room.scratch.ledger, room.scratch
