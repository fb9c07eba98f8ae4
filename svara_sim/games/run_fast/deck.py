"""The 48 cards of the game (rule 1.2)."""

from __future__ import annotations

from ...core.cards import Deck

__all__ = ["DECK", "RANKS", "cards_of", "hand_order", "mask_of"]

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
DECK = Deck(RANKS, missing=frozenset({"A♥", "2♥", "2♦", "2♣"}))


def hand_order(card: int) -> tuple[int, int]:
    """Sort key: by rank, then by suit."""
    suit, rank = divmod(card, len(RANKS))
    return rank, suit


def cards_of(mask: int) -> list[int]:
    """Cards of a 52-bit mask, in the order of a hand."""
    return sorted((card for card in range(52) if mask >> card & 1), key=hand_order)


def mask_of(cards: list[int]) -> int:
    """The 52-bit mask of some cards."""
    return sum(1 << card for card in cards)
