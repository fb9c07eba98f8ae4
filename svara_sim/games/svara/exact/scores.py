"""The points of all 4960 hands, as every count here takes them: checked once, then turned into tables.

Cards are indices ``suit * 8 + rank`` (♠ ♥ ♦ ♣; 7 8 9 10 J Q K A), hands come in colexicographic order: hand a
< b < c has index C(c, 3) + C(b, 2) + a. Negative points mean that the hand cannot be dealt: a smaller deck is
one whose missing cards make every hand with them negative.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import InvalidInput
from ..scoring import DECK, HANDS, hand_index
from .cardsets import DECK_SIZE, HAND_SIZE, N_HANDS, card_sets, place_of_card

__all__ = [
    "BARRED",
    "Scores",
    "card_bits",
    "card_names",
    "class_of_hand",
    "class_sizes",
    "hand_cards",
    "hand_index",
]

BARRED = 127


def card_names(cards: Iterable[int]) -> str:
    """Cards as people write them, such as ``7♣ K♥ K♦``."""
    return " ".join(DECK.write(cards))


@lru_cache(maxsize=1)
def hand_cards() -> NDArray[np.int64]:
    """Shape (4960, 3): the cards of every hand, ascending, in colexicographic order."""
    return np.array(HANDS, dtype=np.int64)


def card_bits(cards: Iterable[int]) -> int:
    """The card set (see `cardsets`) that holds the given cards."""
    return sum(1 << place_of_card(card) for card in cards)


@lru_cache(maxsize=1)
def class_of_hand() -> NDArray[np.int64]:
    """Shape (4960,): number of every hand's class, 0 to 336."""
    sets = card_sets()
    bits = np.array([card_bits(hand) for hand in hand_cards().tolist()], dtype=np.int64)
    low = bits & 0xFFFF
    first: NDArray[np.int64] = sets.offsets[HAND_SIZE][low].astype(np.int64)
    further: NDArray[np.int64] = sets.local[sets.part[low] + (bits >> 16)].astype(np.int64)
    return np.add(first, further, dtype=np.int64)


@lru_cache(maxsize=1)
def class_sizes() -> NDArray[np.int64]:
    """Shape (337,): how many hands each class holds."""
    return np.bincount(class_of_hand())


@dataclass(frozen=True, eq=False)
class Scores:
    """A scoring function, ready for counting.

    Attributes
    ----------
    points : numpy.ndarray
        Shape (4960,), int64: points by hand; -1 for a hand that cannot be dealt.
    levels : tuple of int
        The distinct points of the hands of the deck, ascending.
    deck : tuple of int
        The cards of the deck, ascending.
    by_class : numpy.ndarray
        Shape (337,), int64: level (index into `levels`) by class of hands; `BARRED` for none.
    by_cards : numpy.ndarray
        Shape (32, 32, 32), int64: level by the three places of a hand (see `place_of_card`), in any order.
    """

    points: NDArray[np.int64]
    levels: tuple[int, ...]
    deck: tuple[int, ...]
    by_class: NDArray[np.int64]
    by_cards: NDArray[np.int64]

    @property
    def digest(self) -> str:
        """Hash of the points: 32 hexadecimal digits, the same for the same scoring on any machine."""
        return hashlib.blake2b(self.points.astype("<i8").tobytes(), digest_size=16).hexdigest()

    def level_of(self, cards: Iterable[int]) -> int:
        """Level of a hand of the deck."""
        return self.levels.index(int(self.points[hand_index(cards)]))

    @classmethod
    def of(cls, points_by_hand: Any) -> Scores:
        """Check an array of points and turn it into tables.

        Parameters
        ----------
        points_by_hand : array_like
            Shape (4960,), whole numbers: points of every hand, negative for one that cannot be dealt.

        Raises
        ------
        InvalidInput
            If the shape or the type is another, if the hands that can be dealt are not all the hands of some
            deck, if there are more than 120 different points, or if the points tell the suits ♠ ♥ ♦, or the
            ranks 10 J Q K, apart.
        """
        points = np.asarray(points_by_hand)
        if points.shape != (N_HANDS,) or not np.issubdtype(points.dtype, np.integer):
            raise InvalidInput(
                f"points_by_hand has shape {points.shape}, dtype {points.dtype}: must be {N_HANDS} integers"
            )
        points = np.maximum(points.astype(np.int64), -1)
        deck = _deck_of(points)
        _check_symmetry(points)
        levels = np.unique(points[points >= 0])
        if len(levels) > BARRED - 7:
            raise InvalidInput(
                f"points_by_hand has {len(levels)} different points: at most {BARRED - 7} can be counted"
            )
        level = np.where(points >= 0, np.searchsorted(levels, points), BARRED)
        by_class = np.zeros(len(class_sizes()), dtype=np.int64)
        by_class[class_of_hand()] = level
        return cls(points, tuple(levels.tolist()), deck, by_class, places_table(level))


def places_table(by_hand: NDArray[np.int64]) -> NDArray[np.int64]:
    """Shape (32, 32, 32): a value of every hand by the places of its cards, in any order; -1 if no hand."""
    table = np.full((DECK_SIZE,) * 3, -1, dtype=np.int64)
    places = np.array([place_of_card(card) for card in range(DECK_SIZE)])[hand_cards()]
    for x, y, z in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        table[places[:, x], places[:, y], places[:, z]] = by_hand
    return table


def _deck_of(points: NDArray[np.int64]) -> tuple[int, ...]:
    deck = np.unique(hand_cards()[points >= 0])
    whole = [hand_index(cards) for cards in combinations(deck.tolist(), HAND_SIZE)]
    if len(deck) < HAND_SIZE or (points[whole] < 0).any():
        raise InvalidInput(
            f"points_by_hand lets {int((points >= 0).sum())} hands be dealt: must be all those of a deck"
        )
    return tuple(deck.tolist())


def _check_symmetry(points: NDArray[np.int64]) -> None:
    first = np.full(len(class_sizes()), -1, dtype=np.int64)
    classes = class_of_hand()
    first[classes[::-1]] = np.arange(N_HANDS)[::-1]
    bad = np.flatnonzero(points != points[first[classes]])
    if len(bad):
        hand, twin = int(bad[0]), int(first[classes[bad[0]]])
        a, b = card_names(hand_cards()[hand].tolist()), card_names(hand_cards()[twin].tolist())
        raise InvalidInput(
            f"points_by_hand gives {a} {int(points[hand])} and {b} {int(points[twin])} points: "
            "must not tell ♠ ♥ ♦, or 10 J Q K, apart"
        )
