"""Points of a hand: one function a reading, and the table of all 4960 hands for the kernel (rule page, section 1).

A card is an index ``suit * 8 + rank``: suits ♠ ♥ ♦ ♣, ranks 7 8 9 10 J Q K A. A hand ``a < b < c`` has the
index ``C(a, 1) + C(b, 2) + C(c, 3)``, its place in colexicographic order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from ...core.cards import Deck
from .rules import SvaraRules

__all__ = ["DECK", "HANDS", "JOKER", "READINGS", "hand_index", "points", "points_table", "readings"]

DECK = Deck(ranks=("7", "8", "9", "10", "J", "Q", "K", "A"))
JOKER = DECK.card("7♣")
_RANK_VALUES = (7, 8, 9, 10, 10, 10, 10, 11)
_SEVEN, _NINE, _ACE = 0, 2, 7

HANDS: tuple[tuple[int, int, int], ...] = tuple(
    sorted(combinations(range(32), 3), key=lambda hand: (hand[2], hand[1], hand[0]))
)
"""All 4960 hands, each in ascending card order, in the order of their indices."""

Hand = Sequence[int]


def _rank(card: int) -> int:
    return card % 8


def _suit(card: int) -> int:
    return card // 8


def _value(card: int) -> int:
    return _RANK_VALUES[_rank(card)]


def _count(hand: Hand, rank: int) -> int:
    return sum(_rank(card) == rank for card in hand)


def single_card(hand: Hand, rules: SvaraRules) -> int:
    """Reading a: the highest single card."""
    return max(_value(card) for card in hand)


def one_suit(hand: Hand, rules: SvaraRules) -> int:
    """Reading b: the sum of all cards of one suit."""
    sums: Counter[int] = Counter()
    for card in hand:
        sums[_suit(card)] += _value(card)
    return max(sums.values())


def aces(hand: Hand, rules: SvaraRules) -> int:
    """Reading c: two aces 22, three aces 33."""
    return {2: 22, 3: 33}.get(_count(hand, _ACE), 0)


def three_of_a_kind(hand: Hand, rules: SvaraRules) -> int:
    """Reading d: three of a rank, 3 x its value; 7s, 8s and 9s only with `small_triples`."""
    rank = _rank(hand[0])
    if _count(hand, rank) < 3 or (rank <= _NINE and not rules.small_triples):
        return 0
    return 3 * _RANK_VALUES[rank]


def two_sevens(hand: Hand, rules: SvaraRules) -> int:
    """Reading e: two sevens (three hold two)."""
    return rules.two_sevens if _count(hand, _SEVEN) >= 2 else 0


def three_sevens(hand: Hand, rules: SvaraRules) -> int:
    """Reading f: three sevens, the strongest hand."""
    return rules.three_sevens if _count(hand, _SEVEN) == 3 else 0


def with_joker(hand: Hand, rules: SvaraRules) -> int:
    """Reading g: 7♣ is 11, plus the other two cards together if they share suit or rank, else the larger."""
    if not rules.joker or JOKER not in hand:
        return 0
    x, y = (card for card in hand if card != JOKER)
    together = _suit(x) == _suit(y) or _rank(x) == _rank(y)
    return 11 + (_value(x) + _value(y) if together else max(_value(x), _value(y)))


READINGS: dict[str, Callable[[Hand, SvaraRules], int]] = {
    "highest card": single_card,
    "one suit": one_suit,
    "aces": aces,
    "three of a kind": three_of_a_kind,
    "two sevens": two_sevens,
    "three sevens": three_sevens,
    "joker 7♣": with_joker,
}
"""The readings a to g of the rule page, by a name for people."""


def readings(hand: Hand, rules: SvaraRules) -> dict[str, int]:
    """Points of a hand under each reading that applies, the best first.

    Parameters
    ----------
    hand : sequence of int
        Three different card indices.
    rules : SvaraRules
        The scoring options.
    """
    values = {name: reading(hand, rules) for name, reading in READINGS.items()}
    return dict(sorted(((n, v) for n, v in values.items() if v > 0), key=lambda item: -item[1]))


def points(hand: Hand, rules: SvaraRules) -> int:
    """Points of a hand: the highest of its readings."""
    return max(reading(hand, rules) for reading in READINGS.values())


def hand_index(hand: Iterable[int]) -> int:
    """Index of a hand from 0 to 4959."""
    a, b, c = sorted(hand)
    return comb(a, 1) + comb(b, 2) + comb(c, 3)


@lru_cache(maxsize=64)
def _table(joker: bool, small_triples: bool, two: int, three: int) -> NDArray[np.uint8]:
    rules = SvaraRules(joker=joker, small_triples=small_triples, two_sevens=two, three_sevens=three)
    table = np.array([points(hand, rules) for hand in HANDS], dtype=np.uint8)
    table.flags.writeable = False
    return table


def points_table(rules: SvaraRules) -> NDArray[np.uint8]:
    """Points of every hand.

    Returns
    -------
    numpy.ndarray
        Shape (4960,), dtype uint8, in the order of `HANDS`; read-only.
    """
    return _table(rules.joker, rules.small_triples, rules.two_sevens, rules.three_sevens)
