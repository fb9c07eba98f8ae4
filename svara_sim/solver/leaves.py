"""What each sequence of a player is worth against the reaches of the other: the leaves, all at once.

The payoff is bilinear, so a player's *gradient* is a number for each of its sequences and classes: what it wins at the
leaves that follow its sequence directly, times the other's reach of them. Structures that are written out take one
matrix product each (BLAS) for all leaves together. Ranked hands take none: the marks of the hands are added up in the
order of their ranks, for a tile of sequences at a time, which costs a fortieth of the product.

Letters: as in `sides`; T the sequences of a tile.
"""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.jit import inlined, kernel
from ..games.game_tree import RankedDeals, TreeGame
from .sides import leaf_entries

__all__ = ["DenseLeaves", "RankedLeaves", "gradient", "leaves_of"]

TILE = 16
"""Sequences that are worked on together: two or four vectors wide."""

Ints = NDArray[np.int64]


class DenseLeaves(NamedTuple):
    """The leaves of a player whose structures are written out.

    Attributes
    ----------
    matrix : numpy.ndarray
        Shape (K, the other's N, own N): structures, from the other's classes to the own ones.
    block : numpy.ndarray
        Shape (K + 1,): the rows of structure k are ``block[k] .. block[k + 1] - 1``.
    row : numpy.ndarray
        Shape (L,): own sequence of each row.
    start : numpy.ndarray
        Shape (L + 1,): its entries.
    other, weight : numpy.ndarray
        Shape (E,): the other's sequence, and the payoff.
    mixed : numpy.ndarray
        Shape (L, the other's N): working memory.
    """

    matrix: Any
    block: Ints
    row: Ints
    start: Ints
    other: Ints
    weight: Any
    mixed: Any


class RankedLeaves(NamedTuple):
    """The leaves of a player in a game of ranked hands; see `RankedDeals`.

    Attributes
    ----------
    row, start, other : numpy.ndarray
        As in `DenseLeaves`, but a row has all structures.
    weight : numpy.ndarray
        Shape (E, 3): payoffs to the own side by structure: chance, who ranks higher, tie.
    level : numpy.ndarray
        Shape (levels + 1,): the classes of each rank are ``level[l] .. level[l + 1] - 1``.
    mark_start, mark, value, signed : numpy.ndarray
        Marks of each class, and their values without and with their sign.
    own : numpy.ndarray
        Shape (N,): what is left out of the diagonal.
    plain, order, ties : numpy.ndarray
        Shape (N, T): the other's reaches in the leaves of a tile, by structure.
    sums, worth : numpy.ndarray
        Shapes (F, T) and (N, T): working memory.
    """

    row: Ints
    start: Ints
    other: Ints
    weight: Any
    level: Ints
    mark_start: Ints
    mark: Ints
    value: Any
    signed: Any
    own: Any
    plain: Any
    order: Any
    ties: Any
    sums: Any
    worth: Any


def _grouped(own: Ints) -> tuple[Ints, Ints]:
    """The different values of an ascending array, and where each begins (and the last ends)."""
    row, start = np.unique(own, return_index=True)
    return row.astype(np.int64), np.append(start, len(own)).astype(np.int64)


def _dense_leaves(game: TreeGame, player: int, dtype: Any) -> DenseLeaves:
    own, other, payoff = leaf_entries(game, player)
    rows: list[Ints] = []
    starts: list[Ints] = []
    others: list[Ints] = []
    weights: list[Any] = []
    block, used = [0], []
    for k in range(game.deals.n_structures):
        at = np.flatnonzero(payoff[:, k])
        if not len(at):
            continue
        used.append(k)
        row, start = _grouped(own[at])
        starts.append(start[:-1] + sum(len(o) for o in others))
        rows.append(row)
        others.append(other[at])
        weights.append(payoff[at, k])
        block.append(block[-1] + len(row))
    matrices = [game.deals.matrix(k) for k in used]
    return DenseLeaves(
        matrix=np.ascontiguousarray([m.T if player == 0 else m for m in matrices], dtype=dtype),
        block=np.array(block, dtype=np.int64),
        row=np.concatenate(rows).astype(np.int64),
        start=np.append(np.concatenate(starts), sum(len(o) for o in others)).astype(np.int64),
        other=np.concatenate(others).astype(np.int64),
        weight=np.concatenate(weights).astype(dtype),
        mixed=np.zeros((block[-1], game.deals.n_classes[1 - player]), dtype=dtype),
    )


def _ranked_leaves(game: TreeGame, deals: RankedDeals, player: int, dtype: Any) -> RankedLeaves:
    own, other, payoff = leaf_entries(game, player)
    if player == 1:
        payoff = payoff * np.array([1.0, -1.0, 1.0])  # the transposed order is the other way round
    row, start = _grouped(own)
    n, n_marks = len(deals.rank), len(deals.sign)
    level = np.append(np.flatnonzero(np.diff(deals.rank, prepend=deals.rank[0] - 1)), n)
    tile = partial(np.zeros, dtype=dtype)
    return RankedLeaves(
        row=row,
        start=start,
        other=other,
        weight=payoff.astype(dtype),
        level=level.astype(np.int64),
        mark_start=deals.start,
        mark=deals.mark,
        value=deals.value.astype(dtype),
        signed=(deals.value * deals.sign[deals.mark]).astype(dtype),
        own=deals.own.astype(dtype),
        plain=tile((n, TILE)),
        order=tile((n, TILE)),
        ties=tile((n, TILE)),
        sums=tile((n_marks, TILE)),
        worth=tile((n, TILE)),
    )


