"""What the lab knows of a game: a handful of names, and blocks of units played on request.

A *unit* is what a run repeats independently: one deal with all that follows from it, or one session of M deals.
A *batch* is a fixed number of consecutive units. Kernels add their totals up by batch, so that every average and
every ratio of totals has an honest error (see `svara_sim.stats.estimates`), whatever depends on whatever
within a unit, and the totals are whole numbers, so that no order of adding changes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BenchCase",
    "Block",
    "Column",
    "Game",
    "History",
    "Measure",
    "Parameter",
    "Policy",
    "PolicyInfo",
    "Rules",
    "Table",
]

History = dict[str, Any]
"""One replayed deal, ready for JSON."""


@dataclass(frozen=True)
class Column:
    """A column of the records or of the totals: the single place where its name, type and meaning stand.

    Parameters
    ----------
    name : str
        Name in datasets.
    dtype : str
        Numpy dtype of the kernel's array, such as ``"uint8"``.
    unit : str
        ``"chips"``, ``"points"``, ``"deals"``, ...
    meaning : str
        One sentence.
    categories : tuple of str
        If not empty, the column is an enumeration and the kernel writes indices into it.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure:
    """A quantity to estimate: one total over another.

    Parameters
    ----------
    table : str
        The summary table that it belongs to, such as ``"payoff_by_seat"``.
    keys : mapping
        What tells its row from the others of the table, such as ``{"seat": 0, "policy": "rock"}``.
    total, per : str
        Names of total columns; the estimate is their ratio.
    unit : str
        Unit of the ratio; ``"chips"`` is also reported in antes (`Table.chips_per_ante`).
    kind : {"mean", "proportion"}
        A proportion counts, in each of `per`, whether something happened at most once.
    """

    table: str
    keys: Mapping[str, Any]
    total: str
    per: str
    unit: str
    kind: Literal["mean", "proportion"] = "mean"


@dataclass(frozen=True)
class Block:
    """What a block of units leaves.

    Parameters
    ----------
    totals : numpy.ndarray
        Shape (batches touched, total columns), int64; the first row belongs to batch ``first_batch``.
    first_batch : int
        Index of the batch of the first unit.
    records : mapping of str to numpy.ndarray, or None
        Record columns, each of length deals, in deal order.
    clamped : numpy.ndarray
        Shape (seats,), int64: illegal actions of each seat that a lenient table set right.
    """

    totals: NDArray[np.int64]
    first_batch: int
    records: Mapping[str, NDArray[Any]] | None
    clamped: NDArray[np.int64]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a library policy."""

    name: str
    default: float | int | str
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class PolicyInfo:
    """A library policy as `svara policies` lists it."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...] = field(default=())


@dataclass(frozen=True)
class BenchCase:
    """One way of playing a game that `svara bench` times.

    Parameters
    ----------
    kind : str
        What is timed: ``"library"``, ``"table"``, ``"function"``, ``"records"``; ``"python"`` and ``"numpy"`` are the
        versions that the others are compared with.
    seats : int
        Seats at the table.
    play : callable
        ``play(first_deal, n_deals)``; safe to call from several threads if `threaded`.
    n_deals : int
        A number of deals that takes some tens of milliseconds.
    threaded : bool
        Whether it is also timed on several threads.
    table : str
        Who plays, where a game is timed with several tables; only cases of one table are compared.
    """

    kind: str
    seats: int
    play: Callable[[int, int], object]
    n_deals: int
    threaded: bool = False
    table: str = ""


class Rules(Protocol):
    """Validated options of a game."""

    def as_dict(self) -> dict[str, Any]:
        """Every option, ready for JSON and TOML."""
        ...


class Policy(Protocol):
    """How one seat decides."""

    @property
    def label(self) -> str:
        """What was typed to get it, such as ``"threshold:call=21"``; names it in tables and manifests."""
        ...

    def describe(self) -> dict[str, Any]:
        """Everything that defines it, ready for JSON."""
        ...


class Table(Protocol):
    """A game with its rules, policies and seed fixed: kernel arguments built once, blocks played on request.

    Tables are safe to use from several threads at once.
    """

    @property
    def n_seats(self) -> int:
        """Number of seats."""
        ...

    @property
    def session_deals(self) -> int:
        """Deals in a unit."""
        ...

    @property
    def chips_per_ante(self) -> float:
        """What one ante (or one point) is in the unit of the payoffs."""
        ...

    def simulate_block(self, first_unit: int, n_units: int, batch_units: int, records: bool) -> Block:
        """Play units ``first_unit ... first_unit + n_units - 1``.

        Raises
        ------
        IllegalAction
            If a policy answers with an illegal action and the table is not lenient.
        """
        ...

    def replay(self, first_deal: int, n_deals: int) -> Iterator[History]:
        """Histories of the given deals, the same deals as in a run."""
        ...

    def transcript(self, history: History) -> str:
        """A history in words, for people."""
        ...


class Game(Protocol):
    """A game of the suite."""

    @property
    def name(self) -> str:
        """Name on the command line and in manifests."""
        ...

    @property
    def title(self) -> str:
        """Name for people."""
        ...

    @property
    def presets(self) -> Sequence[str]:
        """Names of rule sets, the default first."""
        ...

    @property
    def usual_players(self) -> int:
        """Seats of a table that nobody has described."""
        ...

    @property
    def default_seats(self) -> Sequence[str]:
        """Policies of a table that nobody has described."""
        ...

    def make_rules(self, preset: str | None = None, options: Mapping[str, Any] | None = None) -> Rules:
        """Rules of a preset with some options changed; raises `InvalidInput` naming a wrong one."""
        ...

    def check_players(self, players: Any, rules: Rules) -> int:
        """The number of seats, if these rules allow it; raises `InvalidInput`."""
        ...

    def policy_library(self) -> Sequence[PolicyInfo]:
        """Policies that `make_policy` knows by name."""
        ...

    def make_policy(self, policy: Any) -> Policy:
        """A policy from ``"name:parameter=value,..."`` (or a policy as it is)."""
        ...

    def table_policy(self, name: str, rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Policy:
        """A policy from a table of probabilities; raises `InvalidInput` if the game has no such policies."""
        ...

    def make_table(
        self,
        rules: Rules,
        seats: Sequence[Policy],
        seed: int,
        *,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> Table:
        """A table ready to play. `session_deals` None plays independent deals."""
        ...

    def record_columns(self, players: int) -> Sequence[Column]:
        """Schema of the per-deal records, in order."""
        ...

    def total_columns(self, players: int) -> Sequence[Column]:
        """Schema of `Block.totals`, in order."""
        ...

    def bench_cases(self, players: int) -> Sequence[BenchCase]:
        """What `svara bench` times at a table of this many seats."""
        ...

    def measures(self, seats: Sequence[Policy]) -> Sequence[Measure]:
        """What a summary estimates from the totals."""
        ...
