"""What a seat does, as data: betting tables over named features, probabilities of blinds and joins."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....core.errors import InvalidInput, check_choice
from ..kernel.decide import (
    ALWAYS_CALL,
    ALWAYS_FOLD,
    ALWAYS_RAISE,
    ALWAYS_SHIFT,
    CUT_ONE,
    PRICE_ONE,
    SIZE_ANY,
    SIZE_ONE,
)
from ..kernel.state import MAX_SEATS, ROW
from ..rules import SvaraRules

__all__ = [
    "ANY_SIZE",
    "FEATURES",
    "MAX_SIZE",
    "BetTable",
    "SeatPlan",
    "SvaraPolicy",
    "check_number",
    "cut",
    "feature",
]

FEATURES: dict[str, int] = {
    "stage": 3,
    "can_raise": 2,
    "raises": 5,
    "players": MAX_SEATS + 1,
    "position": MAX_SEATS,
    "svara": 2,
    "points": 35,
}
"""What a betting table may look at, in its axis order, and how many values each feature has.

stage: 0 nobody has opened and nobody bet blind, 1 nobody has opened after a blind, 2 somebody has opened.
can_raise: 1 if a raise (or an opening) is legal. raises: raises that count against the limit, 4 for more.
players: seats still in. position: 0 left of the dealer .. the dealer. svara: 1 in a svara. points: own points.
"""

ANY_SIZE = -1.0
"""Raise size that means: any legal level, each as likely as the others."""

MAX_SIZE = 1000.0
_SITUATION = tuple(FEATURES)[:4]  # what changes within a betting round


def feature(name: str, features: Sequence[str] = tuple(FEATURES)) -> NDArray[np.int64]:
    """The values of a feature, shaped to broadcast against tables with axes `features`."""
    axis = features.index(name)
    shape = [1] * len(features)
    shape[axis] = FEATURES[name]
    return np.arange(FEATURES[name]).reshape(shape)


def cut(probability: ArrayLike) -> NDArray[np.uint32]:
    """What a draw of 31 bits must be below to happen with this probability."""
    return np.round(np.asarray(probability, dtype=np.float64) * CUT_ONE).astype(np.uint32)


def check_number(name: str, value: Any, low: float, high: float) -> float:
    """Return `value` as a float between `low` and `high`, or raise `InvalidInput`."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise InvalidInput(f"{name} = {value!r}: must be a number from {low:g} to {high:g}")
    number = float(value)
    if not low <= number <= high:  # also false for NaN
        raise InvalidInput(f"{name} = {value!r}: must be from {low:g} to {high:g}")
    return number


