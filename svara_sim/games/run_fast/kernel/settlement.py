"""Settlement (rule 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits
from ....core.jit import inlined
from .hands import bomb_ranks
from .types import DOUBLE_ALL, DOUBLE_CARDS

__all__ = ["penalty_of"]

_TWO_SHIFT, _ONE = np.uint64(12), np.uint64(1)


@inlined
def penalty_of(hand: Any, never_played: Any, options: Any) -> Any:
    """What a loser with this hand (levels) pays to the winner, int64 points (rules 5.1-5.3)."""
    cards = count_bits(hand)
    if options.last_card_free and cards == 1:
        cards = 0
    extra = np.int64((hand >> _TWO_SHIFT) & _ONE) * options.spade2_penalty
    extra += count_bits(bomb_ranks(hand)) * options.unplayed_bomb_penalty
    if never_played:
        if options.double_scope == DOUBLE_CARDS:
            cards *= 2
        elif options.double_scope == DOUBLE_ALL:
            cards *= 2
            extra *= 2
    return cards + extra
