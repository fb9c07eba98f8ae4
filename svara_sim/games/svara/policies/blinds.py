"""A policy with other blinds: to ask what a blind bet is worth, all else being the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.errors import check_int
from ..kernel.state import MAX_SEATS
from ..rules import SvaraRules
from .library import make_policy
from .plan import SeatPlan, SvaraPolicy

__all__ = ["BlindsUpTo"]


@dataclass(frozen=True)
class BlindsUpTo:
    """A policy that bets blind in the first round while the chain is short, and plays on as it would.

    Parameters
    ----------
    policy : str or SvaraPolicy
        How it bets and joins, and which blind it chooses.
    most : int
        It bets blind if fewer than this many blinds stand before it: 0 never, 1 only as the first, 10 always.
    """

    policy: str | SvaraPolicy
    most: int = MAX_SEATS

    def __post_init__(self) -> None:
        check_int("most", self.most, 0, MAX_SEATS, "blinds")

    @property
    def label(self) -> str:
        """The policy's, and how far it goes."""
        return f"{make_policy(self.policy).label}, blinds up to {self.most}"

    def describe(self) -> dict[str, Any]:
        """The policy's description and `most`."""
        return {"kind": "blinds_up_to", "policy": make_policy(self.policy).describe(), "most": self.most}

    def plan(self, rules: SvaraRules) -> SeatPlan:
        """The policy's plan with these blinds."""
        blind = np.zeros((2, MAX_SEATS))
        blind[0] = np.arange(MAX_SEATS) < self.most
        return replace(make_policy(self.policy).plan(rules), blind=blind)
