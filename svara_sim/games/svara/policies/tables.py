"""Policies given by a table of one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.errors import InvalidInput, check_choice, check_int
from ..rules import SvaraRules
from .plan import FEATURES, MAX_SIZE, BetTable, SeatPlan, check_number

__all__ = ["TablePolicy"]


@dataclass(frozen=True)
class TablePolicy:
    """A policy given by a table of one's own.

    Parameters
    ----------
    name : str
        Its label.
    bets : BetTable
        Probabilities of fold, call and raise by (points, situation).
    blind : float
        Probability of betting blind.
    blind_choice : {"smallest", "largest", "any"}
        Which legal blind.
    join : float
        Probability of joining a svara.
    join_price : float
        Highest share of the pot (the fee included) to pay for joining.
    """

    name: str
    bets: BetTable
    blind: float = 0.0
    blind_choice: str = "smallest"
    join: float = 0.0
    join_price: float = 1.0

    def __post_init__(self) -> None:
        for field_name in ("blind", "join", "join_price"):
            check_number(f"{self.name}: {field_name}", getattr(self, field_name), 0, 1)
        check_choice(f"{self.name}: blind_choice", self.blind_choice, ("smallest", "largest", "any"))

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    def describe(self) -> dict[str, Any]:
        """Name, features, a hash of the table, and the probabilities."""
        return {
            "kind": "table",
            "name": self.name,
            "features": list(self.bets.features),
            "table": self.bets.digest(),
            "blind": self.blind,
            "blind_choice": self.blind_choice,
            "join": self.join,
            "join_price": self.join_price,
        }

    def plan(self, rules: SvaraRules) -> SeatPlan:
        """The same under any rules."""
        return SeatPlan(self.bets, self.blind, self.blind_choice, self.join, self.join_price)

    @classmethod
    def from_rows(cls, name: str, rows: Sequence[Mapping[str, Any]], **options: Any) -> TablePolicy:
        """A policy from rows such as ``{"points": 21, "players": 4, "p_call": 0.8, "p_raise": 0.2}``.

        Parameters
        ----------
        name : str
            Its label.
        rows : sequence of mapping
            Feature columns (those of `FEATURES`) and ``p_call``, ``p_raise``, optionally ``p_fold``,
            ``max_price``, ``raise_size``. Combinations that no row names fold.
        **options
            The other parameters of `TablePolicy`.

        Raises
        ------
        InvalidInput
            On unknown columns, values out of range, or probabilities that do not add up to 1.
        """
        if not rows:
            raise InvalidInput(f"table {name!r}: has no rows")
        values = ("p_fold", "p_call", "p_raise", "max_price", "raise_size")
        for column in rows[0]:
            check_choice(f"table {name!r}: column", column, (*FEATURES, *values))
        features = tuple(f for f in FEATURES if f in rows[0])
        shape = tuple(FEATURES[f] for f in features)
        arrays = {"p_call": np.zeros(shape), "p_raise": np.zeros(shape)}
        arrays |= {"max_price": np.ones(shape), "raise_size": np.zeros(shape)}
        for number, row in enumerate(rows, 1):
            _read_row(f"table {name!r}, row {number}", row, features, arrays)
        return cls(name, BetTable(features, **arrays), **options)


def _read_row(where: str, row: Mapping[str, Any], features: Sequence[str], arrays: Mapping[str, NDArray[Any]]) -> None:
    cell = tuple(check_int(f"{where}: {f}", row.get(f), 0, FEATURES[f] - 1) for f in features)
    p_call = check_number(f"{where}: p_call", row.get("p_call", 0.0), 0, 1)
    p_raise = check_number(f"{where}: p_raise", row.get("p_raise", 0.0), 0, 1)
    if "p_fold" in row:
        total = p_call + p_raise + check_number(f"{where}: p_fold", row["p_fold"], 0, 1)
        if abs(total - 1) > 1e-6:
            raise InvalidInput(f"{where}: p_fold + p_call + p_raise = {total:g}: must be 1")
    arrays["p_call"][cell], arrays["p_raise"][cell] = p_call, p_raise
    arrays["max_price"][cell] = check_number(f"{where}: max_price", row.get("max_price", 1.0), 0, 1)
    arrays["raise_size"][cell] = check_number(f"{where}: raise_size", row.get("raise_size", 0.0), -1, MAX_SIZE)
