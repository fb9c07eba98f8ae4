"""Policies of Run Fast: the library by name, and functions of one's own.

Own functions may use these compiled helpers, on a view or on the hands in it: `count_moves` (of a view),
`nth_move` (move number n of a view), `remove_move` (a hand without a move), `count_of_rank` (of a hand), and the
tables `MOVE_KIND`, `MOVE_SIZE`, `MOVE_TOP`, `MOVE_GROUP` by slot; see `kernel.moves` for the slots.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

from ...core.errors import InvalidInput, check_int
from ...core.fingerprint import fingerprint, source_of
from ..policy_text import as_policy, read_policy
from ..protocol import Parameter, PolicyInfo
from .kernel.codes import ASK, FEWEST, FEWEST_LONG, GREEDY, MONTE_CARLO, OWN, RANDOM
from .kernel.hands import count_of_rank, remove_move
from .kernel.legal import count_moves, nth_move
from .kernel.moves import MOVE_GROUP, MOVE_KIND, MOVE_SIZE, MOVE_TOP, PASS
from .kernel.view import View

__all__ = [
    "LIBRARY",
    "MOVE_GROUP",
    "MOVE_KIND",
    "MOVE_SIZE",
    "MOVE_TOP",
    "PASS",
    "AskPolicy",
    "FunctionPolicy",
    "LibraryPolicy",
    "RunFastPolicy",
    "SeatPlan",
    "View",
    "count_moves",
    "count_of_rank",
    "make_policy",
    "nth_move",
    "remove_move",
]

MAX_WORLDS = 100_000


@dataclass(frozen=True)
class SeatPlan:
    """What the kernel is told of a seat."""

    code: int
    worlds: int = 0
    inference: int = 0
    greedy_playouts: int = 0
    choose: Callable[[View], int] | None = None


class RunFastPolicy(Protocol):
    """How one seat decides."""

    @property
    def label(self) -> str:
        """Its name in tables."""
        ...

    def describe(self) -> dict[str, Any]:
        """Everything that defines it."""
        ...

    def plan(self) -> SeatPlan:
        """What the kernel is told."""
        ...


_ENTRIES: tuple[tuple[PolicyInfo, int], ...] = (
    (PolicyInfo("random", "each legal move alike"), RANDOM),
    (PolicyInfo("greedy", "leads its longest, then lowest combination; replies with the lowest that beats"), GREEDY),
    (
        PolicyInfo("fewest", "leaves the fewest plays in its hand, by the lowest move; bombs only if it must"),
        FEWEST,
    ),
    (
        PolicyInfo("fewest_long", "as fewest, but prefers longer leads among moves that leave as many plays"),
        FEWEST_LONG,
    ),
    (
        PolicyInfo(
            "monte_carlo",
            "plays each legal move out in sampled worlds that fit all it has seen, and takes the best on average",
            (
                Parameter("worlds", 50, 1, MAX_WORLDS, "hidden hands sampled for a decision"),
                Parameter("inference", 1, 0, 1, "1 to learn from passes, 0 not to"),
                Parameter("greedy_playouts", 0, 0, 1, "1 to play out by greedy (faster), 0 by fewest_long"),
            ),
        ),
        MONTE_CARLO,
    ),
)

LIBRARY: dict[str, PolicyInfo] = {info.name: info for info, _ in _ENTRIES}
"""What `svara policies` lists: name, summary, parameters with defaults and ranges."""

_CODES = {info.name: code for info, code in _ENTRIES}


@dataclass(frozen=True)
class LibraryPolicy:
    """A policy of the library with its parameters set. Make it with `make_policy`."""

    name: str
    values: tuple[tuple[str, int], ...]
    label: str

    def describe(self) -> dict[str, Any]:
        """Name and every parameter."""
        return {"kind": "library", "name": self.name, **dict(self.values)}

    def plan(self) -> SeatPlan:
        """Its code and parameters."""
        values = dict(self.values)
        code = _CODES[self.name]
        return SeatPlan(code, values.get("worlds", 0), values.get("inference", 0), values.get("greedy_playouts", 0))


@dataclass(frozen=True)
class FunctionPolicy:
    """A policy that is a function of one's own.

    The function gets a `View` whenever it has a choice and returns the slot of a legal move. It may use what
    Numba compiles, and the helpers of this module. It runs at the speed of the kernel, which is not compiled
    again for it.

    Parameters
    ----------
    name : str
        Its label.
    choose : callable
        The function.

    Examples
    --------
    >>> def choose(view):
    ...     return nth_move(view, view.n_moves - 1)
    >>> mine = FunctionPolicy("last", choose)
    """

    name: str
    choose: Callable[[View], int]

    def __post_init__(self) -> None:
        if not callable(self.choose):
            raise InvalidInput(f"{self.name}: choose = {self.choose!r}: must be a function of a View")

    @property
    def label(self) -> str:
        """Its name."""
        return self.name

    def describe(self) -> dict[str, Any]:
        """Name and source of the function, and a hash of all that it does."""
        return {
            "kind": "function",
            "name": self.name,
            "choose": source_of(self.choose),
            "fingerprint": fingerprint(self.choose),
        }

    def plan(self) -> SeatPlan:
        """The function."""
        return SeatPlan(OWN, choose=self.choose)


@dataclass(frozen=True)
class AskPolicy:
    """A seat whose moves come from outside, one at a time: `RunFastTable.play_on` stops there."""

    label: str = "person"

    def describe(self) -> dict[str, Any]:
        """Only its name."""
        return {"kind": "ask", "name": self.label}

    def plan(self) -> SeatPlan:
        """Stop and ask."""
        return SeatPlan(ASK)


def make_policy(policy: str | RunFastPolicy) -> RunFastPolicy:
    """A policy from ``"name"`` or ``"name:parameter=value,..."``; a policy is returned as it is.

    Raises
    ------
    InvalidInput
        On an unknown policy or parameter, or a value out of range.
    """
    return cast(RunFastPolicy, as_policy(policy, LIBRARY, _read))


def _read(text: str) -> LibraryPolicy:
    name, values = read_policy(text, LIBRARY, int, lambda field, x, p: check_int(field, x, int(p.low), int(p.high)))
    return LibraryPolicy(name, values, text)
