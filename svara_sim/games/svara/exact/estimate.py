"""Simulated odds, for a check of the exact ones and for when a rough answer at once is enough.

A deal is one independent unit. Deal i of a seed is the same on any machine (`core.rng`): card c of it comes
from word (deal i, round 0, seat 0, turn c).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.jit import inlined, kernel
from ....core.rng import below, stream_keys, word
from .cardsets import HAND_SIZE, place_of_card
from .scores import Scores

__all__ = ["simulate_against", "simulate_table"]

_TABLE, _HAND = 0, 1


@inlined
def _deal(key: Any, deal: Any, n_cards: Any, deck: Any, dealt: Any) -> None:
    """Put `n_cards` random cards of `deck` first in `dealt` (both shape (W,), int64 places)."""
    for i in range(len(deck)):
        dealt[i] = deck[i]
    for i in range(n_cards):
        j = i + below(word(key, deal, 0, 0, i), len(deck) - i)
        dealt[i], dealt[j] = dealt[j], dealt[i]


@kernel
def _simulate_table(by_cards: Any, keys: Any, deck: Any, players: Any, n_deals: Any, dealt: Any, counts: Any) -> None:
    """Count deals by level of the best hand and number tied, into `counts` (levels, players + 1)."""
    for deal in range(n_deals):
        _deal(keys[_TABLE], deal, 3 * players, deck, dealt)
        best, tied = -1, 0
        for i in range(0, 3 * players, 3):
            level = by_cards[dealt[i], dealt[i + 1], dealt[i + 2]]
            if level > best:
                best, tied = level, 1
            elif level == best:
                tied += 1
        counts[best, tied] += 1


@kernel
def _simulate_against(
    by_cards: Any, keys: Any, deck: Any, level: Any, opponents: Any, n_deals: Any, dealt: Any, counts: Any
) -> None:
    """Count deals with no opponent above `level`, by how many are at it, into `counts` (opponents + 1,)."""
    for deal in range(n_deals):
        _deal(keys[_HAND], deal, 3 * opponents, deck, dealt)
        tied = 0
        for i in range(0, 3 * opponents, 3):
            other = by_cards[dealt[i], dealt[i + 1], dealt[i + 2]]
            if other > level:
                tied = -1
                break
            if other == level:
                tied += 1
        if tied >= 0:
            counts[tied] += 1


def _places(cards: Iterable[int]) -> NDArray[np.int64]:
    return np.array([place_of_card(card) for card in cards], dtype=np.int64)


def simulate_table(scores: Scores, players: int, n_deals: int, seed: int) -> dict[tuple[int, int], int]:
    """Number of simulated deals by (best points, number tied).

    Parameters
    ----------
    scores : Scores
        The scoring.
    players, n_deals : int
        Hands in a deal; deals.
    seed : int
        0 to 2**63 - 1.
    """
    deck = _places(scores.deck)
    counts = np.zeros((len(scores.levels), players + 1), dtype=np.int64)
    keys = stream_keys(seed, "svara/exact", 2)
    _simulate_table(scores.by_cards, keys, deck, players, n_deals, deck.copy(), counts)
    return {
        (points, tied): int(counts[level, tied])
        for level, points in enumerate(scores.levels)
        for tied in range(1, players + 1)
        if counts[level, tied]
    }


def simulate_against(
    scores: Scores, level: int, cards: Iterable[int], opponents: int, n_deals: int, seed: int
) -> tuple[int, ...]:
    """Number of simulated deals in which j opponents are at the level and the others below, by j.

    Parameters
    ----------
    scores : Scores
        The scoring.
    level : int
        Level of the hand.
    cards : iterable of int
        The cards that the opponents' hands come from; at least ``3 * opponents``.
    opponents, n_deals : int
        Opponents; deals.
    seed : int
        0 to 2**63 - 1.
    """
    deck = _places(cards)
    counts = np.zeros(opponents + 1, dtype=np.int64)
    keys = stream_keys(seed, "svara/exact", 2)
    _simulate_against(scores.by_cards, keys, deck, level, opponents, n_deals, deck.copy(), counts)
    return tuple(counts.tolist())


assert HAND_SIZE == 3
