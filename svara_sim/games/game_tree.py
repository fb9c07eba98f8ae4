"""A two-player game as a solver sees it: a public tree, private classes, and what each pair of them is worth.

A game has a *public tree*, which everybody sees: who acts, and with which actions. Each player holds a private *class*
(of hands, say), dealt once. What player 0 wins at a leaf with a pair of classes is a combination of a few
*structures*, matrices over pairs of classes in which the chance of the pair is a factor already (see `Deals`): so a
solver needs no other word of a game's rules.

Letters: V nodes, K structures, N classes of a player (they may differ: N0, N1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["CHANCE", "LEAF", "Branch", "Deals", "DenseDeals", "PublicTree", "RankedDeals", "TreeGame", "grow"]

CHANCE, LEAF = -1, -2

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
State = TypeVar("State")


@dataclass(frozen=True, eq=False)
class PublicTree:
    """What everybody sees of a game. Node 0 is the root, parents come before children, children stand side by side.

    Parameters
    ----------
    player : numpy.ndarray
        Shape (V,), int64: who acts, 0 or 1; `CHANCE` where something becomes public; `LEAF`.
    parent : numpy.ndarray
        Shape (V,), int64; -1 of the root.
    first_child, n_children : numpy.ndarray
        Shape (V,), int64; 0 children of a leaf.
    action : tuple of str
        What leads to each node, for people: such as ``"raise to 240"``; ``""`` of the root.
    seen : numpy.ndarray
        Shape (V,), bool: whether the player who acts has seen its class (a blind bet is made without).
    """

    player: Ints
    parent: Ints
    first_child: Ints
    n_children: Ints
    action: tuple[str, ...]
    seen: NDArray[np.bool_]

    @property
    def n_nodes(self) -> int:
        """V."""
        return len(self.player)

    def children(self, node: int) -> range:
        """The nodes that the actions at a node lead to."""
        first = int(self.first_child[node])
        return range(first, first + int(self.n_children[node]))

    def actions(self, node: int) -> tuple[str, ...]:
        """What may be done at a node."""
        return tuple(self.action[child] for child in self.children(node))

    def path(self, node: int) -> tuple[str, ...]:
        """The actions from the root to a node."""
        steps: list[str] = []
        while node > 0:
            steps.append(self.action[node])
            node = int(self.parent[node])
        return tuple(reversed(steps))

    def leaves(self) -> Ints:
        """The leaves, ascending."""
        return np.flatnonzero(self.player == LEAF)

    def decisions(self, player: int) -> Ints:
        """The nodes at which a player acts, ascending."""
        return np.flatnonzero(self.player == player)


@dataclass(frozen=True)
class Branch:
    """What `grow` is told of a node.

    Parameters
    ----------
    player : int
        Who acts, `CHANCE` or `LEAF`.
    children : sequence of (str, state)
        Action and what it leads to; none at a leaf.
    seen : bool
        See `PublicTree`.
    """

    player: int
    children: Sequence[tuple[str, Any]] = ()
    seen: bool = True


def grow(root: State, expand: Callable[[State], Branch]) -> tuple[PublicTree, list[State]]:
    """The tree below a root, level by level, and the state of each node.

    Parameters
    ----------
    root : state
        Anything that `expand` understands.
    expand : callable
        Says of a state who acts, and what the actions lead to.
    """
    states: list[State] = [root]
    parent, action = [-1], [""]
    player: list[int] = []
    first: list[int] = []
    count: list[int] = []
    seen: list[bool] = []
    for node, state in enumerate(states):  # grows while it is walked
        branch = expand(state)
        player.append(branch.player)
        seen.append(branch.seen)
        first.append(len(states))
        count.append(len(branch.children))
        for name, child in branch.children:
            states.append(child)
            parent.append(node)
            action.append(name)
    acts, up, down, number = (np.array(x, dtype=np.int64) for x in (player, parent, first, count))
    return PublicTree(acts, up, down, number, tuple(action), np.array(seen, dtype=np.bool_)), states


class Deals(Protocol):
    """How likely each pair of classes is, and in which ways a pair can matter."""

    @property
    def n_classes(self) -> tuple[int, int]:
        """(N0, N1)."""
        ...

    @property
    def n_structures(self) -> int:
        """K."""
        ...

    def matrix(self, structure: int) -> Floats:
        """A structure as a matrix, shape (N0, N1): what a payoff of 1 by it is worth to player 0, times the chance."""
        ...


@dataclass(frozen=True, eq=False)
class DenseDeals:
    """Any structures, each written out.

    Parameters
    ----------
    matrices : tuple of numpy.ndarray
        K arrays of shape (N0, N1): what player 0 wins with a pair of classes, times the chance of the pair (and of the
        public chance on the way).
    """

    matrices: tuple[Floats, ...]

    @property
    def n_classes(self) -> tuple[int, int]:
        """(N0, N1)."""
        n0, n1 = self.matrices[0].shape
        return n0, n1

    @property
    def n_structures(self) -> int:
        """K."""
        return len(self.matrices)

    def matrix(self, structure: int) -> Floats:
        """One of them."""
        return self.matrices[structure]


@dataclass(frozen=True, eq=False)
class RankedDeals:
    """Hands that share cards and are ranked: structures that need not be written out.

    The chance of a pair is ``sum over f of sign[f] * marks[i, f] * marks[j, f]``, less ``own[i]`` if i is j: by
    inclusion and exclusion over the cards (and pairs of cards) that two hands may have in common, of which a hand has
    few. Both players have the same classes, in ascending order of rank.

    There are three structures: 0, the chance of the pair; 1, the same with the sign of who ranks higher (1 if player 0
    does, 0 if they tie); 2, the chance of the pair if they tie, else 0.

    Parameters
    ----------
    rank : numpy.ndarray
        Shape (N,), int64, ascending.
    start, mark, value : numpy.ndarray
        The marks that are not 0, class by class: those of class i are ``mark[start[i]:start[i + 1]]`` (which f) and
        ``value`` (how much).
    sign : numpy.ndarray
        Shape (F,), float64: weight of each mark.
    own : numpy.ndarray
        Shape (N,), float64: what is left out of the diagonal.
    """

    rank: Ints
    start: Ints
    mark: Ints
    value: Floats
    sign: Floats
    own: Floats

    @property
    def n_classes(self) -> tuple[int, int]:
        """(N, N)."""
        return len(self.rank), len(self.rank)

    @property
    def n_structures(self) -> int:
        """3."""
        return 3

    def marks(self) -> Floats:
        """The marks as a matrix, shape (N, F)."""
        full = np.zeros((len(self.rank), len(self.sign)))
        np.add.at(full, (np.repeat(np.arange(len(self.rank)), np.diff(self.start)), self.mark), self.value)
        return full

    def matrix(self, structure: int) -> Floats:
        """A structure written out, shape (N, N)."""
        marks = self.marks()
        chance: Floats = (marks * self.sign) @ marks.T - np.diag(self.own)
        order = np.sign(self.rank[:, None] - self.rank[None, :])
        return chance * (1.0, order, order == 0)[structure]

    def dense(self) -> DenseDeals:
        """The same, written out."""
        return DenseDeals(tuple(self.matrix(k) for k in range(3)))


@dataclass(frozen=True, eq=False)
class TreeGame:
    """A two-player zero-sum game, ready to be solved.

    Parameters
    ----------
    name : str
        Of the game.
    tree : PublicTree
        What everybody sees.
    deals : Deals
        Chances of the private classes and structures of payoffs.
    payoff : numpy.ndarray
        Shape (V, K), float64: player 0 wins at a leaf, with classes i and j, the sum over structures k of
        ``payoff[leaf, k] * matrix(k)[i, j]`` (the chance of the pair included); in `unit`. 0 at other nodes.
    classes : tuple of tuple of str
        Names of the classes of each player.
    unit : str
        Of the payoffs.
    players : tuple of str
        Names of the two players.
    about : mapping
        What the game is, and what of the real game was left out; ready for JSON.
    states : sequence
        What the game itself keeps of each node, for those who know it.
    """

    name: str
    tree: PublicTree
    deals: Deals
    payoff: Floats
    classes: tuple[tuple[str, ...], tuple[str, ...]]
    unit: str = "antes"
    players: tuple[str, str] = ("first", "second")
    about: Mapping[str, Any] = field(default_factory=dict)
    states: Sequence[Any] = ()

    def __post_init__(self) -> None:
        shape = (self.tree.n_nodes, self.deals.n_structures)
        if self.payoff.shape != shape:
            raise ValueError(f"payoff has shape {self.payoff.shape}, must be {shape}")
        if tuple(len(names) for names in self.classes) != self.deals.n_classes:
            raise ValueError(f"classes: {[len(c) for c in self.classes]} names for {self.deals.n_classes} classes")
