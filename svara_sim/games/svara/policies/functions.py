"""Policies of one's own: plain Python functions of a `View`, compiled when a table is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ....core.errors import InvalidInput
from ....core.fingerprint import fingerprint, source_of
from ..kernel.decide import CALL, FOLD
from ..kernel.state import View
from ..rules import SvaraRules
from .plan import SeatPlan, check_number

__all__ = ["CALL", "FOLD", "FunctionPolicy", "View"]


@dataclass(frozen=True)
class FunctionPolicy:
    """A policy whose decisions are functions of one's own.

    Each function gets a `View` and returns a whole number; it may use what Numba compiles (arithmetic, ``if``,
    loops, ``math``, NumPy, other functions compiled by Numba). It runs at the speed of the kernel, which is not
    compiled again for it.

    Parameters
    ----------
    name : str
        Its label.
    bet : callable
        Returns `FOLD`, `CALL`, or the level to raise to, from ``view.min_raise_to`` to ``view.max_raise_to``
        (both 0 if no raise is legal). To call when nobody has opened is to open at the opening price.
    blind : callable or float
        Returns 0, or the blind to bet (``view.next_blind`` is the smallest legal one); or the probability of
        betting the smallest legal blind.
    join : callable or float
        Returns 1 to join the svara for ``view.owed`` chips, or 0; or the probability of joining.

    Examples
    --------
    >>> def bet(view):
    ...     if view.points >= 28 and view.min_raise_to > 0:
    ...         return view.min_raise_to
    ...     return CALL if view.points >= 20 else FOLD
    >>> mine = FunctionPolicy("mine", bet, blind=0.1)
    """

    name: str
    bet: Callable[[View], int]
    blind: Callable[[View], int] | float = 0.0
    join: Callable[[View], int] | float = 0.0

    def __post_init__(self) -> None:
        if not callable(self.bet):
            raise InvalidInput(f"{self.name}: bet = {self.bet!r}: must be a function of a View")
        for decision in ("blind", "join"):
            value = getattr(self, decision)
            if not callable(value):
                check_number(f"{self.name}: {decision} (a probability or a function)", value, 0, 1)

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    def describe(self) -> dict[str, Any]:
        """Name, source of the functions, and hashes of all that they do; probabilities as they are."""
        decisions = {"bet": self.bet, "blind": self.blind, "join": self.join}
        return {
            "kind": "function",
            "name": self.name,
            **{name: source_of(d) if callable(d) else float(d) for name, d in decisions.items()},
            "fingerprints": {name: fingerprint(d) for name, d in decisions.items() if callable(d)},
        }

    def plan(self, rules: SvaraRules) -> SeatPlan:
        """The same under any rules."""
        return SeatPlan(self.bet, blind=self.blind, join=self.join)
