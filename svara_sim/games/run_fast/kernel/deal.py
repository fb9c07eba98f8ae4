"""Dealing 48 cards, 16 to each of three hands, exactly uniformly (rule 2.1).

A hand starts as a random subset in which each card lies with the same probability, independently; then cards
drawn uniformly are added or taken away until it has 16. Nothing in that prefers one card to another: the result
has the same law after any renaming of the cards, and all subsets of 16 can be renamed into each other, so each
is equally likely. The second hand is made from the 32 cards left in the same way. Only the drawing is
not exact: the bias of `below` is under 48 / 2**64.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.bits import count_bits, deposit_bits
from ....core.jit import inlined
from ....core.rng import below, word
from .hands import DECK_CARDS

__all__ = ["THREE_OF_HEARTS", "TWO_OF_SPADES", "deal_hands", "find_opener"]

_ONE = np.uint64(1)
THREE_OF_HEARTS = np.uint64(1 << 13)
TWO_OF_SPADES = np.uint64(1 << 12)
_HAND = 16


@inlined
def _level_hand(hand: Any, pool: Any, key: Any, deal: Any, turn: Any) -> Any:
    """Add or take away cards of `pool`, drawn uniformly, until `hand` has 16; with the next free turn."""
    size = count_bits(hand)
    while size > _HAND:
        hand ^= deposit_bits(_ONE << np.uint64(below(word(key, deal, 0, 0, turn), size)), hand)
        size -= 1
        turn += 1
    while size < _HAND:
        rest = pool & ~hand
        hand |= deposit_bits(_ONE << np.uint64(below(word(key, deal, 0, 0, turn), count_bits(rest))), rest)
        size += 1
        turn += 1
    return hand, turn


@inlined
def deal_hands(key: Any, deal: Any) -> Any:
    """Three hands of 16, as cards (uint64 each), of one deal of the stream of `key`."""
    # Each card with probability 5/16: 15 cards are expected.
    first = word(key, deal, 0, 0, 0) & word(key, deal, 0, 0, 1)
    first = (first | word(key, deal, 0, 0, 2)) & word(key, deal, 0, 0, 3) & DECK_CARDS
    first, turn = _level_hand(first, DECK_CARDS, key, deal, 5)
    rest = DECK_CARDS ^ first
    second, turn = _level_hand(word(key, deal, 0, 0, 4) & rest, rest, key, deal, turn)
    return first, second, rest ^ second


@inlined
def find_opener(first: Any, second: Any) -> Any:
    """Seat of the 3 of hearts (rule 2.2), given the cards of seats 0 and 1; int64."""
    if first & THREE_OF_HEARTS:
        return 0
    if second & THREE_OF_HEARTS:
        return 1
    return 2
