"""Svara as the lab knows it: `svara_sim.games.protocol.Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...core.errors import InvalidInput, check_choice, check_int
from ...core.rng import check_seed
from ..protocol import BenchCase, Column, Measure, Policy, PolicyInfo, Rules
from .human import SvaraSitting
from .measures import measures
from .paired import SvaraPairs
from .policies import LIBRARY, make_policy
from .policies.plan import SvaraPolicy
from .policies.tables import TablePolicy
from .rules import PRESETS, SvaraRules, make_rules
from .schema import record_columns, total_columns
from .table import SvaraTable

__all__ = ["SVARA", "Svara"]


class Svara:
    """The game of Svara; `SVARA` is its only instance."""

    name = "svara"
    title = "Svara"
    presets = tuple(PRESETS)
    usual_players = 4
    default_seats = ("threshold",)

    def make_rules(self, preset: str | None = None, options: Mapping[str, Any] | None = None) -> SvaraRules:
        """Rules of a preset with some options changed."""
        return make_rules(preset, options)

    def check_players(self, players: Any, rules: Rules) -> int:
        """The number of seats, if these rules allow it."""
        options = cast(SvaraRules, rules)
        return check_int("players", players, options.min_seats, options.max_seats, "under these rules")

    def policy_library(self) -> Sequence[PolicyInfo]:
        """The policies that have a name."""
        return tuple(LIBRARY.values())

    def make_policy(self, policy: Any) -> SvaraPolicy:
        """A policy from text, or as it is."""
        return make_policy(policy)

    def table_policy(self, name: str, rows: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> TablePolicy:
        """A policy from rows of probabilities."""
        for option in options:
            check_choice(f"policy {name!r}: option", option, ("blind", "blind_choice", "join", "join_price"))
        return TablePolicy.from_rows(name, rows, **options)

    def make_table(
        self,
        rules: Rules,
        seats: Sequence[Policy],
        seed: int,
        *,
        session_deals: int | None = None,
        lenient: bool = False,
    ) -> SvaraTable:
        """A table ready to play."""
        if not isinstance(rules, SvaraRules):
            raise InvalidInput(f"rules = {rules!r}: must be SvaraRules")
        self.check_players(len(seats), rules)
        return SvaraTable(rules, [make_policy(cast(Any, s)) for s in seats], seed, session_deals, lenient)

    def sit(self, rules: Rules, opponents: Sequence[Policy], seed: int, deal: int) -> SvaraSitting:
        """A deal for a person in seat 0."""
        options = cast(SvaraRules, rules)
        self.check_players(len(opponents) + 1, rules)
        return SvaraSitting(options, [make_policy(cast(Any, p)) for p in opponents], check_seed(seed), deal)

    def make_pairs(
        self, rules: Rules, a: Policy, b: Policy, field: Policy, players: int, seed: int, svara: str = "auto"
    ) -> SvaraPairs:
        """Pairs of two policies; see `svara_sim.games.capabilities.PairedGame`."""
        options = cast(SvaraRules, rules)
        hero_a, hero_b, others = (make_policy(cast(Any, p)) for p in (a, b, field))
        return SvaraPairs(options, hero_a, hero_b, others, players, seed, svara)

    def record_columns(self, players: int) -> Sequence[Column]:
        """Schema of the records."""
        return record_columns(players)

    def total_columns(self, players: int) -> Sequence[Column]:
        """Schema of the totals."""
        return total_columns(players)

    def bench_cases(self, players: int) -> Sequence[BenchCase]:
        """The kernel under each kind of policy, and the same game in plain Python and NumPy."""
        from .baselines.cases import bench_cases

        return bench_cases(players)

    def measures(self, seats: Sequence[Policy]) -> Sequence[Measure]:
        """What a summary estimates."""
        return measures(seats)


SVARA = Svara()
