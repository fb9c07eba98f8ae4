"""Section 1 of the rule page: the deck and the points of a hand, one small function a reading.

Written from the rule page alone, to be read beside it. Slow on purpose; shares nothing with the package.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("♠", "♥", "♦", "♣")
VALUES = {"7": 7, "8": 8, "9": 9, "10": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
SUIT_LETTERS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
RANK_LETTERS = {"t": "10"}


class Card(NamedTuple):
    """One card; `str` gives the spelling of section 5: rank, then suit symbol."""

    rank: str
    suit: str

    @property
    def value(self) -> int:
        """Section 1: 7, 8, 9 at face; 10 J Q K = 10; A = 11."""
        return VALUES[self.rank]

    def __str__(self) -> str:
        return self.rank + self.suit


DECK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
JOKER = Card("7", "♣")


def parse_card(text: str) -> Card:
    """Read a card as section 5 allows: symbols or s h d c, T for 10, lower case."""
    if not isinstance(text, str) or len(text) not in (2, 3):
        raise ValueError(f"not a card: {text!r}")
    head, tail = text[:-1].lower(), text[-1].lower()
    suit = SUIT_LETTERS.get(tail, tail)
    rank = RANK_LETTERS.get(head, head).upper()
    if rank not in RANKS or suit not in SUITS:
        raise ValueError(f"not a card: {text!r}")
    return Card(rank, suit)


def all_hands() -> Iterator[tuple[Card, ...]]:
    """All C(32,3) = 4960 hands."""
    return combinations(DECK, 3)


def reading_a(hand: Sequence[Card]) -> int:
    """Reading a: any single card's value."""
    return max(card.value for card in hand)


def reading_b(hand: Sequence[Card]) -> int:
    """Reading b: the sum of all cards of one suit."""
    return max(sum(card.value for card in hand if card.suit == suit) for suit in SUITS)


def reading_c(hand: Sequence[Card]) -> int:
    """Reading c: two aces 22, three aces 33 (any suits)."""
    aces = sum(card.rank == "A" for card in hand)
    return {2: 22, 3: 33}.get(aces, 0)


def reading_d(hand: Sequence[Card], small_triples: bool) -> int:
    """Reading d: three of a kind, 3 x value; for 7s, 8s and 9s only with `small_triples`."""
    if len({card.rank for card in hand}) != 1:
        return 0
    if hand[0].rank in ("7", "8", "9") and not small_triples:
        return 0
    return 3 * hand[0].value


def reading_e(hand: Sequence[Card], two_sevens: int) -> int:
    """Reading e: two sevens, any suits (three sevens hold two sevens as well)."""
    return two_sevens if sum(card.rank == "7" for card in hand) >= 2 else 0


def reading_f(hand: Sequence[Card], three_sevens: int) -> int:
    """Reading f: three sevens."""
    return three_sevens if all(card.rank == "7" for card in hand) else 0


def reading_g(hand: Sequence[Card], joker: bool) -> int:
    """Reading g: with 7♣, 11 + the other two, added when they share a suit or a rank, else the larger."""
    if not joker or JOKER not in hand:
        return 0
    one, other = (card for card in hand if card != JOKER)
    if one.suit == other.suit or one.rank == other.rank:
        return 11 + one.value + other.value
    return 11 + max(one.value, other.value)


def plain_points(hand: Sequence[Card], rules: Mapping[str, Any]) -> int:
    """The best of readings a-f, in which 7♣ is a plain seven of clubs."""
    return max(
        reading_a(hand),
        reading_b(hand),
        reading_c(hand),
        reading_d(hand, rules["small_triples"]),
        reading_e(hand, rules["two_sevens"]),
        reading_f(hand, rules["three_sevens"]),
    )


def hand_points(hand: Sequence[Card], rules: Mapping[str, Any]) -> int:
    """Section 1: the points of a hand are the highest of its readings."""
    return max(plain_points(hand, rules), reading_g(hand, rules["joker"]))


def score(cards: Sequence[str], rules: Mapping[str, Any]) -> int:
    """The points of three cards in any spelling that `parse_card` reads, under `rules`."""
    hand = [parse_card(card) for card in cards]
    if len(set(hand)) != 3 or len(hand) != 3:
        raise ValueError(f"a hand is three different cards, not {list(cards)!r}")
    return hand_points(hand, rules)