@dataclass(frozen=True, eq=False)
class BetTable:
    """What a policy does when it is its turn to bet, by the features that it looks at.

    A draw decides between fold, call and raise; a call (or raise) is given up if it costs a larger share of the
    pot than the price limit; a raise that is not legal becomes a call. To call when nobody has opened is to open
    at the opening price.

    Parameters
    ----------
    features : tuple of str
        Axes of the arrays, in the order of `FEATURES`.
    p_call, p_raise : array_like
        Probabilities; the rest is to fold. Broadcast to the shape of the features.
    max_price : array_like
        Highest share of the pot (the call included) to pay, from 0 to 1. Default 1: any.
    raise_size : array_like
        By which part of the pot, as it is after a call, to raise; at least the smallest legal raise, at most the
        limit. `ANY_SIZE` draws any legal level. Default 0: the smallest.

    Raises
    ------
    InvalidInput
        On unknown features, shapes that do not fit, or values out of range.
    """

    features: tuple[str, ...]
    p_call: ArrayLike
    p_raise: ArrayLike
    max_price: ArrayLike = 1.0
    raise_size: ArrayLike = 0.0
    _arrays: dict[str, NDArray[np.float64]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in self.features:
            check_choice("feature", name, tuple(FEATURES))
        if list(self.features) != [f for f in FEATURES if f in self.features]:
            raise InvalidInput(f"features = {self.features!r}: must be in the order {', '.join(FEATURES)}, once each")
        arrays = {}
        for name in ("p_call", "p_raise", "max_price", "raise_size"):
            value = np.asarray(getattr(self, name), dtype=np.float64)
            try:
                arrays[name] = np.broadcast_to(value, self.shape)
            except ValueError:
                raise InvalidInput(f"{name}: has shape {value.shape}, which does not fit {self.shape}") from None
        self._check(arrays)
        object.__setattr__(self, "_arrays", arrays)

    @staticmethod
    def _check(arrays: Mapping[str, NDArray[np.float64]]) -> None:
        for name in ("p_call", "p_raise", "max_price"):
            if not np.all((arrays[name] >= 0) & (arrays[name] <= 1)):
                raise InvalidInput(f"{name}: must be from 0 to 1 everywhere")
        if np.any(arrays["p_call"] + arrays["p_raise"] > 1 + 1e-9):
            raise InvalidInput("p_call + p_raise: must be at most 1 everywhere")
        size = arrays["raise_size"]
        if not np.all(((size >= 0) & (size <= MAX_SIZE)) | (size == ANY_SIZE)):
            raise InvalidInput(f"raise_size: must be from 0 to {MAX_SIZE:g} pots, or {ANY_SIZE:g} for any size")

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BetTable)
            and self.features == other.features
            and bool(np.array_equal(self.rows(), other.rows()))
        )

    def __hash__(self) -> int:
        return hash(self.digest())

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each feature."""
        return tuple(FEATURES[f] for f in self.features)

    def rows(self) -> NDArray[np.uint32]:
        """Rows for the kernel, shape (product of `shape`, 4); see `kernel.decide.table_bet`."""
        a = self._arrays
        size = np.where(a["raise_size"] == ANY_SIZE, SIZE_ANY, np.round(a["raise_size"] * SIZE_ONE))
        columns = [
            cut(a["p_raise"]),
            np.minimum(cut(a["p_raise"] + a["p_call"]), CUT_ONE).astype(np.uint32),
            np.round(a["max_price"] * PRICE_ONE).astype(np.uint32),
            size.astype(np.uint32),
        ]
        return np.stack([c.reshape(-1) for c in columns], axis=1)

    def compact(self) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Rows for the kernel, without the features along which no row changes: a small table stays in fast memory.

        Returns
        -------
        rows, strides : numpy.ndarray
            The rows that are left, shape (E, 4), with what `kernel.decide.find_rows` looks for; and how many of them
            lie from one value of each of `FEATURES` to the next, 0 for those that make no difference.
        """
        rows, kept = self.rows().reshape(*self.shape, -1), list(self.features)
        for axis in reversed(range(len(self.features))):
            first = rows.take([0], axis=axis)
            if np.array_equal(rows, np.broadcast_to(first, rows.shape)):
                rows = first.squeeze(axis)
                del kept[axis]
        strides = np.zeros(len(FEATURES), dtype=np.int64)
        step = 1
        for name in reversed(kept):
            strides[list(FEATURES).index(name)] = step
            step *= FEATURES[name]
        rows = np.array(rows.reshape(-1, rows.shape[-1]))
        _note_always(rows, kept)
        return rows, strides

    def digest(self) -> str:
        """Hash of the table, for manifests."""
        return hashlib.blake2b(repr(self.features).encode() + self.rows().tobytes(), digest_size=8).hexdigest()


def _note_always(rows: NDArray[np.uint32], features: Sequence[str]) -> None:
    """Note, in the first row of those of a round, what all that a betting round can come to say alike."""
    shape = [FEATURES[f] if f in features else 1 for f in _SITUATION]
    by_round = rows.reshape(*shape, -1, ROW)
    stage, can_raise, raises, players = (feature(f, _SITUATION) for f in _SITUATION)
    at_start = (stage == 2) | ((can_raise == 1) & (raises == 0))
    reached = (at_start & (players >= 2))[..., None]
    raise_cut, call_cut, price, size = np.moveaxis(by_round, -1, 0)
    stays = (call_cut == CUT_ONE) & (price == PRICE_ONE)
    barred = stays & (can_raise == 0)[..., None]  # where a raise becomes a call
    said = {
        ALWAYS_FOLD: call_cut == 0,
        ALWAYS_CALL: stays & (raise_cut == 0) | barred,
        ALWAYS_RAISE: stays & (raise_cut == CUT_ONE) & (size == 0) | barred,
    }
    first = by_round[0, 0, 0, 0, :, 2]
    for code, where in said.items():
        first[np.all(where | ~reached, axis=(0, 1, 2, 3))] |= np.uint32(code) << ALWAYS_SHIFT


@dataclass(frozen=True)
class SeatPlan:
    """All that the kernel needs of one seat's policy.

    Parameters
    ----------
    bets : BetTable or callable
        A table, or a function of a `View`.
    blind : callable or array_like
        Probability of betting blind, by (svara or not, blinds already made), shape (2, 10) or less; or a function.
    blind_choice : {"smallest", "largest", "any"}
        Which legal blind.
    join : callable or array_like
        Probability of joining a svara, by the number of tied seats, shape (11,) or less; or a function.
    join_price : float
        Highest share of the pot (the fee included) to pay for joining.
    """

    bets: BetTable | Callable[..., Any]
    blind: ArrayLike | Callable[..., Any] = 0.0
    blind_choice: str = "smallest"
    join: ArrayLike | Callable[..., Any] = 0.0
    join_price: float = 1.0


class SvaraPolicy(Protocol):
    """A policy of this game; see `svara_sim.games.protocol.Policy`."""

    @property
    def label(self) -> str:
        """Its name in tables and manifests."""
        ...

    def describe(self) -> dict[str, Any]:
        """Everything that defines it, ready for JSON."""
        ...

    def plan(self, rules: SvaraRules) -> SeatPlan:
        """Its decisions under these rules."""
        ...
