"""What some games offer besides the protocol: paired play, and a deal for a person at the table.

A capability is a protocol that a game may satisfy; `paired_game` and `person_game` say in one line where it does not.
Whoever needs one asks here, so that no floor above knows which games there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..core.errors import InvalidInput, check_int
from .protocol import Game, Policy, Rules

__all__ = [
    "PERSON",
    "Choice",
    "PairBlock",
    "PairedGame",
    "Pairs",
    "PersonGame",
    "Sitting",
    "check_answer",
    "paired_game",
    "person_game",
]

PERSON = 0
"""The seat of a person at the table."""


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
    def p_differs(self) -> float:
        """Share of hands with which the first round can differ."""
        ...

    @property
    def identical(self) -> bool:
        """Whether no deal can differ."""
        ...

    def expected_strength(self) -> NDArray[np.float64]:
        """Exact means of what `play` compares with what happened, shape (private states, features)."""
        ...

    def play(self, first_deal: int, n_deals: int, expected: NDArray[np.float64] | None = None) -> PairBlock:
        """Play deals, each with the hero in every seat.

        Parameters
        ----------
        first_deal, n_deals : int
            Which deals.
        expected : numpy.ndarray, optional
            As `expected_strength` gives it. With it, the controls are what happened less these means.
        """
        ...

    def play_separately(self, first_deal: int, n_deals: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Payoffs under a and under b with nothing saved, shapes (deals, seats), in chips."""
        ...


@dataclass(frozen=True)
class Choice:
    """Something that the person may do now.

    Parameters
    ----------
    text : str
        What it is, such as ``"call, paying 60"``.
    low, high : int
        If `high` is not 0, the choice wants an amount from `low` to `high`, such as the level of a raise.
    """

    text: str
    low: int = 0
    high: int = 0


class Sitting(Protocol):
    """One deal with a person at the table; nothing it says depends on a card that the person has not seen."""

    @property
    def over(self) -> bool:
        """Whether the deal has come to its end."""
        ...

    def news(self) -> list[str]:
        """What has happened since this was last asked."""
        ...

    def position(self) -> list[str]:
        """The table and the person's hand, when the person is to answer."""
        ...

    def choices(self) -> Sequence[Choice]:
        """What the person may do now; empty when the deal is over."""
        ...

    def choose(self, index: int, amount: int | None = None) -> None:
        """Take a choice, by its place in `choices`, and play on to the next one or to the end.

        Raises
        ------
        InvalidInput
            If there is no such choice, or its amount is missing, out of range or not wanted.
        """
        ...

    def hint(self) -> list[str]:
        """Advice on the choices, with the error of whatever is estimated."""
        ...

    def settlement(self) -> list[str]:
        """How the deal ended, all cards open; empty before the end."""
        ...


def check_answer(choices: Sequence[Choice], index: int, amount: int | None) -> Choice:
    """The choice with this index, its amount checked (see `Sitting.choose`)."""
    if not choices:
        raise InvalidInput("the deal is over: there is nothing to choose")
    choice = choices[check_int("choice", index, 0, len(choices) - 1)]
    number = index + 1
    if choice.high and amount is None:
        raise InvalidInput(f"{number} wants an amount too, from {choice.low} to {choice.high}: {number} {choice.low}")
    if not choice.high and amount is not None:
        raise InvalidInput(f"{number} takes no amount: write {number}")
    if amount is not None:
        check_int("amount", amount, choice.low, choice.high)
    return choice


@runtime_checkable
class PairedGame(Protocol):
    """A game that plays two policies of one seat on the same deals and keeps only the difference."""

    def make_pairs(
        self, rules: Rules, a: Policy, b: Policy, field: Policy, players: int, seed: int, svara: str = "auto"
    ) -> Pairs:
        """Pairs of two policies at a table whose other seats play `field`."""
        ...


@runtime_checkable
class PersonGame(Protocol):
    """A game that a person can sit down to."""

    def sit(self, rules: Rules, opponents: Sequence[Policy], seed: int, deal: int) -> Sitting:
        """A deal for a person in seat 0 against these policies; raises `InvalidInput` on a wrong number of them."""
        ...


def paired_game(game: Game) -> PairedGame:
    """The game, if it offers paired play; raises `InvalidInput` if not."""
    if not isinstance(game, PairedGame):
        raise InvalidInput(f"game = {game.name!r}: does not offer paired play, so its policies cannot be compared so")
    return game


def person_game(game: Game) -> PersonGame:
    """The game, if a person can play it; raises `InvalidInput` if not."""
    if not isinstance(game, PersonGame):
        raise InvalidInput(f"game = {game.name!r}: a person cannot sit down to it")
    return game
