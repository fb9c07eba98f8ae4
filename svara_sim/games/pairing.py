"""What a game may offer besides the protocol: one hero, two policies, the same deals, and only the difference.

A game that offers it knows which deals cannot differ, and what is left of the luck once both policies met the same
cards; the lab only adds up and decides when it has seen enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InvalidInput, one_of
from .protocol import Game, Policy, Rules

__all__ = ["PairBlock", "Pairs", "make_pairs"]

_WHERE = {"svara": ("svara.pairs", "SvaraPairs")}


@dataclass(frozen=True)
class PairBlock:
    """What a block of deals leaves.

    Parameters
    ----------
    differences : numpy.ndarray
        Shape (deals, seats), float64: payoff under policy a less that under b, in chips, by seat of the hero.
    controls : numpy.ndarray
        Shape (deals, controls), float64: quantities of which it is known that their mean is 0.
    rounds_played, svaras_played : int
        What it cost: deals played up to their first showdown, and svaras played to their end.
    pairs_differing : int
        Of the (deal, seat of the hero) pairs, those in which the first round can differ.
    first_round_decides : bool
        Whether the other pairs cannot differ at all.
    """

    differences: NDArray[np.float64]
    controls: NDArray[np.float64]
    rounds_played: int
    svaras_played: int
    pairs_differing: int
    first_round_decides: bool


class Pairs(Protocol):
    """Two policies of a hero in every seat in turn of a table that plays a third; safe for several threads."""

    @property
    def n_seats(self) -> int:
        """Number of seats."""
        ...

    @property
    def chips_per_ante(self) -> float:
        """What one ante is in chips."""
        ...

    @property
    def svara(self) -> str:
        """What becomes of a svara: ``"play"``, or ``"value"`` where each of k tied seats gets pot / k."""
        ...

    @property
    def value_is_exact(self) -> bool:
        """Whether ``"value"`` and ``"play"`` have the same mean under these rules."""
        ...

    @property
    def hand_points(self) -> NDArray[np.uint8]:
        """Points of every hand, shape (4960,), from which exact odds are counted."""
        ...

    @property
    def strength_levels(self) -> tuple[int, ...]:
        """Points that tell weak opponents from strong ones, ascending."""
        ...

    @property
    def p_differs(self) -> float:
        """Share of hands with which the first round can differ."""
        ...

    @property
    def identical(self) -> bool:
        """Whether no deal can differ."""
        ...

    def play(self, first_deal: int, n_deals: int, expected: NDArray[np.float64] | None = None) -> PairBlock:
        """Play deals, each with the hero in every seat.

        Parameters
        ----------
        first_deal, n_deals : int
            Which deals.
        expected : numpy.ndarray, optional
            Shape (4960, features): by hand of the hero, exact means of the features of its opponents' strength
            (`svara_sim.analysis.compare.expected_strength`). With it, the controls are the features less these.
        """
        ...

    def play_separately(self, first_deal: int, n_deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Payoffs under a and under b with nothing saved, shapes (deals, seats), in chips."""
        ...


def make_pairs(
    game: Game, rules: Rules, a: Policy, b: Policy, field: Policy, players: int, seed: int, svara: str = "auto"
) -> Pairs:
    """The pairs of a game.

    Raises
    ------
    InvalidInput
        If the game does not offer them.
    """
    if game.name not in _WHERE:
        raise InvalidInput(f"game = {game.name!r}: policies can be compared in {one_of(_WHERE)}")
    module, name = _WHERE[game.name]
    maker = cast(Callable[..., Any], getattr(import_module(f".{module}", __package__), name))
    return cast(Pairs, maker(rules, a, b, field, players, seed, svara))
