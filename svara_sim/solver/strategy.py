"""Strategies: what a player does at each of its decisions with each class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import InvalidInput
from ..games.game_tree import TreeGame
from .passes import forward_pass
from .sides import Side, decision_of, sides_of

__all__ = ["Pair", "Strategy", "from_reach", "mix", "pure", "uniform"]

Floats = NDArray[np.float64]
_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Strategy:
    """What one player does.

    Parameters
    ----------
    game : TreeGame
        Of which game.
    player : int
        0 or 1.
    values : numpy.ndarray
        Shape (Q, N), float64: probability of each of the player's actions with each class, in the order of its
        sequences (see `sides`); row 0 is 1.

    Raises
    ------
    InvalidInput
        If they are no probabilities, do not add up to 1 at a decision, or tell classes apart that the player has not
        seen.
    """

    game: TreeGame
    player: int
    values: Floats

    def __post_init__(self) -> None:
        side, n = self.side, self.game.deals.n_classes[self.player]
        if self.values.shape != (len(side.child), n):
            raise InvalidInput(f"strategy: has shape {self.values.shape}, must be {(len(side.child), n)}")
        if not np.all((self.values >= 0) & (self.values <= 1 + _TOLERANCE)):
            raise InvalidInput("strategy: has probabilities that are not from 0 to 1")
        sums = np.add.reduceat(self.values, side.first, axis=0) if len(side.first) else np.ones((0, n))
        if not np.all(np.abs(sums - 1) <= _TOLERANCE):
            at = int(np.argwhere(np.abs(sums - 1) > _TOLERANCE)[0][0])
            raise InvalidInput(f"strategy: probabilities after {self.where(at)} do not add up to 1")
        for d in np.flatnonzero(side.seen == 0).tolist():
            rows = self.values[side.first[d] : side.first[d] + side.n_actions[d]]
            if not np.allclose(rows, rows[:, :1], rtol=0, atol=_TOLERANCE):
                raise InvalidInput(f"strategy: after {self.where(d)} it tells apart what the player has not seen")

    @property
    def side(self) -> Side:
        """The player's sequences."""
        return sides_of(self.game)[self.player]

    def where(self, decision: int) -> str:
        """A decision in words: the actions before it."""
        return ", ".join(self.game.tree.path(int(self.side.node[decision]))) or "the beginning"

    def at(self, node: int) -> Floats:
        """Shape (actions, N): the probabilities at a node at which the player acts."""
        first, count = decision_of(self.game.tree, self.player, node)
        return self.values[first : first + count]

    def reach(self) -> Floats:
        """Shape (Q, N): product of the player's own probabilities up to and with each sequence."""
        reach = np.empty_like(self.values)
        forward_pass(self.side, self.values, reach)
        return reach


Pair = tuple[Strategy, Strategy]
"""A strategy of each player."""


def uniform(game: TreeGame, player: int) -> Strategy:
    """Every action alike."""
    side = sides_of(game)[player]
    values = np.ones((len(side.child), game.deals.n_classes[player]))
    for first, count in zip(side.first.tolist(), side.n_actions.tolist(), strict=True):
        values[first : first + count] = 1 / count
    return Strategy(game, player, values)


def pure(game: TreeGame, player: int, choice: ArrayLike) -> Strategy:
    """One action at each decision.

    Parameters
    ----------
    game, player
        Whose.
    choice : array_like
        Shape (I,) or (I, N), whole numbers: which of the actions, from 0, by decision (and class).
    """
    side, n = sides_of(game)[player], game.deals.n_classes[player]
    chosen = np.asarray(choice, dtype=np.int64).reshape(len(side.node), -1)
    if np.any((chosen < 0) | (chosen >= side.n_actions[:, None])):
        raise InvalidInput("choice: names an action that there is not")
    values = np.zeros((len(side.child), n))
    values[0] = 1
    rows = side.first[:, None] + np.broadcast_to(chosen, (len(side.node), n))
    values[rows, np.arange(n)] = 1
    return Strategy(game, player, values)


def from_reach(game: TreeGame, player: int, reach: ArrayLike, fallback: Strategy | None = None) -> Strategy:
    """The strategy whose reaches are in proportion to these.

    Parameters
    ----------
    game, player
        Whose.
    reach : array_like
        Shape (Q, N), not negative: such as sums of reaches over iterations. At a decision that is not reached, with all
        its actions 0, it says nothing.
    fallback : Strategy, optional
        What to do there; by default every action alike.
    """
    side = sides_of(game)[player]
    weights = np.maximum(np.asarray(reach, dtype=np.float64), 0)
    values = (fallback or uniform(game, player)).values.copy()
    for d, (first, count) in enumerate(zip(side.first.tolist(), side.n_actions.tolist(), strict=True)):
        rows = slice(first, first + count)
        total = weights[rows].sum(axis=0)
        if side.seen[d] == 0:
            share = weights[rows].sum(axis=1, keepdims=True)
            if share.sum() > 0:
                values[rows] = share / share.sum()
            continue
        reached = total > 0
        values[rows, reached] = weights[rows, reached] / total[reached]
    return Strategy(game, player, values)


def mix(strategies: Sequence[Strategy], weights: ArrayLike) -> Strategy:
    """The one strategy that plays as a crowd does of which each member plays one of several.

    With perfect recall there is such a strategy: at each decision the members count as far as they get there.

    Parameters
    ----------
    strategies : sequence of Strategy
        Of one player and game.
    weights : array_like
        How many play each; any positive numbers.

    Raises
    ------
    InvalidInput
        If there are none, not as many weights, or they are negative or all 0.
    """
    shares = np.asarray(weights, dtype=np.float64)
    if not len(strategies) or shares.shape != (len(strategies),) or not np.all(shares >= 0) or shares.sum() <= 0:
        raise InvalidInput(f"weights = {shares.tolist()}: must be {len(strategies)} numbers from 0, not all 0")
    first = strategies[0]
    if any(s.game is not first.game or s.player != first.player for s in strategies):
        raise InvalidInput("strategies: must be of one player of one game")
    reach = sum(share * s.reach() for share, s in zip(shares / shares.sum(), strategies, strict=True))
    return from_reach(first.game, first.player, reach, fallback=first)
