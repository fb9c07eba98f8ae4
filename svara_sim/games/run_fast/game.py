"""Run Fast as the lab knows it: the protocol of games, kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import InvalidInput, check_int
from ...core.rng import check_seed
from ..protocol import BenchCase, Column, Game, Measure, Policy, PolicyInfo
from .human import RunFastSitting
from .policies import LIBRARY, make_policy
from .rules import PRESETS, RunFastRules
from .schema import RECORD_COLUMNS, TOTAL_COLUMNS, measures
from .table import N_SEATS, RunFastTable

__all__ = ["RUN_FAST", "RunFast"]


class RunFast:
    """The game for three, 48 cards, a single deal; a unit is one deal."""

    name = "run_fast"
    title = "Run Fast"
    presets: Sequence[str] = PRESETS
    usual_players = N_SEATS
    default_seats: Sequence[str] = ("fewest_long", "greedy", "random")

    def make_rules(self, preset: str | None = None, options: Mapping[str, Any] | None = None) -> RunFastRules:
        """Rules of a preset with some options changed."""
        return RunFastRules.make(preset, options)

    def check_players(self, players: Any, rules: Any) -> int:
        """Three, or an error."""
        return check_int("players", players, N_SEATS, N_SEATS, "(Run Fast is for three)")

    def policy_library(self) -> Sequence[PolicyInfo]:
        """Policies that `make_policy` knows by name."""
        return tuple(LIBRARY.values())

    def make_policy(self, policy: Any) -> Any:
        """A policy from ``"name:parameter=value,..."`` (or a policy as it is)."""
        return make_policy(policy)

    def table_policy(self, name: str, rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Policy:
        """Always an error: no policy of this game is a table."""
        raise InvalidInput(f"policy {name!r}: Run Fast has no policies from tables of probabilities")

    def make_table(
        self,
        rules: Any,
        seats: Sequence[Any],
        seed: int,
        *,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> RunFastTable:
        """A table ready to play.

        Raises
        ------
        InvalidInput
            On a number of seats other than three, a seed out of range, or `session_deals`: a deal stands alone.
        """
        if session_deals is not None:
            raise InvalidInput(f"session_deals = {session_deals!r}: Run Fast has no sessions, each deal stands alone")
        if not isinstance(rules, RunFastRules):
            raise InvalidInput(f"rules = {rules!r}: must be rules of Run Fast")
        if len(seats) != N_SEATS:
            raise InvalidInput(f"seats: {len(seats)} policies: Run Fast is for three")
        return RunFastTable(rules, [make_policy(seat) for seat in seats], check_seed(seed), bool(lenient))

    def sit(self, rules: Any, opponents: Sequence[Any], seed: int, deal: int) -> RunFastSitting:
        """A deal for a person in seat 0."""
        self.check_players(len(opponents) + 1, rules)
        return RunFastSitting(rules, [make_policy(p) for p in opponents], check_seed(seed), deal)

    def record_columns(self, players: int) -> Sequence[Column]:
        """Schema of the per-deal records, in order."""
        return RECORD_COLUMNS

    def total_columns(self, players: int) -> Sequence[Column]:
        """Schema of `Block.totals`, in order."""
        return TOTAL_COLUMNS

    def bench_cases(self, players: int) -> Sequence[BenchCase]:
        """Tables of random and of greedy players in the kernel and in plain Python, and the other policies."""
        from .baselines.cases import bench_cases

        return bench_cases(players)

    def measures(self, seats: Sequence[Policy]) -> Sequence[Measure]:
        """What a summary estimates from the totals."""
        return measures(seats)


RUN_FAST: Game = RunFast()
"""The only instance."""
