"""Reading and writing cards, as both games do: rank, then suit symbol.

A game's deck names its ranks and which cards it holds; a card is an index ``suit * n_ranks + rank`` with the
suits in the order ♠ ♥ ♦ ♣.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .errors import InvalidInput

__all__ = ["SUITS", "Deck"]

SUITS = "♠♥♦♣"
_LETTERS = dict(zip("shdc", SUITS, strict=True))
_OTHER_SYMBOLS = dict(zip("♤♡♢♧", SUITS, strict=True))


@dataclass(frozen=True)
class Deck:
    """The cards of one game.

    Parameters
    ----------
    ranks : tuple of str
        Rank names from low to high, such as ``("7", ..., "K", "A")``.
    missing : frozenset of str
        Cards of the full rank x suit product that the game leaves out.
    """

    ranks: tuple[str, ...]
    missing: frozenset[str] = frozenset()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Card name by index, such as ``"10♠"``; also of the missing cards."""
        return tuple(rank + suit for suit in SUITS for rank in self.ranks)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names) if name not in self.missing}

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Indices of the cards that the deck holds."""
        return tuple(self._index.values())

    def card(self, text: str) -> int:
        """Index of one card: rank then suit, ``10♠``, ``Ts``, ``kd``.

        Raises
        ------
        InvalidInput
            If the deck holds no such card.
        """
        word = text.strip()
        suit = word[-1:].lower()
        rank = word[:-1].strip().upper()
        name = ("10" if rank == "T" else rank) + _LETTERS.get(suit, _OTHER_SYMBOLS.get(suit, suit))
        try:
            return self._index[name]
        except KeyError:
            ranks = " ".join(self.ranks)
            left_out = f", without {' '.join(sorted(self.missing))}" if self.missing else ""
            raise InvalidInput(
                f"unknown card {text!r}: write a rank ({ranks}; T is 10) and a suit (♠ ♥ ♦ ♣ or s h d c){left_out}"
            ) from None

    def hand(self, text: str | Iterable[str], size: int | None = None) -> list[int]:
        """Indices of several distinct cards, from one string (blanks or commas between) or from a sequence.

        Raises
        ------
        InvalidInput
            On an unknown or repeated card, or a number of cards other than `size`.
        """
        words: Sequence[str] = text.replace(",", " ").split() if isinstance(text, str) else list(text)
        hand = [self.card(w) for w in words]
        for i, card in enumerate(hand):
            if card in hand[:i]:
                raise InvalidInput(f"repeated card {self.names[card]} in {' '.join(words)!r}: a deck has one of each")
        if size is not None and len(hand) != size:
            raise InvalidInput(f"{len(hand)} cards in {' '.join(words)!r}: a hand has {size}")
        return hand

    def write(self, hand: Iterable[int]) -> list[str]:
        """Names of the given cards."""
        return [self.names[c] for c in hand]
