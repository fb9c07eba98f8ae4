"""How a run is cut: batches for the error, parts for the files, blocks for the kernel.

A batch is part of the result (see `svara_sim.stats.estimates`), so its size follows from the number of
units alone. A part is a file: its size is kept in the manifest. A block is a call of the kernel and leaves no
trace: where blocks or parts cut through a batch, their totals are added, and whole numbers add up in any
order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["BatchTotals", "Layout", "Span", "batch_size", "default_part_deals"]

_BATCHES_LOG2 = 8
_MAX_PART_DEALS = {True: 1 << 20, False: 1 << 22}
_MIN_PART_DEALS = 1 << 16
_PARTS_WANTED = 16


@dataclass(frozen=True)
class Span:
    """Consecutive units ``first ... first + count - 1``."""

    first: int
    count: int

    def pieces(self, size: int) -> list[Span]:
        """The span cut into pieces of `size` units, the last one shorter."""
        end = self.first + self.count
        return [Span(i, min(size, end - i)) for i in range(self.first, end, size)]


def batch_size(n_units: int) -> int:
    """Units in a batch: a power of two that makes 256 to 512 batches, or 1 if there are fewer units."""
    return 1 << max(0, n_units.bit_length() - 1 - _BATCHES_LOG2)


def default_part_deals(n_deals: int, *, records: bool) -> int:
    """Deals in a part: one million (with records) or four; fewer if that keeps more workers busy."""
    wanted = 1 << max(0, (n_deals // _PARTS_WANTED).bit_length() - 1)
    return min(max(wanted, _MIN_PART_DEALS), _MAX_PART_DEALS[records])


@dataclass(frozen=True)
class Layout:
    """A run's units, batches and parts.

    Parameters
    ----------
    n_units : int
        Independent units of the run.
    unit_deals : int
        Deals in a unit.
    part_units : int
        Units in a part; the last part may be shorter.
    """

    n_units: int
    unit_deals: int
    part_units: int

    @property
    def batch_units(self) -> int:
        """Units in a batch; the last batch may be shorter."""
        return batch_size(self.n_units)

    @property
    def n_batches(self) -> int:
        """Number of batches."""
        return -(-self.n_units // self.batch_units)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return -(-self.n_units // self.part_units)

    @property
    def n_deals(self) -> int:
        """Number of deals."""
        return self.n_units * self.unit_deals

    def part(self, index: int) -> Span:
        """Units of a part."""
        first = index * self.part_units
        return Span(first, min(self.part_units, self.n_units - first))

    def batch_counts(self) -> NDArray[np.int64]:
        """Units in each batch, shape (batches,)."""
        counts = np.full(self.n_batches, self.batch_units, dtype=np.int64)
        counts[-1] = self.n_units - (self.n_batches - 1) * self.batch_units
        return counts


class BatchTotals:
    """Totals of some consecutive batches, to which blocks add theirs.

    Parameters
    ----------
    first_batch, n_batches, n_columns : int
        Which batches, and how many totals of each.
    """

    def __init__(self, first_batch: int, n_batches: int, n_columns: int) -> None:
        self.first_batch = first_batch
        self.values: NDArray[np.int64] = np.zeros((n_batches, n_columns), dtype=np.int64)

    @classmethod
    def of_span(cls, span: Span, batch_units: int, n_columns: int) -> BatchTotals:
        """Zero totals of the batches that a span of units touches."""
        first = span.first // batch_units
        last = (span.first + span.count - 1) // batch_units
        return cls(first, last - first + 1, n_columns)

    def add(self, first_batch: int, rows: NDArray[np.int64]) -> None:
        """Add totals of consecutive batches, the first row being `first_batch`'s."""
        start = first_batch - self.first_batch
        self.values[start : start + len(rows)] += rows