def leaves_of(game: TreeGame, player: int, dtype: Any) -> DenseLeaves | RankedLeaves:
    """The leaves of a player, as `gradient` takes them.

    Parameters
    ----------
    game : TreeGame
        The game.
    player : int
        Whose gradient.
    dtype : numpy dtype
        Of the work: float32 or float64.
    """
    if isinstance(game.deals, RankedDeals):
        return _ranked_leaves(game, game.deals, player, dtype)
    return _dense_leaves(game, player, dtype)


@inlined
def _add_marks(leaves: Any, into: Any, j: Any, values: Any) -> None:
    """Add the marks of class j, times its row of a tile."""
    for m in range(leaves.mark_start[j], leaves.mark_start[j + 1]):
        f, w = leaves.mark[m], leaves.value[m]
        for c in range(TILE):
            into[f, c] += w * values[j, c]


@inlined
def _load_tile(leaves: Any, reach: Any, first: Any, last: Any) -> None:
    """The other's reaches in the leaves of some rows, by structure; afterwards also what `_rank_tile` adds up."""
    leaves.plain[:] = 0
    leaves.order[:] = 0
    leaves.ties[:] = 0
    for row in range(first, last):
        c = row - first
        for e in range(leaves.start[row], leaves.start[row + 1]):
            seq = leaves.other[e]
            chance, order, tie = leaves.weight[e, 0], leaves.weight[e, 1], leaves.weight[e, 2]
            for j in range(reach.shape[1]):
                r = reach[seq, j]
                leaves.plain[j, c] += chance * r
                leaves.order[j, c] += order * r
                leaves.ties[j, c] += tie * r


@inlined
def _rank_tile(leaves: Any) -> None:
    """What each class wins at the leaves of the tile, into `worth`.

    `sums` holds, mark by mark, the reaches of the classes as they count against the class at hand: of all of them as
    far as the chance of the deal goes, and with the sign of their order.
    """
    sums = leaves.sums
    sums[:] = 0
    for j in range(leaves.plain.shape[0]):
        for c in range(TILE):
            leaves.worth[j, c] = leaves.plain[j, c] - leaves.order[j, c]
        _add_marks(leaves, sums, j, leaves.worth)
    for l in range(leaves.level.shape[0] - 1):  # noqa: E741
        first, last = leaves.level[l], leaves.level[l + 1]
        for j in range(first, last):  # from above to level with it
            for c in range(TILE):
                leaves.worth[j, c] = leaves.order[j, c] + leaves.ties[j, c]
            _add_marks(leaves, sums, j, leaves.worth)
        for i in range(first, last):
            own = leaves.own[i]
            for c in range(TILE):
                leaves.worth[i, c] = -own * (leaves.plain[i, c] + leaves.ties[i, c])
            for m in range(leaves.mark_start[i], leaves.mark_start[i + 1]):
                f, w = leaves.mark[m], leaves.signed[m]
                for c in range(TILE):
                    leaves.worth[i, c] += w * sums[f, c]
        for j in range(first, last):  # from level to below
            for c in range(TILE):
                leaves.order[j, c] -= leaves.ties[j, c]
            _add_marks(leaves, sums, j, leaves.order)


@inlined
def _ranked_gradient(leaves: Any, reach: Any, out: Any) -> None:
    for first in range(0, leaves.row.shape[0], TILE):
        last = min(first + TILE, leaves.row.shape[0])
        _load_tile(leaves, reach, first, last)
        _rank_tile(leaves)
        for row in range(first, last):
            seq = leaves.row[row]
            for i in range(out.shape[1]):
                out[seq, i] = leaves.worth[i, row - first]


@kernel
def _dense_gradient(leaves: Any, reach: Any, out: Any) -> None:
    for row in range(leaves.row.shape[0]):
        for j in range(reach.shape[1]):
            leaves.mixed[row, j] = 0
        for e in range(leaves.start[row], leaves.start[row + 1]):
            seq, weight = leaves.other[e], leaves.weight[e]
            for j in range(reach.shape[1]):
                leaves.mixed[row, j] += weight * reach[seq, j]
    for k in range(leaves.matrix.shape[0]):
        first, last = leaves.block[k], leaves.block[k + 1]
        worth = np.dot(leaves.mixed[first:last], leaves.matrix[k])
        for row in range(first, last):
            for i in range(out.shape[1]):
                out[leaves.row[row], i] += worth[row - first, i]


@kernel
def gradient(dense: Any, ranked: Any, reach: Any, out: Any) -> None:
    """Write what each sequence and class of a player wins at the leaves that follow the sequence directly.

    Parameters
    ----------
    dense, ranked : DenseLeaves, RankedLeaves or None
        The leaves; one of them is None.
    reach : numpy.ndarray
        Shape (the other's Q, the other's N): product of the other's own probabilities.
    out : numpy.ndarray
        Shape (own Q, own N).
    """
    out[:] = 0
    if ranked is not None:
        _ranked_gradient(ranked, reach, out)
    if dense is not None:
        _dense_gradient(dense, reach, out)
