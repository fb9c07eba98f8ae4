"""What the odds functions return: fractions, with how they were found and how far they may be off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Literal

from .scores import card_names

__all__ = ["HandOdds", "Method", "TableOdds", "proportion_error"]

Method = Literal["exact", "estimate"]


def proportion_error(n_hits: int, n_deals: int) -> float:
    """Standard error of a simulated proportion, with two hits and two misses added (Agresti and Coull).

    So a proportion that was never, or always, seen does not pass for certain.

    Parameters
    ----------
    n_hits, n_deals : int
        Independent deals that hit, out of how many.
    """
    p = (n_hits + 2) / (n_deals + 4)
    return sqrt(p * (1 - p) / (n_deals + 4))


@dataclass(frozen=True)
class TableOdds:
    """The best points at a table at which nobody folds, and how many share them (`rules/svara.md` sections 1,
    3.6).

    Attributes
    ----------
    players : int
        Number of hands dealt from one deck.
    counts : mapping
        By (points, tied): how many deals have best points `points`, held by `tied` players. A deal is a set
        of hands: which player holds which does not matter.
    method : {"exact", "estimate"}
        "exact": every deal was counted. "estimate": `counts` are of simulated deals.
    """

    players: int
    counts: Mapping[tuple[int, int], int]
    method: Method = "exact"

    @property
    def n_deals(self) -> int:
        """Number of deals counted: all of them, or those simulated."""
        return sum(self.counts.values())

    @property
    def joint(self) -> dict[tuple[int, int], Fraction]:
        """Probability by (best points, number tied; 1 is a clear win)."""
        return {key: Fraction(count, self.n_deals) for key, count in sorted(self.counts.items())}

    @property
    def best_points(self) -> dict[int, Fraction]:
        """Probability by best points."""
        return {
            points: Fraction(sum(c for (p, _), c in self.counts.items() if p == points), self.n_deals)
            for points in sorted({p for p, _ in self.counts})
        }

    @property
    def tied(self) -> dict[int, Fraction]:
        """Probability of a svara by the number tied, 2 to `players`."""
        return {
            k: Fraction(sum(c for (_, tied), c in self.counts.items() if tied == k), self.n_deals)
            for k in range(2, self.players + 1)
        }

    @property
    def p_svara(self) -> Fraction:
        """Probability of a svara."""
        return sum(self.tied.values(), Fraction(0))

    def standard_error(self, probability: Fraction) -> float:
        """Standard error of one of the probabilities above; 0 if counted."""
        if self.method == "exact":
            return 0.0
        return proportion_error(round(probability * self.n_deals), self.n_deals)


@dataclass(frozen=True)
class HandOdds:
    """A hand against random hands from the rest of the deck, shown without betting.

    Attributes
    ----------
    cards : tuple of int
        The hand, card indices ascending.
    dead : tuple of int
        Cards known to be out of play, ascending; neither in the hand nor dealt to an opponent.
    players : int
        Number of players with this one.
    points : int
        Points of the hand.
    percentile : fractions.Fraction
        Share of all hands of the deck with fewer points, and half of those with the same, 0 to 1.
    counts : tuple of int
        Number of deals by how many players share the best points with this hand among them: entry 0 a win
        alone, entry k - 1 a svara of k. A deal is a set of opponents' hands. Zeros at the end are left out.
    n_deals : int
        Number of all deals counted: every one, or those simulated.
    method : {"exact", "estimate"}
        "exact": every deal was counted. "estimate": `counts` are of simulated deals.
    """

    cards: tuple[int, ...]
    dead: tuple[int, ...]
    players: int
    points: int
    percentile: Fraction
    counts: tuple[int, ...]
    n_deals: int
    method: Method = "exact"

    @property
    def name(self) -> str:
        """The hand as people write it."""
        return card_names(self.cards)

    @property
    def p_win(self) -> Fraction:
        """Probability that the hand alone is best."""
        return Fraction(sum(self.counts[:1]), self.n_deals)

    @property
    def tied(self) -> dict[int, Fraction]:
        """Probability of a svara with this hand in it by the number tied, 2 to `players`."""
        padded = self.counts + (0,) * (self.players - len(self.counts))
        return {k: Fraction(padded[k - 1], self.n_deals) for k in range(2, self.players + 1)}

    @property
    def p_svara(self) -> Fraction:
        """Probability of a svara with this hand in it."""
        return Fraction(sum(self.counts[1:]), self.n_deals)

    @property
    def p_loss(self) -> Fraction:
        """Probability that another hand is better."""
        return 1 - Fraction(sum(self.counts), self.n_deals)

    @property
    def share(self) -> Fraction:
        """Expected share of the pot, 1/k in a svara of k (`rules/svara.md` section 4)."""
        return sum((Fraction(c, k * self.n_deals) for k, c in enumerate(self.counts, start=1)), Fraction(0))

    @property
    def share_error(self) -> float:
        """Standard error of `share`; 0 if counted."""
        if self.method == "exact":
            return 0.0
        square = sum(c / (k * k) for k, c in enumerate(self.counts, start=1)) / self.n_deals
        variance = max(square - float(self.share) ** 2, 0.0)
        # never surer than the same number of plain wins and losses with two of each added
        floor = min(proportion_error(0, self.n_deals), proportion_error(self.n_deals, self.n_deals))
        return max(sqrt(variance / self.n_deals), floor)

    def standard_error(self, probability: Fraction) -> float:
        """Standard error of one of the probabilities above (not of `share`); 0 if counted."""
        if self.method == "exact":
            return 0.0
        return proportion_error(round(probability * self.n_deals), self.n_deals)
