"""The sequences of a player: what the passes of a solver walk over instead of the tree.

A *sequence* of a player is one of its actions together with all of its own before; number 0 is to have done nothing
yet. With perfect recall it says all that a player has done, so a strategy is a number for each sequence and class, and
the payoff is bilinear in the *reaches* of the two players (the product of a player's own probabilities).

Letters: I decisions of a player, Q its sequences (0 included), N its classes, L leaf rows, E entries of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game_tree import LEAF, PublicTree, TreeGame

__all__ = ["Side", "decision_of", "sequence_of_nodes", "sides_of"]

Ints = NDArray[np.int64]


class Side(NamedTuple):
    """One player of a game, in arrays for kernels.

    Attributes
    ----------
    node : numpy.ndarray
        Shape (I,): the nodes at which it acts, parents before children.
    first, n_actions : numpy.ndarray
        Shape (I,): its actions there are the sequences ``first .. first + n_actions - 1``.
    parent : numpy.ndarray
        Shape (I,): the sequence that leads there.
    seen : numpy.ndarray
        Shape (I,), int64: 1 if it has seen its class.
    child : numpy.ndarray
        Shape (Q,): the node that a sequence leads to; 0 of sequence 0.
    """

    node: Ints
    first: Ints
    n_actions: Ints
    parent: Ints
    seen: Ints
    child: Ints


def sequence_of_nodes(tree: PublicTree, player: int) -> Ints:
    """Shape (V,): the sequence of a player that leads to each node."""
    return _sequences(tree)[player]


@lru_cache(maxsize=64)
def _sequences(tree: PublicTree) -> tuple[Ints, Ints]:
    found = []
    for player in (0, 1):
        at = np.zeros(tree.n_nodes, dtype=np.int64)
        acts = np.zeros(tree.n_nodes, dtype=np.bool_)
        acts[1:] = tree.player[tree.parent[1:]] == player
        numbers = np.cumsum(acts)
        for node, up in enumerate(tree.parent[1:].tolist(), 1):
            at[node] = numbers[node] if acts[node] else at[up]
        found.append(at)
    return found[0], found[1]


@lru_cache(maxsize=64)
def _side(tree: PublicTree, player: int) -> Side:
    at = sequence_of_nodes(tree, player)
    node = tree.decisions(player)
    acts = np.flatnonzero(tree.player[tree.parent[1:]] == player) + 1
    return Side(
        node=node,
        first=at[tree.first_child[node]],
        n_actions=tree.n_children[node],
        parent=at[node],
        seen=tree.seen[node].astype(np.int64),
        child=np.concatenate([[0], acts]).astype(np.int64),
    )


def sides_of(game: TreeGame) -> tuple[Side, Side]:
    """Both players of a game."""
    return _side(game.tree, 0), _side(game.tree, 1)


def decision_of(tree: PublicTree, player: int, node: int) -> tuple[int, int]:
    """(first sequence, number of actions) of a decision; raises `KeyError` if the player does not act there."""
    if tree.player[node] != player:
        raise KeyError(node)
    return int(sequence_of_nodes(tree, player)[tree.first_child[node]]), int(tree.n_children[node])


def leaf_entries(game: TreeGame, player: int) -> tuple[Ints, Ints, NDArray[np.float64]]:
    """(own sequence, the other's sequence, payoff to the player by structure) of every leaf, by own sequence.

    The structures' matrices are player 0's; what player 1 wins by the transposed ones is the negative of the payoffs.
    """
    tree = game.tree
    leaves = np.flatnonzero(tree.player == LEAF)
    own, other = (sequence_of_nodes(tree, p)[leaves] for p in (player, 1 - player))
    order: Any = np.argsort(own, kind="stable")
    sign = 1.0 if player == 0 else -1.0
    return own[order], other[order], sign * game.payoff[leaves[order]]
