"""A person at the table: what a game shows one who plays a deal, and how the person answers.

A sitting is one deal, played by a person in seat 0 against policies. It knows nothing of terminals: everything it
says is a list of lines of text, and an answer is the number of a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..core.errors import InvalidInput, check_int

__all__ = ["PERSON", "Choice", "Sitting", "check_answer"]

PERSON = 0
"""The person's seat."""


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
