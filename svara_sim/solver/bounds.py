"""Best responses, and what they say of a pair of strategies: the only figures of exploitability in this package.

All figures are per deal, in the game's unit (antes), and from the side of player 0 unless a name says otherwise. They
are computed in double precision from the strategies themselves, whatever found them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InvalidInput
from ..games.game_tree import TreeGame
from .leaves import DenseLeaves, RankedLeaves, leaves_of
from .passes import best_pass, gradient_pass, value_pass
from .sides import sides_of
from .strategy import Pair, Strategy, uniform

__all__ = ["BestResponse", "Bounds", "best_response", "bounds", "expected_value", "sequence_values", "split_leaves"]

Floats = NDArray[np.float64]
Leaves = DenseLeaves | RankedLeaves


@dataclass(frozen=True)
class BestResponse:
    """The best that a player can do against a strategy of the other that it knows.

    Attributes
    ----------
    value : float
        What the *responding player* wins per deal, in the game's unit (antes); whichever player that is, more is
        better for it.
    strategy : Strategy
        With which it wins that much.
    """

    value: float
    strategy: Strategy


@dataclass(frozen=True)
class Bounds:
    """What two best responses say of a pair of strategies. Per deal, in the game's unit (antes).

    Attributes
    ----------
    low : float
        What player 0's strategy wins for player 0 whatever player 1 does. The game's value is not less.
    high : float
        What player 0 can win at most against player 1's strategy. The game's value is not more.
    value : float
        What player 0 wins when the two strategies meet; between `low` and `high`.
    """

    low: float
    high: float
    value: float

    @property
    def exploitability(self) -> float:
        """Mean over the two seats of what a perfect opponent wins beyond the game's value: ``(high - low) / 2``.

        Both halves of it are claims about strategies of their own: see `gap_0` and `gap_1`.
        """
        return (self.high - self.low) / 2

    @property
    def gap_0(self) -> float:
        """What player 1 gains by a best response to player 0's strategy, over meeting it with its own."""
        return self.value - self.low

    @property
    def gap_1(self) -> float:
        """What player 0 gains by a best response to player 1's strategy, over meeting it with its own."""
        return self.high - self.value


@lru_cache(maxsize=16)
def _leaves(game: TreeGame, player: int) -> Leaves:
    return leaves_of(game, player, np.float64)


def split_leaves(leaves: Leaves) -> tuple[Any, Any]:
    """(dense, None) or (None, ranked), as the passes take them."""
    return (leaves, None) if isinstance(leaves, DenseLeaves) else (None, leaves)


def _gradient(strategy: Strategy) -> Floats:
    """What the sequences of the other player are worth against a strategy, but for what follows them."""
    game, player = strategy.game, 1 - strategy.player
    out = np.zeros_like(uniform(game, player).values)
    gradient_pass(*split_leaves(_leaves(game, player)), strategy.reach(), out)
    return out


def best_response(
    strategy: Strategy, *, least: float = 0.0, held: Strategy | None = None, free: NDArray[np.bool_] | None = None
) -> BestResponse:
    """The best response of the other player.

    Parameters
    ----------
    strategy : Strategy
        What it responds to.
    least : float
        It takes each action at least this often (a tremble); where the player is held, it does not.
    held, free : Strategy and numpy.ndarray, optional
        What the responding player is held to where `free`, shape (Q, N), is False.

    Returns
    -------
    BestResponse
        Of equal actions it takes the first.
    """
    game, player = strategy.game, 1 - strategy.player
    worth = _gradient(strategy)
    sigma = (held or uniform(game, player)).values.copy()
    may = np.ones(worth.shape, np.uint8) if free is None else np.ascontiguousarray(free, dtype=np.uint8)
    best_pass(sides_of(game)[player], least, may, sigma, worth)
    return BestResponse(float(worth[0].sum()), Strategy(game, player, sigma))


def sequence_values(strategy: Strategy, against: Strategy) -> Floats:
    """What each sequence of a player is worth with all that follows, times chance of the class and the other's reach.

    Parameters
    ----------
    strategy : Strategy
        How the player goes on.
    against : Strategy
        What the other does.

    Returns
    -------
    numpy.ndarray
        Shape (Q, N); the sum of row 0 is what the player wins per deal.
    """
    _check_pair(strategy, against)
    worth = _gradient(against)
    value_pass(strategy.side, strategy.values, worth)
    return worth


def expected_value(first: Strategy, second: Strategy) -> float:
    """What player 0 wins per deal when two strategies meet, in the game's unit (antes)."""
    return float(sequence_values(first, second)[0].sum())


def bounds(pair: Pair, *, least: float = 0.0) -> Bounds:
    """The bounds of a pair of strategies; see `Bounds`.

    Parameters
    ----------
    pair : (Strategy, Strategy)
        Of player 0 and of player 1.
    least : float
        If not 0: of the game in which each action must be taken at least this often.
    """
    first, second = pair
    low = -best_response(first, least=least).value
    high = best_response(second, least=least).value
    return Bounds(low, high, expected_value(first, second))


def _check_pair(strategy: Strategy, against: Strategy) -> None:
    if strategy.game is not against.game or strategy.player == against.player:
        raise InvalidInput("strategies: must be of the two players of one game")
